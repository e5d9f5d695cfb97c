//! Signals: the first asks the run to stop, the second ends it at once; and that the run goes on after a suspension.

use crate::player::stop::Stop;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Lets interrupt, terminate and hang-up set `stop`; a second one of them ends the process, and the guard its engines. When the run
/// is continued after a suspension, `stop` hears of that, too.
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
    let (mut suspensions, stop) = (Signals::new([SIGCONT])?, stop.clone());
    // Ends with the process.
    std::thread::Builder::new()
        .name("continued".into())
        .spawn(move || suspensions.forever().for_each(|_| stop.note_continued()))?;
    Ok(())
}

/// 128 and the signal's number, as shells have it: 130 interrupted, 143 terminated.
pub(super) const fn exit_code(signal: i32) -> i32 {
    128 + signal
}
