//! Stock targets, their refills, and what `GetStock` says of them.

use puzzled::{
    proto::v1 as pb,
    store::{
        TargetStore as _,
        job::{Guarded, SliceWork, Tally},
        target::Wish,
    },
};
use puzzled_engine::{
    level::Tenths,
    spec::{Spec, Target},
    symmetry::Symmetry,
};
use tonic::{Code, Status};

use crate::{
    errors::{check, check_fields},
    server::{Server, work},
};

/// Fifty puzzles of a level.
fn of_level(level: pb::Level) -> pb::SetStockTargetRequest {
    pb::SetStockTargetRequest { kind: pb::Kind::Sudoku.into(), level: level.into(), target: 50, ..Default::default() }
}

async fn set(server: &Server, request: pb::SetStockTargetRequest) -> pb::StockTarget {
    server.stock().await.set_stock_target(request).await.unwrap().into_inner().target.unwrap()
}

async fn outlooks(server: &Server, request: pb::GetStockRequest) -> Vec<pb::TargetOutlook> {
    server.stock().await.get_stock(request).await.unwrap().into_inner().targets
}

async fn refill(server: &Server, id: &str) -> Result<Option<pb::Job>, Status> {
    let request = pb::RefillRequest { id: id.to_owned(), no_extras: false };
    server.stock().await.refill(request).await.map(|response| response.into_inner().job)
}

#[tokio::test]
async fn a_target_is_set_listed_changed_and_deleted() {
    let server = Server::start().await;
    let request = pb::SetStockTargetRequest {
        cron: "0 1 * * *".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
        ..of_level(pb::Level::Hard)
    };
    let target = set(&server, request.clone()).await;
    assert_eq!(
        (target.id.as_str(), target.variant.as_str(), target.symmetry()),
        ("target-1", "9x9", pb::Symmetry::None)
    );
    assert_eq!((target.target, target.low_water, target.priority, target.window_minutes), (50, 50, -50, 60));
    assert_eq!((target.level(), target.min_rating, target.declared), (pb::Level::Hard, None, false));
    let changed = pb::SetStockTargetRequest {
        target: 80,
        low_water: 20,
        priority: Some(0),
        cron: String::new(),
        time_zone: String::new(),
        ..request
    };
    let changed = set(&server, changed).await;
    assert_eq!((changed.id.as_str(), changed.target, changed.low_water), ("target-1", 80, 20));
    assert_eq!((changed.priority, changed.cron.as_str(), changed.create_time), (0, "", target.create_time));
    let range = pb::SetStockTargetRequest {
        level: 0,
        min_rating: Some(2.0),
        max_rating: Some(2.3),
        symmetry: pb::Symmetry::Rotation180.into(),
        ..of_level(pb::Level::Hard)
    };
    let range = set(&server, range).await;
    assert_eq!((range.min_rating, range.max_rating, range.level()), (Some(2.0), Some(2.3), pb::Level::Unspecified));

    let mut stock = server.stock().await;
    let listed = stock.list_stock_targets(pb::ListStockTargetsRequest {}).await.unwrap().into_inner().targets;
    assert_eq!(listed, [changed.clone(), range.clone()]);
    let server = server.restart().await;
    let mut stock = server.stock().await;
    let gone = stock.delete_stock_target(pb::DeleteStockTargetRequest { id: changed.id.clone() }).await.unwrap();
    assert_eq!(gone.into_inner().target, Some(changed));
    let listed = stock.list_stock_targets(pb::ListStockTargetsRequest {}).await.unwrap().into_inner().targets;
    assert_eq!(listed, [range]);
}

#[tokio::test]
async fn a_bad_target_is_refused_with_every_fault() {
    let server = Server::start().await;
    let mut stock = server.stock().await;
    let bad = pb::SetStockTargetRequest {
        kind: 0,
        level: 9,
        target: 0,
        low_water: 5,
        priority: Some(-101),
        time_zone: "UTC".to_owned(),
        window_minutes: 1,
        ..Default::default()
    };
    check_fields(
        stock.set_stock_target(bad).await,
        &[
            ("kind", "KIND_UNSPECIFIED where a kind is required"),
            ("level", "9 is not a level: 1 (LEVEL_EASY) to 5 (LEVEL_EVIL)"),
            ("target", "0 is outside 1 to 10000000"),
            ("low_water", "5 is outside 1 to target, which is 0"),
            ("priority", "-101 is outside -100 to 100"),
            ("time_zone", "it means nothing without cron"),
            ("window_minutes", "it means nothing without cron"),
        ],
    );
    let never = pb::SetStockTargetRequest { cron: "0 0 30 2 *".to_owned(), ..of_level(pb::Level::Easy) };
    check_fields(stock.set_stock_target(never.clone()).await, &[("cron", "\"0 0 30 2 *\" never comes")]);
    let nowhere =
        pb::SetStockTargetRequest { cron: "* * * * *".to_owned(), time_zone: "Mars/Olympus".to_owned(), ..never };
    let words = "\"Mars/Olympus\" is not an IANA time zone such as Europe/Berlin";
    check_fields(stock.set_stock_target(nowhere).await, &[("time_zone", words)]);
    let beyond = pb::SetStockTargetRequest {
        level: pb::Level::Unspecified.into(),
        min_rating: Some(13.5),
        ..of_level(pb::Level::Evil)
    };
    check(stock.set_stock_target(beyond).await, Code::FailedPrecondition, "RATING_UNSUPPORTED");
}

#[tokio::test]
async fn an_unknown_target_is_not_found() {
    let server = Server::start().await;
    for id in ["target-1", "target-01", "job-1", "x"] {
        check(refill(&server, id).await, Code::NotFound, "TARGET_NOT_FOUND");
        let request = pb::DeleteStockTargetRequest { id: id.to_owned() };
        let refused = server.stock().await.delete_stock_target(request).await;
        let details = check(refused, Code::NotFound, "TARGET_NOT_FOUND");
        assert_eq!(details.resource_info().unwrap().resource_type, "puzzled.v1.StockTarget");
    }
    check_fields(refill(&server, "").await, &[("id", "\"\" where the id of a stock target is required")]);
}

#[tokio::test]
async fn a_refill_queues_what_is_missing_and_answers_with_the_same_job_until_it_is_done() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 26, 20).await;
    server.fill(Symmetry::Full, 26, 20).await;
    let target = set(&server, of_level(pb::Level::Hard)).await;
    let job = refill(&server, &target.id).await.unwrap().unwrap();
    assert_eq!((job.wanted, job.target_id.as_str(), job.priority), (30, "target-1", -50));
    assert_eq!(refill(&server, &target.id).await.unwrap().unwrap().id, job.id);
    server.work(30, u32::MAX).await;
    assert_eq!(refill(&server, &target.id).await.unwrap(), None);
}

#[tokio::test]
async fn a_target_goes_from_due_over_filling_to_stocked_and_its_rate_is_measured() {
    let server = Server::start().await;
    set(&server, of_level(pb::Level::Hard)).await;
    set(&server, of_level(pb::Level::Easy)).await;
    let hard =
        pb::GetStockRequest { kind: pb::Kind::Sudoku.into(), level: pb::Level::Hard.into(), ..Default::default() };
    let outlook = async || {
        let mut outlooks = outlooks(&server, hard.clone()).await;
        assert_eq!(outlooks.len(), 1, "only those of the part that was asked for");
        outlooks.remove(0)
    };
    let due = outlook().await;
    assert_eq!((due.state(), due.have, due.missing, due.rate), (pb::TargetState::Due, 0, 50, None));
    assert_eq!((due.time_to_full, due.job_id.as_str()), (None, ""));

    let job = refill(&server, "target-1").await.unwrap().unwrap();
    // One slice of eight in a millisecond.
    server.work(26, 1).await;
    let filling = outlook().await;
    assert_eq!((filling.state(), filling.have, filling.missing), (pb::TargetState::Filling, 8, 42));
    assert_eq!(filling.job_id, job.id);
    let rate = filling.rate.unwrap();
    assert_eq!((rate.tries, rate.hits, rate.work_time.unwrap().nanos), (8, 8, 1_000_000));
    assert!((rate.seconds_per_hit - 0.000_125).abs() < 1e-12, "{rate:?}");
    assert!((rate.hits_per_minute - 480_000.0).abs() < 1e-6, "{rate:?}");
    assert!(filling.time_to_full.is_some());

    server.work(26, u32::MAX).await;
    let stocked = outlook().await;
    assert_eq!((stocked.state(), stocked.have, stocked.missing), (pb::TargetState::Stocked, 50, 0));
    assert_eq!(stocked.time_to_full.unwrap().seconds, 0);
}

#[tokio::test]
async fn a_target_that_gave_nothing_in_too_many_tries_is_unreachable_with_the_numbers() {
    let server = Server::with(|options| options.policy.tries_max = 10).await;
    set(&server, of_level(pb::Level::Hard)).await;
    refill(&server, "target-1").await.unwrap().unwrap();
    let slice = server.queue.claim("tester").await.unwrap().unwrap();
    // The planner of this server counts with 2,000 tries at one puzzle, so 9,211 without one are too many.
    let tally = Tally { tries: 9_211, off_target: 9_211, ..Tally::default() };
    let work = SliceWork { tally, next_index: slice.first_index, next_try: 2_000, ..SliceWork::default() };
    assert!(matches!(server.queue.commit(slice.lease, work).await.unwrap(), Guarded::Done(_)));
    let outlook = outlooks(&server, pb::GetStockRequest::default()).await.remove(0);
    assert_eq!(outlook.state(), pb::TargetState::Unreachable);
    let unreachable = outlook.unreachable.unwrap();
    assert_eq!((unreachable.tries, unreachable.required_rate), (9_211, 0.0005));
    assert!(unreachable.max_rate < 0.0005 && unreachable.max_rate > 0.000_499, "{unreachable:?}");
    assert!(outlook.last_error.starts_with("no puzzle for index 0 within 2000 tries"), "{}", outlook.last_error);
    assert_eq!(outlook.time_to_full, None);
    // By hand it may be tried again.
    assert!(refill(&server, "target-1").await.unwrap().is_some());
}

#[tokio::test]
async fn stored_target_of_a_refused_spec_is_unreachable_with_the_sentence() {
    let server = Server::start().await;
    let spec = Spec {
        kind: "sudoku".to_owned(),
        variant: "9x9".to_owned(),
        symmetry: Symmetry::Full,
        target: Target::Range { min: Tenths(95), max: Tenths(104) },
        clues: None,
        technique: None,
    };
    let wish = Wish { spec, low_water: 5, target: 5, priority: 0, no_extras: false, schedule: None };
    server.store.set_target(wish, 10).await.unwrap();
    let outlook = outlooks(&server, pb::GetStockRequest::default()).await.remove(0);
    assert_eq!((outlook.state(), outlook.unreachable), (pb::TargetState::Unreachable, None));
    let refusal =
        "symmetry: full cannot be combined with ratings from 9.5 on, which are too rare; only none is allowed";
    assert_eq!(outlook.refusal, refusal);
}

#[tokio::test]
async fn refills_beyond_their_bound_are_refused_and_may_be_asked_for_later() {
    let server = Server::start().await;
    let levels = [pb::Level::Easy, pb::Level::Medium, pb::Level::Hard, pb::Level::Expert, pb::Level::Unspecified];
    let mut refused = Vec::new();
    for level in levels {
        let target = set(&server, of_level(level)).await;
        refused.extend(refill(&server, &target.id).await.err());
    }
    assert_eq!(refused.len(), 1);
    let details = check(Err::<(), _>(refused.remove(0)), Code::ResourceExhausted, "REFILLS_FULL");
    assert!(details.retry_info().is_some() && details.quota_failure().is_some());
    work(&server.queue, 12, u32::MAX).await;
    refill(&server, "target-5").await.unwrap();
}

#[tokio::test]
async fn what_tries_leave_over_is_told_apart() {
    let server = Server::start().await;
    let job = server.queue_job(Symmetry::None, 2).await;
    server.work_with_extra(26, 34).await;
    let request = pb::GetJobRequest { id: job.id.to_string() };
    let job = server.jobs().await.get_job(request).await.unwrap().into_inner().job.unwrap();
    assert_eq!((job.made, job.extra, job.missed.unwrap().off_target), (2, 1, 1));
    let listed = server.puzzles().await.list_puzzles(pb::ListPuzzlesRequest::default()).await.unwrap().into_inner();
    let told: Vec<_> = listed.puzzles.iter().map(|puzzle| (puzzle.rating, puzzle.extra)).collect();
    assert_eq!(told, [(2.6, false), (2.6, false), (3.4, true)]);
    // It is handed out like any other.
    let wanted = pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), min_rating: Some(3.4), ..Default::default() };
    let drawn = server.puzzles().await.get_puzzle(wanted).await.unwrap().into_inner().puzzle.unwrap();
    assert!(drawn.extra);
}
