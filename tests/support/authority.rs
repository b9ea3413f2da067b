//! An authority that issues certificates to servers and clients of tests.

use std::{fs, path::Path};

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, DnType, IsCa, KeyIdMethod,
    KeyPair, KeyUsagePurpose, RevokedCertParams, SanType, SerialNumber, date_time_ymd,
};

/// An authority with a certificate of its own.
#[derive(Debug)]
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key, as PEM.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) cert: String,
    pub(crate) key: String,
    pub(crate) serial: SerialNumber,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let key = KeyPair::generate().unwrap();
        // Authorities of one name would be taken for one.
        params.distinguished_name.push(DnType::CommonName, format!("authority {:x?}", &key.public_key_raw()[1..9]));
        Self(CertifiedIssuer::self_signed(params, key).unwrap())
    }

    /// Its certificate, as PEM.
    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    /// Issues a certificate to a DNS name, an IP address, or a URI.
    pub(crate) fn issue(&self, name: &str) -> Pair {
        self.issue_until(name, 2100)
    }

    /// Issues a certificate that expired long ago.
    pub(crate) fn issue_expired(&self, name: &str) -> Pair {
        self.issue_until(name, 2001)
    }

    fn issue_until(&self, name: &str, year: i32) -> Pair {
        let mut params = if name.contains("://") {
            let mut params = CertificateParams::default();
            params.subject_alt_names = vec![SanType::URI(name.try_into().unwrap())];
            params
        } else {
            CertificateParams::new([name.to_owned()]).unwrap()
        };
        let key = KeyPair::generate().unwrap();
        let serial = SerialNumber::from(key.public_key_raw()[1..9].to_vec());
        params.serial_number = Some(serial.clone());
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(year, 1, 1);
        params.use_authority_key_identifier_extension = true;
        let cert = params.signed_by(&key, &self.0).unwrap().pem();
        Pair { cert, key: key.serialize_pem(), serial }
    }

    /// The list of its revoked certificates, as PEM.
    pub(crate) fn revoke(&self, pairs: &[&Pair]) -> String {
        let revoked = |pair: &&Pair| RevokedCertParams {
            serial_number: pair.serial.clone(),
            revocation_time: date_time_ymd(2020, 1, 1),
            reason_code: None,
            invalidity_date: None,
        };
        let list = CertificateRevocationListParams {
            this_update: date_time_ymd(2020, 1, 1),
            next_update: date_time_ymd(2100, 1, 1),
            crl_number: SerialNumber::from(1_u64),
            issuing_distribution_point: None,
            revoked_certs: pairs.iter().map(revoked).collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        list.signed_by(&self.0).unwrap().pem().unwrap()
    }
}

impl Pair {
    /// Writes the certificate and the key into a folder, as `NAME.pem` and `NAME.key`.
    pub(crate) fn write(&self, folder: &Path, name: &str) {
        fs::write(folder.join(format!("{name}.pem")), &self.cert).unwrap();
        fs::write(folder.join(format!("{name}.key")), &self.key).unwrap();
    }
}
