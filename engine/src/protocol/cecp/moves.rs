//! Moves, passes and take-backs: what keeps xboard's record and the game together.

use super::command::{Ply, read_ply};
use super::face::Face;
use super::show;
use crate::rules::movelist::as_written_here;
use crate::rules::notation::san;
use crate::types::Square;
use crate::types::moves::Move;
use crate::types::score::Score;
use std::time::{Duration, Instant};

/// After a take-back that ends inside the engine's series, the engine waits so long for another one before it plays on.
const PATIENCE: Duration = Duration::from_millis(2500);
/// A draw is offered in return by an engine that is so far behind.
const HOPELESS: Score = Score::cp(-300);

impl Face {
    pub(super) fn user_move(&mut self, text: &str) {
        let by_hand = std::mem::take(&mut self.by_hand);
        let taken = self.read_user_move(text).and_then(|ply| self.record.take(ply).map_err(|error| error.to_string()));
        let Err(refusal) = taken else {
            self.forget_missing();
            // Without an engine nobody else would pass; in a game that xboard loads the passes are there.
            if self.engine.is_none() && by_hand && self.record.is_pass_due() {
                self.pass();
            }
            return self.proceed();
        };
        let plain: String = text.chars().take(40).map(|c| if c.is_control() { '?' } else { c }).collect();
        self.say(&format!("Illegal move ({refusal}): {plain}"));
    }

    /// The ply, if it is one that can be played now; whether it is legal the rules will say.
    fn read_user_move(&self, text: &str) -> Result<Ply, String> {
        let current = self.record.game().current();
        if self.refused {
            return Err("the position was refused".into());
        }
        if self.is_to_move() {
            return Err("it is not your turn".into());
        }
        match (read_ply(text), self.record.is_pass_due()) {
            (Some(ply), is_due) if ply.mv.is_none() => match is_due {
                true => Ok(ply),
                false => Err("a pass is possible only while the other side plays its series".into()),
            },
            (_, true) => Err("the other side has not completed its series".into()),
            (Some(ply), false) => Ok(Ply { mv: ply.mv.map(|mv| as_written_here(current, mv)), ..ply }),
            (None, false) => san::read(current, text).map(Ply::of).map_err(|error| error.reason.to_string()),
        }
    }

    /// Does what is to be done before the person can move again: passes, then the engine's series or the result.
    pub(super) fn proceed(&mut self) {
        let Some(engine) = self.engine.filter(|_| !self.over) else { return };
        if let Some(outcome) = self.record.game().outcome() {
            self.over = true;
            return self.say(&show::result(outcome));
        }
        if self.record.is_pass_due() {
            self.pass();
        }
        if self.record.game().color() == engine {
            let missing = std::mem::take(&mut self.missing);
            if missing.is_empty() { self.think() } else { self.play(&missing) }
        }
    }

    fn pass(&mut self) {
        let lines = self.record.send_pass(self.null_captures);
        self.say_all(lines);
    }

    /// Plays the engine's series, with the passes that the person owes between its moves.
    pub(super) fn play(&mut self, series: &[Move]) {
        for &mv in series {
            if self.record.is_pass_due() {
                self.pass();
            }
            match self.record.send_move(mv) {
                Ok(lines) => self.say_all(lines),
                Err(error) => return self.say(&format!("tellusererror internal: {mv}: {error}")),
            }
        }
        self.proceed();
    }

    /// Takes back plies of xboard's record. Where that ends inside the engine's series, the person may want to go on taking
    /// back; what is missing is played again only after a while or when he lifts a man.
    pub(super) fn take_back(&mut self, plies: usize) {
        self.abort();
        (self.over, self.by_hand) = (false, false);
        let mut missing = self.record.take_back(plies);
        let is_engines = self.engine == Some(self.record.game().color());
        if is_engines {
            missing.append(&mut self.missing);
            self.missing = missing;
            self.resend_at = Some(Instant::now() + PATIENCE);
        } else {
            self.forget_missing();
        }
    }

    /// When moves that a take-back has removed are due again.
    pub(super) const fn resend_at(&self) -> Option<Instant> {
        self.resend_at
    }

    /// Plays on after a take-back.
    pub(super) fn resend(&mut self) {
        if self.resend_at.take().is_some() {
            self.proceed();
        }
    }

    pub(super) fn lift(&mut self, square: Square) {
        self.resend();
        self.by_hand = true;
        let may_move = !self.is_to_move() && !self.over && !self.refused && !self.record.is_pass_due();
        let marks = show::highlight(self.record.game().current(), may_move.then_some(square));
        self.say(&marks);
    }

    /// A promotion must know what to promote to.
    pub(super) fn put(&mut self, square: Square) {
        let game = self.record.game();
        let promotes = game.legal().iter().any(|mv| mv.to() == square && mv.promotion().is_some());
        if promotes && !self.is_to_move() {
            self.say(if game.rules().has_mate() { "choice QRBN" } else { "choice QRBNK" });
        }
    }

    pub(super) fn consider_draw(&mut self) {
        if !self.is_to_move() && !self.over && self.last_score <= HOPELESS {
            self.say("offer draw");
        }
    }
}
