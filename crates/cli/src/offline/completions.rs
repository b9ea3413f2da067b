//! `puzzled completions`: prints a script with which a shell completes the commands and flags of this program.

use clap::{ArgGroup, Args, Command};
use clap_complete::Shell;

use crate::{CliError, Ended, output};

/// Print a script with which a shell completes commands and flags
///
/// Write the script to a file that the shell reads, and start a new shell. Exit code: 0 printed.
///
/// bash: ~/.local/share/bash-completion/completions/puzzled; for the current shell only, `source <(puzzled completions bash)`
///
/// zsh: _puzzled in a folder of $fpath
///
/// fish: ~/.config/fish/completions/puzzled.fish
///
/// powershell: append it to $PROFILE
///
/// elvish: append it to ~/.config/elvish/rc.elv
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell that reads the script
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script for `program`, which has all commands.
///
/// # Errors
/// [`CliError::Output`].
pub fn run(args: &CompletionsArgs, program: &Command) -> Result<Ended, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut visible(program), program.get_name(), &mut script);
    output::print_result(&String::from_utf8_lossy(&script))
}

/// The command without hidden flags, which the scripts would offer.
fn visible(command: &Command) -> Command {
    let args = command.get_arguments().filter(|arg| !arg.is_hide_set()).cloned();
    let about = command.get_about().cloned().unwrap_or_default();
    // Flags name groups that they exclude.
    let groups = command.get_groups().map(|group| ArgGroup::new(group.get_id().clone()));
    let visible = Command::new(command.get_name().to_owned()).about(about).args(args).groups(groups);
    let visible = match command.get_version() {
        Some(version) => visible.version(version.to_owned()),
        None => visible,
    };
    visible.subcommands(command.get_subcommands().map(self::visible))
}
