use super::read::games;
use super::*;
use crate::rules::table::{ITALIAN, SCOTTISH};

const FAMOUS: &str = "1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 1-0";

fn one(text: &str) -> PgnGame {
    let mut all: Vec<_> = games(text, &ITALIAN).collect();
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn fault(text: &str) -> String {
    let mut all: Vec<_> = games(text, &ITALIAN).collect();
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0).expect_err(text).to_string()
}

fn warnings(game: &PgnGame) -> Vec<String> {
    game.warnings.iter().map(|warning| warning.kind.to_string()).collect()
}

fn moves(text: &str) -> String {
    text.split("\n\n").nth(1).unwrap_or_default().into()
}

#[test]
fn canonical_and_padded() {
    let game = one(FAMOUS);
    assert_eq!(moves(&game.canonical()), FAMOUS);
    assert_eq!(moves(&game.padded()), "1. e4 e5 2. -- Nf6 3. Bc4 -- 4. Qh5 -- 5. Qxf7# 1-0");
    let head = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n";
    let canonical = format!("{head}[Variant \"Progressive\"]\n[SeriesCount \"3\"]\n[PlyCount \"6\"]\n\n{FAMOUS}\n\n");
    assert_eq!(game.canonical(), canonical);
    assert!(!game.padded().contains("Variant"));
    assert!(game.warnings.is_empty());
}

#[test]
fn forms_that_are_read_alike() {
    let plain = moves(&one(FAMOUS).canonical());
    for text in [
        "1.e4 2.e5,Nf6 3.Bc4,Qh5,Qxf7# 1-0",
        "1 e2e4, 2 e7e5 g8f6, 3 Bf1c4 Qd1h5 Qh5xf7+ 1-0",
        "1. e2-e4 2. e7-e5 Ng8-f6 3. Bf1-c4 Qd1-h5 Qh5xf7 mate".trim_end_matches(" mate"),
        "e4 e5 Nf6 Bc4 Qh5 Qxf7 1-0",
        "1. e4! $1 2. e5 (2. d5 Nf6 (2. c5 {x) ) 1-0} *)) Nf6 !? 3. Bc4 \n% 1-0\n 3... Qh5 Qxf7++ 1-0",
        "1. e4 e5 2. -- Nf6 3. Bc4 -- 4. Qh5 -- 5. Qxf7# 1-0",
        "1. e4 e5 2. Z0 Nf6 3. Bc4 0000 4. Qh5 -- 5. Qxf7# 1-0",
        "1...e4 2…e5 Nf6 3.... Bc4 Qh5 Qxf7 1-0",
    ] {
        let mut game = one(text);
        game.nags.clear();
        assert_eq!(moves(&game.canonical()), plain, "{text}");
        assert!(warnings(&game).iter().all(|w| w.contains("variations") || w.contains("no result")), "{text}");
    }
}

#[test]
fn glyphs_are_kept() {
    let text = "1. e4 $1 { good } 2. e5 Nf6 $4 $13 3. Bc4 Qh5 Qxf7# 1-0";
    let game = one(&text.replace("$13", "$13 $256 $"));
    assert_eq!(game.nags.iter().map(|nag| (nag.after, nag.code)).collect::<Vec<_>>(), [(1, 1), (3, 4), (3, 13)]);
    assert_eq!(moves(&game.canonical()), text);
    assert!(moves(&game.padded()).starts_with("1. e4 $1 { good } e5 2. -- Nf6 $4 $13 3. Bc4"));
}

#[test]
fn wrong_numbers_are_warnings() {
    let game = one("1. e4 1... e5 2. Nf6 3. Bc4 Qh5 4. Qxf7# 1-0");
    assert_eq!(warnings(&game), ["turn 2 leg 1: the number 1 is wrong", "turn 3 leg 3: the number 4 is wrong"]);
    assert_eq!(
        fault("1. e4 2. e5 3. Bc4 *"),
        "game 1 line 1 turn 2 leg 2: 'Bc4': no bishop can go to c4 (the text has number 3 here)"
    );
}

#[test]
fn a_fault_costs_one_game() {
    let text = "[White \"A\"]\n\n1. e4 2. e5 Nf3 3. Bc4 1-0\n\n[White \"B\"]\n\n1. e4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n\
                1. e4 2. d5 { no end\n\n[White \"C\"]\n\n1. d4 *\n";
    let all: Vec<_> = games(text, &ITALIAN).collect();
    let texts: Vec<String> =
        all.iter().map(|g| g.as_ref().map_or_else(PgnError::to_string, |g| g.canonical())).collect();
    assert_eq!(texts.len(), 5);
    assert_eq!(texts[0], "game 1 line 3 turn 2 leg 2: 'Nf3': no knight can go to f3");
    assert!(texts[1].contains("\n1. e4 *\n"));
    assert_eq!(texts[2], "game 3 line 9: 'Atomic' is no variant of progressive chess");
    assert_eq!(texts[3], "game 4 line 12 turn 2 leg 2: comment without closing brace");
    assert!(texts[4].contains("\n1. d4 *\n"));
}

#[test]
fn from_positions_and_mid_series() {
    let text = "[SetUp \"1\"]\n[FEN \"rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - 0 3 2\"]\n\n3... Qh5 Qxf7# 1-0";
    let game = one(text);
    assert!(game.warnings.is_empty(), "{:?}", game.warnings);
    assert_eq!(moves(&game.canonical()), "3... Qh5 Qxf7# 1-0");
    assert!(game.canonical().contains("w KQkq - 0 3 2\"]"));
    let padded = game.padded();
    assert_eq!(moves(&padded), "3. Qh5 -- 4. Qxf7# 1-0");
    assert!(padded.contains("w KQkq - 0 3\"]") && padded.contains("[TurnFEN "));
    assert_eq!(one(&padded).canonical(), game.canonical());
    assert_eq!(fault("[SetUp \"1\"]\n\n1. e4 *"), "game 1 line 1: SetUp without FEN");
    assert!(fault("[FEN \"8/8 w - - 0 1\"]\n\n1. e4 *").starts_with("game 1 line 1: fen-board"));
}

#[test]
fn escapes_make_the_round_trip() {
    let mut game = one(FAMOUS);
    let names = ["a \"b\" \\ c", "]", "}", "\\", "\"", "\\\"]", "ü 😀", "[x \"y\"]", "{", "; %", ""];
    for name in names {
        game.set_tag("White", name);
        game.comments.clear();
        game.add_comment(1, format!("{name} % {name}"));
        game.add_comment(6, "[%clk 1:00] % end");
        let back = one(&game.canonical());
        assert_eq!(back.tag("White"), Some(name));
        assert_eq!(back.canonical(), game.canonical());
        assert!(back.warnings.is_empty());
    }
    game.set_tag("White", "two\nlines\r");
    assert_eq!(one(&game.canonical()).tag("White"), Some("two lines "));
}

#[test]
fn lines_are_short_and_safe() {
    let mut game = one(FAMOUS);
    game.add_comment(2, "word ".repeat(100) + &"[%x] ".repeat(20) + &"% ".repeat(5));
    let text = game.canonical();
    assert!(text.lines().all(|line| line.chars().count() < 180), "{text}");
    assert!(moves(&text).lines().all(|line| !line.starts_with(['%', '['])), "{text}");
    game.comments.clear();
    game.add_comment(2, "word ".repeat(100));
    assert!(game.canonical().lines().all(|line| line.chars().count() < 80));
    assert!(!game.canonical().contains('\r') && !game.canonical().contains("\n\n\n"));
}

#[test]
fn italian_mate_is_said() {
    let text = "1. e4 2. f6 g5 3. Qh5+ *";
    let games: Vec<_> = games(text, &SCOTTISH).collect();
    assert!(games[0].as_ref().unwrap().canonical().contains("3. Qh5# *"));
    let position = "[Variant \"Progressive\"]\n[FEN \"3k3r/8/8/8/8/8/6q1/5r1K w - - 0 5\"]\n\n*";
    assert!(one(position).canonical().ends_with("\n\n*\n\n"));
}

#[test]
fn results() {
    assert_eq!(one("1. e4 0-1").result, PgnResult::Black);
    assert_eq!(warnings(&one("[Result \"1-0\"]\n\n1. e4 0-1")), ["the Result tag says 1-0, the moves end with 0-1"]);
    let headers = "[White \"A\"]\n[Result \"1-0\"]\n\n[White \"B\"]\n[Result \"0-1\"]\n\n";
    let results: Vec<_> = games(headers, &ITALIAN).map(|game| game.unwrap().result).collect();
    assert_eq!(results, [PgnResult::White, PgnResult::Black]);
    let game = one("1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 0-1");
    assert_eq!(warnings(&game), ["the result is given as 0-1, but the board says 1-0 mate"]);
    assert!(game.warnings[0].kind.is_fault());
    let open = one("1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# *");
    assert!(open.warnings.len() == 1 && !open.warnings[0].kind.is_fault());
    assert_eq!(
        fault("1. e4 2. e5 Nf6 3. Bc4 Qh5 Qxf7# 4. a6 1-0"),
        "game 1 line 1 turn 4 leg 1: 'a6': the game is over: 1-0 mate"
    );
    assert_eq!(fault("1. e4 2. -- *"), "game 1 line 1 turn 2 leg 1: a pass can only stand inside a series");
}

#[test]
fn ugly_input_is_survived() {
    let deep = "(".repeat(100_000);
    let closes = ")".repeat(100_000);
    let braces = "{\n[".repeat(50_000);
    let tags = "[a \"".repeat(50_000);
    for text in [
        "",
        " ",
        "\u{feff}",
        "\r\n\r\n",
        "*",
        "1-0 1-0 1-0",
        "[",
        "[[[[",
        "]",
        "}",
        "{",
        ";",
        "%",
        "$",
        "$$$",
        "(",
        ")",
        "1.",
        "...",
        "0-0",
        "--",
        "1",
        "65536. e4",
        "99999999999999999999. e4 *",
        "[a \"\\",
        "\0",
        "e4 \u{202e} e5",
        "1. e4 [x] 2. e5",
        "–",
        "½-½",
        "[Event \"x\"",
        "[Event \"x\"]\n[Event \"x\"]",
        "{}{}{}",
        "( *",
        "1.e4 (2.e5",
        &deep,
        &closes,
        &braces,
        &tags,
    ] {
        for game in games(text, &ITALIAN) {
            match game {
                Ok(game) => drop((game.canonical(), game.padded())),
                Err(error) => drop(error.to_string()),
            }
        }
    }
}
