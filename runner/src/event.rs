//! What passes from the scheduler to the reports: the only thing that does.

use crate::pairing::course::Course;
use crate::record::GameRecord;
use crate::standing::Standing;
use crescendo::rules::game::Game;

/// Something that happened, in the order in which it did.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The run begins; so many games are to be played.
    Began {
        /// How many.
        games: u64,
    },
    /// A game of an earlier session of this run, read back from the journal, before [`Event::Began`].
    Kept {
        /// The game.
        record: &'a GameRecord,
    },
    /// A game begins.
    GameBegan {
        /// Its number.
        id: u64,
    },
    /// Nothing has happened for a moment: time to write out what is late.
    Idle,
    /// A game has ended.
    GameEnded {
        /// The game.
        record: &'a GameRecord,
        /// The same as the referee has it, if it was played: who needs the positions need not play it again.
        game: Option<&'a Game>,
        /// Where the players stand with it.
        standing: &'a Standing,
    },
    /// The run is over, by its end or by a stop.
    Ended {
        /// Where the players stand.
        standing: &'a Standing,
        /// The same in the format's own terms, if it has any.
        course: Option<&'a Course>,
    },
}
