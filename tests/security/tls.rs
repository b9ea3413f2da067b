//! The encrypted listener: certificates of clients, refused certificates and files, and connections on which the client
//! sends nothing. Also the certificates and connections for the other tests of TLS.

use std::{fs, path::Path, time::Duration};

use puzzled_api::v1::{GetServerInfoRequest, server_service_client::ServerServiceClient};
use tempfile::{TempDir, tempdir};
use tokio::net::TcpStream;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};

use crate::{
    authority::{Authority, Pair},
    process::{Server, puzzled, run},
    revocations,
};

/// The files of a server with a certificate, whose clients may have one too.
pub(crate) const MUTUAL: &str = "--tls-cert server.pem --tls-key server.key --tls-client-ca clients.pem --log debug";

/// A server for `localhost` whose authority also issues the certificates of its clients.
pub(crate) struct World {
    pub(crate) folder: TempDir,
    pub(crate) authority: Authority,
}

impl World {
    pub(crate) fn new() -> Self {
        let (folder, authority) = (tempdir().unwrap(), Authority::new());
        authority.issue("localhost").write(folder.path(), "server");
        for name in ["clients.pem", "ca.pem"] {
            fs::write(folder.path().join(name), authority.pem()).unwrap();
        }
        Self { folder, authority }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Connects a client that trusts the authority, with a certificate or without.
    pub(crate) async fn connect(
        &self,
        server: &Server,
        client: Option<&Pair>,
    ) -> Result<Channel, tonic::transport::Error> {
        connect(server, &self.authority, client).await
    }
}

pub(crate) async fn connect(
    server: &Server,
    authority: &Authority,
    client: Option<&Pair>,
) -> Result<Channel, tonic::transport::Error> {
    let mut tls =
        ClientTlsConfig::new().ca_certificate(Certificate::from_pem(authority.pem())).domain_name("localhost");
    if let Some(pair) = client {
        tls = tls.identity(Identity::from_pem(&pair.cert, &pair.key));
    }
    let endpoint = Endpoint::from_shared(format!("https://{}", server.address))?.tls_config(tls)?;
    endpoint.timeout(Duration::from_mins(1)).connect().await
}

/// Whether a call is answered, in any way.
pub(crate) async fn is_answered(channel: &Channel) -> bool {
    let answer = ServerServiceClient::new(channel.clone()).get_server_info(GetServerInfoRequest {}).await;
    // A failure of the connection has a cause; a status from the server has none.
    answer.map_or_else(|status| std::error::Error::source(&status).is_none(), |_| true)
}

/// Whether a client is served over a new connection.
async fn is_served(world: &World, server: &Server, client: Option<&Pair>) -> bool {
    match world.connect(server, client).await {
        Ok(channel) => is_answered(&channel).await,
        Err(_) => false,
    }
}

#[tokio::test]
async fn name_in_a_clients_certificate_is_known_and_no_certificate_is_needed() {
    let world = World::new();
    let server = Server::start(world.path(), MUTUAL);
    for (name, expected) in [
        (Some("spiffe://corp/newspaper"), " certificate=\"spiffe://corp/newspaper\""),
        (Some("puzzles.example"), " certificate=\"puzzles.example\""),
        (None, ""),
    ] {
        let pair = name.map(|name| world.authority.issue(name));
        assert!(is_served(&world, &server, pair.as_ref()).await);
        let line = server.line_with("connection accepted");
        assert!(line.split_once(" connection=").unwrap().1.trim_start_matches(char::is_numeric) == expected, "{line}");
    }
}

#[tokio::test]
async fn expired_foreign_and_revoked_certificates_are_refused_with_a_reason() {
    let world = World::new();
    let revoked = world.authority.issue("revoked.example");
    fs::write(world.path().join("crl.pem"), revocations::list(&world.authority, &[&revoked])).unwrap();
    let server = Server::start(world.path(), &format!("{MUTUAL} --tls-crl crl.pem"));
    let expired = revocations::issue_expired(&world.authority, "expired.example");
    let foreign = Authority::new().issue("foreign.example");
    for (pair, reason) in [(&revoked, "Revoked"), (&expired, "expired"), (&foreign, "UnknownIssuer")] {
        assert!(!is_served(&world, &server, Some(pair)).await);
        let line = server.line_with("handshake failed");
        assert!(line.contains(reason), "{line}");
    }
    assert!(is_served(&world, &server, Some(&world.authority.issue("valid.example"))).await);
}

#[test]
fn files_that_do_not_go_together_are_refused_at_the_start() {
    let world = World::new();
    let path = |name: &str| world.path().join(name);
    world.authority.issue("localhost").write(world.path(), "other");
    revocations::issue_expired(&world.authority, "localhost").write(world.path(), "expired");
    fs::write(path("empty.pem"), "").unwrap();
    fs::write(path("half.pem"), "-----BEGIN CERTIFICATE-----\nMIIB").unwrap();
    for (args, expected) in [
        ("--tls-cert server.pem", "tls_cert: needs tls_key; name its PEM file too"),
        (
            "--tls-cert server.pem --tls-key other.key",
            "tls_key: other.key: the key does not belong to the certificate in server.pem; name the files of one pair",
        ),
        (
            "--tls-cert expired.pem --tls-key expired.key",
            "tls_cert: expired.pem: the certificate expired at 2001-01-01T00:00:00Z; renew it",
        ),
        ("--tls-cert none.pem --tls-key server.key", "tls_cert: none.pem: the file does not exist; check its name"),
        (
            "--tls-cert empty.pem --tls-key server.key",
            "tls_cert: empty.pem: no certificate in it; write each as `BEGIN CERTIFICATE`",
        ),
        (
            "--tls-cert half.pem --tls-key server.key",
            "tls_cert: half.pem: not a PEM file; write each certificate as `BEGIN CERTIFICATE`",
        ),
        (
            "--tls-cert server.pem --tls-key server.pem",
            "tls_key: server.pem: no key in it; write an unencrypted key in PEM, `BEGIN PRIVATE KEY`",
        ),
        (
            "--tls-cert server.pem --tls-key server.key --tls-client-ca clients.pem --tls-crl ca.pem",
            "tls_crl: ca.pem: no list of revoked certificates in it; write each as `BEGIN X509 CRL`",
        ),
    ] {
        let shown = run(puzzled(world.path(), &format!("serve --listen 127.0.0.1:0 --workers 0 {args}")));
        assert_eq!(shown, (Some(1), format!("error: {expected}\n")), "{args}");
    }
}

#[tokio::test]
async fn silent_sockets_on_an_encrypted_port_do_not_block_others() {
    let world = World::new();
    let server = Server::start(world.path(), &format!("{MUTUAL} --max-handshakes 16 --max-connections 4"));
    let mut silent = Vec::new();
    for _ in 0..100 {
        silent.push(TcpStream::connect(&server.address).await.unwrap());
    }
    assert!(is_served(&world, &server, None).await);
    drop(silent);
}
