//! Tests that steered puzzles are varied: no two puzzles of a goal share a solution, and their numbers of givens differ. With
//! `PUZZLED_SOAK=1`, the test makes a thousand puzzles for each half point of ER up to 9.4 and for some techniques.

use std::collections::BTreeSet;

use puzzled_engine::shared::{
    level::Tenths,
    spec::{Difficulty, Spec},
    tries::{Made, Try},
};

use super::{make, styled};

/// Puzzles per goal, without and with `PUZZLED_SOAK=1`.
const SAMPLE: usize = 12;
const FULL: usize = 1_000;

/// Most tries per puzzle; more than any goal takes.
const TRIES_A_PUZZLE_MAX: u32 = 200;

/// The lowest ratings of the half points in the sample, in tenths.
const SAMPLED: [u8; 4] = [10, 30, 75, 80];
const HALF_POINTS: std::ops::Range<u8> = 2..19;

const TECHNIQUES: [&str; 7] = [
    "X-Wing",
    "Unique Rectangle 1",
    "Turbot Fish",
    "Aligned Triplet Exclusion",
    "Nishio Forcing Chains",
    "Region Forcing Chains",
    "Cell Forcing Chains",
];

#[test]
fn steered_puzzles_differ_in_solution_and_number_of_givens() {
    let is_soak = is_soak();
    let half_points: Vec<_> = if is_soak { HALF_POINTS.map(|half| half * 5).collect() } else { SAMPLED.to_vec() };
    let ranges = half_points.into_iter().map(|min| Difficulty::Range { min: Tenths(min), max: Tenths(min + 4) });
    let ranges = ranges.map(|difficulty| styled(difficulty, None));
    let techniques = TECHNIQUES.into_iter().map(|name| styled(Difficulty::Any, Some(name)));
    let puzzles = if is_soak { FULL } else { SAMPLE };
    let mut shared = Vec::new();
    for spec in ranges.chain(techniques) {
        let made = made(&spec, puzzles);
        let solutions: BTreeSet<_> = made.iter().map(|made| &made.solved).collect();
        if solutions.len() < puzzles {
            shared.push((spec.words(), puzzles - solutions.len()));
        }
        let givens: BTreeSet<_> = made.iter().map(|made| made.givens).collect();
        assert!(givens.len() > 1, "{spec:?}: all have {givens:?} givens");
    }
    assert!(shared.is_empty(), "solutions that come again: {shared:?}");
}

#[expect(clippy::disallowed_methods, reason = "a test that a person asks for its full size")]
fn is_soak() -> bool {
    std::env::var("PUZZLED_SOAK").is_ok_and(|soak| soak == "1")
}

/// The first puzzles that the tries of a fixed seed make.
fn made(spec: &Spec, puzzles: usize) -> Vec<Made> {
    let tries_max = u32::try_from(puzzles).unwrap() * TRIES_A_PUZZLE_MAX;
    let hits = (0..tries_max).filter_map(|try_number| match make(spec, 9, try_number) {
        Try::Made(made) => Some(*made),
        Try::Missed(_) | Try::Cancelled => None,
    });
    let made: Vec<_> = hits.take(puzzles).collect();
    assert_eq!(made.len(), puzzles, "{spec:?}: too few in {tries_max} tries");
    made
}
