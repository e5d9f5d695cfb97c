//! Reading PGN: every game of a text is replayed under its rules; one that cannot be costs itself only.

use super::error::{PgnError, PgnWarning, Place, WarningKind};
use super::token::{Item, Lexer, Token};
use super::write::ITALIAN_MATE;
use super::{Comment, Nag, PgnGame, PgnResult};
use crate::rules::fen;
use crate::rules::game::Game;
use crate::rules::notation::san;
use crate::rules::outcome::{Outcome, WinBy};
use crate::rules::setup::Strictness;
use crate::rules::table::Rules;
use crate::types::Color;
use std::collections::BTreeSet;
use std::iter::Peekable;

/// Warnings of one kind are kept up to this number, so that a hostile text cannot fill the memory with them.
const MOST_WARNINGS: usize = 100;

/// The games of a text. `default` is the rule set of games that do not name theirs.
#[must_use]
pub fn games<'a>(text: &'a str, default: &'static Rules) -> Games<'a> {
    Games { items: Lexer::new(text).peekable(), default, count: 0 }
}

/// Iterator over the games of a text, in order.
pub struct Games<'a> {
    items: Peekable<Lexer<'a>>,
    default: &'static Rules,
    count: usize,
}

impl Iterator for Games<'_> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.items.peek()?.line;
        let mut reading = Reading::new(self.count + 1, line);
        // 1. Tags, with comments before and between them.
        while let Some(item) = self.items.next_if(|item| reading.is_of_tag_section(item)) {
            reading.take_tag(item);
        }
        if reading.tags.is_empty() && reading.fault.is_none() && self.items.peek().is_none() {
            return None; // Only comments after the last game.
        }
        self.count += 1;
        // 2. Moves up to the result or the next game's tags.
        reading.begin(self.default);
        while let Some(item) = self.items.next_if(|item| !begins_next_game(item)) {
            reading.take(item);
            if reading.result.is_some() {
                break;
            }
        }
        // 3. A comment right after the result still belongs to the game.
        if reading.result.is_some() {
            let belongs = |item: &Item<'_>| matches!(item.token, Token::Comment { .. }) && !item.after_gap;
            while let Some(item) = self.items.next_if(belongs) {
                reading.take(item);
            }
        }
        Some(reading.finish())
    }
}

const fn begins_next_game(item: &Item<'_>) -> bool {
    matches!(item.token, Token::Tag { .. } | Token::BadTag) && item.begins_line
}

/// One game while it is being read.
struct Reading {
    number: usize,
    first_line: usize,
    tags: Vec<(String, String)>,
    /// The names of the tags: a hostile text may have a hundred thousand.
    names: BTreeSet<String>,
    game: Option<Game>,
    comments: Vec<Comment>,
    nags: Vec<Nag>,
    warnings: Vec<PgnWarning>,
    fault: Option<PgnError>,
    result: Option<PgnResult>,
    /// How many variations are open.
    depth: usize,
    has_variations: bool,
    /// Moves and passes so far.
    half_moves: usize,
    has_passes: bool,
    /// Numbers that are wrong if one number is one series, and those that are wrong if it is a pair of half-moves.
    wrong_turns: Vec<PgnWarning>,
    wrong_pairs: Vec<PgnWarning>,
}

impl Reading {
    const fn new(number: usize, first_line: usize) -> Self {
        Self {
            number,
            first_line,
            tags: Vec::new(),
            names: BTreeSet::new(),
            game: None,
            comments: Vec::new(),
            nags: Vec::new(),
            warnings: Vec::new(),
            fault: None,
            result: None,
            depth: 0,
            has_variations: false,
            half_moves: 0,
            has_passes: false,
            wrong_turns: Vec::new(),
            wrong_pairs: Vec::new(),
        }
    }

    /// The first fault counts: what follows cannot be replayed.
    fn fail(&mut self, line: usize, place: Option<Place>, reason: impl Into<String>) {
        if self.fault.is_none() {
            self.fault = Some(PgnError { game: self.number, line, place, reason: reason.into() });
        }
    }

    fn warn(&mut self, line: usize, kind: WarningKind) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(PgnWarning { line, kind });
        }
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Whether the token still belongs to the tags. Headers without moves may follow one another: then a tag comes again.
    fn is_of_tag_section(&self, item: &Item<'_>) -> bool {
        match &item.token {
            Token::Tag { name, .. } => !(item.after_gap && self.names.contains(*name)),
            Token::BadTag | Token::Comment { .. } => true,
            _ => false,
        }
    }

    fn take_tag(&mut self, item: Item<'_>) {
        match item.token {
            Token::Tag { name, value, mended } => {
                if mended {
                    self.warn(item.line, WarningKind::Quotes(name.into()));
                }
                if self.names.insert(name.into()) {
                    self.tags.push((name.into(), value));
                } else {
                    self.warn(item.line, WarningKind::TwiceTag(name.into()));
                }
            }
            Token::Comment { .. } => self.take(item),
            _ => self.fail(item.line, None, "not a tag pair; expected [Name \"value\"]"),
        }
    }

    /// Finds rules and start position in the tags.
    fn begin(&mut self, default: &'static Rules) {
        let line = self.first_line;
        let rules = match self.tag("Variant").or_else(|| self.tag("Rules")) {
            None => Ok(default),
            Some(name) => Rules::by_name(name).ok_or_else(|| format!("'{name}' is no variant of progressive chess")),
        };
        let rules = match rules {
            Ok(rules) => rules,
            Err(reason) => return self.fail(line, None, reason),
        };
        let Some(text) = self.tag("TurnFEN").or_else(|| self.tag("FEN")) else {
            if self.tag("SetUp") == Some("1") {
                return self.fail(line, None, "SetUp without FEN");
            }
            self.game = Some(Game::new(rules));
            return;
        };
        match fen::read(text, rules, Strictness::Lenient) {
            Ok((entry, warnings)) => {
                self.game = Some(Game::from_entry(entry));
                warnings.into_iter().for_each(|warning| self.warn(line, WarningKind::Setup(warning)));
            }
            Err(error) => self.fail(line, None, error.to_string()),
        }
    }

    /// Takes one token of the moves.
    fn take(&mut self, item: Item<'_>) {
        match item.token {
            Token::Open => {
                self.depth += 1;
                if !self.has_variations {
                    self.has_variations = true;
                    self.warn(item.line, WarningKind::Variations);
                }
            }
            Token::Close if self.depth == 0 => self.fail(item.line, self.place(), "')' without '('"),
            Token::Close => self.depth -= 1,
            Token::Comment { open: true, .. } => self.fail(item.line, self.place(), "comment without closing brace"),
            _ if self.depth > 0 => {}
            Token::Comment { text, .. } => {
                let after = self.game.as_ref().map_or(0, Game::plies);
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                if !text.is_empty() {
                    self.comments.push(Comment { after, text });
                }
            }
            Token::Nag(code) => {
                let after = self.game.as_ref().map_or(0, Game::plies);
                self.nags.extend(code.map(|code| Nag { after, code }));
            }
            Token::Word(word) => self.take_word(word, item.line),
            Token::Stray(c) => self.fail(item.line, self.place(), format!("'{c}' without its partner")),
            Token::Tag { .. } | Token::BadTag => self.fail(item.line, self.place(), "a tag pair among the moves"),
        }
    }

    /// Where the next move would be.
    fn place(&self) -> Option<Place> {
        let midturn = self.game.as_ref()?.current();
        Some(Place { turn: midturn.turn().number(), leg: san::leg_number(midturn) })
    }

    fn take_word(&mut self, word: &str, line: usize) {
        if let Some(result) = PgnResult::parse(word) {
            self.result = Some(result);
            return;
        }
        let (number, rest) = split_number(word);
        if let Some(number) = number {
            self.take_number(number, line);
        }
        if is_decoration(rest) || self.fault.is_some() {
            return;
        }
        if let Some(result) = PgnResult::parse(rest) {
            self.result = Some(result);
        } else if matches!(rest, "--" | "Z0" | "0000") {
            self.take_pass(line);
        } else {
            self.take_move(rest, line);
        }
    }

    /// Numbers are only compared: what is played follows from the rules.
    fn take_number(&mut self, written: u16, line: usize) {
        let (Some(game), Some(at)) = (&self.game, self.place()) else { return };
        let warning = PgnWarning { line, kind: WarningKind::Number { at, written } };
        let start = game.start();
        let black_first = usize::from(start.color() == Color::Black);
        let pair = usize::from(start.turn().number()) + (self.half_moves + black_first) / 2;
        if pair != usize::from(written) && self.wrong_pairs.len() < MOST_WARNINGS {
            self.wrong_pairs.push(warning.clone());
        }
        if at.turn != written && self.wrong_turns.len() < MOST_WARNINGS {
            self.wrong_turns.push(warning);
        }
    }

    /// The other side's pass of the padded form.
    fn take_pass(&mut self, line: usize) {
        let Some(game) = &self.game else { return };
        if game.outcome().is_some() || game.current().is_fresh() {
            self.fail(line, self.place(), "a pass can only stand inside a series");
        }
        self.half_moves += 1;
        self.has_passes = true;
    }

    fn take_move(&mut self, text: &str, line: usize) {
        let place = self.place();
        let Some(game) = &mut self.game else { return };
        let played = match game.outcome() {
            Some(outcome) => Err(format!("'{}': the game is over: {outcome}", shortened(text))),
            None => match san::read(game.current(), text) {
                Ok(mv) => game.play(mv).map_err(|error| format!("'{mv}': {error}")),
                Err(error) => Err(format!("'{}': {}", error.text, error.reason)),
            },
        };
        match played {
            Ok(_) => self.half_moves += 1,
            Err(mut reason) => {
                // A wrong number just before often tells what the writer meant.
                let numbers = if self.has_passes { &self.wrong_pairs } else { &self.wrong_turns };
                if let Some(WarningKind::Number { at, written }) = numbers.last().map(|warning| &warning.kind)
                    && Some(*at) == place
                {
                    reason.push_str(&format!(" (the text has number {written} here)"));
                }
                self.fail(line, place, reason);
            }
        }
    }

    fn finish(mut self) -> Result<PgnGame, PgnError> {
        if self.depth > 0 {
            self.fail(self.first_line, self.place(), "a variation without ')'");
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let numbers = std::mem::take(if self.has_passes { &mut self.wrong_pairs } else { &mut self.wrong_turns });
        self.warnings.extend(numbers);
        let result = self.settle_result();
        // Without a fault there is a game: `begin` made one or failed.
        let Some(game) = self.game else {
            return Err(PgnError { game: self.number, line: self.first_line, place: None, reason: "no game".into() });
        };
        if matches!(game.outcome(), Some(Outcome::Win { by: WinBy::ItalianMate, .. })) {
            self.comments.retain(|comment| comment.after != game.plies() || comment.text != ITALIAN_MATE);
        }
        let Self { tags, comments, nags, warnings, .. } = self;
        Ok(PgnGame { tags, game, comments, nags, result, warnings })
    }

    /// The marker at the end counts; without one the tag. Either is compared with the board.
    fn settle_result(&mut self) -> PgnResult {
        let line = self.first_line;
        let tag = self.tag("Result").and_then(PgnResult::parse);
        let result = match (self.result, tag) {
            (Some(text), Some(tag)) => {
                if text != tag {
                    self.warn(line, WarningKind::ResultTag { tag, text });
                }
                text
            }
            (Some(text), None) => text,
            (None, tag) => {
                self.warn(line, WarningKind::NoResult);
                tag.unwrap_or_else(|| self.game.as_ref().and_then(Game::outcome).into())
            }
        };
        if let Some(played) = self.game.as_ref().and_then(Game::outcome)
            && PgnResult::from(Some(played)) != result
        {
            self.warn(line, WarningKind::Contradiction { written: result, played });
        }
        result
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Takes the move number off a word: `1.e4`, `12...`, `3`. Castling with zeros is none, nor is the pass `0000`.
fn split_number(word: &str) -> (Option<u16>, &str) {
    let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    let (number, rest) = word.split_at(digits);
    if word == "0000" || rest.starts_with(['-', '/']) && rest != "--" {
        return (None, word);
    }
    let number = if number.is_empty() { None } else { Some(number.parse().unwrap_or(u16::MAX)) };
    (number, rest.trim_start_matches(['.', '…']))
}

/// Words that say nothing about the moves: annotation and evaluation marks, `e.p.`, nothing at all.
fn is_decoration(word: &str) -> bool {
    matches!(word, "" | "e.p." | "ep" | "e.p" | "+-" | "-+" | "+/-" | "-/+" | "N" | "D")
        || word.chars().all(|c| matches!(c, '!' | '?' | '+' | '#' | '=' | '±' | '∓' | '⩲' | '⩱' | '∞' | '□'))
}
