//! Access by each protocol: gRPC, and JSON over HTTP/1.1 and HTTP/2. A caller without a right, beyond a quota, or with
//! a revoked token gets the same errors by each.

use std::time::Duration;

use prost::Message as _;
use prost_reflect::DynamicMessage;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt as _, net::TcpStream, time::timeout};
use tonic::Status;

use crate::{
    contract::{self, CONTRACT},
    http::{Answer, first_message, next_message, path, post_by_http_2, request, send_over, with_head},
    server::{Entry, Server, access_file, directory, entry, method, token_of},
    solutions::{assert_blind, stocked},
};

/// Longest wait for the end of a stream: only a server that hangs meets it.
const PATIENCE: Duration = Duration::from_mins(1);

#[derive(Debug, Clone, Copy)]
enum Protocol {
    Grpc,
    JsonOverHttp1,
    JsonOverHttp2,
}

const PROTOCOLS: [Protocol; 3] = [Protocol::Grpc, Protocol::JsonOverHttp1, Protocol::JsonOverHttp2];

/// A refused call: its code in the words of Connect, its message, and its details by their types, without the ID of the call.
#[derive(Debug, PartialEq)]
struct Refusal {
    code: String,
    message: String,
    details: Vec<(String, Value)>,
}

impl Refusal {
    fn of_status(status: &Status) -> Self {
        let details = tonic_types::pb::Status::decode(status.details()).unwrap().details;
        let details = details.iter().map(|detail| {
            let name = detail.type_url.rsplit('/').next().unwrap().to_owned();
            let message = DynamicMessage::decode(CONTRACT.get_message_by_name(&name).unwrap(), &*detail.value).unwrap();
            (name, contract::json(&message))
        });
        Self::of(&format!("{:?}", status.code()), status.message(), details)
    }

    fn of_error(error: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let details = error["details"].as_array().unwrap();
        let details = details.iter().map(|detail| (text(&detail["type"]), detail["debug"].clone()));
        Self::of(&text(&error["code"]).replace('_', ""), &text(&error["message"]), details)
    }

    fn of(code: &str, message: &str, details: impl Iterator<Item = (String, Value)>) -> Self {
        let details = details.filter(|(name, _)| name != "google.rpc.RequestInfo").collect();
        Self { code: code.to_lowercase(), message: message.to_owned(), details }
    }

    fn detail(&self, name: &str) -> &Value {
        let found = self.details.iter().find(|(known, _)| known == &format!("google.rpc.{name}"));
        &found.unwrap_or_else(|| panic!("no {name} in {self:?}")).1
    }
}

/// The first message that a method sends to a principal, or to a caller without a token.
async fn call(
    server: &Server,
    protocol: Protocol,
    principal: Option<&str>,
    name: &str,
    message: &Value,
) -> Result<Value, Refusal> {
    if matches!(protocol, Protocol::Grpc) {
        let client = match principal {
            Some(principal) => server.client(principal).await,
            None => server.stranger().await,
        };
        let called = client.call(name, message.clone()).await;
        return called.map(Option::unwrap_or_default).map_err(|status| Refusal::of_status(&status));
    }
    let bearer = principal.map(|principal| format!("Bearer {}", token_of(principal)));
    let method = method(name);
    let path = path(&format!("{}/{name}", method.parent_service().name()));
    let is_stream = method.is_server_streaming();
    let body = message.to_string().into_bytes();
    let (content_type, body) =
        if is_stream { ("application/connect+json", with_head(0, &body)) } else { ("application/json", body) };
    let mut headers = vec![("content-type", content_type)];
    headers.extend(bearer.iter().map(|bearer| ("authorization", bearer.as_str())));
    let stream = TcpStream::connect(server.address).await.unwrap();
    let answer = match protocol {
        Protocol::JsonOverHttp2 => post_by_http_2(stream, &path, &headers, &body).await,
        _ => send_over(stream, "POST", &path, &headers, &body).await,
    };
    if is_stream { first_of(&answer) } else { only_of(&answer) }
}

fn only_of(answer: &Answer) -> Result<Value, Refusal> {
    if answer.status == 200 { Ok(answer.json()) } else { Err(Refusal::of_error(&answer.json())) }
}

/// The error of a stream is in its last message, under the HTTP status 200.
fn first_of(answer: &Answer) -> Result<Value, Refusal> {
    assert_eq!(answer.status, 200, "{answer:?}");
    let (mut messages, end) = answer.json_messages();
    match end.get("error") {
        Some(error) => Err(Refusal::of_error(error)),
        None => Ok(if messages.is_empty() { json!({}) } else { messages.remove(0) }),
    }
}

/// Makes a call by each protocol that must be refused in the same way, and returns the refusal.
async fn refused_alike(server: &Server, principal: Option<&str>, name: &str, message: &Value) -> Refusal {
    let by_grpc = call(server, Protocol::Grpc, principal, name, message).await.unwrap_err();
    for protocol in PROTOCOLS {
        let refused = call(server, protocol, principal, name, message).await.unwrap_err();
        assert_eq!(refused, by_grpc, "{name} by {protocol:?}");
    }
    by_grpc
}

#[tokio::test]
async fn each_protocol_refuses_a_caller_in_the_same_words() {
    let blind = Entry { solutions: false, ..entry("blind", "reader") };
    let server = Server::start(&[blind, entry("reader", "reader")]).await;
    let sudoku = json!({ "kind": "KIND_SUDOKU", "includeSolution": true });
    for (principal, name, message, code, lacks) in [
        (None, "GetServerInfo", json!({}), "unauthenticated", None),
        (None, "WatchStock", json!({}), "unauthenticated", None),
        (Some("reader"), "PauseQueue", json!({}), "permissiondenied", Some(("role", "ops", "PauseQueue"))),
        (Some("reader"), "WatchJob", json!({ "id": "job-1" }), "permissiondenied", Some(("role", "maker", "WatchJob"))),
        (
            Some("reader"),
            "GetPuzzle",
            json!({ "kind": "KIND_SUDOKU", "enqueueIfShort": true }),
            "permissiondenied",
            Some(("role", "maker", "enqueue_if_short")),
        ),
        (Some("blind"), "GetPuzzle", sudoku, "permissiondenied", Some(("right", "solutions", "include_solution"))),
        (Some("blind"), "Solve", json!({}), "permissiondenied", Some(("right", "solutions", "Solve"))),
    ] {
        let refused = refused_alike(&server, principal, name, &message).await;
        assert_eq!(refused.code, code, "{name}: {refused:?}");
        let metadata =
            lacks.map(|(what, it, subject)| json!({ what: it, "subject": subject, "principal": principal.unwrap() }));
        assert_eq!(refused.detail("ErrorInfo").get("metadata"), metadata.as_ref(), "{name}: {refused:?}");
    }
}

#[tokio::test]
async fn each_protocol_names_the_quota_and_the_time_to_repeat() {
    let server = Server::start(&[Entry { more: "calls_per_second = 4", ..entry("slow", "reader") }]).await;
    for _ in 0..4 {
        call(&server, Protocol::JsonOverHttp1, Some("slow"), "GetServerInfo", &json!({})).await.unwrap();
    }
    let refused = refused_alike(&server, Some("slow"), "GetServerInfo", &json!({})).await;
    assert_eq!(refused.code, "resourceexhausted");
    assert_eq!(refused.detail("QuotaFailure")["violations"][0]["subject"], "calls_per_second");
    assert_eq!(refused.detail("RetryInfo")["retryDelay"], "0.250s");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_protocol_hides_what_reproduces_a_solution() {
    let server = Server::start(&[entry("ops", "admin"), Entry { solutions: false, ..entry("blind", "maker") }]).await;
    server.work();
    let ops = server.client("ops").await;
    let puzzles = stocked(&ops).await;
    let series = json!({ "name": "daily", "kind": "KIND_SUDOKU" });
    ops.call("CreateDailySeries", series).await.unwrap();
    let solutions: Vec<String> = puzzles.iter().map(|one| one["solution"].as_str().unwrap().to_owned()).collect();
    let sudoku = json!({ "kind": "KIND_SUDOKU" });
    let by_id = json!({ "id": puzzles[0]["id"], "includeDrawing": true, "includeRatings": true });
    for protocol in PROTOCOLS {
        for (name, message) in [
            ("GetPuzzle", sudoku.clone()),
            ("GetPuzzle", by_id.clone()),
            ("GetDailyPuzzle", json!({})),
            ("BatchGetPuzzles", json!({ "requests": [sudoku, by_id] })),
            ("ListPuzzles", json!({})),
            ("GetJob", json!({ "id": "job-1" })),
            ("WatchJob", json!({ "id": "job-1" })),
        ] {
            let shown = call(&server, protocol, Some("blind"), name, &message).await;
            assert_blind(name, &shown.unwrap_or_else(|refused| panic!("{name}: {refused:?}")), &solutions);
        }
    }
}

#[tokio::test]
async fn revoked_token_ends_an_open_stream_with_the_error_in_its_last_message() {
    let maker = [entry("maker", "maker")];
    let server = Server::start(&maker).await;
    let bearer = format!("Bearer {}", token_of("maker"));
    let headers = [("content-type", "application/connect+json"), ("authorization", bearer.as_str())];
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let watch = request("POST", &path("StockService/WatchStock"), &headers, &with_head(0, b"{}"));
    stream.write_all(&watch).await.unwrap();
    first_message(&mut stream).await;
    server.gate.set(directory(&access_file(&maker, 0)));
    let ended = async {
        loop {
            let (flags, message) = next_message(&mut stream).await;
            if flags == 2 {
                return serde_json::from_slice::<Value>(&message).unwrap();
            }
        }
    };
    let end = timeout(PATIENCE, ended).await.expect("the stream stays open");
    let refused = Refusal::of_error(&end["error"]);
    assert_eq!(refused.code, "unauthenticated");
    assert!(refused.message.contains("was revoked"), "{refused:?}");
    assert_eq!(refused.detail("ErrorInfo")["reason"], "UNAUTHENTICATED");
}
