//! The command line: one file a command. Serving, working, migrating and copying need the database; making and rating
//! puzzles offline need neither a database nor a network; what ops ask of a running server goes through `client`.

mod actions;
mod address;
mod against;
mod away;
mod backup;
mod bars;
mod batch;
mod check;
mod client;
mod copy;
mod database;
mod export;
mod generate;
mod get;
mod health;
mod host;
mod jobs;
mod json;
mod lines;
mod migrate;
mod numbers;
mod ordered;
mod outlooks;
mod output;
mod paragraphs;
mod processes;
mod queue;
mod rate;
mod refill;
mod reload;
mod rerate;
mod rerate_words;
mod restore;
mod serve;
mod settings;
mod settings_file;
mod signals;
mod solve;
mod spec;
mod stock;
mod tables;
mod target_command;
mod target_table;
mod usage;
mod watch;
mod wire;
mod work;
mod workers;

use std::{
    ffi::OsString,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, error::ErrorKind};

use crate::{
    app::AppError,
    config::{Config, DatabaseError},
    message::{bounded, of_file},
    store::{StoreError, copy::CopyError, declaration::Clash, sqlite::restore::RestoreError},
    telemetry::TelemetryError,
};
use reload::{FileText, Source};
use settings_file::SettingsFile;

/// The puzzle daemon: makes uniquely solvable logic puzzles, rates them, keeps a stock and serves it by gRPC.
#[derive(Debug, Parser)]
#[command(name = "puzzled", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(Box<serve::ServeArgs>),
    Work(work::WorkArgs),
    Migrate(migrate::MigrateArgs),
    Copy(copy::CopyArgs),
    Generate(generate::GenerateArgs),
    Rate(rate::RateArgs),
    Rerate(rerate::RerateArgs),
    Get(get::GetArgs),
    Solve(solve::SolveArgs),
    Withdraw(actions::WithdrawArgs),
    Stock(stock::StockArgs),
    Target(target_command::TargetArgs),
    Refill(refill::RefillArgs),
    Jobs(jobs::JobsArgs),
    Cancel(actions::CancelArgs),
    Retry(actions::RetryArgs),
    Queue(queue::QueueArgs),
    Workers(workers::WorkersArgs),
    Watch(watch::WatchArgs),
    Export(export::ExportArgs),
    Backup(backup::BackupArgs),
    Restore(restore::RestoreArgs),
    Check(check::CheckArgs),
    Health(health::HealthArgs),
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// It did all that it was asked for: exit code 0.
    Done,
    /// It did a part, and has said what is missing: exit code 2.
    Partly,
}

/// Why a command failed: exit code 1.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The command line cannot be read, or asks for help or the version, which is no failure.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// The configuration file cannot be read, or says something that is not allowed.
    #[error("configuration file {}: {reason}", path.display())]
    ConfigFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A stock target of the configuration file is not one that can be.
    #[error("configuration file: [[target]] {number}: {reason}")]
    Target {
        /// Which table, from 1.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The stock targets of the configuration file cannot be declared together.
    #[error("configuration file: {0}")]
    Targets(#[source] Clash),
    /// The database URL is not one of ours.
    #[error("database: {0}")]
    Database(#[source] DatabaseError),
    /// The point to halt at cannot be read.
    #[error("--halt-at: {0}")]
    HaltAt(String),
    /// Logging could not be set up.
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
    /// The runtime could not be started.
    #[error("the runtime could not be started: {0}")]
    Runtime(#[source] io::Error),
    /// The server failed.
    #[error(transparent)]
    App(#[from] AppError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The databases were not copied.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// The kind does not make such puzzles.
    #[error("{0}")]
    Spec(String),
    /// The operating system gives no random numbers for a seed.
    #[error("seed: the operating system gives no random numbers: {0}; set one with --seed")]
    Chance(#[source] rand::rngs::SysError),
    /// The database is no file, and only files are copied so.
    #[error("{database} is not a file; use {tool}")]
    NoFile {
        /// The database.
        database: String,
        /// The program that does it there.
        tool: &'static str,
    },
    /// The backup was not put in place.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// A database does not hold what it says.
    #[error("{0} findings")]
    Findings(u64),
    /// A file cannot be read, or written.
    #[error("{name}: {}", of_file(source))]
    Input {
        /// Its name.
        name: String,
        /// What went wrong.
        source: io::Error,
    },
    /// A file that a command creates exists.
    #[error("{name}: the file exists; {remedy}")]
    Exists {
        /// Its name.
        name: String,
        /// What to do.
        remedy: &'static str,
    },
    /// An environment variable has a value that its setting may not have.
    #[error("{name}: {value:?} is not allowed; {allowed}")]
    Variable {
        /// Name of the variable.
        name: String,
        /// Its value.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// The settings have no form as a configuration file.
    #[error("TOML: {0}")]
    Toml(#[source] toml::ser::Error),
    /// A result has no JSON form: a stored instant lies beyond the year 9999.
    #[error("JSON: {0}")]
    Json(#[source] serde_json::Error),
    /// Results could not be written.
    #[error("standard output: {0}")]
    Output(#[source] io::Error),
    /// The server does not answer, or refuses what it is asked for.
    #[error("{address}: {reason}")]
    Server {
        /// Where it was asked.
        address: String,
        /// What came back.
        reason: String,
    },
}

/// Reads the command line and does what it says. Exit codes: 0 all done, 1 refused or failed, 2 done in part.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<_> = args.into_iter().collect();
    match parse(&args, None).and_then(execute) {
        Ok(Ended::Done) => ExitCode::SUCCESS,
        Ok(Ended::Partly) => ExitCode::from(2),
        Err(CliError::Usage(message)) => {
            // A reader who hung up has seen enough.
            if message.use_stderr() && message.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                let _ = write!(io::stderr(), "{}", usage::bounded(&message));
                return ExitCode::FAILURE;
            }
            let _ = message.print();
            if message.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        // Whoever read the output has closed it: there is nobody to complain to, and nothing to complain about.
        Err(CliError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {}", bounded(error.to_string()));
            ExitCode::FAILURE
        }
    }
}

fn execute(cli: Cli) -> Result<Ended, CliError> {
    match cli.command {
        Command::Serve(args) => serve::run(*args),
        Command::Work(args) => work::run(args),
        Command::Migrate(args) => migrate::run(&args),
        Command::Copy(args) => copy::run(&args),
        Command::Generate(args) => generate::run(args),
        Command::Rate(args) => rate::run(args),
        Command::Rerate(args) => rerate::run(args),
        Command::Get(args) => get::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Withdraw(args) => actions::withdraw(&args),
        Command::Stock(args) => stock::run(&args),
        Command::Target(args) => target_command::run(&args),
        Command::Refill(args) => refill::run(&args),
        Command::Jobs(args) => jobs::run(&args),
        Command::Cancel(args) => actions::cancel(&args),
        Command::Retry(args) => actions::retry(&args),
        Command::Queue(args) => queue::run(&args),
        Command::Workers(args) => workers::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Export(args) => export::run(args),
        Command::Backup(args) => backup::run(args),
        Command::Restore(args) => restore::run(&args),
        Command::Check(args) => check::run(args),
        Command::Health(args) => health::run(&args),
    }
}

/// Reads the command line, with the environment and the configuration file that they name; `text` stands for what that file
/// says, if it is given.
fn parse(args: &[OsString], text: Option<&str>) -> Result<Cli, CliError> {
    let mut command = adjusted(Cli::command());
    let mut matches =
        command.clone().try_get_matches_from(args).map_err(|error| usage::explained(error, &command, args))?;
    let (mut targets, mut file_text) = (Vec::new(), None);
    if let Some((name, path)) = matches.subcommand().and_then(|(name, of)| Some((name.to_owned(), file_of(of)?))) {
        let text = text.map_or_else(|| read(&path), |text| Ok(text.to_owned()))?;
        let file = SettingsFile::parse(&path, &text)?;
        command = command.mut_subcommand(name, |sub| file.as_defaults(sub));
        matches = command.try_get_matches_from_mut(args)?;
        targets = file.target;
        file_text = Some(FileText { path, text });
    }
    let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    let source = Source { args: args.to_vec(), file: file_text };
    match &mut cli.command {
        Command::Serve(serve) => {
            serve.settings.target = targets;
            serve.source = source;
        }
        Command::Work(work) => work.source = source,
        _ => {}
    }
    Ok(cli)
}

/// The command with the same rules for the flags of all its subcommands, at any depth.
fn adjusted(command: clap::Command) -> clap::Command {
    let flags = command.mut_args(|arg| {
        // A negative number is a value out of bounds, not an unknown flag.
        let arg = if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg };
        // Help names the variables but not their values, which can be passwords.
        arg.hide_env_values(true)
    });
    flags.mut_subcommands(adjusted)
}

impl Cli {
    /// What a process that stays is configured by; other commands have the defaults.
    ///
    /// # Errors
    /// [`CliError`] if the settings do not come to a configuration.
    fn config(&self) -> Result<Config, CliError> {
        match &self.command {
            Command::Serve(serve) => serve.settings.config(),
            Command::Work(work) => work.config(),
            _ => Ok(Config::default()),
        }
    }
}

fn read(path: &Path) -> Result<String, CliError> {
    std::fs::read_to_string(path)
        .map_err(|error| CliError::ConfigFile { path: path.to_owned(), reason: of_file(&error) })
}

/// The configuration file that is named, if the command takes one.
fn file_of(matches: &ArgMatches) -> Option<PathBuf> {
    matches.try_get_one("config").ok().flatten().cloned()
}
