//! Tests of whole ladders: on isomorphs, on the reference puzzles of 9×9 Sudoku, one find at a time, and with the checker.

use super::{
    LADDER, REFUTATIONS,
    checker::{check_hint, check_steps},
    fish, hidden_single,
    ladder::{Climb, climb},
    rung, seen_by_all, sentences,
    testing::{isomorph, minimal, variant, variants},
};
use crate::{
    grid::{
        cells::{Cells, Digits},
        find::Technique,
        position::Position,
        puzzle::Puzzle,
        rate::{reasoned, to_next_digit},
        rules::Rules,
        variant::{Areas, Content, GridVariant, Group},
    },
    shared::{budget::Budget, level::Tenths, rng::Rng, step::Step, text::Reasoned},
};

fn climbed(puzzle: &Puzzle) -> Climb {
    let rules = Rules::of(puzzle);
    climb(&mut Position::of(&rules, &puzzle.digits).unwrap(), LADDER, Tenths::MAX)
}

/// Calls `check` with this many random puzzles of each variant and their solutions.
fn each_puzzle(count: usize, mut check: impl FnMut(&Puzzle, &[u8], &mut Rng)) {
    let mut rng = Rng::from_seed(1);
    for variant in variants() {
        for _ in 0..count {
            let (puzzle, solution) = minimal(variant, &mut rng);
            check(&puzzle, &solution, &mut rng);
        }
    }
}

#[test]
fn ratings_rise_and_name_their_technique() {
    assert!(LADDER.windows(2).all(|pair| pair[0].rating_max < pair[1].rating));
    let last = LADDER.last().unwrap();
    assert_eq!((last.rating, last.rating_max), (Tenths(66), Tenths(94)));
}

#[test]
fn isomorphs_have_equal_rating_technique_and_rounds() {
    each_puzzle(25, |puzzle, _, rng| {
        let rated = climbed(puzzle);
        for _ in 0..4 {
            let copy = isomorph(puzzle, rng);
            assert_eq!(climbed(&copy), rated, "{:?}", copy.digits);
        }
    });
}

#[test]
fn one_find_at_a_time_leads_to_the_same_rating() {
    each_puzzle(25, |puzzle, solution, _| {
        let (rated, reasoned) = (climbed(puzzle), reasoned(puzzle, &mut Budget::of_nodes(0)));
        let hardest = reasoned.steps.iter().map(|step| step.rating).max().unwrap_or_default();
        let rounds = reasoned.steps.iter().filter_map(|step| step.number).max().unwrap_or(0);
        assert_eq!((hardest, rounds), (rated.rating, rated.rounds.into()), "{:?}", puzzle.digits);
        assert_eq!(reasoned.record.is_ok(), rated.solved);
        for &(cell, digit) in reasoned.steps.iter().flat_map(|step| &step.placed) {
            assert_eq!(solution[usize::from(cell)], digit);
        }
    });
}

#[test]
fn checker_derives_each_step_and_no_false_claim() {
    let mut budget = Budget::of_nodes(u64::MAX);
    each_puzzle(15, |puzzle, solution, _| {
        let steps = reasoned(puzzle, &mut Budget::of_nodes(0)).steps;
        assert_eq!(check_steps(puzzle, &steps, &mut budget), Ok(()), "{:?}", puzzle.digits);
        for (at, step) in steps.iter().enumerate().step_by(7) {
            let mut wrong = steps[..=at].to_vec();
            wrong[at] = falsified(step, solution);
            assert!(check_steps(puzzle, &wrong, &mut budget).is_err(), "{:?} {step:?}", puzzle.digits);
        }
    });
}

#[test]
fn hint_ends_with_a_digit_and_removes_no_mark_again() {
    let mut budget = Budget::of_nodes(u64::MAX);
    each_puzzle(5, |puzzle, solution, _| {
        // The player has crossed out the digit after the right one in each empty cell.
        let size = puzzle.variant.size;
        let crossed: Vec<u8> = solution.iter().map(|digit| digit % size + 1).collect();
        let marks: Vec<u32> = crossed.iter().map(|digit| Digits::up_to(size).without(Digits::only(*digit)).0).collect();
        let steps = to_next_digit(puzzle, &puzzle.digits, &marks, &mut Budget::of_nodes(0)).unwrap();
        assert_eq!(check_hint(puzzle, &marks, &steps, &mut budget), Ok(()), "{:?}", puzzle.digits);
        assert!(steps.split_last().is_some_and(|(last, before)| {
            last.placed.len() == 1 && before.iter().all(|step| step.placed.is_empty())
        }));
        let mut removed = steps.iter().flat_map(|step| &step.removed);
        assert!(removed.all(|&(cell, digit)| crossed[usize::from(cell)] != digit), "{steps:?}");
    });
}

/// The step with a conclusion that is wrong: another digit, or the removal of the right one.
fn falsified(step: &Step, solution: &[u8]) -> Step {
    let placed = step.placed.iter().map(|&(cell, digit)| (cell, digit % u8::try_from(step.columns).unwrap() + 1));
    let removed = step.removed.iter().map(|&(cell, _)| (cell, solution[usize::from(cell)]));
    Step { placed: placed.collect(), removed: removed.collect(), ..step.clone() }
}

/// The techniques of Sudoku Explainer that the ladder lacks.
const UNKNOWN: [&str; 4] = ["Unique", "BUG", "Aligned", "Cycle"];

#[test]
fn reference_ratings_of_9x9_are_met_by_97_percent() {
    let variant = variant(3, 3, &[]);
    let lines = include_str!("../../../tests/data/sudoku_ratings.csv").lines().skip(1);
    let (mut known, mut differing) = (0, Vec::new());
    for fields in lines.map(|line| line.split(',').collect::<Vec<_>>()) {
        let tenths: u8 = fields[3].replace('.', "").parse().unwrap();
        if tenths >= 66 || UNKNOWN.iter().any(|name| fields[6].contains(name)) {
            continue;
        }
        let digits = fields[0].bytes().map(|sign| sign - b'0').collect();
        let rated = climbed(&Puzzle { variant, digits, regions: Vec::new() });
        known += 1;
        if rated.rating != Tenths(tenths) {
            differing.push(format!("{} {} {}: {} {}", fields[0], fields[3], fields[6], rated.rating, rated.technique));
        }
    }
    println!("{} of {known} puzzles differ:\n{}", differing.len(), differing.join("\n"));
    assert!(known > 1_000 && differing.len() * 100 <= 3 * known);
}

#[test]
fn stars_are_found_by_the_same_functions() {
    let ladder: &'static [Technique] = Box::leak(Box::new([
        rung("Single", 10, |t, p, take| hidden_single(|_| true, t, p, take), sentences::hidden_single),
        rung("Seen", 15, |t, p, take| seen_by_all(|_| true, t, p, take), sentences::seen_by_all),
        rung("Two Lines", 30, |t, p, take| fish(2, t, p, take), sentences::fish),
        REFUTATIONS,
    ]));
    let (areas, content, group) = (Areas::Regions, Content::Stars, Group::Turns);
    let variant =
        Box::leak(Box::new(GridVariant { name: "stars", areas, content, group, ladder, ..*variant(2, 2, &[]) }));
    let regions = b"aabbccbbccbdcddd".map(|letter| letter - b'a').to_vec();
    let puzzle = Puzzle { variant, digits: vec![0; 16], regions };
    let Reasoned { steps, record } = reasoned(&puzzle, &mut Budget::of_nodes(0));
    let stars: Vec<_> = steps.iter().flat_map(|step| &step.placed).map(|(cell, _)| *cell).collect();
    assert_eq!(Cells::from_iter(stars), [1, 7, 8, 14].into_iter().collect(), "{steps:?}");
    assert_eq!(record.unwrap().rating, Tenths(15));
}
