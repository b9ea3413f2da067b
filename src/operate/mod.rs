//! The commands of the program: parses arguments with the environment and the configuration file, runs a command, and maps its result
//! to an exit code. The commands here run a server, or open its database or its files; [`puzzled_cli`] has the others.

mod backup;
mod check;
mod copy;
mod database;
mod doctor;
mod error;
mod export;
mod host;
mod json;
mod migrate;
mod reload;
mod rerate;
mod serve;
mod tables;
mod token;
mod usage;
mod version;

use std::{
    ffi::{OsStr, OsString},
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, error::ErrorKind};

use crate::{app::AppError, settings::Config, telemetry};
use puzzled_base::message::{bounded, read_text};
use puzzled_cli::{CliError, Ended, offline::completions};
use reload::{FileText, Source};
use tables::{removed, settings_file::SettingsFile};
use version::VERSION;

pub use error::CommandError;

/// The puzzle daemon: generates uniquely solvable logic puzzles, rates them, and serves a stock of them by gRPC.
#[derive(Debug, Parser)]
#[command(name = "puzzled", version = VERSION.as_str(), max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(Box<serve::ServeArgs>),
    Work(serve::WorkArgs),
    Migrate(migrate::MigrateArgs),
    Copy(copy::CopyArgs),
    Rerate(rerate::RerateArgs),
    Token(token::TokenArgs),
    Export(export::ExportArgs),
    Backup(backup::BackupArgs),
    Restore(backup::RestoreArgs),
    Check(check::CheckArgs),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
    #[command(flatten)]
    Client(puzzled_cli::Command),
}

/// The exit code of a process whose database was deleted or replaced. A service manager should not restart it: it would begin with an
/// empty database.
const DATABASE_REPLACED: u8 = 3;

/// Parses the command line and runs its command. Exit codes: 0 done, 1 refused or failed, 2 partly done, 3 database replaced.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<_> = args.into_iter().collect();
    match parse(&args, None).and_then(execute) {
        Ok(ended) => {
            telemetry::end_log("");
            ExitCode::from(if ended == Ended::Partly { 2 } else { 0 })
        }
        Err(CommandError::Usage(message)) => {
            // If the output is closed, the command has not failed.
            if message.use_stderr() && message.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                let _ = write!(io::stderr(), "{}", usage::bounded(&message));
                return ExitCode::FAILURE;
            }
            let _ = message.print();
            if message.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        // The reader has closed the output because it needs no more, as `head` does.
        Err(CommandError::Cli(CliError::Output(error))) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            telemetry::end_log(&format!("error: {}\n", bounded(error.to_string())));
            if matches!(error, CommandError::App(AppError::Replaced(_))) {
                return ExitCode::from(DATABASE_REPLACED);
            }
            ExitCode::FAILURE
        }
    }
}

fn execute(cli: Cli) -> Result<Ended, CommandError> {
    match cli.command {
        Command::Serve(args) => serve::serve(*args),
        Command::Work(args) => serve::work(&args),
        Command::Migrate(args) => migrate::run(&args),
        Command::Copy(args) => copy::run(&args),
        Command::Rerate(args) => rerate::run(args),
        Command::Token(args) => Ok(token::run(&args)?),
        Command::Export(args) => export::run(args),
        Command::Backup(args) => backup::backup(args),
        Command::Restore(args) => backup::restore(&args),
        Command::Check(args) => check::run(args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Completions(args) => Ok(completions::run(&args, &whole())?),
        Command::Client(command) => command.run(tables::settings_file::targets_of),
    }
}

/// Parses the command line with the environment and the configuration file. If `text` is given, it replaces the content
/// of that file.
fn parse(args: &[OsString], text: Option<&str>) -> Result<Cli, CommandError> {
    let mut command = whole();
    usage::check_variables(&command, args)?;
    let mut matches =
        command.clone().try_get_matches_from(args).map_err(|error| usage::explained(error, &command, args))?;
    let (mut targets, mut series, mut file_text) = (Vec::new(), Vec::new(), None);
    if let Some((name, path)) = matches.subcommand().and_then(|(name, of)| Some((name.to_owned(), file_of(of)?))) {
        let text = text.map_or_else(|| read(&path), |text| Ok(text.to_owned()))?;
        let file = SettingsFile::parse(&path, &text)?;
        command = command.mut_subcommand(name, |sub| file.as_defaults(sub));
        matches = command.try_get_matches_from_mut(args)?;
        (targets, series) = (file.target, file.series);
        file_text = Some(FileText { path, text });
    }
    let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    let ignored = matches.subcommand().map_or_else(Vec::new, |(_, of)| removed::set_in(of));
    let source = Source { args: args.to_vec(), file: file_text, ignored };
    match &mut cli.command {
        Command::Serve(serve) => {
            serve.settings.target = targets;
            serve.settings.series = series;
            serve.source = source;
        }
        Command::Work(work) => work.source = source,
        _ => {}
    }
    Ok(cli)
}

/// The program with all its commands.
fn whole() -> clap::Command {
    usage::grouped(adjusted(Cli::command()))
}

/// The prefix of the names of all variables.
const PREFIX: &str = "PUZZLED_";

/// Returns the command with the same rules for the flags of all its subcommands, at any depth.
fn adjusted(command: clap::Command) -> clap::Command {
    let is_process = ["serve", "work"].contains(&command.get_name());
    let command = if is_process { removed::accepted(command) } else { command };
    let flags = command.mut_args(|arg| {
        // A negative number is a value, which may be out of bounds, not an unknown flag.
        let arg = if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg };
        let is_usual = !is_process || tables::USUAL.contains(&arg.get_id().as_str());
        // The variable of a setting is its key in capitals, and the prefix.
        let bare = arg.get_env().and_then(OsStr::to_str).filter(|name| !name.starts_with(PREFIX));
        let variable = bare.map(|name| format!("{PREFIX}{name}"));
        let arg = if let Some(variable) = variable { arg.env(variable) } else { arg };
        // Help names the variables but not their values, which can be passwords.
        arg.hide_env_values(true).hide_short_help(!is_usual)
    });
    flags.mut_subcommands(adjusted)
}

impl Cli {
    /// The configuration of `serve` and `work`. For other commands, the defaults.
    ///
    /// # Errors
    /// [`CommandError`] if the settings contradict each other.
    fn config(&self) -> Result<Config, CommandError> {
        match &self.command {
            Command::Serve(serve) => serve.settings.config(),
            Command::Work(work) => work.settings.config(),
            _ => Ok(Config::default()),
        }
    }
}

fn read(path: &Path) -> Result<String, CommandError> {
    read_text(path).map_err(|error| CommandError::ConfigFile(path.to_owned(), error))
}

/// The path of the configuration file, if the command takes one and the path is set.
fn file_of(matches: &ArgMatches) -> Option<PathBuf> {
    matches.try_get_one("config").ok().flatten().cloned()
}
