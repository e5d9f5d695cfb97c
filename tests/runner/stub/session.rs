//! The stub's side of the protocol.

use crate::modes::Modes;
use crescendo::rules::fen;
use crescendo::rules::game::Game;
use crescendo::rules::midturn::Progress;
use crescendo::rules::perft::winning_series;
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::{ALL, ITALIAN, Rules};
use crescendo::types::Color;
use crescendo::types::moves::Move;
use crescendo_runner::player::scripted::random_series;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::fs::OpenOptions;
use std::io::{BufRead, Write, stderr, stdin, stdout};
use std::process::ExitCode;
use std::time::Duration;

struct Session {
    modes: Modes,
    rules: &'static Rules,
    game: Option<Game>,
    seed: u64,
    goes: u64,
    games: u64,
    /// Answers to be given one after the other, from the first again in each game.
    script: Vec<String>,
    /// How many of them have been given in this game.
    given: usize,
    /// Memory that is only held.
    held: Vec<u8>,
}

/// Answers until the input ends or the modes say otherwise.
pub(crate) fn run(modes: Modes) -> ExitCode {
    if let Some(path) = &modes.pid_file {
        append(path, &std::process::id().to_string());
    }
    if let Some(path) = &modes.affinity_file {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        append(path, status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap_or("?").trim());
    }
    if modes.exit_at_once {
        eprintln!("no licence found");
        return ExitCode::from(modes.exit_code.max(1));
    }
    if modes.spawn_grandchild {
        let child = std::process::Command::new("sleep").arg("1000").spawn();
        if let (Some(path), Ok(child)) = (&modes.pid_file, child) {
            append(path, &child.id().to_string());
        }
    }
    let seed = modes.seed;
    let script = modes.script.as_ref().map(|path| std::fs::read_to_string(path).unwrap_or_default());
    let script = script.unwrap_or_default().lines().map(str::to_owned).collect();
    let held = vec![1; modes.alloc << 20];
    let mut session = Session { modes, rules: &ITALIAN, game: None, seed, goes: 0, games: 0, script, given: 0, held };
    for line in stdin().lock().lines().map_while(Result::ok) {
        if let Some(path) = &session.modes.transcript {
            append(path, &line);
        }
        if let Some(code) = session.line(&line) {
            return code;
        }
    }
    if session.modes.ignore_eof {
        forever();
    }
    ExitCode::SUCCESS
}

fn append(path: &str, line: &str) {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let _ = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
}

fn pause(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

fn forever() -> ! {
    loop {
        pause(1000);
    }
}

impl Session {
    fn line(&mut self, line: &str) -> Option<ExitCode> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match *words.first()? {
            "uci" => self.uci(),
            "isready" => self.ready(),
            "ucinewgame" => (self.games, self.given) = (self.games + 1, 0),
            "setoption" => self.option(line),
            "position" if self.modes.fairy => self.game = fairy(self.rules, line),
            // Knows no commas.
            "position" if self.modes.flat && line.contains(',') => self.game = None,
            "position" => self.game = position(self.rules, line),
            "go" => return self.go(&words),
            "quit" if !self.modes.ignore_quit => return Some(ExitCode::SUCCESS),
            _ => {}
        }
        None
    }

    fn uci(&self) {
        pause(self.modes.slow_start);
        for number in 0..self.modes.banner {
            self.say(&format!("Welcome, line {number} of the banner"));
        }
        if self.modes.binary {
            let _ = stdout().write_all(b"\xff\xfe\0 noise\n");
        }
        if self.modes.no_uciok {
            forever();
        }
        self.say("id name crescendo-stub");
        if !self.modes.no_options {
            let variants: String = ALL.iter().map(|rules| format!(" var {}", rules.variant)).collect();
            self.say(&format!("option name UCI_Variant type combo default progressive{variants}"));
            self.say("option name Seed type spin default 0 min 0 max 2147483647");
            self.say("option name Hash type spin default 16 min 1 max 1024");
            self.say("option name Clear Hash type button");
            self.say("option name Book File type string default <empty>");
        }
        self.errors();
        self.say("uciok");
    }

    fn ready(&self) {
        let mute = self.modes.no_readyok_if.as_ref().is_some_and(|path| std::path::Path::new(path).exists());
        if mute || self.modes.no_readyok || self.modes.no_readyok_at == Some(self.games) {
            forever();
        }
        // In one piece: what comes only after the next question would be its answer.
        self.say(if self.modes.bestmove_before_go { "readyok\nbestmove a1a1" } else { "readyok" });
    }

    fn option(&mut self, line: &str) {
        let Some((name, value)) = line.trim_start_matches("setoption name ").split_once(" value ") else { return };
        match name {
            "UCI_Variant" => self.rules = Rules::by_name(value).unwrap_or(&ITALIAN),
            "Seed" => self.seed = value.parse::<u64>().unwrap_or(0) ^ self.modes.seed,
            _ => {}
        }
    }

    fn go(&mut self, words: &[&str]) -> Option<ExitCode> {
        (self.goes, self.given) = (self.goes + 1, self.given + 1);
        let modes = &self.modes;
        // The first process to get here dies; the file is its mark for those after it.
        let dies = |path: &String| OpenOptions::new().write(true).create_new(true).open(path).is_ok();
        if modes.die_once.as_ref().is_some_and(dies) || modes.die_on_go || modes.die_on_go_at == Some(self.goes) {
            eprintln!("stub: going down on go {}", self.goes);
            if modes.abort {
                std::process::abort();
            }
            return Some(ExitCode::from(modes.exit_code));
        }
        self.errors();
        if modes.flood_info {
            loop {
                self.say("info depth 1 score cp 1 nodes 1 pv a2a3");
                pause(1);
            }
        }
        if modes.never_move {
            forever();
        }
        for number in 0..modes.burst {
            self.say(&format!("info depth 1 seldepth 1 multipv 1 score cp 5 nodes {number} nps 1 time 0 pv a2a3 a7a6"));
        }
        if modes.long_line > 0 {
            self.say(&"x".repeat(usize::try_from(modes.long_line).unwrap_or(0)));
        }
        pause(modes.late);
        if self.goes == 1 {
            pause(modes.late_once);
        }
        if let Some(more) = modes.use_time {
            pause(u64::try_from(self.allowed(words) + more).unwrap_or(0));
        }
        if let Some(score) = modes.score {
            let time = modes.time.map(|time| format!(" time {time}")).unwrap_or_default();
            self.say(&format!("info depth 1 score cp {score} nodes {}{time} pv a2a3", 1 + self.held.len() / (1 << 20)));
        }
        self.answer()
    }

    /// The milliseconds that a `go` of these words allows the mover.
    fn allowed(&self, words: &[&str]) -> i64 {
        let number = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse::<i64>().ok()
        };
        let is_white = self.game.as_ref().is_none_or(|game| game.color() == Color::White);
        number("movetime").or_else(|| number(if is_white { "wtime" } else { "btime" })).unwrap_or(0)
    }

    fn answer(&self) -> Option<ExitCode> {
        let series = self.series();
        let series = if self.modes.upper { series.to_uppercase() } else { series };
        let series = if self.modes.flat || self.modes.fairy { first_leg(&series) } else { series };
        let line = format!("bestmove {series}");
        if self.modes.no_newline_eof {
            let _ = stdout().write_all(line.as_bytes());
            let _ = stdout().flush();
            return Some(ExitCode::SUCCESS);
        }
        // In one piece: a second line that comes only after the next question would be its answer.
        let second = if self.modes.double_bestmove { "\nbestmove a1a1" } else { "" };
        self.say(&(line + second));
        self.modes.move_then_exit.then(|| ExitCode::from(self.modes.exit_code))
    }

    fn series(&self) -> String {
        let Some(game) = &self.game else { return "(none)".into() };
        if let Some(line) = self.script.get(self.given - 1) {
            return line.clone();
        }
        let now = game.current();
        if self.modes.null_move {
            return "0000".into();
        }
        if self.modes.no_move {
            return "(none)".into();
        }
        if self.modes.garbage {
            return "????".into();
        }
        if self.modes.mate
            && now.left() <= 3
            && let Some(mate) = winning_series(now, 1).first()
        {
            return mate.to_string();
        }
        if self.modes.check_too_early
            && let Some(series) = early_check(game)
        {
            return series;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed ^ (game.plies() as u64).wrapping_mul(0x9e37_79b9));
        let mut legs: Vec<String> = random_series(now, &mut rng).iter().map(Move::to_string).collect();
        if let Some(at) = self.modes.illegal_at.filter(|&at| at >= 1 && at as usize <= legs.len()) {
            legs[at as usize - 1] = "a1h8".into();
        }
        if self.modes.too_short_series && legs.len() > 1 {
            legs.pop();
        }
        if self.modes.too_long_series {
            legs.push("a2a3".into());
        }
        legs.join(",")
    }

    /// What goes to the error stream.
    fn errors(&self) {
        if self.modes.stderr_fake_uci {
            eprintln!("uciok\nreadyok\nbestmove a1a1");
        }
        if self.modes.stderr > 0 {
            let line = "x".repeat(99) + "\n";
            let times = usize::try_from(self.modes.stderr / 100).unwrap_or(0);
            let _ = stderr().write_all(line.repeat(times).as_bytes());
            eprintln!("the very last words");
        }
    }

    fn say(&self, text: &str) {
        let modes = &self.modes;
        let mut line = text.to_owned();
        if modes.tab {
            line = line.replacen(' ', "\t", 1);
        }
        if modes.lead_blank {
            line.insert_str(0, " \t ");
        }
        let end = if modes.crlf { "\r\r\n" } else { "\n" };
        let blank = if modes.blank_lines { "\n\n" } else { "" };
        let bytes = format!("{blank}{line}{end}{blank}");
        let mut out = stdout().lock();
        let chunk = if modes.split_bytes { 1 } else { bytes.len() };
        for chunk in bytes.as_bytes().chunks(chunk) {
            let _ = out.write_all(chunk);
            let _ = out.flush();
        }
    }
}

/// A series whose first move gives check where only the last may, if there is one.
fn early_check(game: &Game) -> Option<String> {
    let now = game.current();
    if now.left() < 2 || !now.rules().is_italian() {
        return None;
    }
    // With one move left every check is allowed: the moves that this adds are the early checks.
    let last = now.fen();
    let mut fields: Vec<String> = last.split(' ').map(str::to_owned).collect();
    fields.truncate(6);
    fields.push("1".into());
    let (entry, _) = fen::read(&fields.join(" "), now.rules(), Strictness::Lenient).ok()?;
    let legal = now.legal();
    let check = entry.midturn().legal().into_iter().find(|mv| !legal.contains(mv))?;
    Some(format!("{check},a2a3"))
}

fn position(rules: &'static Rules, line: &str) -> Option<Game> {
    let (place, moves) = line.split_once(" moves").unwrap_or((line, ""));
    let place = place.trim().strip_prefix("position")?.trim();
    let mut game = match place.strip_prefix("fen ") {
        None => Game::new(rules),
        Some(fen) => Game::from_entry(fen::read(fen, rules, Strictness::Lenient).ok()?.0),
    };
    for mv in moves.split([' ', ',']).filter(|text| !text.is_empty()) {
        let _: Progress = game.play(mv.parse().ok()?).ok()?;
    }
    Some(game)
}

fn first_leg(series: &str) -> String {
    series.split(',').next().unwrap_or_default().to_owned()
}

/// A position in which the opponent passes between the moves of a series; `None` unless he passes exactly there.
fn fairy(rules: &'static Rules, line: &str) -> Option<Game> {
    let (place, moves) = line.split_once(" moves").unwrap_or((line, ""));
    let mut game = position(rules, place)?;
    let mut passes = false;
    for text in moves.split_whitespace() {
        if passes != (text == "0000") {
            return None;
        }
        passes = !passes && game.play(text.parse().ok()?).ok()? == Progress::More;
    }
    (!passes).then_some(game)
}
