//! The flags that say where exported puzzles come from: a database, or a server if there is an address.

use clap::{ArgMatches, Args, Command, FromArgMatches, builder::Resettable, parser::ValueSource};

use crate::settings::DatabaseSettings;
use puzzled_cli::CliError;
use puzzled_cli::client::ServerArgs;

/// The flags that belong to a database, by their IDs.
const OF_DATABASE: [&str; 3] = ["database", "database_password_file", "config"];

/// The flags that belong to a server, by their IDs.
const OF_SERVER: [&str; 6] = ["ca", "cert", "key", "server_name", "tls_cert", "token_file"];

/// Where the puzzles come from.
#[derive(Debug)]
pub(super) enum Source {
    Database(DatabaseSettings),
    Server(ServerArgs),
}

/// The flags of both sources, of which the user sets at most one. Environment variables of the other source are ignored,
/// because one environment serves many commands.
#[derive(Debug)]
pub(crate) struct SourceArgs(Result<Source, String>);

impl SourceArgs {
    /// Returns the source.
    ///
    /// # Errors
    /// [`CliError::Spec`] if a flag of the other source is set too.
    pub(super) fn one(self) -> Result<Source, CliError> {
        self.0.map_err(CliError::Spec)
    }
}

impl Args for SourceArgs {
    fn augment_args(command: Command) -> Command {
        ServerArgs::augment_args(DatabaseSettings::augment_args(command)).mut_arg("address", |address| {
            address
                .env(Resettable::Reset)
                .default_value(Resettable::Reset)
                .help("Export from the server at HOST:PORT, or https://HOST:PORT for TLS, instead of a database [default: none]")
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SourceArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |ids: &[&'static str]| {
            let is_typed = |id: &&&str| matches.value_source(id) == Some(ValueSource::CommandLine);
            ids.iter().find(is_typed).map(|id| format!("--{}", id.replace('_', "-")))
        };
        Ok(Self(if matches.contains_id("address") {
            match typed(&OF_DATABASE) {
                Some(flag) => Err(format!("--address: set together with {flag}; set only one")),
                None => Ok(Source::Server(ServerArgs::from_arg_matches(matches)?)),
            }
        } else {
            match typed(&OF_SERVER) {
                Some(flag) => Err(format!("{flag}: set without --address; set both")),
                None => Ok(Source::Database(DatabaseSettings::from_arg_matches(matches)?)),
            }
        }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
