//! `WithdrawPuzzles`: withdraws or deletes puzzles by criteria, counts them in a dry run, and leaves an entry in the audit trail.

use crate::{criteria::generated, prelude::*};

async fn withdrawn(server: &Server, request: &pb::WithdrawPuzzlesRequest) -> pb::WithdrawPuzzlesResponse {
    server.puzzles().await.withdraw_puzzles(request.clone()).await.unwrap().into_inner()
}

fn of_job(id: &str) -> pb::WithdrawPuzzlesRequest {
    pb::WithdrawPuzzlesRequest { job_id: id.to_owned(), reason: "eleven blanks".to_owned(), ..Default::default() }
}

#[tokio::test]
async fn puzzles_of_a_job_are_counted_then_withdrawn_with_an_audit_entry() {
    let server = Server::start().await;
    for number in [70, 30] {
        let givens = Some(number);
        let request = pb::GenerateRequest { min_givens: givens, max_givens: givens, count: Some(3), ..sudoku() };
        generated(&server, request, 12).await;
    }
    let dry = withdrawn(&server, &pb::WithdrawPuzzlesRequest { dry_run: true, ..of_job("job-1") }).await;
    assert_eq!(
        (dry.changed, dry.remaining, dry.ids),
        (3, 0, ["puzzle-1", "puzzle-2", "puzzle-3"].map(String::from).into())
    );
    assert_eq!(server.get_stock(pb::GetStockRequest::default()).await.unwrap().total, 6, "a dry run changes nothing");
    let done = withdrawn(&server, &of_job("job-1")).await;
    assert_eq!((done.changed, done.forgotten, done.remaining, done.ids.len()), (3, 0, 0, 3));
    assert_eq!(withdrawn(&server, &of_job("job-1")).await, pb::WithdrawPuzzlesResponse::default());
    assert_eq!(server.get_stock(pb::GetStockRequest::default()).await.unwrap().total, 3);
    let by_id = pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), ..Default::default() };
    let shown = server.get_puzzle(by_id).await.unwrap();
    assert!(shown.withdraw_time.is_some() && shown.withdraw_reason == "eleven blanks", "{shown:?}");

    let list = pb::ListAuditEntriesRequest { method: "WithdrawPuzzles".to_owned(), ..Default::default() };
    let entries = server.info().await.list_audit_entries(list).await.unwrap().into_inner().entries;
    let [entry] = &entries[..] else { panic!("{entries:?}") };
    let details = format!("{:?}", entry.details);
    assert!(details.contains("eleven blanks") && details.contains("job-1"), "{entry:?}");
}

#[tokio::test]
async fn puzzles_are_withdrawn_by_each_criterion() {
    let server = Server::start().await;
    let x_wing = pb::GenerateRequest { technique: "X-Wing".to_owned(), ..sudoku() };
    for (request, rating) in [(sudoku(), 12), (x_wing, 32), (sudoku(), 26)] {
        generated(&server, request, rating).await;
    }
    let any = pb::WithdrawPuzzlesRequest { dry_run: true, reason: "odd".to_owned(), ..Default::default() };
    let sudoku = pb::WithdrawPuzzlesRequest { kind: pb::Kind::Sudoku.into(), ..any.clone() };
    let (past, future) = (Some(prost_types::Timestamp::default()), Some("2100-01-01T00:00:00Z".parse().unwrap()));
    for (request, count) in [
        (sudoku.clone(), 3),
        (pb::WithdrawPuzzlesRequest { variant: "9x9".to_owned(), ..any.clone() }, 3),
        (pb::WithdrawPuzzlesRequest { symmetry: pb::Symmetry::None.into(), ..any.clone() }, 0),
        (pb::WithdrawPuzzlesRequest { level: pb::Level::Easy.into(), ..sudoku.clone() }, 1),
        (pb::WithdrawPuzzlesRequest { min_rating: Some(2.6), max_rating: Some(3.2), ..sudoku.clone() }, 2),
        (pb::WithdrawPuzzlesRequest { technique: "x wing".to_owned(), ..sudoku.clone() }, 1),
        (pb::WithdrawPuzzlesRequest { max_givens: Some(29), ..sudoku.clone() }, 0),
        (pb::WithdrawPuzzlesRequest { stored_from_time: past, stored_before_time: future, ..any.clone() }, 3),
        (pb::WithdrawPuzzlesRequest { stored_from_time: future, ..any.clone() }, 0),
        (pb::WithdrawPuzzlesRequest { stored_before_time: past, ..any }, 0),
    ] {
        assert_eq!(withdrawn(&server, &request).await.changed, count, "{request:?}");
    }
    // Only puzzles without a delivery are deleted; the others are withdrawn.
    server.get_puzzle(pb::GetPuzzleRequest { level: pb::Level::Easy.into(), ..sudoku_for("anna") }).await.unwrap();
    let done = withdrawn(&server, &pb::WithdrawPuzzlesRequest { forget: true, dry_run: false, ..sudoku }).await;
    assert_eq!((done.changed, done.forgotten, done.remaining, done.of_open_jobs), (3, 2, 0, 0));
}

#[tokio::test]
async fn deletion_leaves_puzzles_of_open_jobs_alone() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 20).await;
    server.work(12, 1).await;
    let done = withdrawn(&server, &pb::WithdrawPuzzlesRequest { forget: true, ..of_job("job-1") }).await;
    assert_eq!((done.changed, done.remaining, done.of_open_jobs), (0, 0, 8));
}

#[tokio::test]
async fn withdrawal_without_criterion_or_reason_is_refused_and_changes_nothing() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 1).await;
    let reason = of_job("job-1").reason;
    let level = pb::Level::Easy.into();
    for (request, faults) in [
        (
            pb::WithdrawPuzzlesRequest { reason: reason.clone(), ..Default::default() },
            &[("criteria", "required; set at least one, such as `job_id` or `kind`")][..],
        ),
        (
            pb::WithdrawPuzzlesRequest { reason: String::new(), ..of_job("job-1") },
            &[("reason", "0 characters are outside 1 to 500")],
        ),
        (of_job("1"), &[("job_id", "\"1\" is not the ID of a job")]),
        (
            pb::WithdrawPuzzlesRequest { level, reason, ..Default::default() },
            &[("kind", "required together with a level or a rating; set a kind")],
        ),
    ] {
        check_fields(server.puzzles().await.withdraw_puzzles(request).await, faults);
    }
    assert_eq!(server.get_stock(pb::GetStockRequest::default()).await.unwrap().total, 1);
}
