//! Floor 3: the static score of a finished series.
//!
//! A series is judged when it is complete and the opponent is about to answer: by [`terms::judge`], from the side that has just
//! moved. What the next turns hold is the search's business; here is only what stands on the board.
//! To add a term: a name and a value in [`terms`], its weight in [`weights`].

pub mod terms;
pub mod weights;
