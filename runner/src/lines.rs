//! The lines of a long file, read by all processors.
//!
//! One processor at a time takes the next block of whole lines and works it up while the others take theirs; what comes of the
//! blocks is handed to the caller in the order of the file.

use crossbeam_channel::bounded;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// How many bytes are read at a time: few enough to stay in the cache of a processor.
pub const BLOCK: usize = 1 << 20;

/// Whole lines.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The number of the first line, from 1.
    first: usize,
    text: &'a [u8],
}

impl<'a> Block<'a> {
    /// The lines that are not blank with their numbers, without their ends.
    pub fn lines(self) -> impl Iterator<Item = (usize, &'a [u8])> {
        (self.first..).zip(all_lines(self.text)).filter(|(_, line)| !line.trim_ascii().is_empty())
    }
}

/// The lines of a text that ends with a line feed. (What looks for line feeds here is the C library's search, a vector at a time.)
fn all_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let line = rest;
        // Memory can be read without error.
        let length = rest.skip_until(b'\n').unwrap_or(0);
        line.get(..length.checked_sub(1)?)
    })
}

/// Works up all lines of a text that end with a line feed (one without it was torn by a crash): `work` is called by several
/// threads, `take` by this one, in order, until it breaks.
///
/// # Errors
/// The text cannot be read.
///
/// # Panics
/// Where `work` does.
pub fn by_blocks<T: Send>(
    reader: impl Read + Send,
    work: impl Fn(Block<'_>) -> T + Sync,
    take: &mut dyn FnMut(T) -> ControlFlow<()>,
) -> io::Result<()> {
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    let source = Mutex::new(Source { reader, rest: Vec::new(), blocks: 0, lines: 0, is_over: false });
    let (sender, results) = bounded(workers);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (source, work, sender) = (&source, &work, sender.clone());
            scope.spawn(move || {
                let mut text = Vec::new();
                loop {
                    // A panic of another thread ends the whole at the end of the scope.
                    let next = source.lock().unwrap_or_else(PoisonError::into_inner).next(&mut text);
                    let (number, result) = match next {
                        Ok(None) => break,
                        Ok(Some(Taken { number, first })) => (number, Ok(work(Block { first, text: &text }))),
                        Err((number, error)) => (number, Err(error)),
                    };
                    // Nobody listens any more: the end has come early.
                    if sender.send((number, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut due) = (BTreeMap::new(), 0);
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                if take(result?).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

/// What the threads take their blocks from.
struct Source<R> {
    reader: R,
    /// The beginning of a line.
    rest: Vec<u8>,
    /// How many blocks and lines have been taken.
    blocks: usize,
    lines: usize,
    /// Whether the end has come, or an error that was told.
    is_over: bool,
}

/// A block that was taken.
struct Taken {
    number: usize,
    first: usize,
}

impl<R: Read> Source<R> {
    /// Puts the next whole lines, a block or a line if that is longer, into `text`; `None` at the end.
    ///
    /// # Errors
    /// The operating system refused the block of this number.
    fn next(&mut self, text: &mut Vec<u8>) -> Result<Option<Taken>, (usize, io::Error)> {
        text.clear();
        text.append(&mut self.rest);
        while !self.is_over {
            let before = text.len();
            text.reserve(BLOCK);
            let read = self.reader.by_ref().take(BLOCK as u64).read_to_end(text);
            self.is_over = !matches!(read, Ok(1..));
            read.map_err(|error| (self.blocks, error))?;
            if let Some(end) = text[before..].iter().rposition(|&byte| byte == b'\n') {
                let end = before + end + 1;
                self.rest.extend_from_slice(&text[end..]);
                text.truncate(end);
                let taken = Taken { number: self.blocks, first: self.lines + 1 };
                self.blocks += 1;
                self.lines += all_lines(text).count();
                return Ok(Some(taken));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a text with their numbers, as they are told.
    fn told(text: &[u8]) -> Vec<(usize, String)> {
        let work = |block: Block<'_>| -> Vec<(usize, String)> {
            block.lines().map(|(number, line)| (number, String::from_utf8_lossy(line).into_owned())).collect()
        };
        let mut all = Vec::new();
        let mut take = |part| {
            all.extend(part);
            ControlFlow::Continue(())
        };
        by_blocks(text, work, &mut take).unwrap();
        all
    }

    #[test]
    fn whole_lines_in_order() {
        // Lines of many lengths, one of them longer than some blocks.
        let lines: Vec<String> =
            (0..60).map(|n| n.to_string().repeat(if n == 30 { 2 * BLOCK } else { n * 2000 + 1 })).collect();
        let expected: Vec<(usize, String)> = (1..).zip(lines.iter().cloned()).collect();
        assert!(told(lines.join("\n").as_bytes()) == expected[..59], "the last line is torn");
        assert!(told((lines.join("\n") + "\n").as_bytes()) == expected);
    }

    #[test]
    fn blank_lines_count() {
        assert_eq!(told(b"\n \r\na\n\nb\r\n"), [(3, "a".to_owned()), (5, "b\r".to_owned())]);
        assert!(told(b"").is_empty() && told(b"torn").is_empty());
    }

    #[test]
    fn errors_and_breaks_end_it() {
        struct Broken(usize);
        impl Read for Broken {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 -= 1;
                if self.0 == 0 {
                    return Err(io::Error::other("gone"));
                }
                buffer.fill(b'\n');
                Ok(buffer.len())
            }
        }
        let mut blocks = 0;
        let count = |block: Block<'_>| block.first;
        let mut take = |_| {
            blocks += 1;
            ControlFlow::Continue(())
        };
        assert_eq!(by_blocks(Broken(1), count, &mut take).unwrap_err().to_string(), "gone");
        assert_eq!(by_blocks(Broken(50), count, &mut take).unwrap_err().to_string(), "gone");
        assert!(blocks > 0);
        let mut firsts = Vec::new();
        let mut take = |first| {
            firsts.push(first);
            if firsts.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        by_blocks(io::repeat(b'\n'), count, &mut take).unwrap();
        assert_eq!(firsts, [1, BLOCK + 1, 2 * BLOCK + 1]);
    }
}
