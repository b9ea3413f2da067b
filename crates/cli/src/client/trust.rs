//! The TLS of a command that connects to a server: which server certificates it trusts, and which client certificate it
//! sends.

use std::{path::PathBuf, sync::Arc};

use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        verify_server_name,
    },
    crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime},
    server::ParsedCertificate,
};

use puzzled_base::tls::{TlsError, certificate::validity, pem::PemFile, provider};

/// The PEM files of a command that connects.
#[derive(Debug, Clone, Default)]
pub(super) struct ClientFiles {
    /// The authorities to trust, and certificates of servers. If neither this nor `pinned` is set, the command trusts
    /// the authorities of this machine.
    pub(super) ca: Option<PathBuf>,
    /// The one certificate to trust, whatever its names and dates. It is ignored if `ca` is set.
    pub(super) pinned: Option<PathBuf>,
    /// The client's certificate.
    pub(super) cert: Option<PathBuf>,
    /// The key of the client's certificate.
    pub(super) key: Option<PathBuf>,
}

impl ClientFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// [`TlsError`] if a file is missing or cannot be used.
    pub(super) fn config(&self) -> Result<ClientConfig, TlsError> {
        let [ca, pinned, cert, key] =
            [("--ca", &self.ca), ("--tls-cert", &self.pinned), ("--cert", &self.cert), ("--key", &self.key)]
                .map(|(setting, path)| path.clone().map(|path| PemFile { setting, path }));
        let builder = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions()?;
        let builder = match (ca, pinned) {
            (Some(ca), _) => builder.dangerous().with_custom_certificate_verifier(Arc::new(InFile::authorities(&ca)?)),
            (None, Some(pinned)) => {
                builder.dangerous().with_custom_certificate_verifier(Arc::new(InFile::pinned(&pinned)?))
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

/// Trusts the certificates of a file.
#[derive(Debug)]
struct InFile {
    /// The certificates of servers to trust.
    servers: Vec<CertificateDer<'static>>,
    /// Decides about other certificates. Without it, only the `servers` are trusted, whatever their names and dates.
    authorities: Option<Arc<WebPkiServerVerifier>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl InFile {
    /// Trusts the authorities in a file. Also trusts a server whose own certificate is in the file, if the names and
    /// dates of this certificate fit.
    fn authorities(file: &PemFile) -> Result<Self, TlsError> {
        let content = file.read()?;
        let authorities = WebPkiServerVerifier::builder_with_provider(file.authorities(&content)?.into(), provider());
        let authorities = authorities.build().map_err(|error| file.fault(error.to_string()))?;
        Ok(Self { authorities: Some(authorities), ..Self::of(file.certificates(&content)?) })
    }

    /// Trusts the first certificate of a file alone.
    fn pinned(file: &PemFile) -> Result<Self, TlsError> {
        let mut servers = file.certificates(&file.read()?)?;
        servers.truncate(1);
        Ok(Self::of(servers))
    }

    fn of(servers: Vec<CertificateDer<'static>>) -> Self {
        Self { servers, authorities: None, algorithms: provider().signature_verification_algorithms }
    }
}

impl ServerCertVerifier for InFile {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match (self.servers.contains(end_entity), &self.authorities) {
            (true, None) => {}
            // The library would refuse a certificate that is marked as an authority, as self-signed ones usually are.
            (true, Some(_)) => {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
                verify_dates(end_entity, now)?;
            }
            (false, None) => {
                return Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure));
            }
            (false, Some(authorities)) => {
                return authorities.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
            }
        }
        Ok(ServerCertVerified::assertion())
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

fn verify_dates(certificate: &CertificateDer<'_>, now: UnixTime) -> Result<(), Error> {
    let now_ms = i64::try_from(now.as_secs()).unwrap_or(i64::MAX).saturating_mul(1_000);
    match validity(certificate) {
        None => Err(Error::InvalidCertificate(CertificateError::BadEncoding)),
        Some((begins_at, _)) if now_ms < begins_at.0 => Err(Error::InvalidCertificate(CertificateError::NotValidYet)),
        Some((_, expires_at)) if now_ms > expires_at.0 => Err(Error::InvalidCertificate(CertificateError::Expired)),
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    #[test]
    fn certificate_is_valid_from_its_first_to_its_last_moment() {
        let mut params = CertificateParams::default();
        (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(2030, 1, 2));
        let certificate = CertificateDer::from(params.self_signed(&KeyPair::generate().unwrap()).unwrap());
        for (second, expected) in [
            (1_577_836_799, Err(CertificateError::NotValidYet)),
            (1_577_836_800, Ok(())),
            (1_893_542_400, Ok(())),
            (1_893_542_401, Err(CertificateError::Expired)),
        ] {
            let now = UnixTime::since_unix_epoch(Duration::from_secs(second));
            assert_eq!(verify_dates(&certificate, now), expected.map_err(Error::InvalidCertificate), "{second}");
        }
    }
}
