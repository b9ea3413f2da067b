//! What the two ends of a TLS connection share: the cryptography, PEM files, and what is read from certificates.

pub mod certificate;
pub mod pem;

use std::{path::PathBuf, sync::Arc};

use tokio_rustls::rustls::{
    self,
    crypto::{CryptoProvider, ring},
};

/// Why the TLS settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A setting needs another one.
    #[error("{setting}: needs {needed}; name its PEM file too")]
    Alone {
        /// The setting that is given.
        setting: &'static str,
        /// The setting that is missing.
        needed: &'static str,
    },
    /// A file cannot be used.
    #[error("{setting}: {}: {reason}", path.display())]
    File {
        /// The setting that names it.
        setting: &'static str,
        /// The path as it was given.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// The cryptography has no protocol in common with TLS 1.2 or 1.3.
    #[error("TLS cannot be set up: {0}")]
    Protocol(#[from] rustls::Error),
    /// The machine lists no authorities.
    #[error("--ca: this machine has no list of trusted authorities; name the PEM file of the server's authority")]
    NoAuthorities,
}

/// The cryptography of all connections. It is always passed explicitly, because rustls panics if two providers are
/// compiled in and the code names neither.
#[must_use]
pub fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}
