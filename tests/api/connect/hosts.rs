//! Which hosts a server without an access file answers: addresses, `localhost`, and the names of its setting. A web page
//! that rebinds its own name to the server's address is refused.

use serde_json::json;
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use super::{
    contract,
    http::{self, Answer, path, post, post_by_http_2, with_head},
};
use crate::server::{Options, Server};
use puzzled_engine::shared::symmetry::Symmetry;

const REFUSED: &str = "host: \"evil.example\" is not a name of this server; use an IP address or localhost, or add the name to the \
                       setting `hosts` (`--hosts`, PUZZLED_HOSTS)";

/// Sends exactly these lines as the head of a request, and a body of JSON.
async fn ask(server: &Server, lines: &str) -> Answer {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let body = if lines.starts_with("POST") { "{}" } else { "" };
    let request = format!("{lines}content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await.unwrap();
    http::whole(&mut stream).await
}

/// The status of `GET /` with these hosts.
async fn status(server: &Server, target: &str, hosts: &[&str]) -> u16 {
    let hosts = hosts.iter().fold(String::new(), |hosts, host| hosts + "Host: " + host + "\r\n");
    ask(server, &format!("GET {target} HTTP/1.1\r\n{hosts}")).await.status
}

fn is_refusal_of_a_method(answer: &Answer) -> bool {
    let json = answer.json();
    let debug = &json["details"][0]["debug"];
    answer.status == 421
        && (json["code"].as_str(), json["message"].as_str()) == (Some("permission_denied"), Some(REFUSED))
        && (debug["reason"].as_str(), debug["domain"].as_str()) == (Some("HOST_NOT_ALLOWED"), Some("puzzled.v1"))
}

#[tokio::test]
async fn each_method_of_the_door_refuses_the_name_of_a_page() {
    let server = Server::start().await;
    for method in contract::methods() {
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        for (verb, content_type) in [
            ("POST", "application/json"),
            ("POST", "application/proto"),
            ("POST", "application/connect+json"),
            ("POST", "application/connect+proto"),
            ("POST", "application/grpc"),
            ("POST", "application/grpc-web"),
            ("POST", "text/plain"),
            ("GET", "application/json"),
            ("OPTIONS", "application/json"),
        ] {
            let lines = format!("{verb} {path} HTTP/1.1\r\nHost: evil.example\r\ncontent-type: {content_type}\r\n");
            let answer = ask(&server, &lines).await;
            assert!(is_refusal_of_a_method(&answer), "{verb} {path} {content_type}: {answer:?}");
        }
    }
    let queue = post(server.address, "JobService/GetQueue", &json!({})).await;
    assert_eq!(queue.status, 200);
    assert_ne!(queue.json()["queue"]["paused"].as_bool(), Some(true));
}

#[tokio::test]
async fn pages_and_pictures_refuse_the_name_of_a_page() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 1).await;
    for target in ["/", "/puzzles/puzzle-1.svg", "/puzzles/puzzle-1.pdf?solution=true", "/puzzles/", "/favicon.ico"] {
        assert_ne!(status(&server, target, &["localhost"]).await, 421, "{target}");
        for verb in ["GET", "POST", "OPTIONS"] {
            let answer = ask(&server, &format!("{verb} {target} HTTP/1.1\r\nHost: evil.example:50051\r\n")).await;
            assert_eq!((answer.status, answer.text()), (421, &*format!("{REFUSED}\n")), "{verb} {target}");
            assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
        }
        let answer = ask(&server, &format!("HEAD {target} HTTP/1.1\r\nHost: evil.example\r\n")).await;
        assert_eq!((answer.status, answer.body.len()), (421, 0), "HEAD {target}");
    }
}

#[tokio::test]
async fn preflights_are_checked_before_cors() {
    let ours = "https://example.org";
    let server = Server::with(|options| options.settings.server.cors_origins = ours.to_owned()).await;
    for (host, code, allowed) in [("localhost", 200, ours), ("evil.example", 421, "")] {
        let path = path("PuzzleService/GetPuzzle");
        let head = format!("OPTIONS {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {ours}\r\n");
        let answer = ask(&server, &format!("{head}Access-Control-Request-Method: POST\r\n")).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (code, allowed), "{host}");
    }
}

fn with_hosts(options: &mut Options) {
    options.settings.server.hosts = "puzzled,.example.com".to_owned();
}

#[tokio::test]
async fn names_are_compared_without_port_case_and_trailing_dot() {
    let server = Server::with(with_hosts).await;
    for host in [
        "localhost",
        "LocalHost:50051",
        "localhost.:1",
        "games.localhost",
        "127.0.0.1:1",
        "192.0.2.7",
        "[::1]:50051",
        "[2001:db8::7]",
        "Puzzled.:50051",
        "a.b.Example.Com:443",
    ] {
        assert_eq!(status(&server, "/", &[host]).await, 200, "{host}");
    }
    for host in [
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "evil-localhost",
        "example.com",
        "evilexample.com",
        "a.example.com.evil.example",
        "puzzled.evil.example",
        "localhost..",
        "127.1",
        "[evil.example]:1",
        "localhost:1@evil.example",
        "*",
    ] {
        assert_eq!(status(&server, "/", &[host]).await, 421, "{host}");
    }
}

#[tokio::test]
async fn each_name_of_a_request_is_checked() {
    let server = Server::start().await;
    for (target, hosts, expected) in [
        ("http://localhost:50051/", &["localhost"][..], 200),
        ("http://localhost/", &["LOCALHOST.:50051"], 200),
        ("http://127.0.0.1/", &[], 200),
        ("http://evil.example/", &["evil.example"], 421),
        ("http://evil.example/", &[], 421),
        ("http://evil.example/", &["localhost"], 400),
        ("http://localhost/", &["evil.example"], 400),
        ("/", &["localhost", "evil.example"], 400),
        ("/", &["evil.example", "localhost"], 400),
        ("/", &["localhost", "127.0.0.1"], 400),
        ("/", &["localhost", "localhost:50051"], 200),
        ("/", &["evil.example", "evil.example"], 421),
        ("/", &["localhost", ""], 400),
        ("/", &["localhost, evil.example"], 421),
        ("/", &[], 400),
        ("/", &[""], 400),
    ] {
        assert_eq!(status(&server, target, hosts).await, expected, "{target} {hosts:?}");
    }
    let answer = ask(&server, "GET / HTTP/1.1\r\n").await;
    assert_eq!(answer.text(), "host: required; send the name or the address of the server\n");
    let queue = path("JobService/GetQueue");
    let answer = ask(&server, &format!("POST {queue} HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n")).await;
    let json = answer.json();
    assert_eq!((answer.status, json["code"].as_str()), (400, Some("invalid_argument")));
    assert_eq!(json["message"].as_str(), Some("host: \"localhost\" and \"evil.example\" differ; send one host"));
}

#[tokio::test]
async fn forwarded_host_is_never_read() {
    let server = Server::start().await;
    for (host, forwarded, expected) in [("localhost", "evil.example", 200), ("evil.example", "localhost", 421)] {
        let lines = format!(
            "GET / HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-Host: {forwarded}\r\nForwarded: host={forwarded}\r\n"
        );
        assert_eq!(ask(&server, &lines).await.status, expected, "{host}");
    }
}

#[tokio::test]
async fn http_2_is_checked_unless_it_is_grpc() {
    let server = Server::start().await;
    let method = path("JobService/GetQueue");
    for (authority, content_type, expected) in [
        ("localhost", "application/json", 200),
        ("evil.example:50051", "application/json", 421),
        ("evil.example", "application/grpc-web", 421),
        ("evil.example", "application/grpc", 200),
        ("evil.example", "application/grpc+proto", 200),
    ] {
        let stream = TcpStream::connect(server.address).await.unwrap();
        let body = if content_type == "application/json" { b"{}".to_vec() } else { with_head(0, b"") };
        let headers = [("content-type", content_type), ("te", "trailers")];
        let answer = post_by_http_2(stream, &format!("http://{authority}{method}"), &headers, &body).await;
        assert_eq!(answer.status, expected, "{authority} {content_type}");
    }
}
