//! The access file of the real binary: entries that `puzzled token new` prints, changes while the server runs, faulty
//! files, and the addresses on which a server may listen.

use std::{fs, path::Path, process::Output};

use puzzled_api::v1::{GetServerInfoRequest, server_service_client::ServerServiceClient};
use rustix::process::Signal;
use tempfile::tempdir;
use tonic::{Code, Request, transport::Endpoint};

use crate::process::{Server, puzzled, run};

const PRINCIPAL: &str = "[[principal]]\nname = 'newsroom'\nrole = 'reader'\n";

/// A new token of the principal, and its entry.
fn new_token(folder: &Path) -> (String, String) {
    let Output { stdout, status, .. } = puzzled(folder, "token new --principal newsroom").output().unwrap();
    assert!(status.success());
    let printed = String::from_utf8(stdout).unwrap();
    let (token, entry) = printed.split_once("\n\n").unwrap();
    assert!(token.starts_with("pzd_") && !entry.contains(token), "{printed}");
    (token.to_owned(), entry.to_owned())
}

/// The code of a call with a token; without one if it is empty.
async fn call(server: &Server, token: &str) -> Code {
    let address = server.address.replace("0.0.0.0", "127.0.0.1");
    let channel = Endpoint::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap();
    let mut request = Request::new(GetServerInfoRequest {});
    if !token.is_empty() {
        request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    }
    let answer = ServerServiceClient::new(channel).get_server_info(request).await;
    answer.map_or_else(|status| status.code(), |_| Code::Ok)
}

#[tokio::test(flavor = "multi_thread")]
async fn printed_entry_admits_its_token_and_a_changed_file_revokes_it() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("access.toml");
    let ((old, old_entry), (new, new_entry)) = (new_token(folder.path()), new_token(folder.path()));
    fs::write(&file, format!("{PRINCIPAL}{old_entry}")).unwrap();
    let server = Server::start(folder.path(), "--access access.toml --config-poll-ms 5");
    assert_eq!((call(&server, &old).await, call(&server, &new).await), (Code::Ok, Code::Unauthenticated));
    fs::write(&file, format!("{PRINCIPAL}{new_entry}")).unwrap();
    let line = server.line_with("access file applied");
    assert!(line.contains("principals=1 tokens=1"), "{line}");
    assert_eq!((call(&server, &old).await, call(&server, &new).await), (Code::Unauthenticated, Code::Ok));
    assert!(!server.log().iter().any(|line| line.contains(&old) || line.contains(&new)));
}

#[tokio::test(flavor = "multi_thread")]
async fn faulty_file_is_one_error_with_its_line_and_changes_nothing() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("access.toml");
    let (token, entry) = new_token(folder.path());
    let good = format!("{PRINCIPAL}{entry}");
    fs::write(&file, &good).unwrap();
    let server = Server::start(folder.path(), "--access access.toml --config-poll-ms 1000000000");
    for (text, words) in [
        (format!("{good}{entry}"), "line 10: sha256: the tokens"),
        (good.replace("'reader'", "'boss'"), "line 3: role: unknown variant `boss`"),
        (format!("{good}[role.reader]\nopen_jobs = 0\n"), "line 9: open_jobs"),
    ] {
        fs::write(&file, text).unwrap();
        server.signal(Signal::HUP);
        let line = server.line_with("access file not applied; the one in force stays");
        assert!(line.contains("ERROR") && line.contains("access.toml") && line.contains(words), "{line}");
        assert_eq!(call(&server, &token).await, Code::Ok);
    }
    // At the start the same fault ends the process.
    let (code, error) = run(puzzled(folder.path(), "serve --listen 127.0.0.1:0 --access access.toml"));
    assert_eq!(code, Some(1));
    assert!(error.contains("line 9: open_jobs"), "{error}");
}

#[test]
fn server_beyond_this_machine_needs_access_and_tls_or_the_word_for_it() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("access.toml"), PRINCIPAL).unwrap();
    for (args, words) in [("", ["--access", "--insecure"]), ("--access access.toml", ["--tls-cert", "--insecure"])] {
        let (code, error) = run(puzzled(folder.path(), &format!("serve --listen 0.0.0.0:0 {args}")));
        assert_eq!(code, Some(1));
        assert!(error.contains("listen: 0.0.0.0:0") && words.iter().all(|word| error.contains(word)), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn insecure_server_listens_anywhere_and_still_asks_for_tokens() {
    let folder = tempdir().unwrap();
    let server = Server::listen(folder.path(), "0.0.0.0:0", "--workers 0 --insecure");
    assert_eq!(call(&server, "").await, Code::Ok);
    drop(server);
    let (token, entry) = new_token(folder.path());
    fs::write(folder.path().join("access.toml"), format!("{PRINCIPAL}{entry}")).unwrap();
    let server = Server::listen(folder.path(), "0.0.0.0:0", "--workers 0 --insecure --access access.toml");
    assert_eq!((call(&server, "").await, call(&server, &token).await), (Code::Unauthenticated, Code::Ok));
}
