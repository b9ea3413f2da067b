//! Denied calls in the audit trail: one entry a minute for each principal and method, with their number.

use serde_json::{Value, json};
use tonic::Code;

use crate::server::{Client, Server, entry};

/// Makes a call that is denied.
async fn denied(client: &Client, method: &str, request: Value) {
    let code = client.call(method, request).await.unwrap_err().code();
    assert_eq!(code, Code::PermissionDenied, "{method}");
}

/// The entries of denied calls in the order of their texts, once they count `calls`: principal, method, and number.
async fn entries(admin: &Client, calls: u64) -> Vec<(String, String, u64)> {
    loop {
        let listed = admin.call("ListAuditEntries", json!({})).await.unwrap().unwrap();
        let entries = listed.get("entries").and_then(Value::as_array).cloned().unwrap_or_default();
        let text = |entry: &Value, field: &str| entry[field].as_str().unwrap().to_owned();
        let entries = entries.iter().filter(|entry| entry["denied"] == true).map(|entry| {
            assert!(text(entry, "address").starts_with("127.0.0.1:"), "{entry}");
            (text(entry, "principal"), text(entry, "method"), entry["calls"].as_u64().unwrap())
        });
        let mut entries: Vec<_> = entries.collect();
        entries.sort();
        let counted: u64 = entries.iter().map(|(_, _, calls)| calls).sum();
        assert!(counted <= calls, "{entries:?}");
        if counted == calls {
            return entries;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn denied_calls_share_an_entry_a_minute_by_principal_and_method() {
    let server = Server::start(&[entry("admin", "admin"), entry("maker", "maker"), entry("reader", "reader")]).await;
    let (admin, maker, reader) =
        (server.client("admin").await, server.client("maker").await, server.client("reader").await);
    for _ in 0..3 {
        denied(&maker, "PauseQueue", json!({})).await;
    }
    denied(&reader, "PauseQueue", json!({})).await;
    // Denied because of a field.
    denied(&reader, "GetPuzzle", json!({ "kind": "KIND_SUDOKU", "enqueueIfShort": true })).await;
    // A caller without an identity cannot write to the database.
    let code = server.stranger().await.call("PauseQueue", json!({})).await.unwrap_err().code();
    assert_eq!(code, Code::Unauthenticated);
    let row = |principal: &str, method: &str, calls| (principal.to_owned(), method.to_owned(), calls);
    let first = [row("maker", "PauseQueue", 3), row("reader", "GetPuzzle", 1), row("reader", "PauseQueue", 1)];
    assert_eq!(entries(&admin, 5).await, first);
    denied(&maker, "PauseQueue", json!({})).await;
    let more = [row("maker", "PauseQueue", 4), first[1].clone(), first[2].clone()];
    assert_eq!(entries(&admin, 6).await, more);
    server.clock.advance_ms(60_000);
    denied(&maker, "PauseQueue", json!({})).await;
    let next = [row("maker", "PauseQueue", 1), more[0].clone(), more[1].clone(), more[2].clone()];
    assert_eq!(entries(&admin, 7).await, next);
}

#[tokio::test]
async fn cancellation_of_another_makers_job_is_a_denied_call() {
    let server = Server::start(&[entry("admin", "admin"), entry("one", "maker"), entry("other", "maker")]).await;
    let (admin, one, other) = (server.client("admin").await, server.client("one").await, server.client("other").await);
    one.call("Generate", json!({ "kind": "KIND_SUDOKU" })).await.unwrap();
    denied(&other, "CancelJob", json!({ "id": "job-1" })).await;
    assert_eq!(entries(&admin, 1).await, [("other".to_owned(), "CancelJob".to_owned(), 1)]);
}
