//! `puzzled token new`: makes a random access token, and prints it once, with its entry for the access file.

use clap::{Args, Subcommand};

use crate::access::token;
use puzzled_base::chance;
use puzzled_cli::CliError;
use puzzled_cli::{Ended, output};

/// Make tokens for the access file
#[derive(Debug, Args)]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a random token, and print it with its entry for the access file
    ///
    /// The first line is the token. It is shown only once: the entry has only its SHA-256 digest. Add the entry to the
    /// access file of the server, and give the token to the client. Several tokens may name one principal; to revoke a
    /// token, remove its entry.
    New {
        /// Principal of the token: the name of a [[principal]] in the access file
        #[arg(long, value_name = "NAME")]
        principal: String,

        /// ID of the token, 1 to 32 lower-case letters, digits, and `-` [default: random]
        #[arg(long, value_name = "ID", value_parser = id)]
        id: Option<String>,
    },
}

pub(crate) fn run(args: &TokenArgs) -> Result<Ended, CliError> {
    let Action::New { principal, id } = &args.action;
    let secret: [u8; token::SECRET_BYTES] = chance::secret().map_err(CliError::Chance)?;
    let id = match id {
        Some(id) => id.clone(),
        None => token::hex(&chance::secret::<4>().map_err(CliError::Chance)?),
    };
    let text = token::text(&id, &secret);
    let digest = token::hex(&token::digest(&text));
    let principal = toml::Value::from(principal.as_str());
    output::print_result(&format!(
        "{text}\n\n[[token]]\nid = \"{id}\"\nsha256 = \"{digest}\"\nprincipal = {principal}\n"
    ))
}

fn id(text: &str) -> Result<String, String> {
    if token::is_id(text) {
        return Ok(text.to_owned());
    }
    Err("use 1 to 32 lower-case letters, digits, and `-`".to_owned())
}
