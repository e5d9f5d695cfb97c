//! The protocol, black box: the real binary behind pipes. Which test holds which scenario is listed in SCENARIOS.md.
//!
//! Times stated for people become limits ten times as long, so that a busy machine does not fail a good engine.

#[path = "protocol/analyze.rs"]
mod analyze;
#[path = "protocol/bytes.rs"]
mod bytes;
#[path = "cecp.rs"]
mod cecp;
#[path = "protocol/client.rs"]
mod client;
#[path = "protocol/control.rs"]
mod control;
#[path = "protocol/ending.rs"]
mod ending;
#[path = "../help/mod.rs"]
mod help;
#[path = "protocol/limits.rs"]
mod limits;
#[path = "protocol/one_shot.rs"]
mod one_shot;
#[path = "protocol/options.rs"]
mod options;
#[path = "protocol/output.rs"]
mod output;
#[path = "protocol/positions.rs"]
mod positions;
#[path = "protocol/readme.rs"]
mod readme;
#[path = "protocol/start.rs"]
mod start;
#[path = "protocol/transcripts.rs"]
mod transcripts;
