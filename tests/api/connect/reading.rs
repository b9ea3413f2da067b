//! Each method that only reads gives the same response by JSON as by gRPC. Also health checks by JSON.

use puzzled_engine::shared::symmetry::Symmetry;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use super::{
    contract, grpc,
    http::{self, first_message, path, request, with_head},
};
use crate::server::{PUZZLE, Server};

/// A request to each method. A watch of the stock never ends; its first message is compared.
fn requests() -> Vec<(&'static str, Value)> {
    let text = json!({ "kind": "KIND_SUDOKU", "text": PUZZLE });
    let with = |field: &str, value: Value| {
        let mut text = text.clone();
        text[field] = value;
        text
    };
    vec![
        ("JobService/GetJob", json!({ "id": "job-1" })),
        ("JobService/ListJobs", json!({ "states": ["JOB_STATE_SUCCEEDED"], "pageSize": 1 })),
        ("JobService/WatchJob", json!({ "id": "job-1" })),
        ("JobService/GetQueue", json!({})),
        (
            "PuzzleService/ListPuzzles",
            json!({ "kind": "KIND_SUDOKU", "includeSolutions": true, "includeDrawing": true }),
        ),
        ("PuzzleService/ExportPuzzles", json!({ "includeStructure": true, "afterId": "puzzle-1" })),
        ("PuzzleService/ListDeliveries", json!({ "audience": "anna" })),
        ("PuzzleService/Solve", with("includeSteps", json!(true))),
        ("PuzzleService/Rate", text.clone()),
        ("PuzzleService/Hint", with("board", json!(PUZZLE))),
        ("PuzzleService/CheckBoard", with("board", json!(PUZZLE))),
        ("PuzzleService/RenderPuzzle", with("format", json!("PICTURE_FORMAT_SVG"))),
        ("PuzzleService/Validate", with("includeDrawing", json!(true))),
        ("PuzzleService/FindPuzzle", with("audience", json!("anna"))),
        ("ServerService/GetServerInfo", json!({})),
        ("ServerService/ListProcesses", json!({ "pageSize": 3 })),
        ("ServerService/ListAuditEntries", json!({})),
        ("SeriesService/ListDailySeries", json!({})),
        ("StockService/GetStock", json!({ "kind": "KIND_SUDOKU" })),
        ("StockService/WatchStock", json!({})),
        ("StockService/ListStockTargets", json!({})),
    ]
}

/// A server with three puzzles, a delivery, and a stock target.
async fn filled() -> Server {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 3).await;
    let delivery = json!({ "kind": "KIND_SUDOKU", "audience": "anna", "requestId": "first" });
    grpc::call(&server, "PuzzleService/GetPuzzle", &delivery).await.unwrap();
    let series = json!({ "name": "daily", "kind": "KIND_SUDOKU" });
    grpc::call(&server, "SeriesService/CreateDailySeries", &series).await.unwrap();
    let target = json!({ "kind": "KIND_SUDOKU", "target": 9 });
    grpc::call(&server, "StockService/CreateStockTarget", &target).await.unwrap();
    server
}

async fn first(server: &Server, method: &str, message: &Value) -> Value {
    let headers = [("content-type", "application/connect+json")];
    let body = with_head(0, message.to_string().as_bytes());
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(&request("POST", &path(method), &headers, &body)).await.unwrap();
    serde_json::from_slice(&first_message(&mut stream).await).unwrap()
}

#[tokio::test]
async fn each_reading_method_answers_by_json_as_by_grpc() {
    let server = filled().await;
    for (method, request) in requests() {
        if method == "StockService/WatchStock" {
            let by_grpc = grpc::open(&server, method, &request).await.unwrap().message().await.unwrap().unwrap();
            assert_eq!(first(&server, method, &request).await, contract::json(&by_grpc), "{method}");
            continue;
        }
        let by_grpc = grpc::call(&server, method, &request).await.unwrap();
        let is_stream = ["JobService/WatchJob", "PuzzleService/ExportPuzzles"].contains(&method);
        let by_json = if is_stream {
            let answer = http::stream(server.address, method, &request).await;
            assert_eq!(answer.header("content-type"), "application/connect+json");
            let (messages, end) = answer.json_messages();
            assert_eq!((answer.status, end), (200, json!({})), "{method}");
            messages
        } else {
            let answer = http::post(server.address, method, &request).await;
            assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"), "{method}");
            vec![answer.json()]
        };
        assert_eq!(by_json, by_grpc, "{method}");
    }
}

#[test]
fn all_methods_that_only_read_are_compared() {
    assert_eq!(grpc::names(true), requests().iter().map(|(method, _)| (*method).to_owned()).collect());
}

#[tokio::test]
async fn health_answers_by_json() {
    let server = Server::start().await;
    server.health().await.check(tonic_health::pb::HealthCheckRequest::default()).await.unwrap();
    let headers = [("content-type", "application/json")];
    let answer = http::send(server.address, "POST", "/grpc.health.v1.Health/Check", &headers, b"{}").await;
    assert_eq!(answer.status, 200);
    assert!(answer.json()["status"].is_string(), "{answer:?}");
}
