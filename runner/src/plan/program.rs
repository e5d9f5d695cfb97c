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
    let wrong = |text: String| source.error(command.span(), format!("players.command: {text}"));
    let path = find_program(source.file, command.get_ref()).ok_or_else(|| {
        wrong(format!("no file '{}'; give a path (relative to this file) or a program in PATH", command.get_ref()))
    })?;
    let meta = std::fs::metadata(&path).map_err(|error| wrong(format!("{}: {error}", path.display())))?;
    if meta.is_dir() {
        return Err(wrong(format!("{} is a folder; give the file of the engine", path.display())));
    }
    if std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 == 0 {
        return Err(wrong(format!("{} may not be executed; try chmod +x", path.display())));
    }
    Ok(Program { path, args: args.collect(), dir })
}

/// With a slash, a path beside the plan; without, also a program in `PATH`.
fn find_program(file: &Path, command: &str) -> Option<PathBuf> {
    let near = beside(file, Path::new(command));
    if near.exists() {
        return std::fs::canonicalize(near).ok();
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
