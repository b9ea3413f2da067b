//! Measures how many puzzles of a spec one core makes in an hour.

use std::{collections::HashSet, sync::atomic::AtomicBool, time::Duration};

use serde::Serialize;

use crate::input::spec::Kind;
use puzzled_base::clock::Clock;
use puzzled_engine::shared::{
    job_index::{JobIndex, one_try},
    spec::Spec,
    tries::{LN_100, Try},
};

/// The seed of all tries, so that each run makes the same tries in the same order.
const SEED: u64 = 7;

/// The maximum number of hits at a spec. This many hits determine the rate to about 1 %.
const HITS_MAX: usize = 10_000;

/// The clocks of a measurement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clocks<'a> {
    /// Decides when the time is over.
    pub(super) wall: &'a dyn Clock,
    /// Returns the CPU time of the thread. The rate counts this time, because other programs hardly change it.
    pub(super) cpu: fn() -> Duration,
}

/// The tries at a spec.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Measured {
    pub(super) tries: u32,
    /// The puzzles with different solutions up to symmetry.
    pub(super) hits: u32,
    pub(super) cpu_seconds: f64,
}

/// The number of puzzles that one core makes in an hour.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) enum PerHour {
    /// As many as it made in the time of the tries.
    #[serde(rename = "hitsPerHour")]
    About(f64),
    /// Fewer than this number, with 99 % confidence, because there was no hit.
    #[serde(rename = "maxHitsPerHour")]
    FewerThan(f64),
}

impl Measured {
    pub(crate) fn per_hour(self) -> PerHour {
        let hours = self.cpu_seconds / 3_600.0;
        if self.hits == 0 { PerHour::FewerThan(LN_100 / hours) } else { PerHour::About(f64::from(self.hits) / hours) }
    }
}

/// Makes tries on this thread until the wall clock shows `until`, at least one, or until there are [`HITS_MAX`] hits. Calls
/// `after_try` with the time of the wall clock.
pub(super) fn measure(
    (kind, spec): (Kind, &Spec),
    until: Duration,
    clocks: Clocks<'_>,
    mut after_try: impl FnMut(Duration),
) -> Measured {
    let (at, never) = (JobIndex { kind, spec, seed: SEED, index: 0 }, AtomicBool::new(false));
    let (began, mut tries, mut solutions) = ((clocks.cpu)(), 0, HashSet::new());
    for try_number in 0..u32::MAX {
        if let Try::Made(made) = one_try(&at, try_number, &never) {
            solutions.insert(made.solved);
        }
        tries = try_number + 1;
        let now = clocks.wall.elapsed();
        after_try(now);
        if now >= until || solutions.len() == HITS_MAX {
            break;
        }
    }
    Measured {
        tries,
        hits: u32::try_from(solutions.len()).unwrap_or(u32::MAX),
        cpu_seconds: (clocks.cpu)().saturating_sub(began).as_secs_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_base::clock::{ManualClock, Millis, thread_cpu};
    use puzzled_engine::toy::{Toy, toy_spec};

    /// The tries at a toy if each takes 10 ms of a second. Toys are leaked, because kinds live as long as the program.
    fn measured(toy: Toy) -> Measured {
        let wall = ManualClock::at(Millis(0));
        let clocks = Clocks { wall: &*wall, cpu: thread_cpu };
        let (kind, until) = (Box::leak(Box::new(toy)), Duration::from_secs(1));
        measure((kind, &toy_spec()), until, clocks, |_| wall.advance_ms(10))
    }

    #[test]
    fn tries_end_with_the_time_and_are_the_same_in_each_run() {
        let toy = Toy { hit_one_in: 4, ..Toy::default() };
        let [first, second] = [measured(toy.clone()), measured(toy)];
        assert_eq!((first.tries, first.hits), (second.tries, second.hits));
        assert!(first.tries == 101 && (10..45).contains(&first.hits), "{first:?}");
    }

    #[test]
    fn repeats_are_no_hits() {
        let few = measured(Toy { puzzles: 6, alike: 3, ..Toy::default() });
        assert_eq!((few.tries, few.hits), (101, 2));
    }

    #[test]
    fn enough_hits_end_the_tries_before_the_time() {
        let (kind, wall) = (Box::leak(Box::new(Toy::default())), ManualClock::at(Millis(0)));
        let clocks = Clocks { wall: &*wall, cpu: thread_cpu };
        let many = measure((kind, &toy_spec()), Duration::from_secs(1), clocks, |_| {});
        assert!(many.hits == 10_000 && many.tries >= many.hits, "{many:?}");
    }

    #[test]
    fn rate_without_a_hit_is_a_bound_with_99_percent_confidence() {
        let none = Measured { tries: 12, hits: 0, cpu_seconds: 36.0 };
        let PerHour::FewerThan(bound) = none.per_hour() else { panic!("{none:?}") };
        assert!((bound - 460.517).abs() < 0.001, "{bound}");
        assert_eq!(Measured { hits: 3, ..none }.per_hour(), PerHour::About(300.0));
    }
}
