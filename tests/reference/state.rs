//! The face to the tests: a game in plain strings and numbers.

use super::fen;
use super::man::{Color, Man, Role, file, parse_square, rank, square_name};
use super::moves::{Successor, successors};
use super::position::{Move, Position, RIGHTS};
use super::ruleset::RuleSet;
use super::verdict::{End, verdict};

/// A game at some point of it.
#[derive(Clone, Debug)]
pub(crate) struct State {
    rules: RuleSet,
    position: Position,
    /// Every start of a turn so far, as the part of the FEN that makes positions the same.
    history: Vec<String>,
    end: Option<End>,
}

impl State {
    /// Reads a FEN in any of its forms under the rule set of that name.
    pub(crate) fn parse(rules: &str, fen: &str) -> Result<State, String> {
        let rules = RuleSet::from_name(rules).ok_or_else(|| format!("no rule set '{rules}'"))?;
        let position = fen::read(&rules, fen)?;
        let mut state = State { rules, position, history: Vec::new(), end: None };
        state.judge();
        Ok(state)
    }

    /// The start of a game.
    pub(crate) fn start(rules: &str) -> Result<State, String> {
        State::parse(rules, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    }

    /// The canonical FEN.
    pub(crate) fn fen(&self) -> String {
        fen::write(&self.rules, &self.position)
    }

    /// The legal next moves, sorted; none when the game is over.
    pub(crate) fn legal(&self) -> Vec<String> {
        let mut legal: Vec<String> = self.next().iter().map(|next| next.mv.text()).collect();
        legal.sort();
        legal
    }

    /// Plays one move. Also read: `E7E8Q`, `e7e8=q`, and castling as king takes own rook.
    pub(crate) fn play(&mut self, leg: &str) -> Result<(), String> {
        let text = self.normalize(leg);
        let found = self.next().into_iter().find(|next| next.mv.text() == text);
        let Some(next) = found else {
            return Err(format!("'{leg}' is not legal in {}", self.fen()));
        };
        self.position = next.after;
        self.judge();
        Ok(())
    }

    /// `ongoing`, or how the game ended: `takeall`, `mate`, `stalemate`, `material`, `ten-turns` (in Marseillais: the 100
    /// turns), `repetition`, `turn-limit`.
    pub(crate) fn status(&self) -> &'static str {
        self.end.map_or("ongoing", |end| end.status)
    }

    /// `w` or `b` if somebody won.
    pub(crate) fn winner(&self) -> Option<char> {
        self.end.and_then(|end| end.winner).map(Color::letter)
    }

    /// Whether this is a mate in which the only parries would themselves give check too early.
    pub(crate) fn italian_mate(&self) -> bool {
        self.end.is_some_and(|end| end.is_italian_mate)
    }

    /// Whether the side to move stands in check; never in take-all.
    pub(crate) fn is_check(&self) -> bool {
        self.rules.is_royal() && self.position.is_king_attacked(self.position.mover())
    }

    /// Moves still to play in this turn.
    pub(crate) fn left(&self) -> u16 {
        self.position.left
    }

    /// The number of the turn.
    pub(crate) fn turn(&self) -> u16 {
        self.position.turn
    }

    /// The quiet counter as the FEN gives it.
    pub(crate) fn quiet(&self) -> u16 {
        self.position.quiet
    }

    /// Whether none of the series has been played yet.
    pub(crate) fn at_turn_start(&self) -> bool {
        self.position.is_turn_start(&self.rules)
    }

    /// What a legal move is besides a move: any of `capture`, `en-passant`, `promotion`, `double-step`, `castling`, `check`.
    pub(crate) fn kinds(&self, leg: &str) -> Vec<&'static str> {
        let (Some(from), Some(to)) = (leg.get(0..2).and_then(parse_square), leg.get(2..4).and_then(parse_square))
        else {
            return Vec::new();
        };
        let Some(man) = self.position.board[from] else {
            return Vec::new();
        };
        let promotion = leg.chars().nth(4).and_then(Man::from_letter).map(|man| man.role);
        let after = self.position.after(&self.rules, Move { from, to, promotion });
        let is_pawn = man.role == Role::Pawn;
        let is_taking = self.position.board[to].is_some();
        let is_en_passant = is_pawn && file(from) != file(to) && !is_taking;
        let tests = [
            ("capture", is_taking || is_en_passant),
            ("en-passant", is_en_passant),
            ("promotion", promotion.is_some()),
            ("double-step", is_pawn && rank(from).abs_diff(rank(to)) == 2),
            ("castling", man.role == Role::King && file(from).abs_diff(file(to)) == 2),
            ("check", self.rules.is_royal() && after.is_king_attacked(man.color.other())),
        ];
        tests.into_iter().filter(|(_, holds)| *holds).map(|(kind, _)| kind).collect()
    }

    /// The rules and the position, for the counters.
    pub(crate) fn parts(&self) -> (&RuleSet, &Position) {
        (&self.rules, &self.position)
    }

    fn next(&self) -> Vec<Successor> {
        if self.end.is_some() { Vec::new() } else { successors(&self.rules, &self.position) }
    }

    /// Notes the start of a turn and finds out whether the game is over.
    fn judge(&mut self) {
        let mut occurrences = 0;
        if self.at_turn_start() {
            // Same men, side, rights and en passant targets somebody can take: the first four fields say exactly that.
            let text = self.fen();
            let same: Vec<&str> = text.split(' ').take(4).collect();
            self.history.push(same.join(" "));
            occurrences = self.history.iter().filter(|&seen| Some(seen) == self.history.last()).count();
        }
        self.end = verdict(&self.rules, &self.position, occurrences);
    }

    /// A move as the generator writes it: lower case, no `=`, castling as the king's two squares.
    fn normalize(&self, leg: &str) -> String {
        let text = leg.to_ascii_lowercase().replacen('=', "", 1);
        let us = self.position.mover();
        for (held, (_, color, rook_file)) in self.position.rights.into_iter().zip(RIGHTS) {
            let back = color.rank(0) * 8;
            let goal = if rook_file == 7 { 6 } else { 2 };
            let (king, rook) = (square_name(back + 4), square_name(back + rook_file));
            if held && color == us && text == format!("{king}{rook}") {
                return format!("{king}{}", square_name(back + goal));
            }
        }
        text
    }
}
