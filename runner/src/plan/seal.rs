//! What a run was begun with, so that nobody goes on with something else: `run.json` in the run's folder.

use super::Plan;
use crate::pairing::schedule::Slice;
use crate::report::checksums::{hash, hash_file};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the file.
pub const FILE: &str = "run.json";
/// The name of the plan's copy beside it.
pub const PLAN: &str = "plan.toml";

/// The plan, the engines and the openings of a run, as hashes (SHA-256).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// The version of this file's schema.
    pub v: u32,
    /// Where the plan was.
    pub plan: PathBuf,
    /// The hash of its text.
    pub plan_sha256: String,
    /// The seed, which the plan need not name.
    pub seed: u64,
    /// The rounds, which the command line may have given.
    pub rounds: u64,
    /// Which part of the games, as `2/8`.
    #[serde(default = "whole")]
    pub slice: String,
    /// The hashes of the engines and the suite of openings by path.
    pub files: BTreeMap<PathBuf, String>,
}

/// The slice of runs from before there were any.
fn whole() -> String {
    Slice::WHOLE.to_string()
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// There is no run in the folder.
    #[error("{}: no run to go on with (it has no {FILE})", .0.display())]
    None(PathBuf),
    /// The file is no seal.
    #[error("{}: {source}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// Something is not what it was.
    #[error(
        "{0} since the run began, so old and new games could not be counted together; begin a new run in another folder"
    )]
    Changed(String),
}

impl Seal {
    /// The seal of a plan as things are now.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn of(plan: &Plan) -> Result<Self, SealError> {
        let paths = plan.specs.iter().map(|spec| &spec.program.path).chain(&plan.openings);
        let mut files = BTreeMap::new();
        let absolute =
            |path: &Path| std::path::absolute(path).map_err(|source| SealError::Io { path: path.to_owned(), source });
        for path in paths {
            if let Entry::Vacant(entry) = files.entry(absolute(path)?) {
                let hash =
                    hash_file(entry.key()).map_err(|source| SealError::Io { path: entry.key().clone(), source })?;
                entry.insert(hash);
            }
        }
        let file = absolute(&plan.file)?;
        Ok(Self {
            v: 1,
            plan: file,
            plan_sha256: hash(plan.text.as_bytes()),
            seed: plan.contest.seed,
            rounds: plan.rounds,
            slice: plan.slice.to_string(),
            files,
        })
    }

    /// Reads the seal of a run's folder.
    ///
    /// # Errors
    /// See [`SealError`].
    pub fn read(folder: &Path) -> Result<Self, SealError> {
        let path = folder.join(FILE);
        match std::fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map_err(|source| SealError::Syntax { path, source }),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Err(SealError::None(folder.to_owned()))
            }
            Err(source) => Err(SealError::Io { path, source }),
        }
    }

    /// Checks that a plan of this text is the run's.
    ///
    /// # Errors
    /// It is another one.
    pub fn check_plan(&self, file: &Path, text: &str) -> Result<(), SealError> {
        if hash(text.as_bytes()) == self.plan_sha256 {
            return Ok(());
        }
        Err(SealError::Changed(format!("{} has changed", file.display())))
    }

    /// Checks that everything is what it was: `now` is the seal of the same plan as things are now.
    ///
    /// # Errors
    /// Something has changed.
    pub fn check(&self, now: &Self) -> Result<(), SealError> {
        let changed = |text: String| Err(SealError::Changed(text));
        if self.plan_sha256 != now.plan_sha256 {
            return changed(format!("{} has changed", now.plan.display()));
        }
        for (what, old, new) in [("seed", self.seed, now.seed), ("number of rounds", self.rounds, now.rounds)] {
            if old != new {
                return changed(format!("the {what} has changed from {old} to {new}"));
            }
        }
        if self.slice != now.slice {
            return changed(format!("the slice has changed from {} to {}", self.slice, now.slice));
        }
        for (path, hash) in &now.files {
            match self.files.get(path) {
                Some(old) if old == hash => {}
                Some(_) => return changed(format!("{} has changed", path.display())),
                None => return changed(format!("{} has come to the run", path.display())),
            }
        }
        Ok(())
    }
}
