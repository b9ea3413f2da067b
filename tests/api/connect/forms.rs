//! Calls over HTTP with protocol buffers, compression, deadlines, call IDs, and HTTP/2; and JSON while reflection is
//! turned off.

use prost::Message as _;
use puzzled_api::v1 as pb;
use puzzled_engine::shared::symmetry::Symmetry;
use serde_json::json;
use tokio::net::TcpStream;

use super::{
    grpc,
    http::{self, gunzip, gzip, path, post_by_http_2, send, with_head},
};
use crate::server::Server;

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn protocol_buffers_are_taken_and_given() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 3).await;
    let request = pb::GetJobRequest { id: "job-1".to_owned() }.encode_to_vec();
    let headers = [("content-type", "application/proto")];
    let answer = send(server.address, "POST", &path("JobService/GetJob"), &headers, &request).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/proto"));
    let job = pb::GetJobResponse::decode(&*answer.body).unwrap().job.unwrap();
    assert_eq!((job.id.as_str(), job.made), ("job-1", 3));

    let headers = [("content-type", "application/connect+proto")];
    let body = with_head(0, &pb::ExportPuzzlesRequest::default().encode_to_vec());
    let answer = send(server.address, "POST", &path("PuzzleService/ExportPuzzles"), &headers, &body).await;
    let (messages, end) = answer.messages();
    let by_grpc = grpc::call(&server, "PuzzleService/ExportPuzzles", &json!({})).await.unwrap();
    let read: Vec<_> = messages.iter().map(|message| grpc::answer("PuzzleService/ExportPuzzles", message)).collect();
    assert_eq!((read, end), (by_grpc, json!({})));
}

#[tokio::test]
async fn compression_works_in_both_directions() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 9).await;
    let method = "PuzzleService/ListPuzzles";
    let by_grpc = grpc::call(&server, method, &json!({ "pageSize": 9 })).await.unwrap().remove(0);
    let body = gzip(br#"{"pageSize":9}"#);
    let headers = [JSON, ("content-encoding", "gzip"), ("accept-encoding", "br, gzip;q=0.8")];
    let answer = send(server.address, "POST", &path(method), &headers, &body).await;
    assert_eq!((answer.status, answer.header("content-encoding")), (200, "gzip"));
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&gunzip(&answer.body)).unwrap(), by_grpc);

    let method = "PuzzleService/ExportPuzzles";
    let headers = [
        ("content-type", "application/connect+json"),
        ("connect-content-encoding", "gzip"),
        ("connect-accept-encoding", "gzip"),
    ];
    let answer = send(server.address, "POST", &path(method), &headers, &with_head(1, &gzip(b"{}"))).await;
    assert_eq!((answer.header("connect-content-encoding"), answer.body[0]), ("gzip", 1));
    assert_eq!(answer.json_messages().0, grpc::call(&server, method, &json!({})).await.unwrap());
}

#[tokio::test]
async fn deadline_of_a_call_and_of_a_stream_ends_it() {
    let server = Server::start().await;
    let timeout = ("connect-timeout-ms", "50");
    let body = br#"{"kind":"KIND_SUDOKU","wait":true,"enqueueIfShort":true}"#;
    let answer = send(server.address, "POST", &path("PuzzleService/GetPuzzle"), &[JSON, timeout], body).await;
    assert!([400, 504].contains(&answer.status), "{answer:?}");

    let headers = [("content-type", "application/connect+json"), timeout];
    let path = path("StockService/WatchStock");
    let answer = send(server.address, "POST", &path, &headers, &with_head(0, b"{}")).await;
    let (_, end) = answer.json_messages();
    assert_eq!((answer.status, &end["error"]["code"]), (200, &json!("deadline_exceeded")));
}

#[tokio::test]
async fn id_of_a_call_passes_through() {
    let server = Server::start().await;
    let headers = [JSON, ("x-request-id", "night-7")];
    let answer = send(server.address, "POST", &path("JobService/GetQueue"), &headers, b"{}").await;
    assert_eq!((answer.status, answer.header("x-request-id")), (200, "night-7"));
    let failed = send(server.address, "POST", &path("JobService/GetJob"), &headers, b"{").await;
    assert_eq!((failed.status, failed.header("x-request-id")), (400, "night-7"));
    let stream = http::stream(server.address, "JobService/WatchJob", &json!({ "id": "job-9" })).await;
    assert_eq!(stream.header("x-request-id").len(), 16);
}

#[tokio::test]
async fn json_travels_over_http_2_as_well() {
    let server = Server::start().await;
    let stream = TcpStream::connect(server.address).await.unwrap();
    let answer = post_by_http_2(stream, &path("JobService/GetQueue"), &[JSON], b"{}").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    let by_grpc = grpc::call(&server, "JobService/GetQueue", &json!({})).await.unwrap().remove(0);
    assert_eq!(answer.json(), by_grpc);
}

#[tokio::test]
async fn setting_that_turns_reflection_off_leaves_json_on() {
    let server = Server::with(|options| options.settings.server.reflection = false).await;
    assert_eq!(http::post(server.address, "JobService/GetQueue", &json!({})).await.status, 200);
}
