//! Reads PEM files: certificates, authorities, keys, and lists of revoked certificates. Errors name the setting and the
//! file.

use std::path::PathBuf;

use tokio_rustls::rustls::{
    Error, RootCertStore,
    pki_types::{
        CertificateDer, CertificateRevocationListDer, PrivateKeyDer,
        pem::{self, PemObject},
    },
};

use super::TlsError;
use crate::message::{MARK, of_file};

/// A PEM file, and the setting that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PemFile {
    /// The setting.
    pub setting: &'static str,
    /// The path as it was given.
    pub path: PathBuf,
}

impl PemFile {
    /// Reads the file.
    ///
    /// # Errors
    /// [`TlsError::File`].
    pub fn read(&self) -> Result<Vec<u8>, TlsError> {
        let content = std::fs::read(&self.path).map_err(|error| self.fault(of_file(&error)))?;
        Ok(content.strip_prefix(MARK.as_bytes()).map_or_else(|| content.clone(), <[u8]>::to_vec))
    }

    /// The certificates in the content of the file, at least one.
    ///
    /// # Errors
    /// [`TlsError::File`] if there is none, or one cannot be read.
    pub fn certificates(&self, content: &[u8]) -> Result<Vec<CertificateDer<'static>>, TlsError> {
        self.items(content, "certificate", "CERTIFICATE")
    }

    /// The authorities in the content of the file, at least one.
    ///
    /// # Errors
    /// [`TlsError::File`] if there is none, or one cannot be read.
    pub fn authorities(&self, content: &[u8]) -> Result<RootCertStore, TlsError> {
        let mut authorities = RootCertStore::empty();
        for certificate in self.certificates(content)? {
            authorities
                .add(certificate)
                .map_err(|_| self.fault("not the certificate of an authority; name the file of one".to_owned()))?;
        }
        Ok(authorities)
    }

    /// The lists of revoked certificates in the content of the file, at least one.
    ///
    /// # Errors
    /// [`TlsError::File`] if there is none, or one cannot be read.
    pub fn revocations(&self, content: &[u8]) -> Result<Vec<CertificateRevocationListDer<'static>>, TlsError> {
        self.items(content, "list of revoked certificates", "X509 CRL")
    }

    /// The key in the content of the file. The error never shows any part of the key.
    ///
    /// # Errors
    /// [`TlsError::File`] if there is none, or it cannot be read.
    pub fn key(&self, content: &[u8]) -> Result<PrivateKeyDer<'static>, TlsError> {
        PrivateKeyDer::from_pem_slice(content).map_err(|error| match error {
            pem::Error::NoItemsFound => {
                self.fault("no key in it; write an unencrypted key in PEM, `BEGIN PRIVATE KEY`".to_owned())
            }
            _ => self.fault("not a PEM file of a key; write an unencrypted key, `BEGIN PRIVATE KEY`".to_owned()),
        })
    }

    /// The fault of a certificate and its key. `self` is the key.
    #[must_use]
    pub fn fault_of_pair(&self, certificate: &Self, error: &Error) -> TlsError {
        match error {
            Error::InconsistentKeys(_) => self.fault(format!(
                "the key does not belong to the certificate in {}; name the files of one pair",
                certificate.path.display()
            )),
            Error::InvalidCertificate(_) => {
                certificate.fault("the certificate is damaged, or of an unknown form; issue a new one".to_owned())
            }
            _ => self.fault("the key is of an unknown form; use one of RSA, ECDSA, or Ed25519".to_owned()),
        }
    }

    /// The fault of this file, for this reason.
    #[must_use]
    pub fn fault(&self, reason: String) -> TlsError {
        TlsError::File { setting: self.setting, path: self.path.clone(), reason }
    }

    fn items<T: PemObject>(&self, content: &[u8], item: &str, label: &str) -> Result<Vec<T>, TlsError> {
        let items: Vec<T> = T::pem_slice_iter(content)
            .collect::<Result<_, _>>()
            .map_err(|_| self.fault(format!("not a PEM file; write each {item} as `BEGIN {label}`")))?;
        if items.is_empty() {
            return Err(self.fault(format!("no {item} in it; write each as `BEGIN {label}`")));
        }
        Ok(items)
    }
}
