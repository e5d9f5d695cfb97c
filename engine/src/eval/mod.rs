//! Floor 3: the static score of a finished series.
//!
//! A series is judged when it is complete and the opponent is about to answer: by [`terms::judge`], from the side that has just
//! moved. What the next turns hold is the search's business; here is only what stands on the board.
//!
//! The score is linear: [`terms::features`] counts what there is of each term for either side, [`weights::Weights`] says what it is
//! worth. Search and tuner share the features, so what is fitted is what is played by.
//! To add a term: a name in [`terms::TERMS`], its count in `terms::side`, its weights in [`weights`].

pub mod terms;
pub mod weights;
