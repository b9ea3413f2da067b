//! Measures how many empty slices workers claim and commit per second, and how long one worker takes to claim and
//! commit a slice of 50 puzzles.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use puzzled_store::jobs::slice::{Guarded, SliceWork};
use tokio::task::JoinSet;

use crate::world::{World, claim, puzzles};

/// Empty slices per second that `tasks` concurrent workers claim and commit.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
pub(crate) async fn no_ops(world: &World, tasks: usize, length: Duration) -> f64 {
    world.queue(1_000_000).await;
    let token = Arc::new(AtomicI64::new(1));
    let until = Instant::now() + length;
    let mut workers = JoinSet::new();
    for _ in 0..tasks {
        let (store, token) = (Arc::clone(&world.store), Arc::clone(&token));
        workers.spawn(async move {
            let mut done = 0_u32;
            while Instant::now() < until {
                let claim = claim(token.fetch_add(1, Ordering::Relaxed), 1);
                let Some(slice) = store.claim(claim).await.expect("an answer").slice else { continue };
                let nothing = SliceWork { next_index: slice.first_index, next_try: 1, ..SliceWork::default() };
                let committed = store.commit(slice.lease, nothing).await.expect("an answer");
                assert!(matches!(committed, Guarded::Done(_)), "{committed:?}");
                done += 1;
            }
            done
        });
    }
    let done: u32 = workers.join_all().await.into_iter().sum();
    f64::from(done) / length.as_secs_f64()
}

/// Milliseconds for a claim and the commit of 50 puzzles on ten shelves, with a single worker.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
pub(crate) async fn overhead_ms(world: &World, length: Duration) -> f64 {
    world.queue(1_000_000).await;
    let from = Instant::now();
    let mut done = 0_u32;
    while from.elapsed() < length {
        let claim = claim(i64::from(done) + 1, 50);
        let slice = world.store.claim(claim).await.expect("an answer").slice.expect("work is due");
        world.store.commit(slice.lease, puzzles(&slice, 10)).await.expect("an answer");
        done += 1;
    }
    from.elapsed().as_secs_f64() * 1_000.0 / f64::from(done)
}
