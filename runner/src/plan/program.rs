//! Where a player's program is.

use super::error::{PlanError, Source};
use super::raw::RawPlayer;
use crate::player::process::Program;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A player's program: the runner itself in engine mode, unless a command is given.
pub(super) fn program(source: &Source<'_>, player: &RawPlayer) -> Result<Program, PlanError> {
    let dir = player.dir.as_ref().map(|dir| beside(source.file, dir));
    let args = player.args.iter().map(OsString::from);
    let Some(command) = &player.command else {
        let path = std::env::current_exe()
            .map_err(|error| source.error(0..0, format!("the runner cannot find its own binary: {error}")))?;
        return Ok(Program { path, args: std::iter::once("engine".into()).chain(args).collect(), dir });
    };
    let beside = source.file.parent().unwrap_or_else(|| Path::new(""));
    let path = executable(beside, command.get_ref())
        .map_err(|text| source.error(command.span(), format!("players.command: {text}")))?;
    Ok(Program { path, args: args.collect(), dir })
}

/// The file of a command: with a slash a path seen from `folder`; without, also a program in `PATH`.
///
/// # Errors
/// There is none, or it cannot be executed; the text says which.
pub fn executable(folder: &Path, command: &str) -> Result<PathBuf, String> {
    let path = find_program(folder, command).ok_or_else(|| {
        let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        format!("no file '{command}' (seen from {}); give a path or a program in PATH", place.display())
    })?;
    let meta = std::fs::metadata(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    if meta.is_dir() {
        return Err(format!("{} is a folder; give the file of the engine", path.display()));
    }
    if std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 == 0 {
        return Err(format!("{} may not be executed; try chmod +x", path.display()));
    }
    Ok(path)
}

fn find_program(folder: &Path, command: &str) -> Option<PathBuf> {
    let near = folder.join(command);
    if near.exists() {
        // A link stays one: programs of a Python environment tell by their own place where they belong.
        return std::path::absolute(near).ok();
    }
    if command.contains('/') {
        return None;
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(command)).find(|candidate| candidate.is_file())
}

pub(super) fn beside(file: &Path, path: &Path) -> PathBuf {
    file.parent().unwrap_or_else(|| Path::new(".")).join(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_a_program_is_not_resolved() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/bin/sh", folder.path().join("engine")).unwrap();
        assert_eq!(executable(folder.path(), "./engine"), Ok(folder.path().join("./engine")));
        assert!(executable(folder.path(), "./other").unwrap_err().contains("no file './other'"));
    }
}
