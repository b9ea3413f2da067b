//! Commands that connect by TLS: which server certificates they trust, which client certificate they send, and what the
//! error says if the connection fails.

use std::fs;

use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};

use crate::{
    authority::Authority,
    process::{Server, puzzled, run},
    revocations,
    tls::{MUTUAL, World},
};

/// The exit code and the error of a command, with `SERVER` in place of the server's address.
fn shown(world: &World, server: &Server, args: &str, variable: Option<(&str, &str)>) -> (Option<i32>, String) {
    let args = args.replace("SERVER", &server.address).replace("LOCALHOST", &localhost(server));
    let mut command = puzzled(world.path(), &args);
    command.envs(variable);
    let (code, err) = run(command);
    (code, err.replace(&localhost(server), "LOCALHOST").replace(&server.address, "SERVER"))
}

/// The server's address with the name that its certificate has.
fn localhost(server: &Server) -> String {
    server.address.replace("127.0.0.1", "localhost")
}

#[test]
fn each_command_that_connects_speaks_tls() {
    let world = World::new();
    let server = Server::start(world.path(), MUTUAL);
    server.wait_until_serving();
    world.authority.issue("spiffe://corp/ops").write(world.path(), "client");
    for command in ["health", "stock", "jobs", "queue show", "workers", "watch", "target list", "refill"] {
        let args = format!("{command} --address https://LOCALHOST --ca ca.pem --cert client.pem --key client.key");
        let (code, err) = shown(&world, &server, &args, None);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{command}");
        let line = server.line_with("connection accepted");
        assert!(line.ends_with(" certificate=\"spiffe://corp/ops\""), "{line}");
    }
    for command in ["cancel job-7", "retry job-7", "withdraw puzzle-7 --reason no", "get"] {
        let (code, err) = shown(&world, &server, &format!("{command} --address https://LOCALHOST --ca ca.pem"), None);
        assert!(code == Some(1) && err.contains(" no "), "{command}: {err}");
    }
}

#[test]
fn files_of_a_connection_come_from_the_environment_too() {
    let world = World::new();
    let server = Server::start(world.path(), MUTUAL);
    server.wait_until_serving();
    world.authority.issue("other.example").write(world.path(), "other");
    for (args, variable) in [
        ("health --address LOCALHOST", Some(("PUZZLED_CA", "ca.pem"))),
        // The name of the certificate does not count; so a container can ask itself.
        ("health --address SERVER", Some(("PUZZLED_TLS_CERT", "server.pem"))),
        ("stock --address https://SERVER", Some(("PUZZLED_TLS_CERT", "server.pem"))),
        ("health --address SERVER --ca ca.pem", Some(("PUZZLED_SERVER_NAME", "localhost"))),
        ("health --address LOCALHOST --ca ca.pem", Some(("PUZZLED_TLS_CERT", "other.pem"))),
    ] {
        assert_eq!(shown(&world, &server, args, variable), (Some(0), String::new()), "{args}");
    }
    // Exactly this one: the authority of both does not count.
    let (code, err) = shown(&world, &server, "health --address LOCALHOST", Some(("PUZZLED_TLS_CERT", "other.pem")));
    let expected = "error: LOCALHOST: the server has another certificate than the file of --tls-cert or PUZZLED_TLS_CERT; name \
                  that of the server\n";
    assert_eq!((code, err.as_str()), (Some(1), expected));
}

#[test]
fn failed_connection_says_what_to_do() {
    let world = World::new();
    let server = Server::start(world.path(), MUTUAL);
    fs::write(world.path().join("foreign.pem"), Authority::new().pem()).unwrap();
    for (args, expected) in [
        (
            "health --address https://LOCALHOST --ca foreign.pem",
            "LOCALHOST: no trusted authority issued the server's certificate; name the file of its authority with --ca",
        ),
        (
            "health --address https://SERVER --ca ca.pem",
            "SERVER: the server's certificate is for localhost, not for 127.0.0.1; set --server-name",
        ),
        ("health --address https://LOCALHOST --ca ca.pem --cert ca.pem", "--cert: needs --key; name its PEM file too"),
        ("health --address https://LOCALHOST --ca none.pem", "--ca: none.pem: the file does not exist; check its name"),
        (
            "health --address ftp://LOCALHOST",
            "ftp://LOCALHOST: the scheme is not known; use HOST:PORT, http://HOST:PORT, or https://HOST:PORT",
        ),
        (
            "health --address localhost",
            "localhost: the port is missing; use HOST:PORT, http://HOST:PORT, or https://HOST:PORT",
        ),
    ] {
        assert_eq!(shown(&world, &server, args, None), (Some(1), format!("error: {expected}\n")), "{args}");
    }
    for command in ["health", "get", "stock"] {
        let (code, err) = shown(&world, &server, &format!("{command} --address SERVER"), None);
        let expected = "error: SERVER: the server uses TLS; set --address https://SERVER\n";
        assert_eq!((code, err.as_str()), (Some(1), expected), "{command}");
    }
    let plain = Server::start(tempfile::tempdir().unwrap().path(), "");
    let (code, err) = shown(&world, &plain, "health --address https://SERVER --ca ca.pem", None);
    assert!(code == Some(1) && err.ends_with("if the server does not use TLS, set --address http://SERVER\n"), "{err}");
}

#[test]
fn server_certificate_in_the_file_of_ca_is_trusted_if_its_name_fits() {
    let world = World::new();
    // Marked as an authority, as `openssl req -x509` makes it.
    let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    fs::write(world.path().join("server.pem"), params.self_signed(&key).unwrap().pem()).unwrap();
    fs::write(world.path().join("server.key"), key.serialize_pem()).unwrap();
    let server = Server::start(world.path(), "--tls-cert server.pem --tls-key server.key");
    server.wait_until_serving();
    let health = |args: &str| shown(&world, &server, &format!("health --address https://{args}"), None);
    assert_eq!(health("LOCALHOST --ca server.pem"), (Some(0), String::new()));
    let (_, err) = health("SERVER --ca server.pem");
    assert!(err.contains("certificate is for localhost, not for 127.0.0.1; set --server-name"), "{err}");
    let (_, err) = health("LOCALHOST --ca ca.pem");
    let remedy = "is self-signed, or that of an authority; if you trust it, name its file with --ca\n";
    assert!(err.ends_with(remedy), "{err}");
}

#[test]
fn refused_certificate_of_a_command_is_named_with_the_reason() {
    let world = World::new();
    let revoked = world.authority.issue("revoked.example");
    fs::write(world.path().join("crl.pem"), revocations::list(&world.authority, &[&revoked])).unwrap();
    let server = Server::start(world.path(), &format!("{MUTUAL} --tls-crl crl.pem"));
    revoked.write(world.path(), "revoked");
    revocations::issue_expired(&world.authority, "expired.example").write(world.path(), "expired");
    Authority::new().issue("foreign.example").write(world.path(), "foreign");
    for (name, reason) in [
        ("revoked", "it is revoked"),
        ("expired", "it has expired"),
        ("foreign", "it is of no authority that the server trusts"),
    ] {
        let args = format!("health --address https://LOCALHOST --ca ca.pem --cert {name}.pem --key {name}.key");
        let expected = format!(
            "error: LOCALHOST: the server refuses the certificate of this command: {reason}; name another with --cert and --key\n"
        );
        assert_eq!(shown(&world, &server, &args, None), (Some(1), expected), "{name}");
    }
}
