//! Tournaments with real processes: the stub engine misbehaves, the runner must charge the right player and never hang.
//!
//! The numbers in comments are those of the complaints in `SCENARIOS.md`.

#[path = "../help/mod.rs"]
mod help;

mod engines {
    pub(crate) mod support;

    mod bad_input;
    mod calibrate;
    mod conform;
    mod crashes;
    mod dialects;
    mod exit_codes;
    mod faults;
    #[cfg(feature = "long")]
    mod long;
    mod outputs;
    mod processes;
    mod resume;
    mod scripted;
    mod sequential;
    mod shipped;
    mod tables;
    mod text;
    mod tournament;
    mod waits;
}
