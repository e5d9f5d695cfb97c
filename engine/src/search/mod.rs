//! Floor 4: choosing a series. [`think::Searcher`] keeps what lasts from turn to turn.
//!
//! The search knows no clock and never prints: how much of its budget is used comes from a [`limits::Pace`], what it finds goes
//! to a callback. A turn is thought about in this order: a mate in this series ([`crate::solver`]); candidate series by a beam over
//! distinct end positions ([`beam`]); which of them let the opponent mate in the next turn ([`safety`]); what the opponent makes
//! of the others ([`reply`]). Forced wins over several turns are [`prove`]'s.

pub mod beam;
pub mod book;
pub mod budget;
pub mod crew;
pub mod ending;
mod ends;
mod hunt;
pub mod info;
mod judged;
pub mod levels;
pub mod limits;
mod pool;
pub mod prove;
pub mod reply;
pub mod root;
mod rounds;
pub mod safety;
mod shifts;
pub mod sight;
mod slips;
pub mod think;
mod tree;
