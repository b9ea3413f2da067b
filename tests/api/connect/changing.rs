//! Each method that changes something or draws a puzzle does the same by JSON as by gRPC. Two servers with one seed get
//! the same calls, one server by gRPC, the other by JSON.

use std::sync::Arc;

use puzzled_base::clock::{ManualClock, Millis};
use puzzled_engine::shared::symmetry::Symmetry;
use serde_json::{Value, json};

use super::{grpc, http};
use crate::server::Server;

const IMPORTED: &str = "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......";

/// The same history on both servers.
fn steps() -> Vec<(&'static str, Value)> {
    let sudoku = json!({ "kind": "KIND_SUDOKU" });
    let generate = json!({ "kind": "KIND_SUDOKU", "count": 2, "requestId": "r1", "labels": { "for": "test" } });
    vec![
        ("PuzzleService/Generate", generate.clone()),
        ("PuzzleService/Generate", generate),
        (
            "PuzzleService/BatchGenerate",
            json!({ "requests": [{ "kind": "KIND_SUDOKU", "count": 1, "seed": "18446744073709551615" }] }),
        ),
        ("PuzzleService/GetPuzzle", sudoku.clone()),
        ("PuzzleService/GetPuzzle", json!({ "kind": "KIND_SUDOKU", "scrambleSeed": "7", "includeSolution": true })),
        ("PuzzleService/GetPuzzle", json!({ "kind": "KIND_SUDOKU", "audience": "anna", "requestId": "d1" })),
        ("PuzzleService/BatchGetPuzzles", json!({ "requests": [sudoku, { "id": "puzzle-99" }] })),
        (
            "PuzzleService/RecordDeliveries",
            json!({ "audience": "anna", "puzzles": [{ "id": "puzzle-1" }, { "repeatHash": "ab".repeat(16) }] }),
        ),
        (
            "SeriesService/CreateDailySeries",
            json!({ "name": "daily", "kind": "KIND_SUDOKU", "timeZone": "Asia/Tokyo" }),
        ),
        ("SeriesService/UpdateDailySeries", json!({ "name": "daily", "criteria": [{ "level": "LEVEL_EASY" }] })),
        ("PuzzleService/GetDailyPuzzle", json!({ "audience": "anna" })),
        ("SeriesService/EndDailySeries", json!({ "name": "daily" })),
        ("PuzzleService/ForgetAudience", json!({ "audience": "anna" })),
        ("PuzzleService/WithdrawPuzzle", json!({ "id": "puzzle-2", "reason": "a test" })),
        ("PuzzleService/ReleasePuzzles", json!({ "audience": "anna", "reason": "a test" })),
        ("PuzzleService/WithdrawPuzzles", json!({ "jobId": "job-1", "reason": "odd" })),
        (
            "PuzzleService/ImportPuzzles",
            json!({ "importId": "a book", "records": [
                { "line": 1, "kind": "KIND_SUDOKU", "text": IMPORTED },
                { "line": 2, "kind": "KIND_SUDOKU", "text": "123" },
            ] }),
        ),
        ("JobService/CancelJob", json!({ "id": "job-2" })),
        ("JobService/RetryJob", json!({ "id": "job-2" })),
        ("JobService/PauseQueue", json!({ "reason": "a test" })),
        ("JobService/ResumeQueue", json!({})),
        ("StockService/CreateStockTarget", json!({ "kind": "KIND_SUDOKU", "level": "LEVEL_EASY", "target": 9 })),
        ("StockService/UpdateStockTarget", json!({ "id": "target-1", "target": 12, "updateMask": "target" })),
        ("StockService/Refill", json!({ "id": "target-1" })),
        ("StockService/DeleteStockTarget", json!({ "id": "target-1" })),
    ]
}

/// The value without times, which differ between any two servers.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !name.ends_with("Time") && name != "oldestWait");
            fields.values_mut().for_each(without_times);
        }
        Value::Array(entries) => entries.iter_mut().for_each(without_times),
        _ => {}
    }
}

#[tokio::test]
async fn each_changing_method_does_by_json_what_it_does_by_grpc() {
    // Draws in advance expire by the clock. With the machine's clock, a slow machine would draw other puzzles on one server.
    let clock = ManualClock::at(Millis(1_795_262_400_000));
    let start = || Server::with(|options| options.clock = Some(Arc::clone(&clock)));
    let [one, other] = [start().await, start().await];
    for server in [&one, &other] {
        server.fill(Symmetry::None, 12, 8).await;
    }
    for (method, request) in steps() {
        let mut by_grpc =
            grpc::call(&one, method, &request).await.unwrap_or_else(|status| panic!("{method}: {status}"));
        let answer = http::post(other.address, method, &request).await;
        assert_eq!(answer.status, 200, "{method}: {}", answer.text());
        let (mut by_grpc, mut by_json) = (by_grpc.remove(0), answer.json());
        without_times(&mut by_grpc);
        without_times(&mut by_json);
        assert_eq!(by_json, by_grpc, "{method}");
    }
}

#[test]
fn all_methods_that_change_or_draw_are_compared() {
    assert_eq!(grpc::names(false), steps().iter().map(|(method, _)| (*method).to_owned()).collect());
}
