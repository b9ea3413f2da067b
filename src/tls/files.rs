//! The TLS settings of the listener: the files with its certificate and key, and with the authorities and revocations
//! for client certificates. Checks the settings, and builds the TLS configuration from the contents of the files.

use std::{path::PathBuf, sync::Arc};

use tokio_rustls::rustls::{
    ServerConfig,
    server::{NoServerSessionStorage, WebPkiClientVerifier, danger::ClientCertVerifier},
};

use super::PROTOCOLS;
use crate::settings::TlsSettings;
use puzzled_base::{
    clock::Millis,
    tls::{TlsError, certificate, pem::PemFile, provider},
};

impl TlsSettings {
    /// Whether the listener is encrypted.
    #[must_use]
    pub fn is_on(&self) -> bool {
        *self != Self::default()
    }

    /// The files that are set.
    ///
    /// # Errors
    /// [`TlsError::Alone`] if one of them needs another one that is not set.
    pub(super) fn named(&self) -> Result<NamedFiles, TlsError> {
        let file = |setting, path: &Option<PathBuf>| path.clone().map(|path| PemFile { setting, path });
        let client_ca = file("tls_client_ca", &self.tls_client_ca);
        let crl = file("tls_crl", &self.tls_crl);
        let needs = |setting, needed| TlsError::Alone { setting, needed };
        match (file("tls_cert", &self.tls_cert), file("tls_key", &self.tls_key)) {
            (Some(cert), Some(key)) if crl.is_none() || client_ca.is_some() => {
                Ok(NamedFiles { cert, key, client_ca, crl })
            }
            (Some(_), Some(_)) => Err(needs("tls_crl", "tls_client_ca")),
            (Some(_), None) => Err(needs("tls_cert", "tls_key")),
            (None, Some(_)) => Err(needs("tls_key", "tls_cert")),
            (None, None) if crl.is_some() => Err(needs("tls_crl", "tls_cert")),
            (None, None) => Err(needs("tls_client_ca", "tls_cert")),
        }
    }
}

/// The files of a listener that is encrypted.
#[derive(Debug)]
pub(super) struct NamedFiles {
    cert: PemFile,
    key: PemFile,
    client_ca: Option<PemFile>,
    crl: Option<PemFile>,
}

/// The TLS configuration that the files give.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) config: Arc<ServerConfig>,
    /// When the server's certificate expires.
    pub(super) expires_at: Millis,
}

impl NamedFiles {
    /// All files, in the order in which [`Self::load`] takes their contents.
    pub(super) fn all(&self) -> impl Iterator<Item = &PemFile> {
        [&self.cert, &self.key].into_iter().chain(&self.client_ca).chain(&self.crl)
    }

    /// Makes one configuration of the contents of all files. `now` decides whether the certificate has expired.
    ///
    /// # Errors
    /// [`TlsError::File`] with the first file that cannot be used.
    pub(super) fn load(&self, contents: &[Vec<u8>], now: Millis) -> Result<Loaded, TlsError> {
        let mut contents = contents.iter().map(Vec::as_slice);
        let mut next = || contents.next().unwrap_or_default();
        let chain = self.cert.certificates(next())?;
        let key = self.key.key(next())?;
        let client_ca = self.client_ca.as_ref().map(|file| (file, next()));
        let crl = self.crl.as_ref().map(|file| (file, next()));
        let expires_at = chain.first().and_then(certificate::expires_at);
        let expires_at =
            expires_at.ok_or_else(|| self.cert.fault("the first certificate cannot be parsed".to_owned()))?;
        if expires_at < now {
            return Err(self.cert.fault(format!("the certificate expired at {}; renew it", shown(expires_at))));
        }
        let pair = |error| self.key.fault_of_pair(&self.cert, &error);
        let builder = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()?;
        let builder = match client_ca {
            None => builder.with_no_client_auth(),
            Some(client_ca) => builder.with_client_cert_verifier(verifier(client_ca, crl)?),
        };
        let mut config = builder.with_single_cert(chain, key).map_err(pair)?;
        config.alpn_protocols = PROTOCOLS.map(Vec::from).to_vec();
        // A resumed session would not check the client's certificate again, although it may have expired since.
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
        Ok(Loaded { config: Arc::new(config), expires_at })
    }
}

/// Checks the certificates of clients that send one.
fn verifier(
    (client_ca, authorities): (&PemFile, &[u8]),
    crl: Option<(&PemFile, &[u8])>,
) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
    let authorities = Arc::new(client_ca.authorities(authorities)?);
    let verifier = WebPkiClientVerifier::builder_with_provider(authorities, provider()).allow_unauthenticated();
    let (verifier, last) = match crl {
        None => (verifier, client_ca),
        Some((crl, revocations)) => (verifier.with_crls(crl.revocations(revocations)?), crl),
    };
    verifier.build().map_err(|error| last.fault(format!("the file cannot be used: {error}")))
}

/// A time in UTC, for messages.
pub(super) fn shown(at: Millis) -> String {
    jiff::Timestamp::from_millisecond(at.0).map_or_else(|_| format!("{} ms", at.0), |time| time.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_that_needs_another_one_names_it() {
        for (given, expected) in [
            ("cert", "tls_cert: needs tls_key; name its PEM file too"),
            ("key", "tls_key: needs tls_cert; name its PEM file too"),
            ("client_ca", "tls_client_ca: needs tls_cert; name its PEM file too"),
            ("crl", "tls_crl: needs tls_cert; name its PEM file too"),
            ("cert key crl", "tls_crl: needs tls_client_ca; name its PEM file too"),
            ("cert key", ""),
            ("cert key client_ca crl", ""),
        ] {
            let path = |name: &str| given.split(' ').any(|given| given == name).then(|| PathBuf::from(name));
            let files = TlsSettings {
                tls_cert: path("cert"),
                tls_key: path("key"),
                tls_client_ca: path("client_ca"),
                tls_crl: path("crl"),
            };
            assert!(files.is_on());
            assert_eq!(files.named().map_or_else(|error| error.to_string(), |_| String::new()), expected, "{given}");
        }
        assert!(!TlsSettings::default().is_on());
    }
}
