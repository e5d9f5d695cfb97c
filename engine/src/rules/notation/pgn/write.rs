//! Writing PGN: the canonical form, one number a series, and the padded form for ordinary readers.

use super::{Comment, PgnGame, PgnResult};
use crate::rules::game::Game;
use crate::rules::notation::movetext::series_in_san;
use crate::rules::outcome::{Outcome, WinBy};
use crate::rules::position::Position;
use crate::types::Color;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Lines of moves are shorter than this.
const COLUMNS: usize = 80;

/// The tags that come first, with what is written when they are not known.
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];

/// Tags that are written from the game, whatever was set.
const COMPUTED: [&str; 8] = ["Result", "Variant", "SetUp", "FEN", "SeriesCount", "PlyCount", "Rules", "TurnFEN"];

/// The comment after the last move of an Italian mate.
pub(super) const ITALIAN_MATE: &str = "Italian mate";

impl PgnGame {
    /// The game in the canonical form: tags, an empty line, `1. e4 2. e5 Nf6 …`, an empty line. Texts can be put one after the other.
    #[must_use]
    pub fn canonical(&self) -> String {
        let game = &self.game;
        let mut tags: Vec<(&str, String)> = vec![("Variant", game.rules().pgn.into())];
        if !is_from_start(game) {
            tags.push(("SetUp", "1".into()));
            tags.push(("FEN", game.start().fen()));
        }
        tags.push(("SeriesCount", game.turns().len().to_string()));
        tags.push(("PlyCount", game.plies().to_string()));
        let mut lines = Lines::default();
        let mut comments = self.comments_in_order();
        let mut plies = 0;
        comments.write(plies, &mut lines);
        for (i, (turn, series)) in series_in_san(game).into_iter().enumerate() {
            let dots = if i == 0 && !game.start().is_fresh() { "..." } else { "." };
            lines.word(&format!("{turn}{dots}"));
            for text in series {
                lines.word(&text);
                plies += 1;
                comments.write(plies, &mut lines);
            }
        }
        self.finish(&tags, lines)
    }

    /// The game for ordinary PGN readers: the other side passes, `1. e4 e5 2. -- Nf6 …`, and there is no `Variant` tag.
    ///
    /// What an ordinary reader would refuse but ours needs goes into tags which others skip: `Rules`, and `TurnFEN` where six
    /// ordinary fields do not say everything.
    #[must_use]
    pub fn padded(&self) -> String {
        let game = &self.game;
        let mut lines = Lines::default();
        let mut comments = self.comments_in_order();
        let (mut plies, mut half_moves) = (0, 0);
        let mut number = game.start().turn().number();
        let mut to_move = game.start().color();
        comments.write(plies, &mut lines);
        for (turn, series) in series_in_san(game) {
            for text in series {
                let passes = if to_move == turn.color() { 0 } else { 1 };
                for word in ["--"].into_iter().take(passes).chain([text.as_str()]) {
                    match (to_move, half_moves) {
                        (Color::White, _) => lines.word(&format!("{number}.")),
                        (Color::Black, 0) => lines.word(&format!("{number}...")),
                        (Color::Black, _) => {}
                    }
                    lines.word(word);
                    number += u16::from(to_move == Color::Black);
                    to_move = !to_move;
                    half_moves += 1;
                }
                plies += 1;
                comments.write(plies, &mut lines);
            }
        }
        let mut tags: Vec<(&str, String)> = Vec::new();
        if !is_from_start(game) {
            let (ordinary, full) = (ordinary_fen(game), game.start().fen());
            tags.push(("SetUp", "1".into()));
            tags.push(("FEN", ordinary.clone()));
            if full != ordinary {
                tags.push(("TurnFEN", full));
            }
        }
        tags.push(("Rules", game.rules().pgn.into()));
        tags.push(("PlyCount", half_moves.to_string()));
        self.finish(&tags, lines)
    }

    /// Tags, an empty line, moves with the result, an empty line.
    fn finish(&self, computed: &[(&str, String)], mut lines: Lines) -> String {
        lines.word(self.result.text());
        let mut text = String::with_capacity(lines.text.len() + 400);
        for (name, unknown) in ROSTER {
            push_tag(&mut text, name, self.tag(name).unwrap_or(unknown));
        }
        push_tag(&mut text, "Result", self.result.text());
        for (name, value) in computed {
            push_tag(&mut text, name, value);
        }
        let mut written = BTreeSet::new();
        let is_ours = |name: &str| COMPUTED.contains(&name) || ROSTER.iter().any(|(known, _)| *known == name);
        for (name, value) in &self.tags {
            let name = safe_name(name);
            if !name.is_empty() && !is_ours(&name) && !written.contains(&name) {
                push_tag(&mut text, &name, value);
                written.insert(name);
            }
        }
        text.push('\n');
        text.push_str(&lines.text);
        text.push_str("\n\n");
        text
    }

    fn comments_in_order(&self) -> Comments {
        let mut list: Vec<(usize, Mark)> = Vec::with_capacity(self.comments.len() + self.nags.len() + 1);
        let plies = self.game.plies();
        list.extend(self.nags.iter().map(|nag| (nag.after.min(plies), Mark::Nag(nag.code))));
        if let Some(Outcome::Win { by: WinBy::ItalianMate, .. }) = self.game.outcome() {
            list.push((plies, Mark::Comment(ITALIAN_MATE.into())));
        }
        let comment = |comment: &Comment| (comment.after.min(plies), Mark::Comment(safe_comment(&comment.text)));
        list.extend(self.comments.iter().map(comment));
        // Glyphs come first, because the sort keeps the order of equals.
        list.sort_by_key(|(after, _)| *after);
        Comments { list, next: 0 }
    }
}

fn is_from_start(game: &Game) -> bool {
    *game.start() == Position::start(game.rules()).begin()
}

/// Six fields that ordinary tools read: at most one en passant square, nothing of a series.
fn ordinary_fen(game: &Game) -> String {
    let full = game.start().fen();
    let mut fields: Vec<&str> = full.split(' ').take(6).collect();
    if let (false, Some(targets)) = (game.start().is_fresh() && !full.contains(','), fields.get_mut(3)) {
        *targets = "-";
    }
    fields.join(" ")
}

/// Blanks for control characters and runs of blanks; what is left never ends the comment.
fn safe_comment(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| match c {
            '{' => '(',
            '}' => ')',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What PGN allows in the name of a tag.
fn safe_name(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}

/// `[Name "value"]` on a line of its own.
fn push_tag(text: &mut String, name: &str, value: &str) {
    let _ = write!(text, "[{name} \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            // A value stays on its line.
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    text.push_str("\"]\n");
}

/// What stands between moves.
enum Mark {
    Nag(u8),
    Comment(String),
}

/// Glyphs and comments sorted by their places.
struct Comments {
    list: Vec<(usize, Mark)>,
    next: usize,
}

impl Comments {
    fn write(&mut self, plies: usize, lines: &mut Lines) {
        while let Some((_, mark)) = self.list.get(self.next).filter(|(after, _)| *after <= plies) {
            self.next += 1;
            match mark {
                Mark::Nag(code) => lines.word(&format!("${code}")),
                Mark::Comment(text) if text.is_empty() => {}
                Mark::Comment(text) => {
                    lines.word("{");
                    text.split(' ').for_each(|word| lines.word(word));
                    lines.word("}");
                }
            }
        }
    }
}

/// Words with a blank or a line end between them.
#[derive(Default)]
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        // A line that begins so would be an escape or a tag to simple readers.
        let bound = word.starts_with(['%', '[']);
        if self.column == 0 {
        } else if self.column + 1 + width < COLUMNS || bound {
            self.text.push(' ');
            self.column += 1;
        } else {
            self.text.push('\n');
            self.column = 0;
        }
        self.text.push_str(word);
        self.column += width;
    }
}

impl PgnResult {
    /// Whether the game is decided or drawn.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Open)
    }
}
