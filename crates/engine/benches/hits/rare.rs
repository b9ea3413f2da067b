//! Finds the rare goals and numbers of givens, for the bench `hits`. A goal is rare if one core makes fewer than six
//! puzzles of it in the given time without starters. The constants of `sudoku/make/offer.rs` come from this output.

use std::sync::atomic::AtomicBool;

use puzzled_engine::{
    ENGINE_VERSION,
    shared::{
        attempts::NODES_PER_TRY,
        budget::Budget,
        rng::{Rng, TrySeed},
        spec::{Difficulty, Spec},
        tries::Try,
    },
    sudoku::{techniques::TECHNIQUES, tools::make_without_starters},
};

use super::{cpu_seconds, goals};

/// A goal with at least this many puzzles is not rare.
const ENOUGH: u32 = 6;

/// The numbers of givens to measure.
const CLUES: std::ops::RangeInclusive<u16> = 17..=22;

/// Prints a line for each half point, technique, and number of givens whose name contains `only`.
pub(crate) fn print(seconds: f64, only: &str) {
    let half_points = goals::half_points().map(|goal| (goal.name, goal.spec));
    let any = goals::spec(Difficulty::Any);
    let techniques = TECHNIQUES.iter().filter(|technique| technique.name != "Direct Claiming");
    let needing = |name: &str| (name.to_owned(), Spec { technique: Some(name.to_owned()), ..any.clone() });
    let techniques = techniques.map(|technique| needing(technique.name));
    let clues = CLUES.map(|clues| (format!("{clues} givens"), Spec { clues: Some(clues), ..any.clone() }));
    for (name, spec) in half_points.chain(techniques).chain(clues).filter(|(name, _)| name.contains(only)) {
        let (made, tries, spent) = made(&spec, seconds);
        println!(
            "{name:<70}{made:>3} in {spent:>6.2} s, {tries:>6} tries{}",
            if made < ENOUGH { "  rare" } else { "" }
        );
    }
}

/// The number of puzzles, at most [`ENOUGH`], the number of tries, and the processor seconds.
fn made(spec: &Spec, seconds: f64) -> (u32, u32, f64) {
    let (never, start, mut made) = (AtomicBool::new(false), cpu_seconds(), 0);
    for attempt in 0.. {
        let seed = TrySeed { seed: 7, spec: spec.fingerprint(), index: 0, attempt, engine_version: ENGINE_VERSION };
        let mut budget = Budget::new(NODES_PER_TRY, &never);
        made += u32::from(matches!(make_without_starters(spec, &mut Rng::for_try(seed), &mut budget), Try::Made(_)));
        let spent = cpu_seconds() - start;
        if made == ENOUGH || spent >= seconds {
            return (made, attempt + 1, spent);
        }
    }
    unreachable!("the time is over before the attempts are")
}
