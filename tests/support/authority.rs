//! An authority that issues certificates to servers and clients of tests.

use std::{fs, path::Path};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose, SanType,
    date_time_ymd,
};

/// An authority with a certificate of its own.
#[derive(Debug)]
pub(crate) struct Authority(pub(crate) CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key, as PEM.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) cert: String,
    pub(crate) key: String,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let key = KeyPair::generate().expect("a certificate");
        // Clients would confuse authorities with equal names.
        params.distinguished_name.push(DnType::CommonName, format!("authority {:x?}", &key.public_key_raw()[1..9]));
        Self(CertifiedIssuer::self_signed(params, key).expect("a certificate"))
    }

    /// The authority's certificate, as PEM.
    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    /// Issues a certificate to a DNS name, an IP address, or a URI.
    pub(crate) fn issue(&self, name: &str) -> Pair {
        self.issue_until(name, 2100)
    }

    /// Issues a certificate that is valid until the start of a year.
    pub(crate) fn issue_until(&self, name: &str, year: i32) -> Pair {
        let mut params = if name.contains("://") {
            let mut params = CertificateParams::default();
            params.subject_alt_names = vec![SanType::URI(name.try_into().expect("a certificate"))];
            params
        } else {
            CertificateParams::new([name.to_owned()]).expect("a certificate")
        };
        let key = KeyPair::generate().expect("a certificate");
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(year, 1, 1);
        params.use_authority_key_identifier_extension = true;
        let cert = params.signed_by(&key, &self.0).expect("a certificate").pem();
        Pair { cert, key: key.serialize_pem() }
    }
}

impl Pair {
    /// Writes the certificate and the key into a folder, as `NAME.pem` and `NAME.key`.
    pub(crate) fn write(&self, folder: &Path, name: &str) {
        fs::write(folder.join(format!("{name}.pem")), &self.cert).expect("a file");
        fs::write(folder.join(format!("{name}.key")), &self.key).expect("a file");
    }
}
