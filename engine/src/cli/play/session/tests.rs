use super::*;
use crate::rules::fen;
use crate::rules::setup::Strictness;
use crate::rules::table::{ITALIAN, SCOTTISH};

fn session(seats: (&str, &str)) -> Session {
    let seat = |name: &str| if name == "human" { Seat::Human } else { Seat::Engine(Level::by_name(name).unwrap()) };
    let seats = Seats { white: seat(seats.0), black: seat(seats.1) };
    Session::new(Game::new(&ITALIAN), seats, Look::default(), Searcher::new(1).unwrap(), 20_000, 7)
}

fn people() -> Session {
    session(("human", "human"))
}

fn hear(session: &mut Session, line: &str) -> String {
    session.hear(line).text
}

fn fen_of(session: &Session) -> String {
    session.game.current().fen()
}

#[test]
fn a_game_of_two_people_in_mixed_notation() {
    let mut session = people();
    assert_eq!(session.prompt(), "White 1, move 1 of 1> ");
    assert!(hear(&mut session, "e2e4").ends_with("Turn 2: Black, 2 moves to play.\n"));
    assert!(hear(&mut session, "e5").ends_with("Turn 2: Black, 1 move to play.\n"));
    assert_eq!(session.prompt(), "Black 2, move 2 of 2> ");
    hear(&mut session, "Nf6");
    assert!(hear(&mut session, "3. Bc4 Qh5 Qxf7#").ends_with("The game is over: 1-0 mate.\n"));
    assert_eq!(session.prompt(), "over> ");
    assert_eq!(hear(&mut session, "a6"), "Not played: the game is over: 1-0 mate.\n");
    assert_eq!(hear(&mut session, "hint"), "The game is over: 1-0 mate.\n");
    assert_eq!(hear(&mut session, "moves"), "0 legal: \n");
}

#[test]
fn refusals_say_why_and_lose_nothing() {
    let mut session = people();
    hear(&mut session, "e4");
    hear(&mut session, "e5");
    let before = fen_of(&session);
    for (line, reason) in [
        ("Ke6", "Not played: 'Ke6': no king can go to e6."),
        ("e7e6", "Not played: 'e7e6': no man on e7."),
        ("d2d4", "Not played: 'd2d4': the man on d2 is the opponent's."),
        ("Nf6 Nc6", "Not played: 'Nc6' comes after the end of the series."),
        ("xyzzy", "'xyzzy' is neither a move nor a command; type help for the commands."),
        ("undo everything", "usage: undo [move|series]"),
        ("rules scottish", "A game is under way; 'new scottish' ends it and begins another."),
        ("new chess960", "'chess960' is not one of: italian, scottish"),
        ("level Expert", "say which side: level white Expert or level black Expert"),
    ] {
        let said = hear(&mut session, line);
        assert!(said.starts_with(reason) && said.lines().count() == 1, "{line}: {said}");
        assert_eq!(fen_of(&session), before, "{line}");
    }
}

#[test]
fn an_early_check_is_named() {
    let mut session = people();
    for line in ["f3", "e5 a6", "g4 b3 h3"] {
        hear(&mut session, line);
    }
    assert_eq!(hear(&mut session, "Qh4"), "Not played: 'Qh4' gives check before the last move.\n");
}

#[test]
fn undo_of_a_move_and_of_a_series() {
    let mut session = people();
    for line in ["e4", "e5 Nf6", "Bc4 Qh5"] {
        hear(&mut session, line);
    }
    assert!(hear(&mut session, "undo").starts_with("Taken back: 1 move.\n"));
    assert_eq!(session.prompt(), "White 3, move 2 of 3> ");
    hear(&mut session, "Qh5");
    assert!(hear(&mut session, "undo series").starts_with("Taken back: 2 moves.\n"));
    assert_eq!(session.prompt(), "White 3, move 1 of 3> ");
    assert!(hear(&mut session, "undo series").starts_with("Taken back: 2 moves.\n"));
    assert_eq!(session.prompt(), "Black 2, move 1 of 2> ");
    hear(&mut session, "undo");
    assert_eq!(hear(&mut session, "undo"), "There is no move of yours to take back.\n");
}

#[test]
fn undo_against_a_level_takes_back_its_series_too() {
    let mut session = session(("human", "Novice"));
    hear(&mut session, "e4");
    assert!(session.is_engines_turn());
    assert!(session.think().starts_with("Black (Novice) plays 2. "));
    assert!(!session.is_engines_turn());
    assert!(hear(&mut session, "undo").starts_with("Taken back: 3 moves.\n"));
    assert_eq!(session.prompt(), "White 1, move 1 of 1> ");
}

#[test]
fn levels_can_play_each_other_to_the_end() {
    let mut session = session(("Beginner", "Novice"));
    while session.is_engines_turn() {
        session.think();
    }
    assert!(session.game.outcome().is_some());
    assert_eq!(hear(&mut session, "undo"), "There is no move of yours to take back.\n");
    assert_eq!(session.think(), "");
}

#[test]
fn hints_find_the_mate_and_the_rest_of_it() {
    let mut session = people();
    for line in ["e4", "e5 Nf6", "Bc4"] {
        hear(&mut session, line);
    }
    let hint = hear(&mut session, "hint");
    assert!(hint.starts_with("Hint: Q") && hint.ends_with("# (mate in this series)\n"), "{hint}");
}

#[test]
fn seats_and_rules_can_change() {
    let mut session = session(("human", "Full"));
    assert_eq!(hear(&mut session, "level novice"), "White: human, Black: Novice.\n");
    assert!(hear(&mut session, "level").contains("Levels: Novice, Beginner"));
    assert!(hear(&mut session, "rules").starts_with("Rules italian: White plays one move, Black two"));
    assert!(hear(&mut session, "rules Logical Scottish").starts_with("Progressive chess, logical-scottish rules."));
    assert!(hear(&mut session, "moves").starts_with("12 legal: "));
    for rules in table::ALL {
        assert!(text::rules(rules).contains(rules.name));
    }
}

#[test]
fn save_and_load() {
    let mut session = people();
    hear(&mut session, "e4");
    hear(&mut session, "e5 Nf6");
    let Wish::Save(path, text) = session.hear("save game one.pgn").wish else { panic!() };
    assert_eq!(path, "game one.pgn");
    assert!(text.contains("[Variant \"Progressive\"]") && text.contains("\n1. e4 2. e5 Nf6 *\n"), "{text}");
    let before = fen_of(&session);
    hear(&mut session, "new scottish");
    assert_eq!(session.hear("load game one.pgn 2").wish, Wish::Load("game one.pgn".into(), 2));
    assert_eq!(session.loaded(&text, 2), "There is no game 2 in the file; nothing has changed.\n");
    assert!(session.loaded(&text.replace("Nf6", "Nf4"), 1).starts_with("Not loaded: game 1 line "));
    assert_eq!(session.game.plies(), 0);
    assert!(session.loaded(&text, 1).starts_with("Loaded: italian rules.\n"));
    assert_eq!(fen_of(&session), before);
    assert!(hear(&mut session, "undo").starts_with("Taken back: 1 move.\n"));
}

#[test]
fn from_mid_series() {
    let text = "rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 0 3 2";
    let entry = fen::read(text, &SCOTTISH, Strictness::Strict).unwrap().0;
    let mut session = people();
    session.game = Game::from_entry(entry);
    hear(&mut session, "Qh5");
    assert!(hear(&mut session, "undo series").starts_with("Taken back: 1 move.\n"));
    assert_eq!(fen_of(&session), text);
}

#[test]
fn nothing_a_person_types_ends_the_session() {
    let mut session = people();
    for line in ["", "\u{0}", "....", "1.", "😀", "load x", "O-O-O-O", &"x".repeat(100_000), "level \u{7f}"] {
        assert_ne!(session.hear(line).wish, Wish::Quit);
    }
    assert_eq!(session.game.plies(), 0);
    assert_eq!(session.hear("quit").wish, Wish::Quit);
}
