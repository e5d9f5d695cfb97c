//! Players: whoever answers a position with a series.
//!
//! A player is asked and answers, or fails; it never judges. Every wait has an absolute deadline, so that nothing a player
//! does or leaves undone can hold up the run.

pub mod affinity;
pub mod blunder;
pub mod dialect;
pub mod engine;
pub mod guard;
pub mod process;
pub mod reply;
pub mod scripted;
pub mod stop;
pub mod throttle;
pub mod transcript;

use crescendo::rules::game::Game;
use std::time::Duration;

/// What a player is asked: to go on with the current series.
#[derive(Debug)]
pub struct Question<'a> {
    /// The game as the referee has it.
    pub game: &'a Game,
    /// The same as a `position` line.
    pub position: &'a str,
    /// The limits as a `go` line.
    pub go: &'a str,
    /// How long to wait for the answer, from the moment the `go` is sent.
    pub patience: Duration,
}

/// What a player answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The series as the player wrote it; the referee reads it.
    pub series: String,
    /// From sending `go` to receiving the answer, but for the time in which the runner did not run.
    pub elapsed: Duration,
    /// How much later the answer may have come for all the runner knows: the machine had no time for it to look.
    pub unsure: Duration,
    /// From sending `go` to the first line that came, if that was not the answer.
    pub first: Option<Duration>,
    /// What the player told of its search.
    pub report: reply::Report,
    /// The line of play that it showed with that, in the words of our protocol; empty if it showed none.
    pub variation: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The process has ended.
    #[error("{0}")]
    Crash(String),
    /// No answer within the patience.
    #[error("no answer within {} ms", .0.as_millis())]
    Silence(Duration),
    /// Something that is no protocol, such as a line without end.
    #[error("{0}")]
    Garbage(String),
    /// The run is being stopped.
    #[error("the run was stopped")]
    Stopped,
    /// The runner's own fault.
    #[error("{0}")]
    Harness(String),
}

/// Somebody who plays.
pub trait Player {
    /// Tells the player of a new game whose randomness comes from `seed`; does not wait, so that both players can get ready at the same time.
    ///
    /// # Errors
    /// The player is not there any more, or takes nothing.
    fn announce(&mut self, seed: u64) -> Result<(), Failure>;

    /// Waits until the player is ready for the game it was told of.
    ///
    /// # Errors
    /// The player is not ready in time, or not there any more.
    fn get_ready(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    /// Asks for the rest of the current series.
    ///
    /// # Errors
    /// There is no answer; the failure says why.
    fn choose(&mut self, question: &Question<'_>) -> Result<Answer, Failure>;

    /// After a failure: whether the player can go on with another game.
    fn recovers(&mut self) -> bool;

    /// Asks the player to leave; does not wait.
    fn begin_quit(&mut self) {}

    /// What the player last wrote to its error stream, for reports about crashes.
    fn last_words(&self) -> String {
        String::new()
    }

    /// The last lines to and from the player, for reports about games that went wrong.
    fn transcript(&self) -> String {
        String::new()
    }
}
