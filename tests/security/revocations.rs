//! Helpers that make expired certificates, and lists of the certificates that an authority has revoked.

use rcgen::{CertificateRevocationListParams, KeyIdMethod, RevokedCertParams, SerialNumber, date_time_ymd};
use x509_parser::pem::parse_x509_pem;

use crate::authority::{Authority, Pair};

/// Issues a certificate that expired long ago.
pub(crate) fn issue_expired(authority: &Authority, name: &str) -> Pair {
    authority.issue_until(name, 2001)
}

/// The list of an authority's revoked certificates, as PEM.
pub(crate) fn list(authority: &Authority, revoked: &[&Pair]) -> String {
    let entry = |pair: &&Pair| RevokedCertParams {
        serial_number: serial(pair),
        revocation_time: date_time_ymd(2020, 1, 1),
        reason_code: None,
        invalidity_date: None,
    };
    let list = CertificateRevocationListParams {
        this_update: date_time_ymd(2020, 1, 1),
        next_update: date_time_ymd(2100, 1, 1),
        crl_number: SerialNumber::from(1_u64),
        issuing_distribution_point: None,
        revoked_certs: revoked.iter().map(entry).collect(),
        key_identifier_method: KeyIdMethod::Sha256,
    };
    list.signed_by(&authority.0).unwrap().pem().unwrap()
}

fn serial(pair: &Pair) -> SerialNumber {
    let (_, pem) = parse_x509_pem(pair.cert.as_bytes()).unwrap();
    SerialNumber::from(pem.parse_x509().unwrap().raw_serial().to_vec())
}
