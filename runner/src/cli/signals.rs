//! Signals: the first asks the run to stop, the second ends it at once.

use crate::player::stop::Stop;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Lets interrupt, terminate and hang-up set `stop`; a second one of them ends the process, and the guard its engines.
///
/// # Errors
/// The operating system refuses.
pub(super) fn register(stop: &Stop) -> io::Result<()> {
    let again = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register_conditional_shutdown(signal, exit_code(signal), Arc::clone(&again))?;
        flag::register(signal, Arc::clone(&again))?;
        flag::register_usize(signal, stop.cell(), usize::try_from(signal).unwrap_or(Stop::INTERNAL))?;
    }
    Ok(())
}

/// 128 and the signal's number, as shells have it: 130 interrupted, 143 terminated.
pub(super) const fn exit_code(signal: i32) -> i32 {
    128 + signal
}
