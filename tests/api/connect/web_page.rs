//! The web page: who gets it, its headers, and that it consists of files of the server alone.

use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use super::{
    contract::{CONTRACT, methods},
    http::{Answer, path, send, whole},
};
use crate::server::Server;

/// What Chromium sends for an address that a person opens.
const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,image/avif,*/*;q=0.8");

/// The headers of each file.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'none'; \
         base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    ),
    ("x-content-type-options", "nosniff"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-cache"),
    ("vary", "accept"),
];

async fn get(server: &Server, path: &str, headers: &[(&str, &str)]) -> Answer {
    send(server.address, "GET", path, headers, b"").await
}

/// The names of files that a text has in double quotes after these words.
fn named<'a>(text: &'a str, words: &str) -> Vec<&'a str> {
    text.split(words).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[tokio::test]
async fn browser_gets_the_page_and_other_programs_the_text() {
    let server = Server::start().await;
    for (accept, is_page) in [
        (BROWSER.1, true),
        ("text/plain, TEXT/HTML;level=1", true),
        ("*/*", false),
        ("application/json", false),
        ("text/htmlx", false),
    ] {
        let answer = get(&server, "/", &[("accept", accept)]).await;
        let media_type = if is_page { "text/html; charset=utf-8" } else { "text/plain; charset=utf-8" };
        assert_eq!((answer.status, answer.header("content-type")), (200, media_type), "{accept}");
        assert_eq!(answer.header("vary"), "accept");
        assert_eq!(answer.text().starts_with("<!doctype html>"), is_page, "{accept}");
    }
    assert!(get(&server, "/", &[]).await.text().starts_with("puzzled "));
    let head = send(server.address, "HEAD", "/", &[BROWSER], b"").await;
    assert_eq!((head.status, head.header("content-type"), head.body.len()), (200, "text/html; charset=utf-8", 0));
    // A method is none of its files.
    assert_eq!(get(&server, &path("JobService/GetQueue"), &[BROWSER]).await.status, 405);
    assert_eq!(send(server.address, "POST", "/page.js", &[BROWSER], b"").await.status, 404);
}

#[tokio::test]
async fn each_file_that_the_page_names_has_all_headers() {
    let server = Server::start().await;
    let page = get(&server, "/", &[BROWSER]).await;
    let mut open: Vec<_> = ["href=\"", "src=\""].iter().flat_map(|words| named(page.text(), words)).collect();
    open.retain(|name| !name.starts_with(['#', 'd']));
    let mut open: Vec<_> = open.into_iter().map(str::to_owned).collect();
    let (mut answers, mut seen) = (vec![("/".to_owned(), page)], Vec::new());
    while let Some(name) = open.pop() {
        if seen.contains(&name) {
            continue;
        }
        let answer = get(&server, &format!("/{name}"), &[]).await;
        open.extend(named(answer.text(), "from \"./").into_iter().map(str::to_owned));
        answers.push((name.clone(), answer));
        seen.push(name);
    }
    assert!(seen.len() > 2, "{seen:?}");
    let size: usize = answers.iter().map(|(_, answer)| answer.body.len()).sum();
    let lines: usize = answers.iter().map(|(_, answer)| answer.text().lines().count()).sum();
    assert!(size <= 50_000 && lines <= 900, "{lines} lines, {size} bytes");
    for (name, answer) in &answers {
        let media_type = match name.rsplit_once('.') {
            None => "text/html; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            _ => "text/javascript; charset=utf-8",
        };
        assert_eq!((answer.status, answer.header("content-type")), (200, media_type), "{name}");
        for (header, value) in HEADERS {
            assert_eq!(answer.header(header), value, "{name}");
        }
        assert!(!answer.text().contains("innerHTML") && !answer.text().contains("://"), "{name}");
    }
}

#[tokio::test]
async fn roles_that_the_page_knows_are_those_of_the_contract() {
    let server = Server::start().await;
    let script = get(&server, "/api.js", &[]).await;
    let role = CONTRACT.get_extension_by_name("puzzled.v1.role").unwrap();
    let roles = CONTRACT.get_enum_by_name("puzzled.v1.Role").unwrap();
    let known = script.text().split_once("METHODS = {").unwrap().1.split_once('}').unwrap().0;
    let known: Vec<_> = known.split(',').map(str::trim).filter(|entry| !entry.is_empty()).collect();
    assert!(known.len() > 10, "{known:?}");
    let all: Vec<_> = methods()
        .iter()
        .map(|method| {
            let number = method.options().get_extension(&role).as_enum_number().unwrap();
            let role = roles.get_value(number).unwrap().name().trim_start_matches("ROLE_").to_lowercase();
            format!("{}: \"{} {role}\"", method.name(), method.parent_service().name())
        })
        .collect();
    let others: Vec<_> = known.into_iter().filter(|entry| !all.iter().any(|method| method == entry)).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[tokio::test]
async fn known_file_is_not_sent_again() {
    let server = Server::start().await;
    let tag = get(&server, "/page.js", &[]).await.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.len() == 34, "{tag}");
    for (known, status) in [(tag.clone(), 304), (format!("\"x\", W/{tag}"), 304), ("\"x\"".to_owned(), 200)] {
        let answer = get(&server, "/page.js", &[("if-none-match", &known)]).await;
        assert_eq!((answer.status, answer.header("etag")), (status, tag.as_str()), "{known}");
        assert_eq!((answer.body.is_empty(), answer.header("cache-control")), (status == 304, "no-cache"));
    }
    assert_ne!(get(&server, "/page.css", &[]).await.header("etag"), tag);
}

#[tokio::test]
async fn page_that_is_turned_off_leaves_the_text() {
    let server = Server::with(|options| options.settings.server.page = false).await;
    let answer = get(&server, "/", &[BROWSER]).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/plain; charset=utf-8"));
    assert_eq!(get(&server, "/page.js", &[]).await.status, 404);
}

#[tokio::test]
async fn page_of_a_foreign_host_is_refused() {
    let server = Server::start().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = b"GET / HTTP/1.1\r\nhost: evil.example\r\naccept: text/html\r\nconnection: close\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let answer = whole(&mut stream).await;
    assert_eq!((answer.status, answer.header("content-type")), (421, "text/plain; charset=utf-8"));
}
