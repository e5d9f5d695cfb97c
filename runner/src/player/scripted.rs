//! A player without a process, for tests and for measuring the runner itself.

use super::reply::Report;
use super::{Answer, Failure, Player, Question};
use crescendo::rules::midturn::{Midturn, Progress};
use crescendo::types::series::Series;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt;
use std::time::Duration;

/// What a script decides on: everything that a real player would be asked.
pub type Script = dyn FnMut(&Question<'_>) -> Result<String, Failure> + Send;

/// Answers at once with what its script says.
pub struct Scripted {
    script: Box<Script>,
    /// The time it claims to have used for each answer.
    elapsed: Duration,
    unsure: Duration,
    recovers: bool,
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted").field("elapsed", &self.elapsed).finish_non_exhaustive()
    }
}

impl Scripted {
    /// A player that follows `script`.
    #[must_use]
    pub fn new(script: impl FnMut(&Question<'_>) -> Result<String, Failure> + Send + 'static) -> Self {
        Self { script: Box::new(script), elapsed: Duration::ZERO, unsure: Duration::ZERO, recovers: true }
    }

    /// A player that plays random legal series. Each game begins with the same randomness whatever was played before, as an
    /// engine with a fixed seed does.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        Self::new(move |question| {
            let plies = question.game.plies() as u64;
            let mut rng = ChaCha8Rng::seed_from_u64(seed ^ plies.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            Ok(random_series(question.game.current(), &mut rng).to_string())
        })
    }

    /// The same, claiming this time for each answer.
    #[must_use]
    pub const fn taking(mut self, elapsed: Duration) -> Self {
        self.elapsed = elapsed;
        self
    }

    /// The same on a machine that has no time for the runner: each answer may have come so much later.
    #[must_use]
    pub const fn unsure(mut self, unsure: Duration) -> Self {
        self.unsure = unsure;
        self
    }

    /// The same, but a failure is its end.
    #[must_use]
    pub const fn mortal(mut self) -> Self {
        self.recovers = false;
        self
    }
}

/// Random legal moves to the end of the turn.
#[must_use]
pub fn random_series(midturn: &Midturn, rng: &mut impl Rng) -> Series {
    let (mut now, mut series) = (*midturn, Series::default());
    loop {
        let legal = now.legal();
        if legal.is_empty() {
            return series;
        }
        let mv = legal[rng.random_range(0..legal.len())];
        series.push(mv);
        if now.play_unchecked(mv) != Progress::More {
            return series;
        }
    }
}

impl Player for Scripted {
    fn announce(&mut self, _seed: u64) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<Answer, Failure> {
        let series = (self.script)(question)?;
        if self.elapsed > question.patience {
            return Err(Failure::Silence(question.patience));
        }
        Ok(Answer {
            series,
            elapsed: self.elapsed,
            unsure: self.unsure,
            first: None,
            report: Report::default(),
            variation: String::new(),
        })
    }

    fn recovers(&mut self) -> bool {
        self.recovers
    }
}
