//! The steps. Where they name moves, they are legal in every rule set that begins with quotas of one and two.

use super::Verdict::{self, Pass, Skipped};
use super::session::{HUSH, Session};
use crate::player::reply::{Kind, Reply, read};
use crate::player::scripted::random_series;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use std::time::Duration;

type Outcome = Result<Verdict, String>;
type Step = fn(&mut Session<'_>) -> Outcome;

/// After one series and after two.
const ONE: &str = "e2e4";
const TWO: &str = "e2e4 e7e5,g8f6";
const BAD_FEN: &str = "position fen rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What should be so, and how it is found out, in order.
pub(super) const STEPS: &[(&str, Step)] = &[
    ("starts and says nothing before it is asked", |s| match s.listen(HUSH)?.first() {
        Some(line) if matches!(read(line), Reply::UciOk | Reply::BestMove(_) | Reply::ReadyOk) => {
            Err(format!("'{line}' before any command"))
        }
        _ => Ok(Pass),
    }),
    ("answers uci with uciok", |s| s.greet().map(|()| Pass)),
    ("says its name", |s| said(s, "id name ")),
    ("says its author", |s| said(s, "id author ")),
    ("says nothing but id, option and info lines before uciok", greeting_words),
    ("writes option lines that can be read", option_lines),
    ("has no option twice", option_twice),
    ("gives every check, spin and combo option a default", option_defaults),
    ("has defaults within the range of spin options", spin_defaults),
    ("has the default of combo options among their values", combo_defaults),
    ("offers the game in UCI_Variant, or plays only italian", offers_game),
    ("answers isready with readyok", |s| ready(s, 1)),
    ("answers every isready once", |s| ready(s, 5)),
    ("takes ucinewgame", |s| survives(s, "ucinewgame")),
    ("takes an option whose name is written in another case", |s| with_option(s, "Hash", "hAsH", "16")),
    ("takes the least Hash", |s| with_option(s, "Hash", "Hash", "1")),
    ("survives an unknown option", |s| survives(s, "setoption name No Such Option value 5")),
    ("survives a value out of range", |s| with_option(s, "Hash", "Hash", "99999999999999999999")),
    ("survives a value of the wrong type", |s| with_option(s, "Hash", "Hash", "many")),
    ("survives setoption without anything", |s| survives(s, "setoption\nsetoption name\nsetoption name value")),
    ("takes Clear Hash", |s| with_option(s, "Clear Hash", "Clear Hash", "")),
    ("survives an unknown command", |s| survives(s, "xyzzy and more words")),
    ("survives empty lines and blanks", |s| survives(s, "\n   \n\t\n")),
    ("survives letters of other scripts and control characters", |s| survives(s, "\u{1f600} \u{7}\u{0}\u{fffd} ä")),
    ("reads lines that end with CR LF", |s| survives(s, "ucinewgame\r\nposition startpos\r")),
    ("reads commands with blanks and tabs around", |s| survives(s, "  \tposition \t startpos   moves  e2e4 \t")),
    ("takes debug on and off", |s| survives(s, "debug on\ndebug off")),
    ("plays a legal first move", |s| ask(s, "", "nodes 200")),
    ("plays a whole series in turn 2", |s| ask(s, ONE, "nodes 200")),
    ("plays a whole series in turn 3", |s| ask(s, TWO, "nodes 200")),
    ("plays on from the middle of a series", |s| ask(s, "e2e4 e7e5", "nodes 200")),
    ("reads a series with blanks for commas", |s| ask(s, "e2e4 e7e5 g8f6", "nodes 200")),
    ("plays from a FEN", from_fen),
    ("plays from a FEN with moves after it", from_fen_with_moves),
    ("plays late in a long game", long_game),
    ("tells of its search in an info line with a score and a pv", info_line),
    ("begins the pv of the last info line with its answer", pv_begins),
    ("writes only legal moves in its pv", pv_legal),
    ("obeys go depth 1", |s| ask(s, ONE, "depth 1")),
    ("obeys go movetime", |s| timed(s, "movetime 100", 1100)),
    ("plays on a clock", |s| timed(s, "wtime 2000 btime 2000 winc 10 binc 10", 2000)),
    ("plays on a clock with movestogo", |s| timed(s, "wtime 1000 btime 1000 movestogo 5", 1000)),
    ("plays at once when almost no time is left", |s| timed(s, "wtime 1 btime 1", 500)),
    ("plays at once when its time is negative", |s| timed(s, "wtime -50 btime -50", 500)),
    ("is silent on go infinite until stop", infinite),
    ("answers isready while it searches, and searches on", ready_in_search),
    ("gives one answer to go and two stops", one_answer),
    ("says nothing to stop and ponderhit when it is idle", |s| survives(s, "stop\nponderhit\nstop")),
    ("survives an illegal move in a position, and plays the next one", bad_moves),
    ("survives a FEN that is none, and plays the next position", bad_fen),
    ("survives go after the end of a game", game_over),
    ("plays twenty games in a row", many_games),
    ("plays the same with the same seed and nodes", same_seed),
    ("shows as many lines as MultiPV says", multipv),
    ("ends on quit, with exit status 0", |s| ends(s, &["quit"])),
    ("ends on quit while it searches", |s| ends(s, &["position startpos\ngo infinite", "quit"])),
    ("ends when its input does", |s| ends(s, &[])),
    ("ends when its input does while it searches", |s| ends(s, &["position startpos\ngo infinite"])),
];

fn said(s: &mut Session<'_>, start: &str) -> Outcome {
    s.greet()?;
    let found =
        s.greeting.iter().any(|line| line.trim().strip_prefix(start).is_some_and(|rest| !rest.trim().is_empty()));
    if found { Ok(Pass) } else { Err(format!("no line '{start}…' before uciok")) }
}

fn greeting_words(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    let known = ["id", "option", "info", "uciok", "copyprotection", "registration", ""];
    let odd = s.greeting.iter().find(|line| !known.contains(&line.split_whitespace().next().unwrap_or_default()));
    odd.map_or(Ok(Pass), |line| Err(format!("'{}'", line.trim())))
}

/// The option lines by their words.
fn option_words<'a>(s: &'a Session<'_>) -> impl Iterator<Item = &'a String> {
    s.greeting.iter().filter(|line| line.trim().starts_with("option"))
}

fn option_lines(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    let types = ["type check", "type spin", "type combo", "type button", "type string"];
    let bad = option_words(s)
        .find(|line| !matches!(read(line), Reply::Option(_)) || !types.iter().any(|known| line.contains(known)));
    bad.map_or(Ok(Pass), |line| Err(format!("'{}'", line.trim())))
}

fn option_twice(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    let mut seen = HashSet::new();
    let twice = s.options().into_iter().find(|option| !seen.insert(option.name.to_lowercase()));
    twice.map_or(Ok(Pass), |option| Err(format!("'{}' comes twice", option.name)))
}

/// The default in an option line.
fn default(line: &str) -> Option<&str> {
    let rest = line.split_once(" default ")?.1;
    let end = [" min ", " max ", " var "].iter().filter_map(|key| rest.find(key)).min();
    Some(rest[..end.unwrap_or(rest.len())].trim())
}

fn option_defaults(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    let needs = |line: &str| ["type check", "type spin", "type combo"].iter().any(|kind| line.contains(kind));
    let bad = option_words(s).find(|line| needs(line) && default(line).is_none());
    bad.map_or(Ok(Pass), |line| Err(format!("no default: '{}'", line.trim())))
}

fn defaults_fit(s: &mut Session<'_>, concerns: impl Fn(&Kind) -> bool) -> Outcome {
    s.greet()?;
    for line in option_words(s) {
        if let (Reply::Option(option), Some(value)) = (read(line), default(line))
            && concerns(&option.kind)
            && let Some(complaint) = option.complaint(value)
        {
            return Err(format!("{}: default '{value}', but it {complaint}", option.name));
        }
    }
    Ok(Pass)
}

fn spin_defaults(s: &mut Session<'_>) -> Outcome {
    defaults_fit(s, |kind| matches!(kind, Kind::Spin { .. }))
}

fn combo_defaults(s: &mut Session<'_>) -> Outcome {
    defaults_fit(s, |kind| matches!(kind, Kind::Combo(_)))
}

fn offers_game(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    let rules = s.subject.rules;
    match s.option("UCI_Variant") {
        None if rules.name == "italian" => Ok(Skipped("no option UCI_Variant".into())),
        None => Err(format!("no option UCI_Variant, so it cannot be asked for {}", rules.variant)),
        Some(option) => match option.complaint(rules.variant) {
            None => Ok(Pass),
            Some(complaint) => Err(format!("'{}' is refused: it {complaint}", rules.variant)),
        },
    }
}

fn ready(s: &mut Session<'_>, times: usize) -> Outcome {
    s.greet()?;
    s.send(&vec!["isready"; times].join("\n"))?;
    for _ in 0..times {
        s.until("readyok", |reply| *reply == Reply::ReadyOk)?;
    }
    let more = s.listen(HUSH)?.into_iter().filter(|line| read(line) == Reply::ReadyOk).count();
    if more == 0 { Ok(Pass) } else { Err(format!("{more} readyok too many")) }
}

/// Sends something, and asks whether the engine is still there and can play.
fn survives(s: &mut Session<'_>, text: &str) -> Outcome {
    s.greet()?;
    s.send(text)?;
    s.sync()?;
    s.ask_legal(ONE, "nodes 100").map(|_| Pass)
}

fn with_option(s: &mut Session<'_>, known: &str, written: &str, value: &str) -> Outcome {
    s.greet()?;
    if s.option(known).is_none() {
        return Ok(Skipped(format!("no option {known}")));
    }
    let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
    survives(s, &format!("setoption name {written}{value}"))
}

fn ask(s: &mut Session<'_>, moves: &str, go: &str) -> Outcome {
    s.greet()?;
    s.ask_legal(moves, go).map(|_| Pass)
}

fn from_fen(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    let fen = s.game(TWO)?.current().fen();
    s.send(&format!("position fen {fen}\ngo nodes 200"))?;
    let answered = s.answer()?;
    s.check_legal(TWO, &answered.series).map(|()| Pass)
}

fn from_fen_with_moves(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    let fen = s.game(ONE)?.current().fen();
    s.send(&format!("position fen {fen} moves e7e5,g8f6\ngo nodes 200"))?;
    let answered = s.answer()?;
    s.check_legal(TWO, &answered.series).map(|()| Pass)
}

/// A random game of some turns that is not over, as text.
fn random_game(s: &Session<'_>, turns: u16) -> Result<String, String> {
    for seed in 0..1000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut moves = String::new();
        loop {
            let game = s.game(&moves)?;
            if game.outcome().is_some() {
                break;
            }
            if game.current().turn().number() > turns {
                return Ok(moves);
            }
            moves = format!("{moves} {}", random_series(game.current(), &mut rng));
        }
    }
    Err("no random game is long enough".into())
}

fn long_game(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    let moves = random_game(s, 9)?;
    s.ask_legal(moves.trim(), "nodes 500").map(|_| Pass)
}

/// The words of the last pv in the info lines.
fn last_pv(infos: &[String]) -> Result<String, String> {
    let with_pv =
        infos.iter().rev().find_map(|line| line.trim().strip_prefix("info ")?.split_once(" pv ").map(|p| p.1));
    with_pv.map(|pv| pv.trim().to_owned()).ok_or_else(|| "no info line with a pv before bestmove".into())
}

fn info_line(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    let answered = s.ask_legal(TWO, "nodes 2000")?;
    if !answered.infos.iter().any(|line| matches!(read(line), Reply::Info(_))) {
        return Err("no info line with a score before bestmove".into());
    }
    last_pv(&answered.infos).map(|_| Pass)
}

fn pv_begins(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    let answered = s.ask_legal(TWO, "nodes 2000")?;
    let pv = last_pv(&answered.infos)?;
    if pv.starts_with(&answered.series) { Ok(Pass) } else { Err(format!("bestmove {}, but pv {pv}", answered.series)) }
}

fn pv_legal(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    let answered = s.ask_legal(TWO, "nodes 2000")?;
    for line in answered.infos.iter().filter(|line| line.contains(" pv ")) {
        let pv = line.split_once(" pv ").map_or("", |(_, pv)| pv);
        s.game(&format!("{TWO} {pv}")).map_err(|fault| format!("pv {pv}: {fault}"))?;
    }
    Ok(Pass)
}

fn timed(s: &mut Session<'_>, go: &str, most: u64) -> Outcome {
    s.greet()?;
    s.sync()?;
    let took = s.ask_legal(TWO, go)?.took.as_millis();
    if took <= u128::from(most) { Ok(Pass) } else { Err(format!("{took} ms for go {go}; at most {most}")) }
}

/// Starts a search without end, and hears nothing that ends it.
fn search(s: &mut Session<'_>) -> Result<(), String> {
    s.greet()?;
    s.send(&format!("position startpos moves {TWO}\ngo infinite"))?;
    let lines = s.listen(HUSH)?;
    match lines.iter().find(|line| matches!(read(line), Reply::BestMove(_))) {
        Some(line) => Err(format!("'{}' before stop", line.trim())),
        None => Ok(()),
    }
}

/// Stops the search, and gets one legal answer in time.
fn stopped(s: &mut Session<'_>, text: &str) -> Outcome {
    s.send(text)?;
    let answered = s.answer()?;
    s.check_legal(TWO, &answered.series)?;
    if answered.took > Duration::from_secs(1) {
        return Err(format!("{} ms after stop", answered.took.as_millis()));
    }
    match s.listen(HUSH)?.iter().find(|line| matches!(read(line), Reply::BestMove(_))) {
        Some(line) => Err(format!("a second answer: '{}'", line.trim())),
        None => Ok(Pass),
    }
}

fn infinite(s: &mut Session<'_>) -> Outcome {
    search(s)?;
    stopped(s, "stop")
}

fn ready_in_search(s: &mut Session<'_>) -> Outcome {
    search(s)?;
    s.sync()?;
    stopped(s, "stop")
}

fn one_answer(s: &mut Session<'_>) -> Outcome {
    search(s)?;
    stopped(s, "stop\nstop")
}

fn bad_moves(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    s.send("position startpos moves e2e5\nposition startpos moves e2e4 e7e5,e7e6\nposition startpos moves x9")?;
    s.sync()?;
    ask(s, ONE, "nodes 200")
}

fn bad_fen(s: &mut Session<'_>) -> Outcome {
    survives(s, &format!("{BAD_FEN}\nposition fen\nposition\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1"))
}

fn game_over(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    // The fool's mate of progressive chess, where the rules know mate and checks end nothing early.
    let moves = "e2e4 f7f6,g7g5 a2a3,b2b3,d1h5";
    if s.game(moves).map_or(true, |game| game.outcome().is_none()) {
        return Ok(Skipped("the moves that mate in italian are no mate in this game".into()));
    }
    let series = s.ask(moves, "nodes 100")?.series;
    match series.as_str() {
        "" | "(none)" | "0000" => ask(s, ONE, "nodes 200"),
        other => Err(format!("bestmove {other} although the game is over")),
    }
}

fn many_games(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    for _ in 0..20 {
        s.send("ucinewgame")?;
        s.sync()?;
        s.ask_legal("", "nodes 50")?;
        s.ask_legal(ONE, "nodes 50")?;
    }
    Ok(Pass)
}

fn same_seed(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    if s.option("Seed").is_none() {
        return Ok(Skipped("no option Seed".into()));
    }
    let mut answers = Vec::new();
    for _ in 0..2 {
        s.send("setoption name Seed value 7\nucinewgame")?;
        s.sync()?;
        answers.push(s.ask_legal(TWO, "nodes 2000")?.series);
    }
    if answers[0] == answers[1] { Ok(Pass) } else { Err(format!("{} and then {}", answers[0], answers[1])) }
}

fn multipv(s: &mut Session<'_>) -> Outcome {
    s.greet()?;
    if s.option("MultiPV").is_none() {
        return Ok(Skipped("no option MultiPV".into()));
    }
    s.send("setoption name MultiPV value 2")?;
    let infos = s.ask_legal(ONE, "nodes 5000")?.infos;
    s.send("setoption name MultiPV value 1")?;
    match (1..=2).find(|line| !infos.iter().any(|info| info.contains(&format!(" multipv {line} ")))) {
        None => Ok(Pass),
        Some(line) => Err(format!("no info line with multipv {line}")),
    }
}

/// Sends these texts one after the other, closes the input and waits for the end; then starts the engine again.
fn ends(s: &mut Session<'_>, texts: &[&str]) -> Outcome {
    s.greet()?;
    for text in texts {
        s.send(text)?;
        s.listen(HUSH).ok();
    }
    if texts.last() != Some(&"quit") {
        s.close_input();
    }
    let ended = s.end(Duration::from_secs(2));
    s.restart().map_err(|error| error.to_string())?;
    ended.map(|()| Pass)
}
