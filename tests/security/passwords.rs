//! The password of a database in a file: it is sent to the database, and never shown. A file that cannot be used is
//! named with the reason.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    thread::{self, JoinHandle},
};

use tempfile::tempdir;

use crate::process::puzzled;

pub(crate) const PASSWORD: &str = "canary-5f1d";

/// PostgreSQL's request for a password in plain text.
const ASKS: [u8; 9] = [b'R', 0, 0, 0, 8, 0, 0, 0, 3];

#[test]
fn password_of_the_file_is_sent_and_shown_nowhere() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("password"), format!("{PASSWORD}\n")).unwrap();
    for own in ["", ":of-the-url"] {
        let (address, asked) = asks_for_password();
        let url = format!("postgres://puzzled{own}@{address}/stock?sslmode=disable");
        let mut command = puzzled(folder.path(), &format!("check --database {url}"));
        command.env("PUZZLED_DATABASE_PASSWORD_FILE", "password");
        let ran = command.output().unwrap();
        assert_eq!(asked.join().unwrap(), PASSWORD);
        assert_eq!(ran.status.code(), Some(1));
        assert_hidden(&ran.stdout);
        assert_hidden(&ran.stderr);
    }
}

/// A port that asks its first client for its password, closes the connection, and refuses all others. The thread returns the
/// password.
pub(crate) fn asks_for_password() -> (SocketAddr, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    (listener.local_addr().unwrap(), thread::spawn(move || sent_password(listener.accept().unwrap().0)))
}

/// What a client sends as its password.
fn sent_password(mut client: TcpStream) -> String {
    let mut len = [0; 4];
    client.read_exact(&mut len).unwrap();
    read_rest(&mut client, len);
    client.write_all(&ASKS).unwrap();
    let mut kind = [0];
    client.read_exact(&mut kind).unwrap();
    assert_eq!(kind, *b"p");
    client.read_exact(&mut len).unwrap();
    String::from_utf8(read_rest(&mut client, len)).unwrap().trim_end_matches('\0').to_owned()
}

/// The rest of a message whose length counts itself.
fn read_rest(client: &mut TcpStream, len: [u8; 4]) -> Vec<u8> {
    let mut rest = vec![0; u32::from_be_bytes(len) as usize - len.len()];
    client.read_exact(&mut rest).unwrap();
    rest
}

#[test]
fn settings_are_shown_without_the_password() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("password"), PASSWORD).unwrap();
    let database = format!("--database postgres://puzzled:{PASSWORD}@db/stock --database-password-file password");
    let ran = puzzled(folder.path(), &format!("serve --show-config {database}")).output().unwrap();
    assert_hidden(&ran.stdout);
    let shown = String::from_utf8(ran.stdout).unwrap();
    assert!(shown.contains("database_password_file = \"password\"\n"), "{shown}");
}

#[test]
fn unusable_password_file_is_named_with_the_reason() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("empty"), "\n").unwrap();
    fs::write(folder.path().join("long"), format!("{PASSWORD}\nsecond\n")).unwrap();
    for (file, reason) in [
        ("none", "the file does not exist; check its name"),
        ("empty", "the file is empty; write one line into it"),
        ("long", "the file has more than one line; write one line into it"),
    ] {
        let args = format!("check --database postgres://puzzled@db/stock --database-password-file {file}");
        let ran = puzzled(folder.path(), &args).output().unwrap();
        let expected = format!("error: --database-password-file: {file}: {reason}\n");
        assert_eq!((ran.status.code(), String::from_utf8(ran.stderr).unwrap()), (Some(1), expected));
    }
}

fn assert_hidden(shown: &[u8]) {
    let shown = String::from_utf8_lossy(shown);
    assert!(!shown.contains(PASSWORD), "{shown}");
}
