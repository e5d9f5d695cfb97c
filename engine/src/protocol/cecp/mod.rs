//! CECP, the protocol of xboard: a second face on the same worker, options and rules, for a person who plays against the engine.
//!
//! xboard knows no series: to it the colors alternate. So each move of a series but the last is followed by a pass (`@@@@`) of
//! the other side, which the engine gives for both. The person's side of the bargain is xboard's `highlight` feature: the engine
//! marks where a lifted man may go, and xboard refuses all else.
//!
//! Line → [`command`] → [`face`]; [`record`] is the game as both sides see it, [`mirror`] the board that xboard shows.

mod command;
mod edit;
mod face;
mod features;
mod mirror;
mod moves;
mod record;
mod show;
mod thinking;
mod time;

use super::input::Heard;
use super::output::Output;
use crate::workers::worker::Worker;
use crossbeam_channel::{Receiver, at, never, select};
use face::Face;
use std::process::ExitCode;

/// Whether a client that begins so speaks this protocol.
pub(super) fn is_greeting(line: &str) -> bool {
    line.split_whitespace().next() == Some("xboard")
}

/// Serves xboard until `quit`, the end of the input or the end of the output.
pub(super) fn serve(heard: &Receiver<Heard>, worker: Worker, output: Output) -> ExitCode {
    let reports = worker.reports().clone();
    let mut face = Face::new(worker, output);
    while face.is_open() {
        let resend = face.resend_at().map_or_else(never, at);
        select! {
            recv(heard) -> line => match line {
                Ok(line) => face.hear(&line),
                Err(_) => break,
            },
            recv(reports) -> report => match report {
                Ok(report) => face.on_report(report),
                Err(_) => break,
            },
            recv(resend) -> _ => face.resend(),
        }
    }
    face.abort();
    ExitCode::SUCCESS
}
