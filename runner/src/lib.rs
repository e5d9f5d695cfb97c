//! The tournament runner.
