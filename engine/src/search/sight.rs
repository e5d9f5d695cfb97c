//! What a player who errs sees of mates: the patterns of a mating series, and the chance that he finds it.
//!
//! The solver finds the series; whether the player sees it is drawn from his seed and the series itself. So a player is blind to one mate and
//! not to another, as people are, and always to the same: what he sees does not depend on how the search came to it.

use crate::rules::midturn::Midturn;
use crate::solver::mated::is_mate;
use crate::types::moves::Move;
use crate::types::{BitBoard, Role};
use serde::Deserialize;

/// What a player sees of mates.
///
/// The chance for a mating series is that of its length, times that of each kind of move in it; all lengths are in moves, all others are
/// chances from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sight {
    /// Whether a mate of one man in one or two moves is always seen.
    pub one_man: bool,
    /// The length of an own mate of which every second is seen, its kinds apart.
    pub own: f64,
    /// The same for a mate of the opponent.
    pub theirs: f64,
    /// For each move that neither captures nor promotes, but the last.
    pub quiet: f64,
    /// For each move of a man, the king apart, towards his own side.
    pub backward: f64,
    /// For a promotion to another man than a queen.
    pub under_promotion: f64,
    /// For castling.
    pub castling: f64,
    /// For a capture en passant.
    pub en_passant: f64,
    /// For a check by a man that the last move did not move.
    pub discovered: f64,
    /// For a check by two men.
    pub double: f64,
    /// For a mate that is none without the rule that a check must be the last move.
    pub italian: f64,
    /// For a king that makes two moves or more.
    pub march: f64,
}

/// How far from the length of which every second mate is seen the chance is 15 or 85 percent, in moves.
const SLOPE: f64 = 1.2;

impl Sight {
    /// Whether the chances are chances and the lengths are finite: the name of the first field that is not.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let Self { quiet, backward, under_promotion, castling, en_passant, discovered, double, italian, march, .. } =
            *self;
        let chances = [
            ("quiet", quiet),
            ("backward", backward),
            ("under_promotion", under_promotion),
            ("castling", castling),
            ("en_passant", en_passant),
            ("discovered", discovered),
            ("double", double),
            ("italian", italian),
            ("march", march),
        ];
        let lengths = [("own", self.own), ("theirs", self.theirs)];
        let no_chance = chances.into_iter().find(|(_, chance)| !(0.0..=1.0).contains(chance));
        no_chance.or_else(|| lengths.into_iter().find(|(_, length)| !length.is_finite())).map(|(name, _)| name)
    }

    /// The player `share` of the way from this one to `other`; `luck`, from 0 to 1, decides what is one or the other.
    #[must_use]
    pub fn towards(&self, other: &Self, share: f64, luck: f64) -> Self {
        let mix = |from: f64, to: f64| from + (to - from) * share;
        Self {
            one_man: if luck < share { other.one_man } else { self.one_man },
            own: mix(self.own, other.own),
            theirs: mix(self.theirs, other.theirs),
            quiet: mix(self.quiet, other.quiet),
            backward: mix(self.backward, other.backward),
            under_promotion: mix(self.under_promotion, other.under_promotion),
            castling: mix(self.castling, other.castling),
            en_passant: mix(self.en_passant, other.en_passant),
            discovered: mix(self.discovered, other.discovered),
            double: mix(self.double, other.double),
            italian: mix(self.italian, other.italian),
            march: mix(self.march, other.march),
        }
    }

    /// The chance of seeing an own mate.
    #[must_use]
    pub fn own_chance(&self, pattern: &Pattern) -> f64 {
        self.chance(pattern, self.own)
    }

    /// The chance of seeing a mate of the opponent.
    #[must_use]
    pub fn their_chance(&self, pattern: &Pattern) -> f64 {
        self.chance(pattern, self.theirs)
    }

    /// The chance of noticing that a series, to which he came without looking for a mate, is one: its length hides nothing then.
    #[must_use]
    pub fn notice_chance(&self, pattern: &Pattern) -> f64 {
        if self.is_plain(pattern) { 1.0 } else { self.by_kind(pattern) }
    }

    const fn is_plain(&self, pattern: &Pattern) -> bool {
        self.one_man && pattern.men == 1 && pattern.length <= 2
    }

    fn chance(&self, pattern: &Pattern, half: f64) -> f64 {
        if self.is_plain(pattern) {
            return 1.0;
        }
        let by_length = falling((f64::from(pattern.length) - half) / SLOPE);
        by_length * self.by_kind(pattern) * power(self.quiet, pattern.quiet)
    }

    fn by_kind(&self, pattern: &Pattern) -> f64 {
        let kinds = [
            (pattern.under_promotes, self.under_promotion),
            (pattern.castles, self.castling),
            (pattern.en_passant, self.en_passant),
            (pattern.is_discovered, self.discovered),
            (pattern.is_double, self.double),
            (pattern.is_italian, self.italian),
            (pattern.marches, self.march),
        ];
        let by_kind: f64 = kinds.iter().filter(|(has, _)| *has).map(|(_, chance)| chance).product();
        by_kind * power(self.backward, pattern.backward)
    }
}

/// A sigmoid from 1 down to 0, of operations that every machine rounds alike: 0.5 at 0, 0.15 at 1.
fn falling(x: f64) -> f64 {
    0.5 - 0.5 * x / (1.0 + x * x).sqrt()
}

/// By multiplication, so that it is the same on every machine.
fn power(base: f64, times: u8) -> f64 {
    (0..times).fold(1.0, |product, _| product * base)
}

/// What a mating series looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pattern {
    /// Moves.
    pub length: u8,
    /// Men that move; castling moves two.
    pub men: u32,
    /// Moves but the last that neither capture nor promote.
    pub quiet: u8,
    /// Moves towards the own side, the king's apart.
    pub backward: u8,
    /// Whether a pawn becomes something else than a queen.
    pub under_promotes: bool,
    /// Whether it castles.
    pub castles: bool,
    /// Whether it captures en passant.
    pub en_passant: bool,
    /// Whether a man that the last move did not move gives check.
    pub is_discovered: bool,
    /// Whether two men give check.
    pub is_double: bool,
    /// Whether it is a mate by the rule alone that a check must be the last move.
    pub is_italian: bool,
    /// Whether the king makes two moves or more.
    pub marches: bool,
    /// The key of the men at the end: equal for series that come to the same.
    pub end: u64,
}

impl Pattern {
    /// The pattern of legal moves (the mover's view) from here.
    #[must_use]
    pub fn of(midturn: &Midturn, moves: &[Move]) -> Self {
        let (mut pattern, mut now) = (Self::default(), *midturn);
        let (mut moved, mut last, mut king_moves) = (BitBoard::EMPTY, BitBoard::EMPTY, 0);
        for (i, &mv) in moves.iter().enumerate() {
            let board = *now.board();
            let (is_capture, castles) = (board.is_capture(mv), board.is_castling(mv));
            let is_king = board.role(Role::King).has(mv.from());
            let is_last = i + 1 == moves.len();
            pattern.length = pattern.length.saturating_add(1);
            pattern.quiet += u8::from(!is_last && !is_capture && mv.promotion().is_none());
            pattern.backward += u8::from(!is_king && (mv.to().rank() as u8) < mv.from().rank() as u8);
            pattern.under_promotes |= mv.promotion().is_some_and(|role| role != Role::Queen);
            pattern.castles |= castles;
            pattern.en_passant |= is_capture && !board.them().has(mv.to());
            king_moves += u8::from(is_king && !castles);
            last = board.moved_to(mv);
            moved = moved & !mv.from().bitboard() | last;
            now.step(mv);
        }
        let end = now.board();
        if let Some(king) = end.their_king() {
            let checkers = end.our_attackers(king, end.occupied());
            pattern.is_discovered = !(checkers & !last).is_empty();
            pattern.is_double = checkers.len() > 1;
            pattern.is_italian = now.rules().is_italian() && !is_mate(end, now.terms(), false);
        }
        pattern.marches = king_moves > 1;
        pattern.men = moved.len();
        pattern.end = end.key();
        pattern
    }
}

/// Whether luck of this seed gives what has this chance to the thing of this key.
#[must_use]
pub fn falls_to(seed: u64, key: u64, chance: f64) -> bool {
    fraction(luck(seed, key)) < chance
}

/// Luck as a number in [0, 1): 53 bits are as many as it has.
#[must_use]
pub fn fraction(luck: u64) -> f64 {
    (luck >> 11) as f64 / (1u64 << 53) as f64
}

/// Seed and key, well mixed (SplitMix64).
#[must_use]
pub const fn luck(seed: u64, key: u64) -> u64 {
    let mut z = key.wrapping_add(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
