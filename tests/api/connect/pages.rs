//! What a browser gets: pages that show which call to try, and the headers that let pages of listed origins call the
//! API.

use super::http::{path, send};
use crate::server::Server;

const TRY: &str = "curl -d '{\"kind\":\"KIND_SUDOKU\",\"wait\":true,\"enqueueIfShort\":true}' \
                   -H 'content-type: application/json' localhost/puzzled.v1.PuzzleService/GetPuzzle\n";

#[tokio::test]
async fn each_path_that_is_opened_shows_what_to_try() {
    let server = Server::start().await;
    for (method, path, status, allow) in [
        ("GET", "/".to_owned(), 200, ""),
        ("GET", path("PuzzleService/GetPuzzle"), 405, "POST"),
        ("PUT", path("JobService/WatchJob"), 405, "POST"),
        ("GET", "/favicon.ico".to_owned(), 404, ""),
        ("POST", "/".to_owned(), 404, ""),
    ] {
        let answer = send(server.address, method, &path, &[], b"").await;
        assert_eq!((answer.status, answer.header("allow")), (status, allow), "{method} {path}");
        let text = answer.text();
        assert!(text.contains(concat!("puzzled ", env!("CARGO_PKG_VERSION"))) && text.ends_with(TRY), "{text}");
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    }
    let head = send(server.address, "HEAD", "/", &[], b"").await;
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[tokio::test]
async fn host_with_other_characters_is_not_repeated() {
    let server = Server::start().await;
    let headers = [("host", "x'y"), ("x-test", "1")];
    let answer = send(server.address, "GET", "/", &headers, b"").await;
    assert!(answer.status == 400 || !answer.text().contains("x'y"), "{answer:?}");
}

/// The headers of requests that `docs/json.md` names, except the one that a browser sets itself.
fn headers_on_the_page() -> Vec<String> {
    let page = include_str!("../../../docs/json.md");
    let rows = page.lines().skip_while(|line| !line.starts_with("| Header |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let names = rows.flat_map(|row| row.split('|').nth(1).unwrap().split(','));
    let names = names.map(|name| name.trim_matches([' ', '`']).split(':').next().unwrap().to_owned());
    let more = ["content-type", "connect-protocol-version", "connect-content-encoding", "connect-accept-encoding"];
    let all: Vec<_> = names.chain(more.map(str::to_owned)).filter(|name| name != "accept-encoding").collect();
    assert!(all.iter().any(|name| name == "tracestate"), "{all:?}");
    all
}

#[tokio::test]
async fn pages_of_listed_origins_may_call_the_api() {
    let ours = "https://example.org";
    let server = Server::with(|options| options.settings.server.cors_origins = ours.to_owned()).await;
    for (origin, allowed) in [(ours, ours), ("https://example.com", "")] {
        let asks = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "content-type,connect-protocol-version,authorization"),
        ];
        let answer = send(server.address, "OPTIONS", &path("JobService/GetQueue"), &asks, b"").await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, allowed), "{origin}");
        assert_eq!(answer.header("access-control-allow-methods"), "POST");
        let admitted: Vec<_> = answer.header("access-control-allow-headers").split(',').collect();
        for name in headers_on_the_page() {
            assert!(admitted.contains(&name.as_str()), "{name}: {answer:?}");
        }
        let headers = [("origin", origin), ("content-type", "application/json")];
        let answer = send(server.address, "POST", &path("JobService/GetQueue"), &headers, b"{}").await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, allowed), "{origin}");
        assert!(answer.header("access-control-expose-headers").contains("x-request-id"));
    }
}

#[tokio::test]
async fn pages_of_other_origins_are_not_admitted_by_default() {
    let server = Server::start().await;
    let headers = [("origin", "https://example.org"), ("content-type", "application/json")];
    let answer = send(server.address, "POST", &path("JobService/GetQueue"), &headers, b"{}").await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, ""));
    assert_eq!(send(server.address, "OPTIONS", &path("JobService/GetQueue"), &headers[..1], b"").await.status, 405);
}
