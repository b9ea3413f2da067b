//! The TLS of a command that connects to a server: which server certificates it trusts, and which client certificate it
//! sends.

use std::{path::PathBuf, sync::Arc};

use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime},
};

use super::{TlsError, pem::PemFile, provider};

/// The PEM files of a command that connects.
#[derive(Debug, Clone, Default)]
pub struct ClientFiles {
    /// The authorities to trust. Without `ca` and `pinned`, the command trusts those of this machine.
    pub ca: Option<PathBuf>,
    /// The one certificate to trust, whatever its names and dates. It is ignored if `ca` is set.
    pub pinned: Option<PathBuf>,
    /// The client's certificate.
    pub cert: Option<PathBuf>,
    /// The key of the client's certificate.
    pub key: Option<PathBuf>,
}

impl ClientFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// [`TlsError`] if a file is missing or cannot be used.
    pub fn config(&self) -> Result<ClientConfig, TlsError> {
        let [ca, pinned, cert, key] =
            [("--ca", &self.ca), ("--tls-cert", &self.pinned), ("--cert", &self.cert), ("--key", &self.key)]
                .map(|(setting, path)| path.clone().map(|path| PemFile { setting, path }));
        let builder = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()?;
        let builder = match (ca, pinned) {
            (Some(ca), _) => builder.with_root_certificates(ca.authorities(&ca.read()?)?),
            (None, Some(pinned)) => {
                let verifier = Pinned::new(pinned.certificates(&pinned.read()?)?);
                builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
            }
            (None, None) => builder.with_root_certificates(of_this_machine()?),
        };
        let mut config = match (cert, key) {
            (Some(cert), Some(key)) => {
                let chain = cert.certificates(&cert.read()?)?;
                let own = key.key(&key.read()?)?;
                builder.with_client_auth_cert(chain, own).map_err(|error| key.fault_of_pair(&cert, &error))?
            }
            (None, None) => builder.with_no_client_auth(),
            (Some(_), None) => return Err(TlsError::Alone { setting: "--cert", needed: "--key" }),
            (None, Some(_)) => return Err(TlsError::Alone { setting: "--key", needed: "--cert" }),
        };
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(config)
    }
}

/// The authorities that the operating system lists.
fn of_this_machine() -> Result<RootCertStore, TlsError> {
    let mut authorities = RootCertStore::empty();
    // Entries that cannot be parsed are skipped.
    authorities.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if authorities.is_empty() { Err(TlsError::NoAuthorities) } else { Ok(authorities) }
}

/// Trusts one certificate, the first of a file, whatever its names and dates.
#[derive(Debug)]
struct Pinned {
    certificate: Option<CertificateDer<'static>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Pinned {
    fn new(chain: Vec<CertificateDer<'static>>) -> Self {
        Self { certificate: chain.into_iter().next(), algorithms: provider().signature_verification_algorithms }
    }
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.certificate.as_ref() == Some(end_entity) {
            return Ok(ServerCertVerified::assertion());
        }
        Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
