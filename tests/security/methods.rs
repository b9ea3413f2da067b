//! Calls each method as a principal of each role, and compares the results with `tests/golden/access.txt`. Also fields
//! that need a higher role, health checks, and unknown methods.

use std::fmt::Write as _;

use serde_json::json;
use tonic::Code;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_types::StatusExt as _;

use crate::{
    contract::{CONTRACT, methods},
    golden_file,
    server::{Client, Entry, Server, entry},
};

/// The columns of the table: principals with their roles. `blind` has the role `admin`, and no right to solutions.
const COLUMNS: [&str; 6] = ["nobody", "reader", "maker", "ops", "admin", "blind"];

/// What an empty request of a method is answered with, as far as access is concerned.
async fn answer(client: &Client, method: &str) -> &'static str {
    match client.call(method, json!({})).await.err().map(|status| (status.code(), status)) {
        Some((Code::Unauthenticated, _)) => "identity",
        Some((Code::PermissionDenied, status)) => {
            let info = status.get_details_error_info().unwrap();
            assert_eq!(info.reason, "PERMISSION_DENIED");
            match info.metadata.get("role").map(String::as_str) {
                Some("reader") => "reader",
                Some("maker") => "maker",
                Some("ops") => "ops",
                Some("admin") => "admin",
                _ if info.metadata["right"] == "solutions" => "solutions",
                _ => panic!("{info:?}"),
            }
        }
        _ => "-",
    }
}

#[tokio::test]
async fn each_method_is_open_to_its_role_and_the_higher_ones_alone() {
    let entries = [
        entry("reader", "reader"),
        entry("maker", "maker"),
        entry("ops", "ops"),
        entry("admin", "admin"),
        Entry { solutions: false, ..entry("blind", "admin") },
    ];
    let server = Server::start(&entries).await;
    let mut clients = vec![server.stranger().await];
    for name in &COLUMNS[1..] {
        clients.push(server.client(name).await);
    }
    let mut table =
        format!("{:<22}{}\n", "what is missing for", COLUMNS.map(|name| format!("{name:<11}")).concat().trim_end());
    let role = CONTRACT.get_extension_by_name("puzzled.v1.role").unwrap();
    for method in methods() {
        write!(table, "{:<22}", method.name()).unwrap();
        let number = method.options().get_extension(&role).as_enum_number().unwrap();
        for (column, client) in clients.iter().enumerate() {
            let found = answer(client, method.name()).await;
            write!(table, "{found:<11}").unwrap();
            // Column and number of the four roles are the same.
            if (1..=4).contains(&column) {
                let is_open = found == "-";
                assert_eq!(is_open, i32::try_from(column).unwrap() >= number, "{} {}", method.name(), COLUMNS[column]);
            }
        }
        table.truncate(table.trim_end().len());
        table.push('\n');
    }
    golden_file::check("access.txt", &table);
}

#[tokio::test]
async fn health_needs_no_identity_and_unknown_methods_need_one() {
    let server = Server::start(&[entry("reader", "reader")]).await;
    let stranger = server.stranger().await;
    let mut health = HealthClient::new(stranger.channel());
    health.check(HealthCheckRequest::default()).await.unwrap();
    for (client, code) in [(stranger, Code::Unauthenticated), (server.client("reader").await, Code::Unimplemented)] {
        assert_eq!(client.call_path("/puzzled.v1.PuzzleService/Nothing").await.unwrap_err().code(), code);
    }
}

#[tokio::test]
async fn fields_that_need_a_higher_role_are_named_with_it() {
    let entries = [entry("reader", "reader"), entry("maker", "maker"), entry("ops", "ops")];
    let server = Server::start(&entries).await;
    let (reader, maker) = (server.client("reader").await, server.client("maker").await);
    let daily = |date: &str| json!({ "date": date });
    let series = json!({ "name": "daily", "kind": "KIND_SUDOKU", "timeZone": "Etc/GMT-14" });
    server.client("ops").await.call("CreateDailySeries", series).await.unwrap();
    let coming = after_now(&server.client("ops").await).await;
    for (method, request, field) in [
        ("GetPuzzle", json!({ "kind": "KIND_SUDOKU", "enqueueIfShort": true }), "enqueue_if_short"),
        (
            "BatchGetPuzzles",
            json!({ "requests": [{ "kind": "KIND_SUDOKU" }, { "kind": "KIND_SUDOKU", "enqueueIfShort": true }] }),
            "requests[1].enqueue_if_short",
        ),
        ("GetDailyPuzzle", daily(&coming), "date"),
    ] {
        let refused = reader.call(method, request.clone()).await.unwrap_err();
        assert_eq!(refused.code(), Code::PermissionDenied, "{refused:?}");
        let expected = format!("{field}: \"reader\" has the role reader; this needs the role maker");
        assert_eq!(refused.message(), expected);
        let answer = maker.call(method, request).await;
        assert!(answer.is_ok_and(|_| true) || method != "BatchGetPuzzles");
    }
    // Today is no later day.
    let today = reader.call("GetDailyPuzzle", daily("")).await.unwrap_err();
    assert_eq!(today.code(), Code::FailedPrecondition, "{today:?}");
    let later = maker.call("GetDailyPuzzle", daily("9999-01-01")).await.unwrap_err();
    assert_eq!(later.code(), Code::InvalidArgument, "{later:?}");
}

/// A day that has not begun, of the series `daily`.
async fn after_now(client: &Client) -> String {
    let listed = client.call("ListDailySeries", json!({})).await.unwrap().unwrap();
    listed["series"][0]["comingDays"][1]["date"].as_str().unwrap().to_owned()
}
