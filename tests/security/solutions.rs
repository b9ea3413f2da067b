//! The right to solutions: without it, no response and no error of any method contains or reproduces a stored solution,
//! and fields that ask for a solution are refused.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::{
    contract::methods,
    server::{Client, Entry, Server, entry},
};

/// Longest wait for a job: only a worker that hangs meets it.
const PATIENCE: Duration = Duration::from_mins(1);

/// A text with several solutions.
const SEVERAL: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28.........5....8..79";

/// The fields of a puzzle from which the engine makes it again.
const ORIGINS: [&str; 3] = ["jobId", "jobIndex", "jobTry"];

/// Fails if a message has a solution or an origin, at any depth.
pub(crate) fn assert_blind(method: &str, answer: &Value, solutions: &[String]) {
    match answer {
        Value::Object(fields) => {
            let is_puzzle = fields.contains_key("text");
            assert!(!fields.contains_key("solutionBoard"), "{method}: {answer}");
            for (name, value) in fields {
                // A field with its default is left out.
                let is_origin = name == "seed" || is_puzzle && ORIGINS.contains(&name.as_str());
                assert!(!is_origin, "{method}: {name} = {value}");
                assert_blind(method, value, solutions);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| assert_blind(method, value, solutions)),
        Value::String(text) => {
            let shown = solutions.iter().find(|solution| text.contains(*solution));
            assert!(shown.is_none(), "{method}: {text}");
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn assert_error_is_blind(method: &str, status: &Status, solutions: &[String]) {
    let all = format!("{status:?} {:?}", status.get_error_details());
    assert!(!solutions.iter().any(|solution| all.contains(solution)), "{method}: {all}");
    assert!(!all.contains("solution_1"), "{method}: {all}");
}

/// The puzzles that a job has stored, with their solutions.
pub(crate) async fn stocked(ops: &Client) -> Vec<Value> {
    let request =
        json!({ "kind": "KIND_SUDOKU", "level": "LEVEL_EASY", "count": 3, "seed": "5", "requestId": "named" });
    let job = ops.call("Generate", request).await.unwrap().unwrap()["job"].clone();
    let mut watch = ops.open("WatchJob", json!({ "id": job["id"] })).await.unwrap();
    let ended = async { while watch.message().await.unwrap().is_some() {} };
    timeout(PATIENCE, ended).await.expect("the job does not end");
    let listed = ops.call("ListPuzzles", json!({ "includeSolutions": true })).await.unwrap().unwrap();
    listed["puzzles"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_without_the_right_shows_and_reproduces_no_solution() {
    let entries = [entry("ops", "admin"), Entry { solutions: false, ..entry("blind", "admin") }];
    let server = Server::start(&entries).await;
    server.work();
    let (ops, blind) = (server.client("ops").await, server.client("blind").await);
    let puzzles = stocked(&ops).await;
    let solutions: Vec<String> = puzzles.iter().map(|one| one["solution"].as_str().unwrap().to_owned()).collect();
    assert!(solutions.len() >= 3 && solutions.iter().all(|solution| solution.len() == 81), "{puzzles:?}");
    let (id, text) = (&puzzles[0]["id"], &puzzles[0]["text"]);
    let kind = json!({ "kind": "KIND_SUDOKU" });
    let text = json!({ "kind": "KIND_SUDOKU", "text": text });
    let several = json!({ "kind": "KIND_SUDOKU", "text": SEVERAL });
    let all = json!({ "includeDrawing": true, "includeStructure": true, "includeLinks": true, "includeRecord": true });
    let fields = json!({ "id": id, "includeStructure": true, "includeLinks": true, "includeRatings": true });
    let mut requests = vec![
        ("Generate", json!({ "kind": "KIND_SUDOKU", "count": 1, "requestId": "named" })),
        ("Generate", json!({ "kind": "KIND_SUDOKU", "count": 1 })),
        ("BatchGenerate", json!({ "requests": [kind] })),
        ("GetPuzzle", fields),
        ("ListPuzzles", all.clone()),
        ("ExportPuzzles", all),
        ("GetPuzzle", json!({ "kind": "KIND_SUDOKU", "scrambleSeed": "3" })),
        ("BatchGetPuzzles", json!({ "requests": [kind, { "id": id }] })),
        ("CreateDailySeries", json!({ "name": "daily", "kind": "KIND_SUDOKU" })),
        ("GetDailyPuzzle", json!({})),
        ("GetJob", json!({ "id": "job-1" })),
        ("WatchJob", json!({ "id": "job-1" })),
        ("CancelJob", json!({ "id": "job-1" })),
        ("RetryJob", json!({ "id": "job-1" })),
        ("ListDeliveries", json!({ "audience": "a" })),
        ("CreateStockTarget", json!({ "kind": "KIND_SUDOKU", "level": "LEVEL_HARD", "target": 2 })),
        ("Refill", json!({ "id": "target-1" })),
        ("Validate", text.clone()),
        ("Validate", json!({ "kind": "KIND_SUDOKU", "text": puzzles[0]["text"], "includeLinks": true })),
        ("Validate", several.clone()),
        ("Rate", text.clone()),
        ("Rate", several.clone()),
        ("Hint", several.clone()),
        ("RenderPuzzle", json!({ "id": id, "format": "PICTURE_FORMAT_SVG", "candidates": true })),
        ("WithdrawPuzzle", json!({ "id": id, "reason": "a test" })),
        ("RecordDeliveries", json!({ "audience": "a", "puzzles": [text] })),
        ("RecordDeliveries", json!({ "audience": "a", "puzzles": [several] })),
        ("FindPuzzle", text.clone()),
        ("FindPuzzle", several.clone()),
    ];
    let named: Vec<_> = requests.iter().map(|(method, _)| *method).collect();
    let methods = methods();
    // The rest with an empty request.
    requests.extend(methods.iter().filter(|one| !named.contains(&one.name())).map(|one| (one.name(), json!({}))));
    let mut answered = 0;
    for (method, request) in requests {
        match blind.call(method, request).await {
            Ok(answer) => {
                answered += 1;
                assert_blind(method, &answer.unwrap_or_default(), &solutions);
            }
            Err(status) => assert_error_is_blind(method, &status, &solutions),
        }
    }
    assert!(answered >= 27, "{answered} calls were answered");
}

#[tokio::test]
async fn each_field_that_asks_for_a_solution_is_refused_by_name() {
    let server = Server::start(&[Entry { solutions: false, ..entry("blind", "admin") }]).await;
    let blind = server.client("blind").await;
    for (method, request, subject) in [
        ("GetPuzzle", json!({ "kind": "KIND_SUDOKU", "includeSolution": true }), "include_solution"),
        ("BatchGetPuzzles", json!({ "requests": [{ "includeSolution": true }] }), "requests[0].include_solution"),
        ("GetDailyPuzzle", json!({ "includeSolution": true }), "include_solution"),
        ("ListPuzzles", json!({ "includeSolutions": true }), "include_solutions"),
        ("ExportPuzzles", json!({ "includeSolutions": true }), "include_solutions"),
        ("Solve", json!({}), "Solve"),
        ("Validate", json!({ "includeDrawing": true }), "include_drawing"),
        ("RenderPuzzle", json!({ "solution": true }), "solution"),
        ("RenderPuzzle", json!({ "step": 1 }), "step"),
        ("Generate", json!({ "kind": "KIND_SUDOKU", "count": 1, "seed": "7" }), "seed"),
        ("BatchGenerate", json!({ "requests": [{ "seed": "7" }] }), "requests[0].seed"),
    ] {
        let refused = blind.call(method, request).await.unwrap_err();
        assert_eq!(refused.code(), Code::PermissionDenied, "{method}: {refused:?}");
        assert_eq!(refused.get_details_error_info().unwrap().metadata["right"], "solutions");
        assert!(refused.message().starts_with(&format!("{subject}: \"blind\" may not see solutions")), "{refused:?}");
    }
}
