//! Reads two things from a certificate: the name of its owner, and the time in which it is valid.

use std::sync::Arc;

use tokio_rustls::rustls::pki_types::CertificateDer;
use x509_parser::{extensions::GeneralName, parse_x509_certificate, time::ASN1Time};

use crate::clock::Millis;

/// The name of a certificate's owner: among the alternative names of the subject, the first URI, or else the first DNS
/// name.
#[must_use]
pub fn name(certificate: &CertificateDer<'_>) -> Option<Arc<str>> {
    let (_, parsed) = parse_x509_certificate(certificate).ok()?;
    let names = &parsed.subject_alternative_name().ok()??.value.general_names;
    let uri = names.iter().find_map(|name| if let GeneralName::URI(uri) = name { Some(*uri) } else { None });
    let dns = || names.iter().find_map(|name| if let GeneralName::DNSName(dns) = name { Some(*dns) } else { None });
    uri.or_else(dns).map(Arc::from)
}

/// The last moment at which a certificate is valid; `None` if it cannot be parsed.
#[must_use]
pub fn expires_at(certificate: &CertificateDer<'_>) -> Option<Millis> {
    validity(certificate).map(|(_, expires_at)| expires_at)
}

/// The first and the last moment at which a certificate is valid; none if it cannot be parsed.
#[must_use]
pub fn validity(certificate: &CertificateDer<'_>) -> Option<(Millis, Millis)> {
    let (_, parsed) = parse_x509_certificate(certificate).ok()?;
    let millis = |time: ASN1Time| Millis(time.timestamp().saturating_mul(1_000));
    Some((millis(parsed.validity().not_before), millis(parsed.validity().not_after)))
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, SanType, date_time_ymd};

    use super::*;

    fn certificate(names: Vec<SanType>) -> CertificateDer<'static> {
        let mut params = CertificateParams::default();
        params.subject_alt_names = names;
        params.not_after = date_time_ymd(2030, 1, 2);
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().into()
    }

    #[test]
    fn first_uri_goes_before_the_first_dns_name() {
        let dns = |name: &str| SanType::DnsName(name.try_into().unwrap());
        let uri = |name: &str| SanType::URI(name.try_into().unwrap());
        let address = || SanType::IpAddress([192, 0, 2, 1].into());
        for (names, expected) in [
            (vec![dns("a.example"), uri("spiffe://corp/a"), uri("spiffe://corp/b")], Some("spiffe://corp/a")),
            (vec![address(), dns("a.example"), dns("b.example")], Some("a.example")),
            (vec![address()], None),
            (vec![], None),
        ] {
            assert_eq!(name(&certificate(names)).as_deref(), expected);
        }
        assert_eq!(name(&CertificateDer::from(vec![1, 2, 3])), None);
    }

    #[test]
    fn certificate_expires_when_its_validity_ends() {
        assert_eq!(expires_at(&certificate(vec![])), Some(Millis(1_893_542_400_000)));
        assert_eq!(expires_at(&CertificateDer::from(vec![1, 2, 3])), None);
    }
}
