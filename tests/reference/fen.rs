//! Reading and writing FEN, with the fields that series add: several e.p. squares, moves left, English marks.

use super::man::{Color, Man, Role, Square, file, parse_square, rank, square, square_name};
use super::position::{KING_FILE, Position, RIGHTS};
use super::ruleset::RuleSet;

/// Reads a FEN of 4 to 8 fields and checks what is there. Castling rights and e.p. squares that cannot be, or that the rule
/// set does not have, are dropped; everything else that is wrong is refused.
pub(super) fn read(rules: &RuleSet, fen: &str) -> Result<Position, String> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    if !(4..=8).contains(&fields.len()) {
        return Err(format!("{} fields", fields.len()));
    }
    let board = read_board(fields[0])?;
    let mover = match fields[1] {
        "w" => Color::White,
        "b" => Color::Black,
        other => return Err(format!("side to move '{other}'")),
    };
    let limit = rules.quiet_limit();
    let quiet = fields.get(4).map_or(Ok(0), |text| read_number(text, 0, limit + 1))?;
    let turn = read_turn(mover, fields.get(5).copied())?;
    let quota = rules.quota(turn);
    let rest = fields.get(6..).unwrap_or_default();
    let (left, rest) = match rest.split_first() {
        Some((text, rest)) if !text.starts_with("m=") => (read_number(text, 1, quota)?, rest),
        _ => (quota, rest),
    };
    let marks = match rest {
        [] => None,
        [text] if text.starts_with("m=") => Some(&text[2..]),
        _ => return Err("a field too many".to_owned()),
    };
    let no_files = [false; 8];
    let mut position = Position { board, rights: [false; 4], targets: no_files, steps: no_files, quiet, turn, left };
    let is_start = position.is_turn_start(rules);
    if is_start && quiet > limit {
        return Err(format!("quiet {quiet} between turns"));
    }
    check_men(rules, &position)?;
    read_castling(rules, fields[2], &mut position)?;
    read_en_passant(rules, fields[3], &mut position)?;
    if let Some(text) = marks {
        read_marks(rules, text, &mut position)?;
    }
    Ok(position)
}

/// The board field: 8 ranks of 8.
fn read_board(text: &str) -> Result<[Option<Man>; 64], String> {
    let mut board = [None; 64];
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 8 {
        return Err(format!("{} ranks", rows.len()));
    }
    for (row, rank) in rows.iter().zip((0..8).rev()) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10).filter(|d| (1..=8).contains(d)) {
                file += usize::try_from(empty).unwrap_or(8);
                continue;
            }
            let man = Man::from_letter(letter).ok_or_else(|| format!("man '{letter}'"))?;
            if file < 8 {
                board[square(file, rank)] = Some(man);
            }
            file += 1;
        }
        if file != 8 {
            return Err(format!("rank '{row}' is not 8 squares"));
        }
    }
    Ok(board)
}

/// A plain decimal number within bounds.
fn read_number(text: &str, least: u16, most: u16) -> Result<u16, String> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let number: Option<u16> = if digits { text.parse().ok() } else { None };
    number.filter(|n| (least..=most).contains(n)).ok_or_else(|| format!("number '{text}'"))
}

/// The turn number. One that does not fit the side to move was written by an ordinary chess tool and counts full moves.
fn read_turn(mover: Color, text: Option<&str>) -> Result<u16, String> {
    let first = if mover == Color::White { 1 } else { 2 };
    let Some(text) = text else { return Ok(first) };
    let number = read_number(text, 1, 255)?;
    if number % 2 == first % 2 {
        return Ok(number);
    }
    let turn = if mover == Color::White { 2 * number - 1 } else { 2 * number };
    if turn > 255 { Err(format!("move number '{text}'")) } else { Ok(turn) }
}

/// Kings, pawns and checks.
fn check_men(rules: &RuleSet, position: &Position) -> Result<(), String> {
    let count = |color| (0..64).filter(|&at| position.has(at, color, Role::King)).count();
    if rules.is_royal() && (count(Color::White) != 1 || count(Color::Black) != 1) {
        return Err("not one king each".to_owned());
    }
    if !position.has_men(Color::White) && !position.has_men(Color::Black) {
        return Err("no men".to_owned());
    }
    for at in (0..8).chain(56..64) {
        if position.board[at].is_some_and(|man| man.role == Role::Pawn) {
            return Err("pawn on the first or last rank".to_owned());
        }
    }
    let mover = position.mover();
    if rules.is_royal() && position.is_king_attacked(mover.other()) {
        return Err("the side not to move is in check".to_owned());
    }
    // After one's own first move one is never in check (common rule 4).
    if rules.is_royal() && !position.is_turn_start(rules) && position.is_king_attacked(mover) {
        return Err("in check in mid-series".to_owned());
    }
    Ok(())
}

fn read_castling(rules: &RuleSet, text: &str, position: &mut Position) -> Result<(), String> {
    if text == "-" {
        return Ok(());
    }
    for letter in text.chars() {
        let found = RIGHTS.iter().position(|(l, _, _)| *l == letter);
        let Some(index) = found.filter(|&i| text.chars().filter(|&l| l == RIGHTS[i].0).count() == 1) else {
            return Err(format!("castling '{text}'"));
        };
        let (_, color, rook_file) = RIGHTS[index];
        let back = color.rank(0);
        let is_home = position.has(square(KING_FILE, back), color, Role::King)
            && position.has(square(rook_file, back), color, Role::Rook);
        position.rights[index] = rules.castling && is_home;
    }
    Ok(())
}

/// The e.p. field. The rank says whose pawn it is: between turns only the opponent's, in mid-series the mover's own and, in
/// Marseillais after an e.p. capture, the opponent's other ones. Needed: the pawn in front; for the opponent's also an empty
/// crossed square.
fn read_en_passant(rules: &RuleSet, text: &str, position: &mut Position) -> Result<(), String> {
    let us = position.mover();
    let is_start = position.is_turn_start(rules);
    for crossed in read_squares(text)? {
        let file = file(crossed);
        for color in [us, us.other()] {
            let pawn = square(file, Position::step_rank(color));
            let is_kept = rules.en_passant
                && crossed == Position::crossed_square(color, file)
                && position.has(pawn, color, Role::Pawn);
            if is_kept && color == us {
                position.steps[file] = !is_start;
            } else if is_kept {
                position.targets[file] = (is_start || rules.marseillais) && position.board[crossed].is_none();
            }
        }
    }
    Ok(())
}

/// `-`, or squares with or without commas between them.
fn read_squares(text: &str) -> Result<Vec<Square>, String> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let mut squares = Vec::new();
    for part in text.split(',') {
        let pairs = part.as_bytes().chunks(2);
        if pairs.len() == 0 {
            return Err(format!("squares '{text}'"));
        }
        for pair in pairs {
            let name = std::str::from_utf8(pair).ok().and_then(parse_square);
            squares.push(name.ok_or_else(|| format!("squares '{text}'"))?);
        }
    }
    Ok(squares)
}

/// The marks: English only, in mid-series only, and on men of the side to move.
fn read_marks(rules: &RuleSet, text: &str, position: &mut Position) -> Result<(), String> {
    if !rules.balance || position.is_turn_start(rules) {
        return Err("marks outside an English series".to_owned());
    }
    let us = position.mover();
    for at in read_squares(text)? {
        match &mut position.board[at] {
            Some(man) if man.color == us => man.marked = true,
            _ => return Err(format!("mark on {}", square_name(at))),
        }
    }
    Ok(())
}

/// The canonical FEN, so that equal positions have equal text.
pub(super) fn write(rules: &RuleSet, position: &Position) -> String {
    let mut fields = vec![write_board(position), position.mover().letter().to_string()];
    let rights = position.rights.iter().zip(RIGHTS).filter(|(held, _)| **held);
    let rights: String = rights.map(|(_, (letter, _, _))| letter).collect();
    fields.push(if rights.is_empty() { "-".to_owned() } else { rights });
    fields.push(write_squares(&en_passant_squares(position)));
    fields.push(position.quiet.to_string());
    fields.push(position.turn.to_string());
    if !position.is_turn_start(rules) {
        fields.push(position.left.to_string());
        let mut marks: Vec<Square> = (0..64).filter(|&at| position.board[at].is_some_and(|man| man.marked)).collect();
        marks.sort_by_key(|&at| (file(at), rank(at)));
        if !marks.is_empty() {
            fields.push(format!("m={}", write_squares(&marks)));
        }
    }
    fields.join(" ")
}

/// The targets that can be taken now as the men stand, and the mover's own double steps with an enemy pawn beside them,
/// even if a man stands on the crossed square just now: it may leave before the series is over.
fn en_passant_squares(position: &Position) -> Vec<Square> {
    let us = position.mover();
    let mut squares = Vec::new();
    for file in 0..8 {
        if position.steps[file] && position.has_pawn_beside(us, file) {
            squares.push(Position::crossed_square(us, file));
        }
        if position.is_takeable(file) {
            squares.push(Position::crossed_square(us.other(), file));
        }
    }
    squares
}

fn write_squares(squares: &[Square]) -> String {
    let names: Vec<String> = squares.iter().map(|&at| square_name(at)).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(",") }
}

fn write_board(position: &Position) -> String {
    let mut rows = Vec::new();
    for rank in (0..8).rev() {
        let mut row = String::new();
        let mut empty = 0;
        for file in 0..8 {
            let man = position.board[square(file, rank)];
            if let Some(man) = man {
                if empty > 0 {
                    row.push_str(&empty.to_string());
                }
                empty = 0;
                row.push(man.letter());
            } else {
                empty += 1;
            }
        }
        if empty > 0 {
            row.push_str(&empty.to_string());
        }
        rows.push(row);
    }
    rows.join("/")
}
