//! The help of the whole program, with its commands in groups, and the messages for a wrong command line: each names the
//! environment variable of a wrong value and the allowed values, and has a bounded length.

use std::{ffi::OsString, fmt::Write as _};

use clap::{
    Arg, Command,
    error::{ContextKind, ContextValue, ErrorKind},
};

use super::CommandError;
use puzzled_base::message;
use puzzled_engine::shared::names::{SHOWN_MAX, head};

/// The commands by what they are for, as `puzzled --help` lists them.
const GROUPS: [(&str, &[&str]); 4] = [
    (
        "Use a server",
        &[
            "get", "daily", "list", "solve", "hint", "validate", "find", "withdraw", "release", "import", "enqueue",
            "watch", "jobs", "cancel", "retry", "stock", "target", "series", "refill", "info",
        ],
    ),
    (
        "Operate servers and databases",
        &[
            "serve", "work", "doctor", "health", "queue", "workers", "audit", "migrate", "backup", "restore", "check",
            "copy", "export", "rerate",
        ],
    ),
    ("Print puzzles", &["picture", "sheet"]),
    ("Work offline", &["generate", "rate", "verify", "bench", "protos", "token", "completions"]),
];

/// The command with a help that lists its subcommands in groups.
pub(super) fn grouped(command: Command) -> Command {
    let (header, literal) = (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let mut listed = String::new();
    for (group, names) in GROUPS {
        _ = writeln!(listed, "\n{header}{group}:{header:#}");
        for of_group in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = of_group.get_about().map(ToString::to_string).unwrap_or_default();
            _ = writeln!(listed, "  {literal}{:<11}{literal:#}  {about}", of_group.get_name());
        }
    }
    let last = "`puzzled COMMAND --help` describes a command.";
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{listed}\n{header}Options:{header:#}\n{{options}}\n\n{last}"
    ))
}

/// The error for the user: if the value comes from an environment variable, the error names the variable.
pub(super) fn explained(error: clap::Error, command: &Command, args: &[OsString]) -> CommandError {
    variable(&error, command, args).unwrap_or(CommandError::Usage(error))
}

/// The allowed values of a flag or of a key of the configuration file.
pub(super) fn allowed(arg: &Arg, error: &clap::Error) -> String {
    let values = arg.get_possible_values();
    if !values.is_empty() && arg.get_action().takes_values() {
        let names: Vec<_> = values.iter().map(clap::builder::PossibleValue::get_name).collect();
        return format!("use {}", names.join(", "));
    }
    match range(arg) {
        Some((min, max)) => format!("use a number from {min} to {max}"),
        None => std::error::Error::source(error).map_or_else(|| error.kind().to_string(), ToString::to_string),
    }
}

/// The message for a wrong command line. Its first paragraph, which may repeat what the user typed, has a bounded length.
pub(super) fn bounded(error: &clap::Error) -> String {
    let text = error.to_string();
    let (first, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    let first = message::bounded(first.trim_end().to_owned());
    if rest.is_empty() { format!("{first}\n") } else { format!("{first}\n\n{rest}") }
}

fn variable(error: &clap::Error, command: &Command, args: &[OsString]) -> Option<CommandError> {
    if !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
        return None;
    }
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let flag = context(ContextKind::InvalidArg)?.split([' ', '=']).next()?;
    let is_typed = args.iter().filter_map(|arg| arg.to_str()).any(|arg| arg.split('=').next() == Some(flag));
    if is_typed {
        return None;
    }
    let named = args.iter().filter_map(|arg| arg.to_str()).find_map(|arg| command.find_subcommand(arg))?;
    let arg = named.get_arguments().find(|arg| arg.get_long() == flag.strip_prefix("--"))?;
    let name = arg.get_env()?.to_str()?.to_owned();
    let value: String = head(context(ContextKind::InvalidValue)?, SHOWN_MAX).to_owned();
    Some(CommandError::Variable { name, value, allowed: allowed(arg, error) })
}

/// The range of a number, from its help: `1 to 65535`.
fn range(arg: &Arg) -> Option<(i64, i64)> {
    let help = arg.get_help()?.to_string();
    let words: Vec<_> = help.split([' ', ';', ',']).collect();
    words
        .windows(3)
        .filter(|three| three[1] == "to")
        .find_map(|three| Some((three[0].parse().ok()?, three[2].parse().ok()?)))
}

/// Refuses a variable of the command that is set, but empty, as Compose writes `${X:-}`. An empty list or path could open what the operator
/// meant to close.
///
/// # Errors
/// [`CommandError::Variable`] names the first one.
pub(super) fn check_variables(command: &Command, args: &[OsString]) -> Result<(), CommandError> {
    let named = args.iter().skip(1).find_map(|arg| command.find_subcommand(arg));
    let mut variables = named.into_iter().flat_map(Command::get_arguments).filter_map(Arg::get_env);
    let empty = variables.find(|name| std::env::var_os(name).is_some_and(|value| value.is_empty()));
    empty.map_or(Ok(()), |name| {
        let allowed = "set a value, or unset the variable".to_owned();
        Err(CommandError::Variable { name: name.to_string_lossy().into_owned(), value: String::new(), allowed })
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::operate::Cli;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<_> = GROUPS.into_iter().flat_map(|(_, names)| names).copied().collect();
        let command = Cli::command();
        let mut commands: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
        grouped.sort_unstable();
        commands.sort_unstable();
        assert_eq!(grouped, commands);
    }
}
