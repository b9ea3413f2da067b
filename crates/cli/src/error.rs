//! Why a command fails.

use std::{io, path::PathBuf};

use puzzled_base::{message::of_file, tls::TlsError};

/// The reason why a command failed: exit code 1.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The runtime could not be started.
    #[error("the runtime could not be started: {0}")]
    Runtime(#[source] io::Error),
    /// The kind refuses the spec.
    #[error("{0}")]
    Spec(String),
    /// The file with a secret cannot be used.
    #[error("{setting}: {}: {reason}", file.display())]
    Secret {
        /// The setting that names the file.
        setting: &'static str,
        /// The path as it was given.
        file: PathBuf,
        /// What is wrong with the file, and what is allowed. The text does not contain the secret.
        reason: String,
    },
    /// A file of TLS cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The operating system did not return random numbers for a seed or a token.
    #[error("the operating system gives no random numbers: {0}; set a seed with --seed")]
    Chance(#[source] rand::rngs::SysError),
    /// A file cannot be read or written.
    #[error("{}: {}", .0, of_file(.1))]
    Input(String, #[source] io::Error),
    /// A file that a command would create already exists.
    #[error("{0}: the file exists; {1}")]
    Exists(String, &'static str),
    /// A result cannot be written as JSON, because a stored time is after the year 9999.
    #[error("JSON: {0}")]
    Json(#[source] serde_json::Error),
    /// Standard output could not be written.
    #[error("standard output: {0}")]
    Output(#[source] io::Error),
    /// The server does not answer, or refuses a call.
    #[error("{address}: {reason}")]
    Server {
        /// The address of the server.
        address: String,
        /// The message of the server, or why it cannot be reached.
        reason: String,
    },
}
