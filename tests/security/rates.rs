//! Quotas on calls and on compute time. A refused call states exactly when to repeat it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::server::{Entry, Server, entry};

/// A puzzle with one solution.
const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// When to repeat a call that a quota refused, which all details name.
pub(crate) fn retry(refused: &Status, quota: &str) -> Option<Duration> {
    assert_eq!(refused.code(), Code::ResourceExhausted, "{refused:?}");
    let details = refused.get_error_details();
    let info = details.error_info().unwrap();
    assert_eq!((info.reason.as_str(), info.metadata["quota"].as_str()), ("QUOTA_EXCEEDED", quota));
    let violation = &details.quota_failure().unwrap().violations[0];
    assert_eq!((violation.subject.as_str(), violation.description.as_str()), (quota, refused.message()));
    details.retry_info().map(|info| info.retry_delay.unwrap())
}

fn wait(refused: &Status, quota: &str) -> Duration {
    retry(refused, quota).unwrap()
}

fn rate() -> Value {
    json!({ "kind": "KIND_SUDOKU", "text": PUZZLE })
}

#[tokio::test]
async fn calls_above_the_rate_are_told_exactly_when_to_repeat() {
    let entries = [Entry { more: "calls_per_second = 4", ..entry("slow", "reader") }, entry("free", "reader")];
    let server = Server::start(&entries).await;
    let (slow, free) = (server.client("slow").await, server.client("free").await);
    for _ in 0..4 {
        slow.call("GetServerInfo", json!({})).await.unwrap();
    }
    let refused = slow.call("GetServerInfo", json!({})).await.unwrap_err();
    assert_eq!(wait(&refused, "calls_per_second"), Duration::from_millis(250));
    server.clock.advance_ms(249);
    let refused = slow.call("GetServerInfo", json!({})).await.unwrap_err();
    assert_eq!(wait(&refused, "calls_per_second"), Duration::from_millis(1));
    // A wall clock that jumps changes no rate.
    server.clock.jump_ms(60_000);
    slow.call("GetServerInfo", json!({})).await.unwrap_err();
    server.clock.advance_ms(1);
    slow.call("GetServerInfo", json!({})).await.unwrap();
    for _ in 0..20 {
        free.call("GetServerInfo", json!({})).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn compute_time_is_charged_afterwards_and_gates_compute_alone() {
    let entries = [Entry { more: "compute_seconds_per_minute = 6", ..entry("slow", "reader") }];
    let server = Server::start(&entries).await;
    let slow = server.client("slow").await;
    // Time passes while the rating is made, more than the quota.
    let (clock, ended) = (Arc::clone(&server.clock), Arc::new(AtomicBool::new(false)));
    let passes = {
        let ended = Arc::clone(&ended);
        tokio::spawn(async move {
            while !ended.load(Ordering::Relaxed) {
                clock.advance_ms(1_000);
                tokio::task::yield_now().await;
            }
        })
    };
    let refused = loop {
        match slow.call("Rate", rate()).await {
            Ok(_) => {}
            Err(refused) => break refused,
        }
    };
    ended.store(true, Ordering::Relaxed);
    passes.await.unwrap();
    wait(&refused, "compute_seconds_per_minute");
    // From here on the clock stands still.
    let last = match slow.call("Rate", rate()).await {
        Err(refused) => wait(&refused, "compute_seconds_per_minute"),
        Ok(_) => Duration::ZERO,
    };
    slow.call("GetServerInfo", json!({})).await.unwrap();
    if last > Duration::from_millis(1) {
        server.clock.advance_ms(i64::try_from(last.as_millis()).unwrap() - 1);
        let refused = slow.call("Rate", rate()).await.unwrap_err();
        assert!(wait(&refused, "compute_seconds_per_minute") <= Duration::from_millis(2), "{refused:?}");
    }
    server.clock.advance_ms(2);
    slow.call("Rate", rate()).await.unwrap();
}
