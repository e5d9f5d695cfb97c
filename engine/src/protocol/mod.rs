//! Floor 6: UCI for progressive chess. Line → [`command`] → [`session`] → [`reply`] → line.
//!
//! Architecture invariants: only this folder and `cli` read or write streams; parsing is total and knows no state; the session is the
//! only writer, so every line leaves whole and in the order in which things happened. Three threads: one reads lines, one
//! searches, and this one acts on what the two tell it.

#![allow(clippy::print_stderr, reason = "the protocol is one of the places that may talk")]

mod cecp;
mod command;
mod go;
mod input;
mod options;
mod output;
mod own_book;
mod queries;
mod reply;
mod searching;
mod session;

use crate::workers::worker::Worker;
use crossbeam_channel::select;
use output::Output;
use session::Session;
use std::io::{Read, Write};
use std::process::ExitCode;

/// Serves a client until `quit`, the end of the input or the end of the output.
pub(crate) fn serve(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> ExitCode {
    let (worker, heard) = match (Worker::spawn(), input::listen(input)) {
        (Ok(worker), Ok(heard)) => (worker, heard),
        (Err(error), _) | (_, Err(error)) => {
            eprintln!("crescendo: no thread: {error}");
            return ExitCode::from(4);
        }
    };
    let reports = worker.reports().clone();
    let output = Output::new(output);
    // The first line tells which protocol the client speaks.
    let Ok(first) = heard.recv() else { return ExitCode::SUCCESS };
    if cecp::is_greeting(&first.text) {
        return cecp::serve(&heard, worker, output);
    }
    let mut session = Session::new(worker, output);
    session.hear(&first);
    while session.is_open() {
        select! {
            recv(heard) -> line => match line {
                Ok(line) => session.hear(&line),
                Err(_) => break,
            },
            recv(reports) -> report => match report {
                Ok(report) => session.on_report(report),
                Err(_) => break,
            },
        }
    }
    session.close();
    ExitCode::SUCCESS
}
