//! The TLS settings of the listener: certificate, key, authorities of client certificates, and revocation lists.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::tls::TlsFiles;

/// The PEM files of TLS. The server reads them again on SIGHUP and when their content changes.
#[expect(clippy::struct_field_names, reason = "the names of the fields are the file's keys")]
#[derive(Debug, Args, Serialize)]
pub(super) struct TlsArgs {
    /// Certificate of the server, followed by the certificates of its issuers, PEM; new content applies without a restart,
    /// another file needs a restart [default: no TLS]
    #[arg(long, env = "PUZZLED_TLS_CERT", value_name = "FILE")]
    tls_cert: Option<PathBuf>,

    /// Key of the server's certificate, PEM, unencrypted; another file needs a restart [default: no TLS]
    #[arg(long, env = "PUZZLED_TLS_KEY", value_name = "FILE")]
    tls_key: Option<PathBuf>,

    /// Certificates of the authorities that issue clients' certificates, PEM; a client without a certificate is still accepted;
    /// another file needs a restart [default: none]
    #[arg(long, env = "PUZZLED_TLS_CLIENT_CA", value_name = "FILE")]
    tls_client_ca: Option<PathBuf>,

    /// Lists of revoked clients' certificates, PEM, one list per authority in `tls_client_ca`; another file needs a
    /// restart [default: none]
    #[arg(long, env = "PUZZLED_TLS_CRL", value_name = "FILE")]
    tls_crl: Option<PathBuf>,
}

impl TlsArgs {
    pub(super) fn files(&self) -> TlsFiles {
        TlsFiles {
            cert: self.tls_cert.clone(),
            key: self.tls_key.clone(),
            client_ca: self.tls_client_ca.clone(),
            crl: self.tls_crl.clone(),
        }
    }
}
