//! Refused requests of the Connect protocol: message and details are those of gRPC, and the HTTP status is the one that the
//! Connect specification assigns to the code.

use prost::Message as _;
use puzzled_api::v1 as pb;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::{
    contract, grpc,
    http::{self, Answer, gzip, path, send, with_head},
};
use crate::server::Server;

const JSON: (&str, &str) = ("content-type", "application/json");

/// The reason of an error, from its decoded details.
fn reason(error: &Value) -> &str {
    error["details"][0]["debug"]["reason"].as_str().unwrap_or_else(|| panic!("no reason in {error}"))
}

async fn post(server: &Server, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    send(server.address, "POST", &path("PuzzleService/GetPuzzle"), headers, body).await
}

#[tokio::test]
async fn wrong_json_is_refused_with_its_place_or_its_fields() {
    let server = Server::start().await;
    let cases = [
        ("", "body: empty; send {} for a request without fields"),
        ("{", "body: not valid JSON: EOF while parsing an object at line 1 column 1; send one JSON object"),
        ("{} {}", "body: not valid JSON: trailing characters at line 1 column 4; send one JSON object"),
        ("[]", "body: not a JSON object; use {\"field\": value}"),
        ("{\"kinds\":1}", "kinds: unknown field; did you mean kind?"),
        ("{\"minGivens\":-1}", "minGivens: -1 is not allowed; use a whole number from 0 to 4294967295"),
        ("{\"kind\":\"KIND_SUDOKU\",\"kind\":\"KIND_KAKURO\"}", "kind: stated twice; state it once"),
        ("{\"min_rating\":2,\"kind\":1,\"minRating\":3}", "minRating: stated twice; state it once"),
        ("{\"kind\":\"KIND_SUDOKO\"}", "kind: \"KIND_SUDOKO\" is unknown; did you mean KIND_SUDOKU?"),
    ];
    for (body, expected) in cases {
        let answer = post(&server, &[JSON], body.as_bytes()).await;
        let error = answer.json();
        assert_eq!((answer.status, &error["code"]), (400, &json!("invalid_argument")), "{body}: {error}");
        assert_eq!((error["message"].as_str().unwrap(), reason(&error)), (expected, "INVALID_FIELD"), "{body}");
    }
    // A byte order mark before the JSON is skipped.
    let marked = post(&server, &[JSON], "\u{feff}{\"id\":\"puzzle-9\"}".as_bytes()).await;
    assert_eq!((marked.status, reason(&marked.json())), (404, "PUZZLE_NOT_FOUND"));
    let twice = "{\"requests\":[{},{\"kind\":1,\"kind\":1}]}";
    let batch = path("PuzzleService/BatchGetPuzzles");
    let error = send(server.address, "POST", &batch, &[JSON], twice.as_bytes()).await.json();
    assert_eq!(error["message"], "requests[1].kind: stated twice; state it once");
    let nested =
        json!({ "requests": [{ "kind": "KIND_SUDOKU" }, { "kind": 1, "wait": "yes", "levle": "LEVEL_EASY" }] });
    let error = http::post(server.address, "PuzzleService/BatchGetPuzzles", &nested).await.json();
    let fields = &error["details"][1]["debug"]["fieldViolations"];
    let fields: Vec<_> = fields.as_array().unwrap().iter().map(|fault| fault["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["requests[1].levle", "requests[1].wait"], "{error}");
    let wrong: Vec<_> = (0..9).map(|_| json!({ "level": "easy", "wait": "yes", "kind": "x" })).collect();
    let error = http::post(server.address, "PuzzleService/BatchGetPuzzles", &json!({ "requests": wrong })).await.json();
    let fields = error["details"][1]["debug"]["fieldViolations"].as_array().unwrap();
    assert_eq!(fields.len(), 8, "{error}");
}

#[tokio::test]
async fn wrong_headers_are_refused() {
    let server = Server::start().await;
    for (header, expected) in [
        (("connect-protocol-version", "2"), "connect-protocol-version: \"2\" is not supported; use 1"),
        (
            ("connect-timeout-ms", "12345678901"),
            "connect-timeout-ms: \"12345678901\" is not allowed; use up to 10 digits, in milliseconds",
        ),
    ] {
        let answer = post(&server, &[JSON, header], b"{}").await;
        assert_eq!((answer.status, answer.json()["message"].as_str().unwrap()), (400, expected));
    }
    let answer = post(&server, &[JSON, ("content-encoding", "br")], b"{}").await;
    assert_eq!((answer.status, &answer.json()["code"]), (501, &json!("unimplemented")));
    assert_eq!(reason(&answer.json()), "COMPRESSION_UNSUPPORTED");
}

#[tokio::test]
async fn wrong_content_type_is_refused_with_those_that_the_method_takes() {
    let server = Server::start().await;
    for sent in ["application/x-www-form-urlencoded", "text/json", "application/connect+json", "application/grpc"] {
        let answer = post(&server, &[("content-type", sent)], b"{}").await;
        assert_eq!((answer.status, answer.header("accept-post")), (415, "application/json, application/proto"));
        let expected = "is not supported here; use application/json or application/proto, or gRPC over HTTP/2";
        assert_eq!(answer.json()["message"], format!("content-type: \"{sent}\" {expected}"));
    }
    let watch = http::post(server.address, "JobService/WatchJob", &json!({ "id": "job-1" })).await;
    let expected = "application/connect+json, application/connect+proto";
    assert_eq!((watch.status, watch.header("accept-post")), (415, expected));
}

#[tokio::test]
async fn unknown_methods_are_refused() {
    let server = Server::start().await;
    let answer = send(server.address, "POST", "/puzzled.v1.PuzzleService/Get", &[JSON], b"{}").await;
    assert_eq!((answer.status, &answer.json()["code"]), (501, &json!("unimplemented")));
    assert_eq!(reason(&answer.json()), "METHOD_UNKNOWN");
    // Reflection has streams in both directions, which plain HTTP does not reach.
    let path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    assert_eq!(send(server.address, "POST", path, &[JSON], b"{}").await.status, 501);
}

#[tokio::test]
async fn body_beyond_the_bound_is_refused_before_and_after_decompression() {
    let server = Server::with(|options| options.settings.limits.max_request_bytes = 10_000).await;
    let bomb = gzip(&vec![b' '; 8 << 20]);
    assert!(bomb.len() < 10_000);
    let padded = format!("{{\"kind\":\"KIND_SUDOKU\",\"id\":\"{}\"}}", "x".repeat(10_000));
    let huge = vec![b' '; 1 << 20];
    for (headers, body) in [
        (vec![JSON], padded.as_bytes()),
        (vec![JSON], &huge),
        (vec![("content-type", "application/proto")], &huge),
        (vec![JSON, ("content-encoding", "gzip")], &bomb),
    ] {
        let answer = post(&server, &headers, body).await;
        assert_eq!((answer.status, &answer.json()["code"]), (400, &json!("out_of_range")), "{headers:?}");
        assert_eq!(reason(&answer.json()), "MESSAGE_TOO_LARGE");
    }
    let headers = [("content-type", "application/connect+json"), ("connect-content-encoding", "gzip")];
    let path = path("PuzzleService/ExportPuzzles");
    let answer = send(server.address, "POST", &path, &headers, &with_head(1, &bomb)).await;
    let (messages, end) = answer.json_messages();
    assert_eq!((answer.status, messages.len(), &end["error"]["code"]), (200, 0, &json!("out_of_range")));
}

#[tokio::test]
async fn bad_compression_is_refused() {
    let server = Server::start().await;
    let whole = gzip(b"{}");
    for body in [&b"{}"[..], &whole[..whole.len() - 1], &[]] {
        let answer = post(&server, &[JSON, ("content-encoding", "gzip")], body).await;
        assert_eq!((answer.status, &answer.json()["code"]), (400, &json!("invalid_argument")));
        assert!(answer.json()["message"].as_str().unwrap().starts_with("body: "), "{answer:?}");
    }
}

#[tokio::test]
async fn message_of_a_stream_with_a_wrong_head_is_refused() {
    let server = Server::start().await;
    let headers = [("content-type", "application/connect+json")];
    for (body, expected) in [
        (Vec::new(), "body: less than five bytes; a message begins with its flags and its length"),
        (with_head(2, b"{}"), "body: unknown flags of a message; use 0, or 1 for a compressed message"),
        (with_head(1, b"{}"), "body: compressed, but `connect-content-encoding` does not say how"),
        (b"\0\0\0\0\x09{}".to_vec(), "body: 2 bytes after a head that says 9; send one message"),
        (with_head(0, b"{}").repeat(2), "body: 9 bytes after a head that says 2; send one message"),
    ] {
        let answer = send(server.address, "POST", &path("JobService/WatchJob"), &headers, &body).await;
        let (messages, end) = answer.json_messages();
        assert_eq!((answer.status, messages.len(), end["error"]["message"].as_str().unwrap()), (200, 0, expected));
    }
}

#[tokio::test]
async fn errors_have_the_message_and_the_details_of_grpc() {
    let server = Server::start().await;
    for (method, request, status) in [
        ("JobService/GetJob", json!({ "id": "job-9" }), 404),
        ("PuzzleService/GetPuzzle", json!({ "kind": "KIND_SUDOKU" }), 400),
        ("PuzzleService/Generate", json!({ "count": 0 }), 400),
        ("PuzzleService/Rate", json!({ "kind": "KIND_SUDOKU", "text": "12" }), 400),
    ] {
        let by_grpc = grpc::call(&server, method, &request).await.unwrap_err();
        let answer = http::post(server.address, method, &request).await;
        let error = answer.json();
        assert_eq!((answer.status, error["message"].as_str()), (status, Some(by_grpc.message())), "{method}");
        let details = tonic_types::pb::Status::decode(by_grpc.details()).unwrap().details;
        let names = details.iter().map(|detail| detail.type_url.rsplit('/').next().unwrap().to_owned());
        let sent = error["details"].as_array().unwrap();
        assert_eq!(
            sent.iter().map(|detail| detail["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>(),
            names.collect::<Vec<_>>()
        );
        // The ID of each call differs.
        let is_same = |sent: &Value| sent["type"] != "google.rpc.RequestInfo";
        for (sent, detail) in sent.iter().zip(&details).filter(|(sent, _)| is_same(sent)) {
            let descriptor = contract::CONTRACT.get_message_by_name(sent["type"].as_str().unwrap()).unwrap();
            let decoded = prost_reflect::DynamicMessage::decode(descriptor, &*detail.value).unwrap();
            assert_eq!(sent["debug"], contract::json(&decoded), "{method}");
        }
    }
}

#[tokio::test]
async fn stream_that_fails_ends_with_the_error() {
    let server = Server::start().await;
    let answer = http::stream(server.address, "JobService/WatchJob", &json!({ "id": "job-9" })).await;
    let (messages, end) = answer.json_messages();
    assert_eq!((answer.status, messages.len()), (200, 0));
    assert_eq!((&end["error"]["code"], reason(&end["error"])), (&json!("not_found"), "JOB_NOT_FOUND"));
}

#[tokio::test]
async fn batch_of_the_largest_requests_fits_the_bound_as_json() {
    let server = Server::start().await;
    let label = |request: u32, index: u32| (format!("{request:03}-{index:059}"), "v".repeat(63));
    let request = |index: u32| pb::GenerateRequest {
        kind: pb::Kind::Sudoku.into(),
        count: Some(1),
        seed: Some(u64::MAX),
        priority: 100,
        request_id: format!("{index:0128}"),
        labels: (0..16).map(|label_index| label(index, label_index)).collect(),
        ..Default::default()
    };
    let batch = pb::BatchGenerateRequest { requests: (0..100).map(request).collect() };
    let mut message = grpc::message("PuzzleService/BatchGenerate", &json!({}));
    message.transcode_from(&batch).unwrap();
    let answer = http::post(server.address, "PuzzleService/BatchGenerate", &contract::json(&message)).await;
    assert_eq!((answer.status, answer.json()["jobs"].as_array().unwrap().len()), (200, 100));
}

#[tokio::test]
async fn http_1_0_is_told_what_to_use() {
    let server = Server::start().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n").await.unwrap();
    let answer = http::whole(&mut stream).await;
    assert_eq!((answer.status, answer.text()), (505, "Use HTTP/1.1 or HTTP/2.\n"));
    let asks = "Origin: https://example.org\r\nAccess-Control-Request-Method: POST\r\n";
    for line in ["HEAD / HTTP/1.0", "OPTIONS / HTTP/1.0", "GET / HTTP/1.2", "OPTIONS / HTTP/3", "PRI * HTTP/2.1"] {
        let server =
            Server::with(|options| options.settings.server.cors_origins = "https://example.org".to_owned()).await;
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(format!("{line}\r\nHost: localhost\r\n{asks}\r\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.split(' ').nth(1) == Some("505"), "{line}: {answer}");
        assert!(line.starts_with("HEAD") || answer.ends_with("Use HTTP/1.1 or HTTP/2.\n"), "{line}: {answer}");
    }
    // Without a host, the missing host is the first fault.
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"GET / HTTP/1.0\r\n\r\n").await.unwrap();
    assert_eq!(http::whole(&mut stream).await.status, 400);
}
