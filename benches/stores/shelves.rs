//! Measures how many puzzles per second concurrent workers commit, to many shelves or to one shelf that all of them
//! use.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

use crate::world::{World, claim, puzzles};

/// Puzzles stored per second by `workers` workers that commit concurrently.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
pub(crate) async fn puzzles_a_second(world: &World, workers: usize, shelves: u8, length: Duration) -> f64 {
    world.queue(10_000_000).await;
    let token = Arc::new(AtomicI64::new(1));
    let until = Instant::now() + length;
    let mut at_work = JoinSet::new();
    for _ in 0..workers {
        let (store, token) = (Arc::clone(&world.store), Arc::clone(&token));
        at_work.spawn(async move {
            let mut made = 0_u32;
            while Instant::now() < until {
                let claim = claim(token.fetch_add(1, Ordering::Relaxed), 50);
                let slice = store.claim(claim).await.expect("an answer").slice.expect("work is due");
                store.commit(slice.lease, puzzles(&slice, shelves)).await.expect("an answer");
                made += 50;
            }
            made
        });
    }
    let made: u32 = at_work.join_all().await.into_iter().sum();
    f64::from(made) / length.as_secs_f64()
}
