//! `SHA256SUMS`: the hashes of the other files as they are when the run ends, in the form that `sha256sum -c` checks.

use super::result::replace;
use super::{Report, ReportError};
use crate::event::Event;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The name of the file.
pub const FILE: &str = "SHA256SUMS";

/// Hashes files when the run ends. It must come after those that write them among the reports.
#[derive(Debug)]
pub struct Checksums {
    folder: PathBuf,
    names: Vec<&'static str>,
}

impl Checksums {
    /// The hashes to be of these files of a folder.
    #[must_use]
    pub fn new(folder: &Path, names: &[&'static str]) -> Self {
        Self { folder: folder.to_owned(), names: names.to_vec() }
    }
}

impl Report for Checksums {
    fn on(&mut self, event: &Event<'_>) -> Result<(), ReportError> {
        if !matches!(event, Event::Ended { .. }) {
            return Ok(());
        }
        let mut text = String::new();
        for name in &self.names {
            let path = self.folder.join(name);
            let hash = hash_file(&path).map_err(|error| ReportError::new(&path, error))?;
            let _ = writeln!(text, "{hash}  {name}");
        }
        let path = self.folder.join(FILE);
        replace(&path, text.trim_end().as_bytes()).map_err(|error| ReportError::new(&path, error))
    }
}

/// The SHA-256 of a file in hexadecimal digits.
///
/// # Errors
/// The file cannot be read.
pub fn hash_file(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher, mut chunk) = (File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(read) => hasher.update(&chunk[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The SHA-256 of bytes in hexadecimal digits.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_everybody() {
        assert_eq!(hash(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(hash_file(&path).unwrap(), hash(b"abc"));
    }
}
