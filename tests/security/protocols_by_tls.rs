//! JSON over an encrypted connection: ALPN chooses between HTTP/1.1 and HTTP/2, and callers are identified as by gRPC.

use std::{fs, sync::Arc};

use serde_json::Value;
use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring::default_provider,
        pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject as _},
    },
};

use crate::{
    authority::Pair,
    http::{Answer, path, post_by_http_2, send_over},
    process::Server,
    server::{access_file, entry, token_of},
    tls::{MUTUAL, World},
};

/// The name of a principal in certificates.
const MAKER: &str = "spiffe://corp/maker";

/// A server with a maker, which has a certificate, and a reader, which has a token.
fn server() -> (World, Server) {
    let world = World::new();
    let entries = [entry("reader", "reader"), entry(MAKER, "maker")];
    fs::write(world.path().join("access.toml"), access_file(&entries, 1)).unwrap();
    let server = Server::start(world.path(), &format!("{MUTUAL} --access access.toml"));
    (world, server)
}

/// Connects with a certificate or without, and offers these protocols to the server.
async fn connect(world: &World, server: &Server, pair: Option<&Pair>, offers: &[&[u8]]) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(world.authority.pem().as_bytes()).unwrap()).unwrap();
    let provider = Arc::new(default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots);
    let mut config = match pair {
        Some(Pair { cert, key }) => {
            let cert = CertificateDer::from_pem_slice(cert.as_bytes()).unwrap();
            config.with_client_auth_cert(vec![cert], PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap()).unwrap()
        }
        None => config.with_no_client_auth(),
    };
    config.alpn_protocols = offers.iter().map(|offer| offer.to_vec()).collect();
    let stream = TcpStream::connect(&server.address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await.unwrap()
}

/// Asks for the queue, which needs a maker, by the protocol that the server chose.
async fn get_queue(stream: TlsStream<TcpStream>, bearer: Option<&str>) -> Answer {
    let mut headers = vec![("content-type", "application/json")];
    headers.extend(bearer.map(|bearer| ("authorization", bearer)));
    let path = path("JobService/GetQueue");
    match stream.get_ref().1.alpn_protocol() {
        Some(b"h2") => post_by_http_2(stream, &path, &headers, b"{}").await,
        _ => send_over(stream, "POST", &path, &headers, b"{}").await,
    }
}

#[tokio::test]
async fn token_and_certificate_identify_callers_of_both_versions_of_http() {
    let (world, server) = server();
    let (listed, unlisted) = (world.authority.issue(MAKER), world.authority.issue("spiffe://corp/stranger"));
    let bearer = format!("Bearer {}", token_of("reader"));
    for version in [&b"http/1.1"[..], b"h2"] {
        for (pair, bearer, status, words) in [
            (None, None, 401, "authorization: missing"),
            (Some(&unlisted), None, 401, "certificate: \"spiffe://corp/stranger\" is not the name of a principal"),
            (Some(&listed), None, 200, ""),
            (None, Some(&bearer), 403, "\"reader\" has the role reader; this needs the role maker"),
            // The token decides.
            (Some(&listed), Some(&bearer), 403, "\"reader\" has the role reader"),
        ] {
            let stream = connect(&world, &server, pair, &[version]).await;
            assert_eq!(stream.get_ref().1.alpn_protocol(), Some(version));
            let answer = get_queue(stream, bearer.map(String::as_str)).await;
            assert_eq!(answer.status, status, "{answer:?}");
            let message = answer.json().get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
            assert!(message.contains(words), "{message}");
        }
    }
}

#[tokio::test]
async fn server_prefers_http_2_and_speaks_http_1_without_alpn() {
    let (world, server) = server();
    let listed = world.authority.issue(MAKER);
    for (offers, chosen) in [(&[&b"http/1.1"[..], b"h2"][..], Some(&b"h2"[..])), (&[], None)] {
        let stream = connect(&world, &server, Some(&listed), offers).await;
        assert_eq!(stream.get_ref().1.alpn_protocol(), chosen);
        assert_eq!(get_queue(stream, None).await.status, 200);
    }
}
