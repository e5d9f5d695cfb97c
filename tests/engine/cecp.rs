//! xboard's protocol, black box: transcripts of what xboard sends, and whole games against an imitation of xboard.

use super::client::{Client, HANG, milliseconds};
use super::transcripts::play_folder;
use crescendo::rules::game::Game;
use crescendo::rules::table::{ALL, Captures, Rules};
use crescendo::types::Color;
use std::time::Instant;

#[path = "cecp_gui.rs"]
mod cecp_gui;

use cecp_gui::Gui;

#[test]
fn every_transcript_of_xboard() {
    assert!(play_folder("cecp") >= 8);
}

/// An engine that plays `rules` at a weak level.
fn engine(rules: &Rules, seed: u64) -> Client {
    let mut client = Client::told(&["xboard", "protover 2"]);
    client.until("feature done=1");
    for line in [
        "option Level=Beginner",
        &format!("option Seed={seed}"),
        "new",
        &format!("variant {}", rules.variant),
        "level 0 5 0",
    ] {
        client.send(line);
    }
    client.until("setup ");
    client
}

/// Plays a game with `person` of this color, whose moves are chosen by `seed`; both records must agree after every ply.
fn game(rules: &'static Rules, person: Color, seed: u64, tests_legality: bool) -> Gui {
    let (mut client, mut gui) = (engine(rules, seed), Gui::new(Game::new(rules), seed, tests_legality));
    if !tests_legality {
        client.send("option Null Captures=1");
    }
    if person == Color::White {
        // The engine has Black; nothing to say.
    } else {
        client.send("go");
    }
    while gui.result.is_none() {
        if gui.is_turn_of(person) {
            gui.assert_same_board();
            let mv = gui.choose();
            client.send(&format!("lift {}", mv.from()));
            gui.check_marks(mv.from(), &client.line());
            client.send(&format!("usermove {mv}"));
            gui.play(mv);
        } else {
            gui.hear(&client.line());
        }
    }
    client.send("result *");
    client.quit().assert_clean();
    gui
}

#[test]
fn games_of_every_kind_against_either_color() {
    let (mut ghosts, mut castlings, mut promotions) = (0, 0, 0);
    for rules in ALL.into_iter().filter(|rules| rules.captures == Captures::Remove) {
        for seed in 0..6 {
            for person in [Color::White, Color::Black] {
                let gui = game(rules, person, seed, seed % 2 == 0);
                ghosts += gui.ghosts;
                castlings += gui.castlings;
                promotions += gui.promotions;
            }
        }
    }
    assert!(
        ghosts > 0 && castlings > 0 && promotions > 0,
        "{ghosts} ghosts {castlings} castlings {promotions} promotions"
    );
}

/// The engine's first series against 1.e4, as lines.
fn after_e4(client: &mut Client) -> Vec<String> {
    client.send("usermove e2e4");
    let lines: Vec<String> = (0..3).map(|_| client.line()).collect();
    assert_eq!(lines[1], "move @@@@");
    lines
}

#[test]
fn take_back_goes_back_ply_by_ply() {
    let mut client = engine(ALL[0], 1);
    let series = after_e4(&mut client);
    // Inside the person's own series: the move and the pass.
    client.send("usermove a2a3");
    assert_eq!(client.line(), "move @@@@");
    client.send("remove");
    client.send("usermove h2h3");
    assert_eq!(client.line(), "move @@@@");
    client.send("remove");
    // Into the engine's series, and on to the first move of the game: nothing is said in between.
    client.send("remove");
    client.send("remove");
    client.send("usermove e2e4");
    // The seed is the same, so the answer is.
    let again: Vec<String> = (0..3).map(|_| client.line()).collect();
    assert_eq!(again, series);
    client.quit().assert_clean();
}

#[test]
fn what_a_take_back_tore_is_mended_when_a_man_is_lifted() {
    let mut client = engine(ALL[0], 1);
    let series = after_e4(&mut client);
    client.send("remove");
    assert_eq!(client.ask("ping 1"), "pong 1");
    client.send("lift d2");
    assert_eq!([client.line(), client.line()], series[1..]);
    assert!(client.line().starts_with("highlight "));
    client.quit().assert_clean();
}

#[test]
fn what_a_take_back_tore_is_mended_after_a_while() {
    let mut client = engine(ALL[0], 1);
    let series = after_e4(&mut client);
    let start = Instant::now();
    client.send("remove");
    assert_eq!([client.line(), client.line()], series[1..]);
    assert!(start.elapsed() > milliseconds(2000), "not at once: another take-back may follow");
    client.quit().assert_clean();
}

#[test]
fn move_now_and_clocks_end_a_search() {
    for (time, command) in [("st 3600", "?"), ("st 1", ""), ("level 0 0:07 0", ""), ("time 50", "")] {
        let mut client = engine(ALL[0], 0);
        for line in
            ["option Level=Full", time, "setboard rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 5", "go"]
        {
            client.send(line);
        }
        if !command.is_empty() {
            std::thread::sleep(milliseconds(300));
            client.send(command);
        }
        let start = Instant::now();
        for _ in 0..9 {
            let line = client.line_within(HANG).unwrap_or_else(|| panic!("no series with {time}"));
            assert!(line.starts_with("move "), "{line}");
        }
        assert!(start.elapsed() < milliseconds(15_000), "{time}: {:?}", start.elapsed());
        client.quit().assert_clean();
    }
}

#[test]
fn a_ping_while_the_engine_thinks_is_answered_after_its_move() {
    let mut client = engine(ALL[0], 1);
    client.send("option Level=Full");
    client.send("st 1");
    client.send("usermove e2e4");
    client.send("ping 7");
    let lines = client.until("pong 7");
    assert_eq!(lines.iter().filter(|line| line.starts_with("move ")).count(), 3, "{lines:?}");
    client.quit().assert_clean();
}

#[test]
fn a_command_that_ends_a_search_leaves_nothing_of_it() {
    for command in ["force", "new", "result 1-0 {Black resigns}", "undo", "setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 3"] {
        let mut client = engine(ALL[0], 1);
        for line in ["option Level=Full", "st 100", "usermove e2e4", command, "force"] {
            client.send(line);
        }
        assert_eq!(client.ask("ping 1"), "pong 1", "{command}");
        client.quit().assert_clean();
    }
}

#[test]
fn thinking_is_shown_only_when_asked_for() {
    let mut client = engine(ALL[0], 1);
    client.send("post");
    client.send("usermove e2e4");
    let lines = client.until("move ");
    assert!(lines.len() > 1, "{lines:?}");
    for line in &lines[..lines.len() - 1] {
        let numbers: Vec<i64> = line.split(' ').take(4).map(|word| word.parse().unwrap()).collect();
        assert!(numbers.len() == 4 && line.contains(" -- "), "{line}");
    }
    client.quit().assert_clean();
}

#[test]
fn a_draw_is_taken_only_by_a_hopeless_engine() {
    let mut client = engine(ALL[0], 1);
    client.send("draw");
    assert_eq!(client.ask("ping 1"), "pong 1");
    // A lone king against two queens.
    for line in ["option Level=Full", "st 1", "setboard 4k3/8/8/8/8/8/QQ6/K7 b - - 0 2", "go"] {
        client.send(line);
    }
    let series = [client.line(), client.line(), client.line()];
    assert!(series.iter().all(|line| line.starts_with("move ")), "{series:?}");
    assert_eq!(client.ask("draw"), "offer draw");
    client.quit().assert_clean();
}

#[test]
fn bytes_of_all_kinds_do_not_disturb() {
    let mut client = engine(ALL[0], 1);
    client.send_bytes(b"\xff\xfe\n\0\nusermove\nusermove \xe9\nsetboard\nlevel\noption\nlift\nedit\nQz9\n.\nvariant\n");
    client.send("ping 3");
    let lines = client.until("pong 3");
    let fitting = |line: &String| {
        ["Error (", "Illegal move (", "tellusererror ", "pong 3"].iter().any(|start| line.starts_with(start))
    };
    assert!(lines.iter().all(fitting), "{lines:#?}");
    client.hang_up().assert_clean();
}
