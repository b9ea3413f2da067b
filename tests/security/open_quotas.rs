//! Quotas on open work: each counts what one principal has queued, and a cancellation frees it.

use serde_json::json;
use tonic::Status;

use crate::{
    rates::retry,
    server::{Client, Entry, Server, entry},
};

/// A server with two makers that have the same quotas.
async fn two_makers(quotas: &'static str) -> (Server, Client, Client) {
    let of = |name| Entry { more: quotas, ..entry(name, "maker") };
    let server = Server::start(&[of("one"), of("other")]).await;
    let (one, other) = (server.client("one").await, server.client("other").await);
    (server, one, other)
}

/// Queues a job of `count` puzzles, and returns its ID.
async fn generate(client: &Client, count: u32) -> Result<String, Status> {
    let made = client.call("Generate", json!({ "kind": "KIND_SUDOKU", "count": count })).await?.unwrap();
    Ok(made["job"]["id"].as_str().unwrap().to_owned())
}

/// Fails unless a call was refused by a quota.
fn assert_over(refused: Result<impl Sized, Status>, quota: &str) {
    // Nobody knows when a job ends.
    assert!(retry(&refused.map(drop).unwrap_err(), quota).is_none());
}

#[tokio::test]
async fn open_jobs_of_a_principal_are_limited_until_one_is_cancelled() {
    let (_server, one, other) = two_makers("open_jobs = 2").await;
    let first = generate(&one, 1).await.unwrap();
    generate(&one, 1).await.unwrap();
    assert_over(generate(&one, 1).await, "open_jobs");
    let short = json!({ "kind": "KIND_SUDOKU", "enqueueIfShort": true });
    assert_over(one.call("GetPuzzle", short).await, "open_jobs");
    // The jobs of others do not count.
    generate(&other, 1).await.unwrap();
    one.call("CancelJob", json!({ "id": first })).await.unwrap();
    generate(&one, 1).await.unwrap();
    assert_over(one.call("RetryJob", json!({ "id": first })).await, "open_jobs");
}

#[tokio::test]
async fn puzzles_that_open_jobs_lack_are_limited() {
    let (_server, one, other) = two_makers("open_puzzles = 5").await;
    generate(&one, 4).await.unwrap();
    assert_over(generate(&one, 2).await, "open_puzzles");
    generate(&other, 5).await.unwrap();
}
