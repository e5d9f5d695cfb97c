//! Notation as a black box: published games replay from their text, and whatever is written can be read again.

use crescendo::rules::fen;
use crescendo::rules::game::Game;
use crescendo::rules::midturn::Midturn;
use crescendo::rules::notation::movetext::movetext;
use crescendo::rules::notation::pgn::read::games;
use crescendo::rules::notation::pgn::{PgnError, PgnGame, PgnResult};
use crescendo::rules::notation::san;
use crescendo::rules::outcome::{Outcome, WinBy};
use crescendo::rules::setup::Strictness;
use crescendo::rules::table::{ALL, ITALIAN, Rules, SCOTTISH, TAKE_ALL};
use crescendo::types::moves::{Move, role_letter};
use crescendo::types::{Color, Role, Square};
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

const GAMES: &str = include_str!("../data/games.tsv");
const LINES: &str = include_str!("../data/lines.tsv");
const PROBLEMS: &str = include_str!("../data/problems.tsv");

/// Random games for each rule set.
const ROUNDS: u64 = if cfg!(feature = "long") { 2_000 } else { 12 };

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

fn read_one(text: &str, rules: &'static Rules) -> Result<PgnGame, PgnError> {
    let mut all: Vec<_> = games(text, rules).collect();
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0)
}

fn replay(series: &str, rules: &'static Rules) -> PgnGame {
    read_one(series, rules).unwrap_or_else(|error| panic!("{} {series}: {error}", rules.name))
}

fn is_early_check(error: &PgnError) -> bool {
    error.reason.ends_with("gives check before the last move")
}

/// Three of the published texts write `x` where there is nothing to capture any more.
fn captures_apart(text: &str) -> String {
    text.replace('x', "")
}

#[test]
fn published_games_replay() {
    let mut count = 0;
    for row in rows(GAMES) {
        let [rules, result, name, series] = row[..] else { panic!("{row:?}") };
        let rules = Rules::by_name(rules).unwrap();
        let pgn = replay(&format!("{series} {result}"), rules);
        assert_eq!(pgn.warnings, [], "{name}");
        assert_eq!(pgn.result.text(), result, "{name}");
        assert_eq!(captures_apart(&movetext(&pgn.game)), captures_apart(series), "{name}");
        match pgn.game.outcome() {
            Some(Outcome::Win { by: WinBy::Mate, .. }) => assert_eq!(PgnResult::from(pgn.game.outcome()), pgn.result),
            None => assert_eq!(rules, &TAKE_ALL, "{name}: resigned"),
            other => panic!("{name}: {other:?}"),
        }
        if rules == &SCOTTISH {
            let italian = read_one(series, &ITALIAN);
            assert!(italian.as_ref().map_or_else(is_early_check, |_| true), "{name}: {italian:?}");
        }
        count += 1;
    }
    assert_eq!(count, 6);
}

#[test]
fn published_lines_replay() {
    let mut count = 0;
    for row in rows(LINES) {
        let [rules, last, italian, series] = row[..] else { panic!("{row:?}") };
        let rules = Rules::by_name(rules).unwrap();
        let game = replay(series, rules).game;
        assert_eq!(captures_apart(&movetext(&game)), captures_apart(series));
        let (mated, check) =
            (matches!(game.outcome(), Some(Outcome::Win { by: WinBy::Mate, .. })), game.current().is_in_check());
        assert_eq!((mated, check), (last == "mate", last != "*"), "{series}");
        match (italian, read_one(series, &ITALIAN)) {
            ("italian-legal", Ok(same)) => assert_eq!(same.game.turns(), game.turns()),
            ("scottish-only", Err(error)) => assert!(is_early_check(&error), "{error}"),
            (_, other) => panic!("{series}: {other:?}"),
        }
        count += 1;
    }
    assert_eq!(count, 17);
}

#[test]
fn published_problems_replay() {
    let mut count = 0;
    for row in rows(PROBLEMS) {
        let [fen, quota, sets, series] = row[..] else { panic!("{row:?}") };
        for rules in [&ITALIAN, &SCOTTISH].into_iter().filter(|rules| sets == "both" || sets == rules.name) {
            let game = replay(&format!("[FEN \"{fen}\"]\n\n{series}"), rules).game;
            assert_eq!(game.start().left().to_string(), quota);
            let mate = matches!(game.outcome(), Some(Outcome::Win { by: WinBy::Mate | WinBy::ItalianMate, .. }));
            assert!(mate, "{} {series}: {:?}", rules.name, game.outcome());
            assert_eq!(captures_apart(&movetext(&game)), captures_apart(series));
            count += 1;
        }
    }
    assert_eq!(count, 13);
}

/// A random game from the start, or from where another random game stood after some moves.
fn random_game(rules: &'static Rules, rng: &mut ChaCha8Rng) -> Game {
    let mut game = Game::new(rules);
    if rng.random_bool(0.4) {
        let plies = rng.random_range(1..40);
        play_randomly(&mut game, plies, rng);
        let text = game.current().fen();
        let (entry, warnings) = fen::read(&text, rules, Strictness::Lenient).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(warnings, [], "{text}");
        game = Game::from_entry(entry);
    }
    let plies = rng.random_range(0..120);
    play_randomly(&mut game, plies, rng);
    game
}

fn play_randomly(game: &mut Game, plies: usize, rng: &mut ChaCha8Rng) {
    for _ in 0..plies {
        let Some(&mv) = game.legal().choose(rng) else { return };
        game.play(mv).unwrap();
    }
}

#[test]
fn random_games_make_the_round_trip() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for rules in ALL {
        for round in 0..ROUNDS {
            let mut pgn = PgnGame::new(random_game(rules, &mut rng));
            pgn.set_tag("White", format!("Player {round}"));
            let plies = pgn.game.plies();
            pgn.add_comment(rng.random_range(0..=plies), format!("after {round} {{rounds}}"));
            for text in [pgn.canonical(), pgn.padded()] {
                // Neither form needs to be told the rules.
                let back = read_one(&text, &ITALIAN).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(back.warnings, [], "{text}");
                assert_eq!(back.game.rules(), rules, "{text}");
                assert_eq!(back.game.start(), pgn.game.start(), "{text}");
                assert_eq!(back.game.turns(), pgn.game.turns(), "{text}");
                assert_eq!(back.game.outcome(), pgn.game.outcome(), "{text}");
                assert_eq!((back.canonical(), back.padded()), (pgn.canonical(), pgn.padded()));
                assert_eq!(back.result, pgn.result);
                check_form(&text);
            }
        }
    }
}

/// Lines of moves under 80 columns, line feeds only, one empty line between sections, none at the beginning.
fn check_form(text: &str) {
    assert!(
        !text.starts_with('\n') && !text.contains('\r') && !text.contains("\n\n\n") && text.ends_with("\n\n"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.starts_with('[') || line.chars().count() < 80), "{text}");
    assert!(text.lines().all(|line| !line.starts_with(' ') && !line.ends_with(' ')), "{text}");
}

/// Positions of random games: in mid-series and between turns, not over.
fn positions(rules: &'static Rules, games: u64, seed: u64) -> Vec<Midturn> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut found = Vec::new();
    for _ in 0..games {
        let mut game = Game::new(rules);
        for _ in 0..rng.random_range(1..120) {
            play_randomly(&mut game, 1, &mut rng);
            if game.outcome().is_none() && rng.random_bool(0.3) {
                found.push(*game.current());
            }
        }
    }
    found
}

fn man_on(midturn: &Midturn, square: Square) -> Role {
    midturn.board().role_at(square.relative_to(midturn.color())).unwrap()
}

#[test]
fn every_legal_move_makes_the_round_trip() {
    let mut moves = 0;
    for rules in ALL {
        for midturn in positions(rules, ROUNDS, 5) {
            let mut texts = Vec::new();
            for mv in midturn.legal() {
                let text = san::write(&midturn, mv);
                let role = man_on(&midturn, mv.from());
                let letter =
                    if role == Role::Pawn { String::new() } else { role_letter(role).to_ascii_uppercase().into() };
                let tail = mv.promotion().map_or_else(String::new, |role| format!("={}", role_letter(role)));
                let plain = text.trim_end_matches(['+', '#']);
                let forms = [
                    text.clone(),
                    mv.to_string(),
                    mv.to_string().to_uppercase(),
                    format!("{letter}{}-{}{tail}", mv.from(), mv.to()),
                    format!("{letter}{}x{}{}!?", mv.from(), mv.to(), tail.to_uppercase()),
                    format!("{plain}+"),
                    format!("{plain}#!!"),
                    plain.replace('O', "0"),
                    plain.replace('=', ""),
                ];
                for form in forms {
                    let read = san::read(&midturn, &form);
                    assert_eq!(read.as_ref(), Ok(&mv), "{} {} {form}: {read:?}", rules.name, midturn.fen());
                }
                texts.push(text);
                moves += 1;
            }
            let count = texts.len();
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), count, "{} {}: two moves with one text", rules.name, midturn.fen());
        }
    }
    assert!(moves > 10_000, "{moves}");
}

/// What ordinary chess would write, by another program's moves: everything before the check mark.
fn ordinary_san(board: &cozy_chess::Board, mv: cozy_chess::Move) -> String {
    let role = board.piece_on(mv.from).unwrap();
    let mut rivals = Vec::new();
    board.generate_moves(|moves| {
        let same = moves.piece == role && moves.from != mv.from;
        rivals.extend(moves.into_iter().filter(|other| same && other.to == mv.to).map(|other| other.from));
        false
    });
    let capture =
        board.colors(!board.side_to_move()).has(mv.to) || role == Role::Pawn && mv.from.file() != mv.to.file();
    let name = mv.from.to_string();
    let from = match role {
        Role::Pawn if capture => &name[..1],
        Role::Pawn => "",
        _ if rivals.is_empty() => "",
        _ if rivals.iter().all(|other| other.file() != mv.from.file()) => &name[..1],
        _ if rivals.iter().all(|other| other.rank() != mv.from.rank()) => &name[1..],
        _ => &name,
    };
    let letter = if role == Role::Pawn { String::new() } else { role_letter(role).to_ascii_uppercase().into() };
    let promotion =
        mv.promotion.map_or_else(String::new, |role| format!("={}", role_letter(role).to_ascii_uppercase()));
    format!("{letter}{from}{}{}{promotion}", if capture { "x" } else { "" }, mv.to)
}

#[test]
fn disambiguation_is_that_of_ordinary_chess() {
    let (mut moves, mut disambiguated) = (0, 0);
    for rules in ALL.into_iter().filter(|rules| rules.has_mate() && !rules.name.starts_with("circe")) {
        for midturn in positions(rules, ROUNDS, 7) {
            let text = midturn.fen();
            let fields: Vec<&str> = text.split(' ').collect();
            let ordinary = format!("{} {} {} - 0 1", fields[0], fields[1], fields[2]);
            let board: cozy_chess::Board = ordinary.parse().unwrap_or_else(|e| panic!("{ordinary}: {e}"));
            for mv in midturn.legal() {
                let written = san::write(&midturn, mv);
                let theirs = cozy_chess::Move { from: mv.from(), to: mv.to(), promotion: mv.promotion() };
                if !written.starts_with('O') {
                    let expected = ordinary_san(&board, theirs);
                    assert_eq!(written.trim_end_matches(['+', '#']), expected, "{} {text}", rules.name);
                    disambiguated +=
                        usize::from(expected.trim_end_matches(|c| c != 'x').len() > 3 || expected.len() == 4);
                    moves += 1;
                }
            }
        }
    }
    assert!(moves > 10_000 && disambiguated > 500, "{moves} {disambiguated}");
}

#[test]
fn illegal_texts_name_their_reason() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for rules in ALL {
        for midturn in positions(rules, 4, 13) {
            let legal = midturn.legal();
            for _ in 0..20 {
                let mv = Move::new(Square::ALL[rng.random_range(0..64)], Square::ALL[rng.random_range(0..64)]);
                match san::read(&midturn, &mv.to_string()) {
                    // A king that takes his own rook castles.
                    Ok(read) => assert!(legal.contains(&read) && read.from() == mv.from()),
                    Err(error) => {
                        assert!(!legal.contains(&mv));
                        let text = error.to_string();
                        assert!(text.starts_with(&format!("turn {} leg ", midturn.turn())), "{text}");
                        assert!(text.contains(&mv.to_string()), "{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn hostile_tags_and_comments_make_the_round_trip() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let alphabet: Vec<char> = "\"\\[]{}();%$ab \u{e9}\u{1f600}*1-0.\u{feff}'".chars().collect();
    let mut random = |longest: usize| -> String {
        let length = rng.random_range(0..longest);
        (0..length).filter_map(|_| alphabet.choose(&mut rng)).collect()
    };
    for _ in 0..ROUNDS * 50 {
        let mut pgn = replay("1. e4 2. e5 Nf6 *", &ITALIAN);
        pgn.set_tag("White", random(12));
        pgn.set_tag("Annotator", random(12));
        for after in 0..=3 {
            pgn.add_comment(after, random(60));
        }
        let text = pgn.canonical() + &pgn.padded();
        let back: Vec<PgnGame> =
            games(&text, &ITALIAN).map(|game| game.unwrap_or_else(|e| panic!("{e}\n{text}"))).collect();
        assert_eq!(back.len(), 2, "{text}");
        for game in back {
            assert_eq!(game.tag("White"), pgn.tag("White"), "{text}");
            assert_eq!(game.tag("Annotator"), pgn.tag("Annotator"), "{text}");
            assert_eq!(game.canonical(), pgn.canonical());
            assert_eq!(game.warnings, []);
        }
    }
}

#[test]
fn long_texts_are_read_in_linear_time() {
    // 1. Four thousand games.
    let game = "[White \"A\"]\n\n1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 1-0\n\n";
    assert_eq!(games(&game.repeat(4_000), &ITALIAN).filter(Result::is_ok).count(), 4_000);
    // 2. A mebibyte of each thing that a careless reader would look through again and again.
    let start = std::time::Instant::now();
    for piece in [
        "(",
        ")",
        "{",
        "{\n[",
        "[",
        "[a \"",
        "[a \"\\",
        "\"]",
        "e4 ",
        "1.",
        "--",
        "$",
        ";",
        "; %\n",
        "%\n",
        "[a \"b\"]\n\n",
        "e4",
        "*",
        "* ",
        "[a \"b\"] ",
        "[a \"b\" ",
        "[a ",
    ] {
        let text = piece.repeat((1 << 20) / piece.len());
        for game in games(&text, &ITALIAN) {
            let _ = game.map(|game| game.warnings.len());
        }
    }
    let tags: String = (0..60_000).map(|i| format!("[T{i} \"\"]\n")).collect();
    assert_eq!(games(&tags, &ITALIAN).filter_map(Result::ok).map(|game| game.tags.len()).sum::<usize>(), 60_000);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn black_castles_and_moves_are_in_whites_view() {
    let game = replay("[FEN \"r3k2r/8/8/8/8/8/8/4K3 b kq - 0 2\"]\n\n2. 0-0-0 Rh1+ *", &SCOTTISH).game;
    assert_eq!(game.turns()[0].1.to_string(), "e8c8,h8h1");
    assert_eq!(game.color(), Color::White);
}

/// Runs the binary on a file of this text: exit code, standard output, standard error.
fn command(arguments: &[&str], name: &str, text: &[u8]) -> (Option<i32>, String, String) {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_crescendo"))
        .arg("pgn")
        .args(arguments)
        .arg(&path)
        .output()
        .unwrap();
    let decode = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), decode(output.stdout), decode(output.stderr))
}

#[test]
fn the_command_checks_files() {
    let good = b"[White \"\xe9\"]\n\n1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 1-0\n\n1. e4 2. e5 4. Nf6 *\n";
    let (code, output, _) = command(&["--check"], "good.pgn", good);
    assert_eq!(code, Some(0), "{output}");
    assert_eq!(output, "warning: game 2 line 5: turn 2 leg 2: the number 4 is wrong\n2 games, 0 faults, 1 warnings\n");
    let bad = b"1. e4 2. e5 Nf3 *\n\n1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 0-1\n\n1. e4 *\n";
    let (code, output, _) = command(&["--check"], "bad.pgn", bad);
    assert_eq!(code, Some(1), "{output}");
    assert_eq!(
        output,
        "fault: game 1 line 1 turn 2 leg 2: 'Nf3': no knight can go to f3\n\
         fault: game 2 line 3: the result is given as 0-1, but the board says 1-0 mate\n3 games, 2 faults, 0 warnings\n"
    );
    let early = b"1. e3 2. f6 g5 3. Qh5# 1-0\n";
    assert_eq!(command(&["--check"], "early.pgn", early).0, Some(1));
    assert_eq!(command(&["--check", "--rules", "scottish"], "early.pgn", early).0, Some(0));
}

#[test]
fn the_command_converts_files() {
    let text = b"1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 1-0\n\n1. e5 *\n";
    let (code, padded, errors) = command(&["--convert", "padded"], "convert.pgn", text);
    assert_eq!(code, Some(1));
    assert!(padded.ends_with("\n\n1. e4 e5 2. -- Nf6 3. Bc4 -- 4. Qh5 -- 5. Qxf7# 1-0\n\n"), "{padded}");
    assert_eq!(errors, "crescendo: game 2 line 3 turn 1 leg 1: 'e5': no pawn can go to e5\n");
    let (code, canonical, errors) = command(&["--convert", "canonical"], "padded.pgn", padded.as_bytes());
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(canonical.ends_with("\n\n1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 1-0\n\n"), "{canonical}");
}

#[test]
fn the_command_refuses_what_it_cannot_read() {
    let binary = env!("CARGO_BIN_EXE_crescendo");
    let run = |arguments: &[&str]| std::process::Command::new(binary).args(arguments).output().unwrap().status.code();
    assert_eq!(run(&["pgn", "--check", "no/such/file.pgn"]), Some(2));
    assert_eq!(run(&["pgn", "--check"]), Some(2));
    assert_eq!(run(&["pgn", "file.pgn"]), Some(2));
    assert_eq!(run(&["pgn", "--convert", "sideways", "file.pgn"]), Some(2));
}
