//! Helpers that the cases share: they queue, claim, work, commit, and read.

use std::{
    future::poll_fn,
    ops::RangeInclusive,
    pin::pin,
    task::Poll::{Pending, Ready},
};

use jiff::civil::Date;
use puzzled_store::series::{daily_series::Series, day::Day};

use crate::prelude::*;

pub(crate) const LEASE_MS: i64 = 10_000;

/// The limit of failed attempts at one slice.
pub(crate) const ATTEMPTS_MAX: u32 = 3;

/// The limit of open jobs in cases that do not test the limit.
pub(crate) const OPEN_JOBS_MAX: u32 = 100;

pub(crate) async fn queue(store: &dyn Store, new: NewJob) -> Job {
    match store.enqueue(new, OPEN_JOBS_MAX).await.unwrap() {
        Enqueued::New(job) => job,
        other => panic!("not queued: {other:?}"),
    }
}

/// A claim by priority, of two indices.
pub(crate) fn claim(token: i64) -> Claim {
    let order = ClaimOrder::Priority;
    Claim { worker: "tester".into(), order, token, lease_ms: LEASE_MS, attempts_max: ATTEMPTS_MAX, size: slices_of(2) }
}

/// Slices of this many indices, independent of the pace of their job.
pub(crate) fn slices_of(indices: u32) -> SliceSize {
    SliceSize { first: indices, work_ms: i64::MAX, max: indices }
}

/// A slice of two indices.
pub(crate) async fn claimed(store: &dyn Store, token: i64) -> Slice {
    claimed_of(store, 2, token).await
}

/// A slice of this many indices, or of those that the job has left.
pub(crate) async fn claimed_of(store: &dyn Store, indices: u32, token: i64) -> Slice {
    let sized = Claim { size: slices_of(indices), ..claim(token) };
    store.claim(sized).await.unwrap().slice.expect("work is due")
}

/// A slice of all indices that the job has left.
pub(crate) async fn claimed_whole(store: &dyn Store, token: i64) -> Slice {
    claimed_of(store, u32::MAX, token).await
}

/// A slice of two indices for each token.
pub(crate) async fn claimed_by(store: &dyn Store, tokens: RangeInclusive<i64>) -> Vec<Slice> {
    let mut slices = Vec::new();
    for token in tokens {
        slices.push(claimed(store, token).await);
    }
    slices
}

/// The ranges of the slices that these tokens claim.
pub(crate) async fn ranges_of(store: &dyn Store, tokens: RangeInclusive<i64>) -> Vec<(u32, u32, u32)> {
    claimed_by(store, tokens).await.iter().map(range_of).collect()
}

pub(crate) async fn nothing_is_due(store: &dyn Store) {
    assert_eq!(store.claim(claim(0)).await.unwrap().slice, None);
}

/// The result of a slice: from the first index on, one puzzle of each number, at the first try that is left.
pub(crate) fn work(slice: &Slice, numbers: &[u64]) -> SliceWork {
    let made: Vec<_> = (slice.first_index..)
        .zip(numbers)
        .map(|(index, &number)| {
            let try_number = if index == slice.first_index { slice.first_try } else { 0 };
            MadeAt { index, try_number, made: made(number) }
        })
        .collect();
    let tries = numbers.len() as u64;
    let next_index = slice.first_index + u32::try_from(numbers.len()).unwrap();
    SliceWork { made, tally: Tally { tries, ..Tally::default() }, next_index, next_try: 0, work_ms: 5 }
}

/// The same result after this many misses at the index at which the work continues.
pub(crate) fn with_misses(misses: u32, mut work: SliceWork) -> SliceWork {
    for distance in 1..=misses {
        work.miss(Miss { reason: MissReason::OffTarget, distance, nearest: format!("missed by {distance}") });
    }
    work
}

/// Replaces the puzzles by others with the same solutions. Each `face` gives other puzzles.
pub(crate) fn alike(face: &str, mut work: SliceWork) -> SliceWork {
    for at in &mut work.made {
        at.made.canonical = format!("{face} {}", at.made.canonical);
    }
    work
}

pub(crate) async fn committed(store: &dyn Store, slice: &Slice, numbers: &[u64]) -> Job {
    done(store.commit(slice.lease, work(slice, numbers)).await.unwrap())
}

/// Claims one index after the other, and commits a puzzle of each of these numbers.
pub(crate) async fn make(store: &dyn Store, numbers: &[u64]) {
    for (token, &number) in (1_000..).zip(numbers) {
        let slice = claimed_of(store, 1, token).await;
        committed(store, &slice, &[number]).await;
    }
}

/// Adds a puzzle of each of these numbers to the stock, by a job in one commit.
pub(crate) async fn stock(store: &dyn Store, numbers: impl IntoIterator<Item = u64>) {
    let numbers: Vec<_> = numbers.into_iter().collect();
    queue(store, job(u32::try_from(numbers.len()).unwrap())).await;
    let slice = claimed_whole(store, 1).await;
    committed(store, &slice, &numbers).await;
}

/// The number, the rating in tenths, the hardest technique, and the number of givens of a puzzle.
pub(crate) type Properties = (u64, u8, &'static str, u16);

/// Adds puzzles with these properties to the stock, by a job of this spec in one commit.
pub(crate) async fn stock_of(store: &dyn Store, spec: Spec, puzzles: &[Properties]) -> JobId {
    let wanted = u32::try_from(puzzles.len()).unwrap();
    let queued = queue(store, NewJob { spec, priority: 100, ..job(wanted) }).await;
    let slice = claimed_whole(store, 1).await;
    let mut work = work(&slice, &puzzles.iter().map(|puzzle| puzzle.0).collect::<Vec<_>>());
    for (MadeAt { made, .. }, &(_, rating, technique, givens)) in work.made.iter_mut().zip(puzzles) {
        made.givens = givens;
        (made.record.rating, made.record.technique) = (Tenths(rating), technique);
    }
    assert_eq!(done(store.commit(slice.lease, work).await.unwrap()).id, queued.id);
    queued.id
}

/// The spec of any puzzle of a variant.
pub(crate) fn of(kind: &str, variant: &str) -> Spec {
    Spec { kind: kind.to_owned(), variant: variant.to_owned(), ..spec() }
}

pub(crate) fn done<T>(guarded: Guarded<T>) -> T {
    match guarded {
        Guarded::Done(value) => value,
        Guarded::LeaseLost => panic!("the lease was lost"),
    }
}

pub(crate) fn failure(error: &str) -> FailedAttempt {
    FailedAttempt { error: error.to_owned(), backoff_ms: 1_000, attempts_max: ATTEMPTS_MAX }
}

/// Checks that the store refuses every action under the lease of this slice and changes nothing.
pub(crate) async fn is_refused(store: &dyn Store, slice: &Slice, numbers: &[u64]) {
    let before = Everything::of(store).await;
    assert_eq!(store.commit(slice.lease, work(slice, numbers)).await.unwrap(), Guarded::LeaseLost);
    assert_eq!(store.fail_attempt(slice.lease, failure("late")).await.unwrap(), Guarded::LeaseLost);
    assert_eq!(store.give_back(slice.lease).await.unwrap(), Guarded::LeaseLost);
    assert_eq!(store.renew(&[slice.lease], LEASE_MS).await.unwrap(), [slice.lease]);
    assert_eq!(Everything::of(store).await, before);
}

/// Retries a job.
pub(crate) async fn queue_again(store: &dyn Store, id: JobId, tries_more: u32) -> Job {
    match store.retry(id, tries_more, &someone()).await.unwrap() {
        Retried::Job(job) => *job,
        other => panic!("not queued again: {other:?}"),
    }
}

pub(crate) async fn cancelled(store: &dyn Store, id: JobId) -> Job {
    match store.cancel(id, &someone()).await.unwrap() {
        Cancelled::Job(job) => *job,
        other => panic!("not cancelled: {other:?}"),
    }
}

pub(crate) async fn job_of(store: &dyn Store, id: JobId) -> Job {
    store.job(id).await.unwrap().expect("the job is there")
}

pub(crate) async fn all_puzzles(store: &dyn Store) -> Vec<Puzzle> {
    store.puzzles(&ShelfFilter::ANY, None, u32::MAX, true).await.unwrap()
}

/// All pages of a list, joined. `read` returns the page that follows an ID.
pub(crate) async fn joined<T, K>(id: impl Fn(&T) -> K, read: impl AsyncFn(Option<K>) -> Vec<T>) -> Vec<T> {
    let mut all = Vec::new();
    loop {
        let page = read(all.last().map(&id)).await;
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

/// The numbers of positions and of empty ones of each shelf.
pub(crate) async fn counts(store: &dyn Store) -> Vec<(i64, i64)> {
    store.shelves().await.unwrap().iter().map(|shelf| (shelf.positions, shelf.empty)).collect()
}

/// The index, try, and number of each puzzle of a job in stock, by index.
pub(crate) async fn result_of(store: &dyn Store, id: JobId) -> Vec<(u32, u32, u64)> {
    let mut result: Vec<_> = all_puzzles(store)
        .await
        .into_iter()
        .filter(|puzzle| made_at(puzzle).job_id == id)
        .map(|puzzle| (made_at(&puzzle).index, made_at(&puzzle).try_number, number_of(&puzzle)))
        .collect();
    result.sort_unstable();
    result
}

/// The try that made a puzzle.
pub(crate) fn made_at(puzzle: &Puzzle) -> JobOrigin {
    *puzzle.origin.job().expect("a job made the puzzle")
}

pub(crate) fn number_of(puzzle: &Puzzle) -> u64 {
    puzzle.text.strip_prefix("text ").unwrap().parse().unwrap()
}

/// The range of a slice and its first try.
pub(crate) fn range_of(slice: &Slice) -> (u32, u32, u32) {
    (slice.first_index, slice.end_index, slice.first_try)
}

/// A request of an audience for any puzzle that is now in stock.
pub(crate) async fn wish(store: &dyn Store, audience: &str, seed: u64) -> NewDelivery {
    let shelves = store.shelves().await.unwrap();
    let from = DrawFrom::Shelves(Arc::new(FittingShelves::of(&shelves, &ShelfFilter::ANY)));
    let audience = audience.to_owned();
    NewDelivery { audience, name: None, from, with_record: true, seed }
}

pub(crate) async fn deliver_one(store: &dyn Store, wanted: NewDelivery) -> Delivered {
    let mut delivered = store.deliver(&[wanted]).await.unwrap();
    assert_eq!(delivered.len(), 1);
    delivered.remove(0)
}

/// The puzzles delivered to an audience until the stock is exhausted, in order.
pub(crate) async fn drained(store: &dyn Store, audience: &str) -> Vec<Puzzle> {
    let mut puzzles = Vec::new();
    for seed in 0..10_000 {
        match deliver_one(store, wish(store, audience, seed).await).await {
            Delivered::New(puzzle) => puzzles.push(*puzzle),
            Delivered::Exhausted => return puzzles,
            other => panic!("{other:?}"),
        }
    }
    panic!("the stock does not end");
}

/// The IDs of the stored puzzles that were delivered to an audience or recorded for it, in order.
pub(crate) async fn had(store: &dyn Store, audience: &str) -> Vec<PuzzleId> {
    let mut deliveries = store.deliveries(audience, None, u32::MAX).await.unwrap();
    deliveries.reverse();
    deliveries.into_iter().filter_map(|delivery| delivery.puzzle_id).collect()
}

/// The audiences of cases that compare `Everything`.
pub(crate) const AUDIENCES: [&str; 2] = ["one", "other"];

/// Everything that the store returns.
#[derive(Debug, PartialEq)]
pub(crate) struct Everything {
    deliveries: Vec<Vec<Delivery>>,
    jobs: Vec<Job>,
    shelves: Vec<Shelf>,
    puzzles: Vec<Puzzle>,
    next_due: Option<Millis>,
    queue: QueueState,
    targets: Vec<StockTarget>,
    rates: Vec<MakingRate>,
    ratings: Vec<Rating>,
    processes: Vec<Listed>,
    audit: Vec<AuditEntry>,
    series: Vec<Series>,
    days: Vec<Day>,
}

impl Everything {
    pub(crate) fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    pub(crate) async fn of(store: &dyn Store) -> Self {
        let mut deliveries = Vec::new();
        for audience in AUDIENCES.into_iter().chain(["", "new"]) {
            deliveries.push(store.deliveries(audience, None, u32::MAX).await.unwrap());
        }
        let puzzles = all_puzzles(store).await;
        let ids: Vec<_> = puzzles.iter().map(|puzzle| puzzle.id).collect();
        Self {
            ratings: store.ratings(&ids).await.unwrap(),
            processes: store.processes(None, u32::MAX).await.unwrap(),
            deliveries,
            jobs: store.jobs(&JobFilter::default(), None, u32::MAX).await.unwrap(),
            shelves: store.shelves().await.unwrap(),
            puzzles,
            next_due: store.next_due().await.unwrap(),
            queue: store.queue_state().await.unwrap(),
            targets: store.targets().await.unwrap(),
            rates: store.rates(&[spec().words()]).await.unwrap(),
            audit: store.audit_entries(&AuditFilter::default(), None, u32::MAX).await.unwrap(),
            series: store.all_series().await.unwrap(),
            days: store.days(Date::MIN).await.unwrap(),
        }
    }
}

/// Drops a call when it has waited this many times.
pub(crate) async fn dropped_after<T>(waits: u32, call: impl Future<Output = T>) -> Option<T> {
    let mut call = pin!(call);
    let mut left = waits;
    poll_fn(|context| match call.as_mut().poll(context) {
        Ready(answer) => Ready(Some(answer)),
        Pending if left == 0 => Ready(None),
        Pending => {
            left -= 1;
            Pending
        }
    })
    .await
}
