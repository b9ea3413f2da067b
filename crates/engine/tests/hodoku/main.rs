//! Tests our HoDoKu ratings: compares them with the results of HoDoKu itself (`tests/data/hodoku_ratings.csv`), and
//! checks steps, scores, budgets, and unusual boards. Takes every twelfth row, or all rows with `PUZZLED_SOAK=1`.
#![cfg(test)]

use std::sync::atomic::AtomicBool;

use proptest::{collection::vec, prelude::*};
use puzzled_engine::{
    shared::budget::{Budget, OutOfBudget},
    sudoku::{
        board::{Grid, PEERS},
        hodoku::{HodokuLevel, HodokuRating, Outcome, rate, rate_with},
        kernel::Kernel,
    },
};

/// More nodes than any puzzle needs: some 60 techniques for each of at most 729 steps, and the proof of one solution.
const NODES_MAX: u64 = 100_000;

/// Without `PUZZLED_SOAK=1`, the tests take one of this many rows.
const STRIDE: usize = 12;

struct Reference {
    puzzle: Grid,
    score: u32,
    level: &'static str,
    hardest: &'static str,
}

fn sample() -> Vec<Reference> {
    let stride = if is_soak() { 1 } else { STRIDE };
    include_str!("../data/hodoku_ratings.csv").lines().skip(1).step_by(stride).map(read).collect()
}

#[expect(clippy::disallowed_methods, reason = "a person or a script says how much is to be run")]
fn is_soak() -> bool {
    std::env::var("PUZZLED_SOAK").is_ok_and(|value| value == "1")
}

fn read(line: &'static str) -> Reference {
    let [puzzle, score, level, hardest] = line.split(',').collect::<Vec<_>>().try_into().expect(line);
    Reference { puzzle: Grid::parse(puzzle).unwrap(), score: score.parse().unwrap(), level, hardest }
}

fn outcome(puzzle: &Grid, nodes_max: u64) -> Outcome {
    rate(puzzle, &mut Budget::new(nodes_max, &AtomicBool::new(false)))
}

fn rated(puzzle: &Grid) -> HodokuRating {
    match outcome(puzzle, NODES_MAX) {
        Outcome::Rated(rating) => rating,
        other => panic!("{puzzle:?}: {other:?}"),
    }
}

#[test]
fn score_level_and_hardest_technique_match_hodoku() {
    let sample = sample();
    let [mut levels, mut near, mut scores, mut hardest] = [0; 4];
    for reference in &sample {
        let rating = rated(&reference.puzzle);
        let technique = rating.hardest.map_or("", |technique| technique.name);
        let same = [
            rating.level.name() == reference.level,
            rating.score.abs_diff(reference.score) * 20 <= reference.score,
            rating.score == reference.score,
            technique == reference.hardest,
        ];
        let counted = [&mut levels, &mut near, &mut scores, &mut hardest];
        counted.into_iter().zip(same).for_each(|(count, same)| *count += usize::from(same));
        if same.contains(&false) {
            let Reference { puzzle, score, level, hardest } = reference;
            println!(
                "{puzzle:?}: {score} {level} {hardest}, here {} {} {technique}",
                rating.score,
                rating.level.name()
            );
        }
    }
    let all = sample.len();
    println!("of {all}: level {levels}, score within 5 % {near}, score {scores}, hardest technique {hardest}");
    assert_eq!([levels, near, scores, hardest], [all; 4]);
}

#[test]
fn no_step_contradicts_the_solution_and_each_changes_the_position() {
    for Reference { puzzle, .. } in sample() {
        let no = AtomicBool::new(false);
        let solutions = Kernel::fastest().solutions(&puzzle, 2, &mut Budget::new(NODES_MAX, &no)).unwrap();
        let digit_of = |cell: usize| usize::from(solutions[0].cells()[cell]);
        let mut notes = Notes::of(&puzzle);
        let outcome = rate_with(&puzzle, &mut Budget::new(NODES_MAX, &no), |step| {
            assert!(step.placed.is_some() == step.removed.is_empty(), "{puzzle:?}: {step:?}");
            if let Some((cell, digit)) = step.placed {
                assert_eq!(digit, digit_of(cell), "{puzzle:?}: {step:?}");
                notes.place(cell, digit);
            }
            for &(cell, digit) in &step.removed {
                assert_ne!(digit, digit_of(cell), "{puzzle:?}: {step:?}");
                assert!(std::mem::take(&mut notes.0[cell][digit]), "{puzzle:?}: {step:?}");
            }
        });
        assert!(matches!(outcome, Outcome::Rated(_)), "{puzzle:?}: {outcome:?}");
    }
}

/// Whether a digit (second index, 1–9) is a candidate of a cell (first index).
struct Notes([[bool; 10]; 81]);

impl Notes {
    fn of(puzzle: &Grid) -> Self {
        let mut notes = Self([[true; 10]; 81]);
        let givens = puzzle.cells().iter().enumerate().filter(|(_, digit)| **digit != 0);
        givens.for_each(|(cell, &digit)| notes.place(cell, usize::from(digit)));
        notes
    }

    fn place(&mut self, cell: usize, digit: usize) {
        self.0[cell] = [false; 10];
        PEERS[cell].iter().for_each(|&peer| self.0[usize::from(peer)][digit] = false);
    }
}

#[test]
fn the_counts_add_up_to_the_score() {
    for Reference { puzzle, .. } in sample() {
        let rating = rated(&puzzle);
        let score: u32 = rating.counts.iter().map(|(technique, count)| technique.score * count).sum();
        assert_eq!(score, rating.score, "{puzzle:?}");
        assert!(rating.counts.iter().all(|(technique, _)| technique.level <= rating.level), "{puzzle:?}");
        assert!(rating.score <= rating.level.score_max(), "{puzzle:?}");
    }
}

#[test]
fn board_without_a_unique_solution_is_not_rated() {
    let check =
        |line: &str| assert_eq!(outcome(&Grid::parse(&format!("{line:.<81}")).unwrap(), 1_000_000), Outcome::NotUnique);
    check("");
    check("55");
    check("5.......5");
    check("123456789");
}

#[test]
fn a_full_grid_has_no_score_and_no_hardest_technique() {
    let line = "536748291894152637271369584147295863325816749689437125453621978968574312712983456";
    let rating = rated(&Grid::parse(line).unwrap());
    assert_eq!((rating.score, rating.level, rating.hardest), (0, HodokuLevel::Easy, None));
}

#[test]
fn exhausted_budget_gives_a_lower_bound() {
    let reference = sample().into_iter().max_by_key(|reference| reference.score).unwrap();
    let whole = rated(&reference.puzzle);
    for nodes_max in [0, 1, 50, 500] {
        match outcome(&reference.puzzle, nodes_max) {
            Outcome::OutOfBudget { cause: OutOfBudget::Nodes, at_least } => {
                assert!(at_least.score <= whole.score && at_least.level <= whole.level, "{nodes_max}");
            }
            other => panic!("{nodes_max}: {other:?}"),
        }
    }
}

#[test]
fn a_raised_flag_ends_the_rating() {
    let reference = sample().into_iter().max_by_key(|reference| reference.score).unwrap();
    let outcome = rate(&reference.puzzle, &mut Budget::new(NODES_MAX, &AtomicBool::new(true)));
    assert!(matches!(outcome, Outcome::OutOfBudget { cause: OutOfBudget::Cancelled, .. }), "{outcome:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_board_has_an_outcome(cells in vec(prop_oneof![4 => Just('.'), 1 => prop::char::range('1', '9')], 81)) {
        outcome(&Grid::parse(&cells.into_iter().collect::<String>()).unwrap(), NODES_MAX);
    }
}
