//! Top-ups and unreachable specs: when a commit ends such a job, and which claims pass over top-ups.

use puzzled_store::{jobs::job::JobError, stock::draws::Stock, targets::need::Need};

use crate::{prelude::*, targets::wish};

/// Working time after which a spec without a hit is unreachable, in milliseconds.
const UNREACHABLE_MS: i64 = 276_311;

fn top_up(wanted: u32) -> NewJob {
    NewJob { priority: 10, work_ms_max: Some(10_000), ..job(wanted) }
}

/// Claims two indices, and commits a puzzle of each of these numbers and a miss after this working time.
async fn worked(store: &dyn Store, numbers: &[u64], work_ms: i64) -> Job {
    let slice = claimed(store, 1).await;
    let mut work = with_misses(1, work(&slice, numbers));
    work.work_ms = work_ms;
    done(store.commit(slice.lease, work).await.unwrap())
}

pub(crate) async fn top_up_ends_at_its_limit_only_with_a_puzzle(store: &dyn Store, world: &World) {
    // The working time so far, the next puzzles, and the state after them.
    for (number, lines) in (0..).step_by(10).zip([
        &[(9_999, 1, JobState::Running), (1, 0, JobState::Ended)][..],
        &[(10_000, 1, JobState::Ended)],
        &[(10_000, 0, JobState::Running), (20_000, 0, JobState::Running), (1, 1, JobState::Ended)],
        &[(10_000, 0, JobState::Running), (UNREACHABLE_MS, 1, JobState::Ended)],
    ]) {
        let id = queue(store, NewJob { spec: of("number", &number.to_string()), ..top_up(20) }).await.id;
        for &(work_ms, puzzles, state) in lines {
            let job = worked(store, &[number][..puzzles], work_ms).await;
            assert_eq!((job.id, job.state), (id, state), "{lines:?}");
            world.pass_ms(1);
        }
        let job = job_of(store, id).await;
        let error = "the working time of the top-up is spent, 10 s; it made 1 of 20 puzzles";
        assert_eq!((job.error.as_deref(), job.error_reason), (Some(error), None));
    }
    // A top-up that has all its puzzles succeeds.
    queue(store, top_up(1)).await;
    let slice = claimed(store, 1).await;
    let work = SliceWork { work_ms: 10_000, ..work(&slice, &[50]) };
    assert_eq!(done(store.commit(slice.lease, work).await.unwrap()).state, JobState::Succeeded);
}

pub(crate) async fn every_second_claim_beside_a_top_up_goes_to_another_job(store: &dyn Store, _: &World) {
    use ClaimOrder::{Priority as P, PriorityOrNoTopUp as N, Turn as T};
    let claim = async |order, token| {
        let claim = Claim { order, size: slices_of(1), ..claim(token) };
        store.claim(claim).await.unwrap().slice.unwrap().lease.job_id.0
    };
    queue(store, NewJob { priority: -5, ..job(20) }).await;
    queue(store, NewJob { priority: 5, ..job(20) }).await;
    queue(store, NewJob { priority: 9, ..job(20) }).await;
    // Without a top-up, the highest priority comes first.
    for (token, order, expected) in [(1, P, 3), (2, N, 3), (3, T, 1)] {
        assert_eq!(claim(order, token).await, expected, "{order:?}");
    }
    queue(store, top_up(9)).await;
    queue(store, top_up(9)).await;
    let mut turns = Vec::new();
    for (token, order) in (10..).zip([P, N, P, N, P, N, P, T]) {
        turns.push(claim(order, token).await);
    }
    assert_eq!(turns, [4, 2, 5, 3, 4, 1, 5, 2], "top-ups, and in between the job that has waited longest");
    // A more urgent job leaves nothing to share.
    queue(store, NewJob { priority: 11, ..job(20) }).await;
    assert_eq!([claim(P, 20).await, claim(N, 21).await], [6, 6]);
    for id in [1, 2, 3, 6] {
        cancelled(store, JobId(id)).await;
    }
    assert_eq!([claim(N, 30).await, claim(T, 31).await], [4, 5], "only top-ups are left");
}

pub(crate) async fn unreachable_job_fails_with_its_tries_and_its_target_follows(store: &dyn Store, world: &World) {
    let stock = Stock::new(world.open().await, Arc::new(Chance::from_seed(1)), ManualClock::at(START), bounds());
    let target = set(store, wish(5)).await;
    let other = queue(store, NewJob { priority: -9, ..job(5) }).await;
    let failed = queued(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap());
    let need = async || stock.planner().outlooks().await.unwrap()[0].need;
    assert_eq!(worked(store, &[], UNREACHABLE_MS - 1).await.state, JobState::Running);
    assert_eq!(need().await, Need::Filling);
    let job = worked(store, &[], 1).await;
    let error = "UNREACHABLE: no puzzle in 2 tries and 4.6 minutes of work; nearest: missed by 1; set other \
                 criteria";
    assert_eq!((job.id, job.state, job.error.as_deref()), (failed.id, JobState::Failed, Some(error)));
    assert_eq!((job.error_reason, job.ended_at), (Some(JobError::Unreachable), Some(world.now())));
    assert_eq!(need().await, Need::Unreachable);
    // Another job of the spec gets as much work again, and a retry has one more commit.
    assert_eq!(worked(store, &[], UNREACHABLE_MS - 1).await.state, JobState::Running);
    assert_eq!(worked(store, &[], 1).await.error_reason, Some(JobError::Unreachable));
    assert_eq!(job_of(store, other.id).await.state, JobState::Failed);
    let retried = queue_again(store, failed.id, 5).await;
    assert_eq!((retried.error_reason, retried.error), (None, None));
    // A hit makes the spec reachable.
    let job = worked(store, &[1], UNREACHABLE_MS).await;
    assert_eq!((job.state, need().await), (JobState::Running, Need::Filling));
    cancelled(store, failed.id).await;
    assert_eq!(worked_again(store).await.state, JobState::Running);
}

/// A new job of the usual spec after one more commit without a hit.
async fn worked_again(store: &dyn Store) -> Job {
    queue(store, job(2)).await;
    worked(store, &[], UNREACHABLE_MS).await
}
