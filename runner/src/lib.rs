//! The tournament runner.

pub mod stats;
