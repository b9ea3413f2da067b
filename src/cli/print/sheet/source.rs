//! The flags that say where the puzzles of a sheet come from: a server if there is an address, or else the engine.

use clap::{ArgMatches, Args, Command, FromArgMatches, builder::Resettable};

use crate::cli::client::ServerArgs;

/// The server of a sheet, if the user names one. `PUZZLED_LISTEN` is ignored, because one environment serves many
/// commands.
#[derive(Debug)]
pub(super) struct SourceArgs(pub(super) Option<ServerArgs>);

impl Args for SourceArgs {
    fn augment_args(command: Command) -> Command {
        ServerArgs::augment_args(command).mut_arg("address", |address| {
            address
                .env(Resettable::Reset)
                .default_value(Resettable::Reset)
                .requires("audience")
                .help("Get the puzzles from the server at HOST:PORT, or https://HOST:PORT for TLS; needs --audience [default: none]")
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SourceArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_named = matches.contains_id("address");
        is_named.then(|| ServerArgs::from_arg_matches(matches)).transpose().map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
