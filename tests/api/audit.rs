//! `ListAuditEntries`: entries of changes and of denied calls, the caller and the call that each entry names, filters,
//! and pages.

use puzzled_store::{
    AuditStore as _,
    access::{actor::Actor, audit_entry::Denial, principal::Role},
};
use tonic::Request;

use crate::prelude::*;

async fn list(server: &Server, request: pb::ListAuditEntriesRequest) -> Vec<pb::AuditEntry> {
    server.info().await.list_audit_entries(request).await.unwrap().into_inner().entries
}

async fn all(server: &Server) -> Vec<pb::AuditEntry> {
    let mut entries = list(server, pb::ListAuditEntriesRequest::default()).await;
    entries.reverse();
    entries
}

fn told(entries: &[pb::AuditEntry]) -> Vec<String> {
    entries.iter().map(|entry| format!("{} {}", entry.method, entry.subjects.join(" ")).trim_end().to_owned()).collect()
}

fn easy(count: u32) -> pb::GenerateRequest {
    pb::GenerateRequest { kind: 1, level: pb::Level::Easy.into(), count: Some(count), ..Default::default() }
}

fn target(count: u32) -> pb::CreateStockTargetRequest {
    pb::CreateStockTargetRequest { kind: 1, level: pb::Level::Hard.into(), target: count, ..Default::default() }
}

#[tokio::test]
async fn each_call_that_changes_something_is_in_the_audit_trail() {
    let server = Server::start().await;
    let (mut puzzles, mut jobs, mut stock) = (server.puzzles().await, server.jobs().await, server.stock().await);
    puzzles.generate(easy(2)).await.unwrap();
    puzzles.batch_generate(pb::BatchGenerateRequest { requests: vec![easy(1), easy(1)] }).await.unwrap();
    let id = "job-1".to_owned();
    jobs.cancel_job(pb::CancelJobRequest { id: id.clone() }).await.unwrap();
    jobs.cancel_job(pb::CancelJobRequest { id: id.clone() }).await.unwrap();
    jobs.retry_job(pb::RetryJobRequest { id }).await.unwrap();
    jobs.pause_queue(pb::PauseQueueRequest { reason: "a move".to_owned() }).await.unwrap();
    jobs.pause_queue(pb::PauseQueueRequest::default()).await.unwrap();
    jobs.pause_queue(pb::PauseQueueRequest { reason: "a longer move".to_owned() }).await.unwrap();
    jobs.resume_queue(pb::ResumeQueueRequest {}).await.unwrap();
    stock.create_stock_target(target(3)).await.unwrap();
    let id = "target-1".to_owned();
    let update = pb::UpdateStockTargetRequest {
        id: id.clone(),
        target: Some(4),
        update_mask: Some(prost_types::FieldMask { paths: vec!["target".to_owned()] }),
        ..Default::default()
    };
    stock.update_stock_target(update).await.unwrap();
    stock.refill(pb::RefillRequest { id: id.clone() }).await.unwrap();
    stock.delete_stock_target(pb::DeleteStockTargetRequest { id, allow_missing: false }).await.unwrap();
    let short = pb::GetPuzzleRequest { kind: 1, enqueue_if_short: true, ..Default::default() };
    puzzles.get_puzzle(short).await.unwrap_err();
    let export = pb::ExportPuzzlesRequest { kind: 1, include_solutions: true, ..Default::default() };
    puzzles.export_puzzles(export).await.unwrap();
    let expected = [
        "Generate job-1",
        "BatchGenerate job-2 job-3",
        "CancelJob job-1",
        "RetryJob job-1",
        "PauseQueue",
        "PauseQueue",
        "ResumeQueue",
        "CreateStockTarget target-1",
        "UpdateStockTarget target-1",
        "Refill job-4 target-1",
        "DeleteStockTarget target-1",
        "GetPuzzle job-5",
        "ExportPuzzles",
    ];
    let found = all(&server).await;
    assert_eq!(told(&found), expected);
    let text = |entry: &pb::AuditEntry, field: &str| {
        entry.details.clone().unwrap().fields.remove(field).and_then(|value| value.kind)
    };
    assert_eq!(text(&found[4], "reason"), Some(prost_types::value::Kind::StringValue("a move".to_owned())));
    assert_eq!(text(&found[12], "include_solutions"), Some(prost_types::value::Kind::BoolValue(true)));
}

#[tokio::test]
async fn withdrawal_and_forgotten_audience_are_in_the_audit_trail() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 2).await;
    let mut puzzles = server.puzzles().await;
    let get = pb::GetPuzzleRequest { kind: 1, audience: "anna@example.org".to_owned(), ..Default::default() };
    puzzles.get_puzzle(get).await.unwrap();
    let before = all(&server).await.len();
    let withdrawal =
        pb::WithdrawPuzzleRequest { id: "puzzle-1".to_owned(), reason: "a misprint".to_owned(), ..Default::default() };
    for _ in 0..2 {
        puzzles.withdraw_puzzle(withdrawal.clone()).await.unwrap();
        let audience = "anna@example.org".to_owned();
        puzzles.forget_audience(pb::ForgetAudienceRequest { audience }).await.unwrap();
    }
    let found = all(&server).await;
    assert_eq!(told(&found[before..]), ["WithdrawPuzzle puzzle-1", "ForgetAudience"]);
    assert!(!format!("{found:?}").contains("anna"), "{found:?}");
}

#[tokio::test]
async fn entry_names_the_caller_and_the_call() {
    let server = Server::start().await;
    let mut request = Request::new(easy(1));
    request.metadata_mut().insert("x-request-id", "night-7".parse().unwrap());
    let reply = server.puzzles().await.generate(request).await.unwrap();
    assert_eq!(reply.get_ref().job.as_ref().unwrap().principal, "anonymous");
    let [entry] = &all(&server).await[..] else { panic!("one entry") };
    assert_eq!((&*entry.principal, entry.role(), &*entry.call_id), ("anonymous", pb::Role::Admin, "night-7"));
    assert!(entry.address.starts_with("127.0.0.1:"), "{entry:?}");
    assert!(entry.create_time.is_some() && !entry.denied && entry.calls == 1, "{entry:?}");
}

#[tokio::test]
async fn audit_entries_are_filtered_and_listed_page_by_page() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for _ in 0..3 {
        puzzles.generate(easy(1)).await.unwrap();
    }
    server.queue.pause("a move", &someone()).await.unwrap();
    let any = pb::ListAuditEntriesRequest::default;
    let of = |entries: Vec<pb::AuditEntry>| entries.into_iter().map(|entry| entry.id).collect::<Vec<_>>();
    assert_eq!(of(list(&server, pb::ListAuditEntriesRequest { subject: "job-2".to_owned(), ..any() }).await), [2]);
    let by = pb::ListAuditEntriesRequest { principal: "cli:tester".to_owned(), ..any() };
    assert_eq!(of(list(&server, by).await), [4]);
    let generated = pb::ListAuditEntriesRequest { method: "Generate".to_owned(), page_size: 2, ..any() };
    let page = server.info().await.list_audit_entries(generated.clone()).await.unwrap().into_inner();
    assert_eq!(of(page.entries.clone()), [3, 2]);
    let next = pb::ListAuditEntriesRequest { page_token: page.next_page_token, ..generated };
    let last = server.info().await.list_audit_entries(next).await.unwrap().into_inner();
    assert_eq!((of(last.entries), last.next_page_token), (vec![1], String::new()));
    let now = page.entries[0].create_time;
    let later = now.map(|at| prost_types::Timestamp { seconds: at.seconds + 60, ..at });
    assert_eq!(list(&server, pb::ListAuditEntriesRequest { start_time: later, ..any() }).await, []);
    assert_eq!(list(&server, pb::ListAuditEntriesRequest { end_time: later, ..any() }).await.len(), 4);
    let series = pb::CreateDailySeriesRequest {
        name: "mini_6x6".to_owned(),
        kind: pb::Kind::Sudoku.into(),
        time_zone: "UTC".to_owned(),
        ..Default::default()
    };
    server.series().await.create_daily_series(series).await.unwrap();
    assert_eq!(of(list(&server, pb::ListAuditEntriesRequest { subject: "mini_6x6".to_owned(), ..any() }).await), [5]);
    let request = pb::ListAuditEntriesRequest {
        principal: "ä".to_owned(),
        subject: "Job 7".to_owned(),
        start_time: later,
        end_time: now,
        page_size: -1,
        page_token: "next".to_owned(),
        ..any()
    };
    let time = now.unwrap();
    let expected = [
        ("principal", "\"ä\" has characters that are not allowed; use printable ASCII"),
        ("subject", "\"Job 7\" is neither the ID of a job, a stock target, or a puzzle, nor the name of a series"),
        ("end_time", &format!("{time} is not after start_time, which is {}", later.unwrap())),
        ("page_size", "-1 is below 0; use 0 for the default, or 1 to 200"),
        ("page_token", "\"next\" is not a token of this list and these criteria; use the last next_page_token"),
    ];
    check_fields(server.info().await.list_audit_entries(request).await, &expected);
}

#[tokio::test]
async fn denied_calls_are_listed_with_their_number() {
    let server = Server::start().await;
    let by = Actor { name: Arc::from("night"), role: Some(Role::Maker), method: "PauseQueue".to_owned(), ..someone() };
    server.store.note_denied(&[Denial { by, calls: 3 }]).await.unwrap();
    let [entry] = &all(&server).await[..] else { panic!("one entry") };
    assert_eq!((&*entry.principal, &*entry.method, entry.denied, entry.calls), ("night", "PauseQueue", true, 3));
}
