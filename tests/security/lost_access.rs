//! An open stream ends if its caller loses access: a token or principal is removed, the token expires, or the role is
//! lowered. The streams of others stay open.

use std::time::Duration;

use serde_json::json;
use tokio::{sync::mpsc, time::timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request, Status};
use tonic_reflection::pb::v1::{
    ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
    server_reflection_request::MessageRequest,
};
use tonic_types::StatusExt as _;

use crate::server::{Entry, Server, access_file, directory, entry, token_of};

/// Longest wait for an end: only a server that hangs meets it.
const PATIENCE: Duration = Duration::from_mins(1);

const MAKER: Entry = entry("maker", "maker");

/// How the stream of a maker ends after a change.
async fn end_of_stream(file: &str, change: impl FnOnce(&Server)) -> Status {
    let server = Server::with_file(file).await;
    let mut watch = server.client("maker").await.open("WatchStock", json!({})).await.unwrap();
    watch.message().await.unwrap().unwrap();
    change(&server);
    let ended = async {
        while watch.message().await?.is_some() {}
        Ok(())
    };
    timeout(PATIENCE, ended).await.expect("the stream stays open").unwrap_err()
}

#[tokio::test]
async fn stream_ends_when_its_caller_loses_its_token_its_principal_or_its_role() {
    let file = access_file(&[MAKER], 1);
    for (after, code) in [
        (access_file(&[MAKER], 0), Code::Unauthenticated),
        (String::new(), Code::Unauthenticated),
        (access_file(&[Entry { role: "reader", ..MAKER }], 1), Code::PermissionDenied),
    ] {
        let ended = end_of_stream(&file, |server| server.gate.set(directory(&after))).await;
        assert_eq!(ended.code(), code, "{ended:?}");
    }
}

#[tokio::test]
async fn stream_ends_when_its_token_expires() {
    let file = access_file(&[MAKER], 1) + "expires_at = 2100-01-01T00:00:00Z\n";
    let ended = end_of_stream(&file, |server| server.clock.jump_ms(80 * 366 * 24 * 60 * 60 * 1_000)).await;
    assert_eq!(ended.code(), Code::Unauthenticated, "{ended:?}");
    assert!(ended.message().contains("has expired"), "{ended:?}");
}

/// How an open stream of reflection ends after a change. It would send no more messages by itself.
async fn end_of_reflection(file: &str, change: impl FnOnce(&Server)) -> Status {
    let server = Server::with_file(file).await;
    let (asks, requests) = mpsc::channel(1);
    let mut request = Request::new(ReceiverStream::new(requests));
    request.metadata_mut().insert("authorization", format!("Bearer {}", token_of("maker")).parse().unwrap());
    let list = MessageRequest::ListServices(String::new());
    asks.send(ServerReflectionRequest { host: String::new(), message_request: Some(list) }).await.unwrap();
    let mut client = ServerReflectionClient::new(server.stranger().await.channel());
    let mut answers = client.server_reflection_info(request).await.unwrap().into_inner();
    answers.message().await.unwrap().unwrap();
    change(&server);
    let ended = timeout(PATIENCE, answers.message()).await.expect("the stream stays open").unwrap_err();
    drop(asks);
    ended
}

#[tokio::test]
async fn reflection_ends_when_its_token_is_revoked_or_expires() {
    let file = access_file(&[MAKER], 1);
    let revoked = end_of_reflection(&file, |server| server.gate.set(directory(&access_file(&[MAKER], 0)))).await;
    let expiring = file + "expires_at = 2100-01-01T00:00:00Z\n";
    let expired = end_of_reflection(&expiring, |server| server.clock.jump_ms(80 * 366 * 24 * 60 * 60 * 1_000)).await;
    for (ended, words) in [(revoked, "was revoked"), (expired, "has expired")] {
        assert_eq!(ended.code(), Code::Unauthenticated, "{ended:?}");
        assert!(ended.message().contains(words), "{ended:?}");
        // As every other error, it has the reason and the ID of the call.
        let details = ended.get_error_details();
        assert_eq!(details.error_info().unwrap().reason, "UNAUTHENTICATED");
        assert!(details.request_info().is_some(), "{ended:?}");
    }
}

#[tokio::test]
async fn stream_stays_open_while_others_lose_their_access() {
    let others = [MAKER, entry("other", "reader")];
    let server = Server::with_file(&access_file(&others, 2)).await;
    let maker = server.client("maker").await;
    let mut watch = maker.open("WatchStock", json!({})).await.unwrap();
    watch.message().await.unwrap().unwrap();
    server.gate.set(directory(&access_file(&[MAKER], 1)));
    server.work();
    maker.call("Generate", json!({ "kind": "KIND_SUDOKU", "level": "LEVEL_EASY", "count": 1 })).await.unwrap();
    // The stock changes, and the stream tells of it.
    timeout(PATIENCE, watch.message()).await.expect("no change").unwrap().unwrap();
}
