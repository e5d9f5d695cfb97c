//! Completions for shells and manual pages, both made from the definition of the command line.

use super::{Cli, Failure};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};
use std::path::Path;

/// The end of the help of `completions`.
pub(super) const COMPLETIONS: &str = "Examples:
  crescendo completions bash > crescendo.bash
  crescendo completions zsh > ~/.zfunc/_crescendo
  crescendo completions fish > ~/.config/fish/completions/crescendo.fish";

/// The end of the help of `man`.
pub(super) const PAGES: &str = "Example:
  crescendo man ~/.local/share/man/man1";

/// Writes the completions for a shell.
///
/// # Errors
/// They cannot be written.
pub(super) fn completions(shell: Shell, output: &mut dyn Write) -> Result<(), Failure> {
    // The generator gives up with a panic where it cannot write, so it writes to memory.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "crescendo", &mut text);
    Ok(output.write_all(&text)?)
}

/// Writes a page for the program and one for each command into a folder, which is made if it is not there.
///
/// # Errors
/// They cannot be written.
pub(super) fn pages(folder: &Path) -> Result<(), Failure> {
    let made = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    made.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())).into())
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
        fits(&crate::cli::Cli::command());
    }
}
