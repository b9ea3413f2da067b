//! 50 killers whose cages all have 3 to 5 cells, which are harder than those that the layer makes: their proofs and their ratings.

use std::sync::LazyLock;

use puzzled_engine::{
    registry,
    shared::{
        budget::Budget,
        kind::PuzzleKind,
        text::{Unrated, Verdict},
    },
};

use super::maps::cages;

/// The nodes that the service allows for a search on a text.
const NODES_MAX: u64 = 1_000_000;

static KILLER: LazyLock<&dyn PuzzleKind> = LazyLock::new(|| registry::kind("killer").unwrap());

/// The puzzles. The file says how they were made.
fn texts() -> impl Iterator<Item = &'static str> {
    include_str!("../data/killer_large_cages.txt").lines().filter(|line| !line.starts_with('#'))
}

/// Checks that each second puzzle, from this one on, has one solution by both solvers. Tests run at the same time, so each has its half.
fn proves_each_second_from(first: usize) {
    for text in texts().skip(first).step_by(2) {
        let verdict = KILLER.validate("9x9", text, &mut Budget::of_nodes(NODES_MAX)).unwrap();
        assert!(matches!(verdict, Verdict::Unique { .. }), "{text}: {verdict:?}");
    }
}

#[test]
fn one_half_of_the_killers_with_large_cages_is_proved() {
    proves_each_second_from(0);
}

#[test]
fn other_half_of_the_killers_with_large_cages_is_proved() {
    proves_each_second_from(1);
}

#[test]
fn data_has_50_killers_with_cages_of_three_to_five_cells() {
    for text in texts() {
        assert_eq!(KILLER.normalize("9x9", text).as_deref(), Ok(text));
        let letters = text.split_once(" cages=").unwrap().1.split(' ').next().unwrap();
        assert!(cages(9, letters).iter().all(|cage| (3..=5).contains(&cage.len())), "{text}");
    }
    assert_eq!(texts().count(), 50);
}

/// A rating of the layer uses no nodes, so it never runs out of them.
#[test]
fn killer_with_large_cages_is_rated_or_beyond_the_techniques() {
    let outcome = |text| KILLER.reason("9x9", text, &mut Budget::of_nodes(0)).unwrap().record;
    let outcomes: Vec<_> = texts().take(10).map(outcome).collect();
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(_) | Err(Unrated::Stuck))), "{outcomes:?}");
    let rated = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert!((1..10).contains(&rated), "{rated} of 10");
}
