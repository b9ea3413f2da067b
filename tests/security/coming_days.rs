//! Who sees the puzzles of coming days: makers do, and readers only once the day has begun.

use serde_json::{Value, json};
use tonic::Code;

use crate::{
    server::{Server, entry},
    solutions::stocked,
};

/// The ID of the puzzle that a call returned.
fn id(answer: Option<Value>) -> Value {
    answer.unwrap()["puzzle"]["id"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn puzzle_of_a_coming_day_is_unknown_to_readers() {
    let server = Server::start(&[entry("ops", "admin"), entry("maker", "maker"), entry("reader", "reader")]).await;
    server.work();
    let ops = server.client("ops").await;
    stocked(&ops).await;
    let series = json!({ "name": "daily", "kind": "KIND_SUDOKU", "timeZone": "Etc/GMT-14" });
    let created = ops.call("CreateDailySeries", series).await.unwrap().unwrap();
    let [today, tomorrow] = [0, 1].map(|day| json!({ "date": created["series"]["comingDays"][day]["date"] }));
    let (maker, reader) = (server.client("maker").await, server.client("reader").await);
    let [now, next] = [
        id(reader.call("GetDailyPuzzle", today).await.unwrap()),
        id(maker.call("GetDailyPuzzle", tomorrow.clone()).await.unwrap()),
    ];
    assert_eq!(reader.call("GetDailyPuzzle", tomorrow).await.unwrap_err().code(), Code::PermissionDenied);
    for (client, puzzle, is_known) in [(&reader, &now, true), (&reader, &next, false), (&maker, &next, true)] {
        let answer = client.call("GetPuzzle", json!({ "id": puzzle })).await;
        assert_eq!(answer.as_ref().map_err(tonic::Status::code).is_ok(), is_known, "{answer:?}");
        assert!(is_known || answer.unwrap_err().code() == Code::NotFound);
    }
    // No draw meets a puzzle of a day.
    let left = ops.call("ListPuzzles", json!({})).await.unwrap().unwrap();
    let left: Vec<_> = left["puzzles"].as_array().unwrap().iter().map(|puzzle| puzzle["id"].clone()).collect();
    assert!(!left.contains(&now) && !left.contains(&next), "{left:?}");
}
