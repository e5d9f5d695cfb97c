//! Lines of EPD: four fields of a FEN and operations, as in `8/… w - - fmvn 7; id "the seventh";`.
//!
//! Of the operations two count: `fmvn`, which here gives the number of the turn as the last field of a FEN does, and `hmvc`,
//! the field before it. Names (`id`), best moves and all others are for other programs; they are read over.

use super::LineFault;

/// Whether a line is EPD: what follows its four fields is neither a number nor moves.
pub(super) fn is_epd(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    words.next().is_some_and(|men| men.contains('/'))
        && words.nth(3).is_some_and(|word| word != "moves" && word.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// The FEN of a line of EPD.
///
/// # Errors
/// An operation has no end, or the number of the turn is missing: four fields do not say how many moves are due.
pub(super) fn fen(text: &str) -> Result<String, LineFault> {
    let mut rest = text.trim();
    let mut fields = Vec::new();
    for _ in 0..4 {
        let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        fields.push(field);
        rest = after.trim_start();
    }
    let (mut clock, mut turn) = (0, None);
    // An empty operation begins a comment of ours.
    while !rest.is_empty() && !rest.starts_with(';') {
        let end = end(rest).ok_or_else(|| LineFault::Epd(format!("no ';' at the end of '{rest}'")))?;
        let (name, value) = rest[..end].split_once(char::is_whitespace).unwrap_or((&rest[..end], ""));
        let number = || {
            let wrong = |_| LineFault::Epd(format!("{name} takes a number, not '{}'", value.trim()));
            value.trim().parse::<u16>().map_err(wrong)
        };
        match name {
            "hmvc" => clock = number()?,
            "fmvn" => turn = Some(number()?),
            _ => {}
        }
        rest = rest[end + 1..].trim_start();
    }
    let missing = || LineFault::Epd("how many moves are due? Add fmvn N; with the turn number (odd = White)".into());
    Ok(format!("{} {clock} {}", fields.join(" "), turn.ok_or_else(missing)?))
}

/// Where the first operation ends: at a semicolon outside of quotes.
fn end(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.char_indices().find_map(|(at, c)| {
        quoted ^= c == '"';
        (c == ';' && !quoted).then_some(at)
    })
}
