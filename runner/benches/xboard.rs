//! What another runner costs, for comparison: the processor time of `xboard -noGUI` for a ply of ordinary chess, between two engines that
//! answer at once from a list of moves (this program itself, with `--bot`).
//!
//! Plays a match of one game and one of `--games N` (16, some two minutes, most of them xboard's pauses between games), so that the
//! start of the program falls out. Where xboard or Xvfb is missing it says
//! so and measures nothing. Fastchess and cutechess-cli, which one would rather see here, are in no registry of packages that
//! this repository may draw on.

#![allow(clippy::print_stdout)]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// No match of a few games takes longer.
const HANG: Duration = Duration::from_secs(300);

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    if args.iter().any(|arg| arg == "--bot") {
        return bot();
    }
    let games = args.iter().skip_while(|arg| *arg != "--games").nth(1).and_then(|n| n.parse().ok()).unwrap_or(16);
    let (Some(xboard), Some(display)) = (program("xboard"), program("Xvfb")) else {
        println!("xboard or Xvfb is not installed: nothing to compare with");
        return Ok(());
    };
    let mut screen = Command::new(display);
    let mut screen = screen
        .args(["-displayfd", "1", "-screen", "0", "640x480x8"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut number = String::new();
    BufReader::new(screen.stdout.take().ok_or_else(|| io::Error::other("no output"))?).read_line(&mut number)?;
    let [one, many] = [1, games].map(|games| play(&xboard, number.trim(), games));
    screen.kill()?;
    screen.wait()?;
    let (one, many) = (one?, many?);
    let plies = f64::from(games - 1) * list().len() as f64;
    println!("xboard -noGUI: {:.0} us of its own processor time for a ply ({plies} plies)", 1e6 * (many - one) / plies);
    Ok(())
}

/// Where a program is.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Plays a match and says how much processor time, in seconds, the program itself has used until its end.
fn play(xboard: &Path, display: &str, games: u32) -> io::Result<f64> {
    let folder = tempfile::tempdir()?;
    let log = folder.path().join("log");
    let engine = format!("{} --bot", std::env::current_exe()?.display());
    let mut command = Command::new(xboard);
    command.args(["-fcp", &engine, "-scp", &engine, "-noGUI", "-tc", "5", "-inc", "0", "-matchPause", "0"]);
    command.args(["-mg", &games.to_string()]).env("DISPLAY", format!(":{display}")).env("HOME", folder.path());
    let mut child = command.current_dir(folder.path()).stdout(Stdio::null()).stderr(File::create(&log)?).spawn()?;
    let used = until_the_score(&child, &log);
    // It shows the score in a window and would stay there for ever.
    child.kill()?;
    child.wait()?;
    used
}

fn until_the_score(child: &Child, log: &Path) -> io::Result<f64> {
    let began = Instant::now();
    while began.elapsed() < HANG {
        std::thread::sleep(Duration::from_millis(50));
        if std::fs::read_to_string(log)?.contains("final score") {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id()))?;
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
            // Fields 14 and 15 of proc(5), in ticks of which every Linux has a hundred a second.
            let ticks = |field: usize| fields.get(field - 3).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
            return Ok((ticks(14) + ticks(15)) / 100.0);
        }
    }
    Err(io::Error::other("the match does not end"))
}

/// A game in which no position comes back often: both sides push their pawns, two steps each, and a rook goes up and down between.
fn list() -> Vec<String> {
    let mut moves = Vec::new();
    for step in 0..2 {
        for file in 'a'..='h' {
            moves.push(format!("{file}{}{file}{}", 2 + step, 3 + step));
            moves.push(format!("{file}{}{file}{}", 7 - step, 6 - step));
            moves.extend(["a1a2", "a8a7", "a2a1", "a7a8"].map(str::to_owned));
        }
    }
    moves
}

/// An engine of the protocol that xboard speaks, which plays the list and gives up at its end.
fn bot() -> io::Result<()> {
    let (moves, mut played, mut forced) = (list(), 0, false);
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let mut is_asked = false;
        match word {
            "protover" => writeln!(out, "feature usermove=1 ping=1 sigint=0 sigterm=0 colors=0 reuse=1 done=1")?,
            "ping" => writeln!(out, "pong {rest}")?,
            "new" => (played, forced) = (0, false),
            "force" => forced = true,
            "go" => (forced, is_asked) = (false, true),
            "usermove" => (played, is_asked) = (played + 1, !forced),
            "quit" => break,
            _ => {}
        }
        if is_asked {
            match moves.get(played) {
                Some(mv) => writeln!(out, "move {mv}")?,
                None => writeln!(out, "resign")?,
            }
            played += 1;
        }
        out.flush()?;
    }
    Ok(())
}
