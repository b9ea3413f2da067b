//! `Refill`, and the stock targets in `GetStock`: states from due to stocked, making rates, unreachable targets, the
//! limit on refills, and ended and cancelled refills.

use puzzled_base::ids::JobId;
use puzzled_engine::shared::spec::Spec;
use puzzled_store::{
    RefillStore as _, TargetStore as _,
    jobs::slice::Guarded,
    targets::target::{Stop, Wish},
};

use crate::{
    prelude::*,
    server::work,
    targets::{hard, of_level, set},
};

async fn outlooks(server: &Server, request: pb::GetStockRequest) -> Vec<pb::TargetOutlook> {
    server.get_stock(request).await.unwrap().targets
}

pub(crate) async fn refill(server: &Server, id: &str) -> Result<Option<pb::Job>, Status> {
    let request = pb::RefillRequest { id: id.to_owned() };
    server.stock().await.refill(request).await.map(|response| response.into_inner().job)
}

#[tokio::test]
async fn ended_refill_differs_from_a_cancelled_one() {
    let server = Server::start().await;
    set(&server, of_level(pb::Level::Hard)).await;
    let job = refill(&server, "target-1").await.unwrap().unwrap();
    server.store.stop_refill(JobId(1), Stop::Full).await.unwrap().unwrap();
    let ended = server.job(&job.id).await;
    assert_eq!(ended.state(), pb::JobState::Ended);
    assert_eq!(ended.error, "the stock target was filled before the job was done");
    let states = vec![pb::JobState::Ended.into()];
    let request = pb::ListJobsRequest { states, ..Default::default() };
    assert_eq!(server.list_jobs(request).await.unwrap(), [ended]);
    let queue = server.queue_state().await;
    assert_eq!((queue.ended_jobs, queue.cancelled_jobs), (1, 0));
    // No rest follows.
    assert_eq!(outlooks(&server, pb::GetStockRequest::default()).await[0].state(), pb::TargetState::Due);
    let retried = server.retry_job(&job.id).await.unwrap();
    assert_eq!((retried.state(), retried.error.as_str()), (pb::JobState::Queued, ""));
}

#[tokio::test]
async fn target_goes_from_due_to_filling_to_stocked_and_measures_its_rate() {
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
async fn target_without_hits_in_too_much_work_is_unreachable() {
    let server = Server::start().await;
    set(&server, of_level(pb::Level::Hard)).await;
    refill(&server, "target-1").await.unwrap().unwrap();
    let slice = server.queue.claim("tester").await.unwrap().unwrap();
    // 4.6 minutes are 276 seconds.
    let nearest = Some((2, "rated 3.4 with 24 givens".to_owned()));
    let tally = Tally { tries: 1_500, off_target: 1_500, nearest, ..Tally::default() };
    let (next_index, next_try) = (slice.first_index, 1_500);
    let work = SliceWork { tally, next_index, next_try, work_ms: 277_000, ..SliceWork::default() };
    assert!(matches!(server.queue.commit(slice.lease, work).await.unwrap(), Guarded::Done(_)));
    let outlook = outlooks(&server, pb::GetStockRequest::default()).await.remove(0);
    assert_eq!(outlook.state(), pb::TargetState::Unreachable);
    let unreachable = outlook.unreachable.unwrap();
    assert_eq!((unreachable.tries, unreachable.work_time.unwrap().seconds), (1_500, 277));
    let per_puzzle = unreachable.min_time_per_puzzle.unwrap();
    assert_eq!((per_puzzle.seconds, per_puzzle.nanos / 1_000_000), (60, 149));
    let error = "UNREACHABLE: no puzzle in 1500 tries and 4.6 minutes of work; nearest: rated 3.4 with 24 givens; set other criteria";
    assert_eq!(outlook.last_error, error);
    let failed = server.job("job-1").await;
    assert_eq!((failed.state(), failed.error_reason()), (pb::JobState::Failed, pb::ErrorReason::Unreachable));
    assert_eq!(outlook.time_to_full, None);
    // A person can try it again.
    assert!(refill(&server, "target-1").await.unwrap().is_some());
}

#[tokio::test]
async fn stored_target_of_a_refused_spec_is_unreachable_with_the_sentence() {
    let server = Server::start().await;
    let difficulty = Difficulty::Range { min: Tenths(95), max: Tenths(104) };
    let spec = Spec { symmetry: Symmetry::Full, difficulty, givens: None, ..hard().spec };
    server.store.create_target(&Wish { spec, ..hard() }, 10, &someone()).await.unwrap();
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
