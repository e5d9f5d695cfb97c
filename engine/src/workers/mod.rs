//! Floor 5: threads, clock, stop flag, memory: all that touches the operating system on the search's behalf.
//!
//! Architecture invariant: the search below sees a [`clock::Clock`] only as a `Pace`; what it finds goes up as a
//! [`worker::Report`], and only the protocol prints it.

pub(crate) mod budget;
pub(crate) mod clock;
pub(crate) mod crew;
pub(crate) mod memory;
mod passes;
mod rescue;
pub(crate) mod team;
pub(crate) mod worker;
