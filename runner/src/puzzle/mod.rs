//! Puzzles: found in games, proved, rated, judged.
//!
//! The way of a puzzle: [`source`] gives games; [`candidates`] looks at every turn of a game; [`mates`] and [`rescue`] list *all*
//! solutions of a turn exactly and [`themes`] says what they are like; [`journal`] keeps what was found on disk; [`select`] picks a
//! varied set; [`row`] and [`files`] write and read it. [`attempts`] lets the engine's levels try a set, [`rate`] turns attempts into ratings,
//! [`people`] does so with those of people, [`judge`] says what one attempt is worth, [`check`] proves a file again, [`next`] picks
//! the puzzle to show.
//!
//! Architecture invariant: what is mined is a function of rule set, seed and settings, whatever the number of threads and however
//! often the work was interrupted.

pub mod attempts;
pub mod candidates;
pub mod check;
pub mod files;
pub mod item;
pub mod journal;
pub mod judge;
pub mod levels;
pub mod mates;
pub mod mine;
pub mod next;
pub mod pattern;
pub mod people;
pub mod rate;
pub mod rescue;
pub mod row;
pub mod select;
pub mod source;
pub mod themes;
