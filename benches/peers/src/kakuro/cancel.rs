//! Measures how soon the making of the largest Kakuros ends after the cancel flag is raised.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use puzzled_engine::{
    kakuro::Kakuro,
    shared::{
        job_index::{IndexOutcome, JobIndex, first_hit},
        rng::Rng,
        spec::Difficulty,
        symmetry::Symmetry,
    },
};

use super::make::spec;

/// Longest wait before the flag is raised, in milliseconds: until about the third puzzle.
const WAIT_MS: u64 = 3_000;

pub fn run(count: u32) {
    for variant in ["30x30", "30x30-runs9-white70"] {
        let spec = spec(variant, Symmetry::None, Difficulty::Any);
        let mut rng = Rng::from_seed(1);
        let mut times: Vec<_> = (0..count)
            .map(|round| {
                let (cancel, wait) = (AtomicBool::new(false), Duration::from_millis(rng.below(WAIT_MS)));
                thread::scope(|scope| {
                    let ended = scope.spawn(|| {
                        for index in round * 1_000.. {
                            let at = JobIndex { kind: &Kakuro, spec: &spec, seed: 7, index };
                            if first_hit(&at, 0..2_000, &cancel, &mut |_| ()) == IndexOutcome::Cancelled {
                                break;
                            }
                        }
                        Instant::now()
                    });
                    thread::sleep(wait);
                    let raised = Instant::now();
                    cancel.store(true, Ordering::Relaxed);
                    ended.join().expect("a thread that ends").duration_since(raised)
                })
            })
            .collect();
        times.sort_unstable();
        let ms = |at: usize| times[at.min(times.len() - 1)].as_secs_f64() * 1_000.0;
        let (p50, p90, max) = (ms(times.len() / 2), ms(times.len() * 9 / 10), ms(times.len()));
        println!("{variant}: {count} cancels, p50 {p50:.1} ms, p90 {p90:.1} ms, max {max:.1} ms");
    }
}
