//! The input stream: bytes to lines, on a thread of its own, so that `stop` is heard while the search runs.

use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::{BufRead, BufReader, Read};
use std::time::Instant;

/// Longer lines are not read.
const LONGEST_LINE: u64 = 1 << 20;
/// Lines wait here; a client that sends faster than we act is slowed down, so memory is bounded.
const WAITING_LINES: usize = 1024;

/// A line that arrived.
#[derive(Debug)]
pub(super) struct Heard {
    /// When.
    pub(super) at: Instant,
    /// Its text, lossily decoded, without the line's end; cut where it was too long.
    pub(super) text: String,
    /// Whether it was longer than is read.
    pub(super) too_long: bool,
}

/// Starts the reading thread. The channel closes at the end of the input. The thread is not waited for: it may sit in a read that
/// never returns.
pub(super) fn listen(input: impl Read + Send + 'static) -> std::io::Result<Receiver<Heard>> {
    let (lines, heard) = bounded(WAITING_LINES);
    std::thread::Builder::new().name("input".into()).spawn(move || read_all(BufReader::new(input), &lines))?;
    Ok(heard)
}

fn read_all(mut input: impl BufRead, lines: &Sender<Heard>) {
    while let Some(heard) = read_line(&mut input) {
        if lines.send(heard).is_err() {
            break;
        }
    }
}

/// The next line; nothing at the end of the input, or when it cannot be read any more.
fn read_line(input: &mut impl BufRead) -> Option<Heard> {
    let mut bytes = Vec::new();
    let limit = LONGEST_LINE + 1;
    if input.by_ref().take(limit).read_until(b'\n', &mut bytes).ok()? == 0 {
        return None;
    }
    let at = Instant::now();
    let too_long = bytes.len() as u64 == limit && !bytes.ends_with(b"\n");
    if too_long {
        skip_line(input);
        bytes.truncate(1000);
    }
    let text = String::from_utf8_lossy(&bytes);
    Some(Heard { at, text: text.trim_end_matches(['\n', '\r']).into(), too_long })
}

fn skip_line(input: &mut impl BufRead) {
    loop {
        let Ok(buffer) = input.fill_buf() else { return };
        let (used, over) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(used);
        if over {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<Heard> {
        std::iter::from_fn(|| read_line(&mut input)).collect()
    }

    #[test]
    fn ends_and_bytes() {
        let heard = lines(b"uci\r\nis\xffready\n\nquit");
        let texts: Vec<&str> = heard.iter().map(|heard| heard.text.as_str()).collect();
        assert_eq!(texts, ["uci", "is\u{fffd}ready", "", "quit"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_to_its_end() {
        let longest = LONGEST_LINE as usize;
        for (length, too_long) in [(longest - 1, false), (longest, false), (longest + 1, true), (5 * longest, true)] {
            let mut input = vec![b'x'; length];
            input.extend(b"\nisready\n");
            let heard = lines(&input);
            assert_eq!((heard.len(), heard[0].too_long, heard[1].text.as_str()), (2, too_long, "isready"), "{length}");
        }
    }
}
