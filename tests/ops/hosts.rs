//! Refused hosts as an operator sees them: in the log, in the metrics, and after a reload. With an access file, and on the
//! ops port, no host is refused.

use std::fs;

use rustix::process::Signal;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::{metrics::scraped, on_postgres::folder, process::Process};

/// The status code of a request for a path under the name of a host.
async fn status(address: &str, path: &str, host: &str) -> u16 {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn refused_hosts_are_counted_and_each_of_100_is_logged_once() {
    let mut process = Process::serve("").await;
    let address = process.address().await;
    for host in (0..105).map(|number| format!("{number}.evil.example")) {
        for host in [host.to_uppercase(), format!("{host}.:50051")] {
            assert_eq!(status(&address, "/", &host).await, 421, "{host}");
        }
    }
    assert_eq!(status(&address, "/", "").await, 400);
    assert_eq!(scraped(&process).await.count("puzzled_host_refusals_total"), 211);
    process.signal(Signal::TERM);
    let lines = process.lines_to_the_end().await;
    let logged: Vec<_> = lines.iter().filter(|line| line.contains("host refused")).collect();
    assert_eq!(logged.len(), 100);
    assert!(logged[0].contains("WARN") && logged[0].ends_with("host=\"0.evil.example\""), "{}", logged[0]);
}

#[tokio::test]
async fn reload_changes_which_hosts_are_answered() {
    let folder = folder();
    let file = folder.path().join("puzzled.toml");
    fs::write(&file, "hosts = 'puzzles.example'\n").unwrap();
    let arguments = "serve --listen 127.0.0.1:0 --workers 0 --config puzzled.toml --config-poll-ms 1000000000";
    let mut process = Process::start(folder, arguments).await;
    let address = process.address().await;
    let both =
        async || [status(&address, "/", "puzzles.example").await, status(&address, "/", "a.games.example").await];
    assert_eq!(both().await, [200, 421]);
    fs::write(&file, "hosts = '.games.example'\n").unwrap();
    process.signal(Signal::HUP);
    process.line("settings reloaded").await;
    assert_eq!(both().await, [421, 200]);
}

#[tokio::test]
async fn insecure_server_checks_hosts_and_its_ops_port_does_not() {
    let mut process = Process::start(folder(), "serve --insecure --listen 0.0.0.0:0 --workers 0").await;
    let address = process.address().await.replace("0.0.0.0", "127.0.0.1");
    assert_eq!(status(&address, "/", "evil.example").await, 421);
    assert_eq!(status(&process.ops, "/livez", "evil.example").await, 200);
    assert_eq!(status(&process.ops, "/metrics", "evil.example").await, 200);
}

#[tokio::test]
async fn server_with_an_access_file_answers_under_any_host() {
    let folder = folder();
    fs::write(folder.path().join("access.toml"), "[[principal]]\nname = 'newsroom'\nrole = 'reader'\n").unwrap();
    let arguments = "serve --listen 127.0.0.1:0 --workers 0 --access access.toml";
    let mut process = Process::start(folder, arguments).await;
    let address = process.address().await;
    assert_eq!(status(&address, "/", "evil.example").await, 200);
    assert_eq!(status(&address, "/puzzles/puzzle-1.svg", "evil.example").await, 401, "a page has no token");
}
