//! Floor 4: choosing a series. [`think::Searcher`] keeps what lasts from turn to turn.
//!
//! The search knows no clock and never prints: how much of its budget is used comes from a [`limits::Pace`], what it finds goes
//! to a callback.

pub mod info;
pub mod levels;
pub mod limits;
pub mod think;
