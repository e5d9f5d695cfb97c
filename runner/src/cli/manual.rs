//! `completions` and `man`: completions for shells and manual pages, both made from the definition of the command line.

use super::{Failed, IO_FAILED, print};
use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::path::PathBuf;

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  crescendo-runner completions bash > crescendo-runner.bash
  crescendo-runner completions zsh > ~/.zfunc/_crescendo-runner
  crescendo-runner completions fish > crescendo-runner.fish

Bash looks into ~/.local/share/bash-completion/completions/ (the file there is
named crescendo-runner), fish into ~/.config/fish/completions/.")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  crescendo-runner man ~/.local/share/man/man1")]
pub(super) struct Man {
    /// The folder to write them into
    folder: PathBuf,
}

/// Prints the completions for a shell.
///
/// # Errors
/// They cannot be written.
pub(super) fn completions(arguments: &Completions) -> Result<u8, Failed> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::Arguments::command(), "crescendo-runner", &mut text);
    print(&String::from_utf8_lossy(&text))
}

/// Writes a page for the program and one for each command into a folder, which is made if it is not there.
///
/// # Errors
/// They cannot be written.
pub(super) fn pages(arguments: &Man) -> Result<u8, Failed> {
    let folder = &arguments.folder;
    let made = std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(super::Arguments::command(), folder))
        .with_context(|| folder.display().to_string());
    made.map(|()| 0).map_err(|error| Failed::new(IO_FAILED, error))
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    /// What stands below the options is laid out by hand: a line that does not fit would be broken anywhere.
    fn fits(command: &Command) {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{}: {wide:#?}", command.get_name());
        command.get_subcommands().for_each(fits);
    }

    #[test]
    fn what_follows_the_options_fits() {
        fits(&crate::cli::Arguments::command());
    }
}
