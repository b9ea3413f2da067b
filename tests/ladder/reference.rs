//! Ratings and steps against Sudoku Explainer's own: `tests/data/sudoku_ratings.csv`, a sample from each technique.

use std::collections::BTreeMap;

use puzzled::engine::{
    level::Tenths,
    step::Step,
    sudoku::{
        board::Grid,
        rating::{RATING_MAX, quick, rate, ratings},
        techniques::{check_steps, reason},
    },
};

/// One puzzle of the sample.
struct Reference {
    puzzle: Grid,
    solution: Grid,
    er: Tenths,
    ep: Tenths,
    ed: Tenths,
    /// Steps by rating.
    steps: BTreeMap<Tenths, usize>,
}

fn sample() -> Vec<Reference> {
    include_str!("../data/sudoku_ratings.csv").lines().skip(1).map(read).collect()
}

fn read(line: &str) -> Reference {
    let [puzzle, solution, er, ep, ed, _, steps] = line.split(',').collect::<Vec<_>>().try_into().expect(line);
    let mut by_rating = BTreeMap::new();
    for entry in steps.split(';') {
        let (technique, count) = entry.rsplit_once(':').expect(line);
        let rating = tenths(technique.split(' ').next().expect(line));
        *by_rating.entry(rating).or_default() += count.parse::<usize>().expect(line);
    }
    Reference {
        puzzle: Grid::parse(puzzle).expect(line),
        solution: Grid::parse(solution).expect(line),
        er: tenths(er),
        ep: tenths(ep),
        ed: tenths(ed),
        steps: by_rating,
    }
}

fn tenths(decimal: &str) -> Tenths {
    Tenths(decimal.replace('.', "").parse().expect(decimal))
}

fn by_rating(steps: &[Step]) -> BTreeMap<Tenths, usize> {
    let mut counts = BTreeMap::new();
    for step in steps {
        *counts.entry(step.rating).or_default() += 1;
    }
    counts
}

#[test]
fn er_ep_ed_and_the_steps_taken_agree_with_sudoku_explainer() {
    for row in sample().iter().filter(|row| row.er <= RATING_MAX) {
        let ours = ratings(&row.puzzle).map(|ratings| (ratings.er, ratings.ep, ratings.ed));
        assert_eq!(ours, Some((row.er, row.ep, row.ed)), "{:?}", row.puzzle);
        assert_eq!(by_rating(&reason(&row.puzzle)), row.steps, "{:?}", row.puzzle);
    }
}

#[test]
fn a_puzzle_beyond_the_ladder_is_left_unrated() {
    let beyond: Vec<_> = sample().into_iter().filter(|row| row.er > RATING_MAX).collect();
    assert!(beyond.len() > 40, "{} rows", beyond.len());
    for row in beyond {
        assert_eq!(quick(&row.puzzle), None, "{:?}", row.puzzle);
        assert_eq!(rate(&row.puzzle, &row.solution), None, "{:?}", row.puzzle);
    }
}

#[test]
fn every_step_follows_from_its_pattern_and_agrees_with_the_solution() {
    for row in sample() {
        let steps = reason(&row.puzzle);
        let digit_of = |cell: u16| row.solution.cells()[usize::from(cell)];
        for step in &steps {
            assert!(step.placed.iter().all(|&(cell, digit)| digit_of(cell) == digit), "{:?}: {step:?}", row.puzzle);
            assert!(step.removed.iter().all(|&(cell, digit)| digit_of(cell) != digit), "{:?}: {step:?}", row.puzzle);
        }
        assert_eq!(check_steps(&row.puzzle, &steps), Ok(()), "{:?}", row.puzzle);
    }
}

#[test]
fn a_step_that_does_not_follow_is_caught() {
    let row = &sample()[200];
    let mut steps = reason(&row.puzzle);
    let (at, removal) = steps.iter_mut().enumerate().find(|(_, step)| !step.removed.is_empty()).expect("a removal");
    // The pattern loses a cell, and with it the proof.
    removal.cells.pop();
    assert_eq!(check_steps(&row.puzzle, &steps).map_err(|unproven| unproven.step), Err(at));
}

#[test]
fn the_record_tells_what_the_steps_tell() {
    for row in sample().iter().filter(|row| row.er <= RATING_MAX) {
        let record = rate(&row.puzzle, &row.solution).expect("rated");
        let counted = record.techniques.iter().map(|technique| technique.count as usize).sum::<usize>();
        let metric = |name| record.metrics.iter().find(|metric| metric.name == name).expect(name).value;
        assert_eq!(record.rating, row.er);
        assert!(record.techniques.is_sorted_by_key(|technique| technique.rating));
        assert_eq!(counted, row.steps.values().sum::<usize>());
        assert!((metric("er") * 10.0 - f64::from(row.er.0)).abs() < 1e-9);
        assert!((metric("steps") - f64::from(u32::try_from(counted).expect("few"))).abs() < 1e-9);
        assert!((metric("clues") - f64::from(row.puzzle.givens())).abs() < 1e-9);
        assert!((metric("branching_factor") * (81.0 - metric("clues")) - metric("freedom")).abs() < 1e-9);
    }
}

#[test]
fn another_solution_than_the_ladders_gives_no_record() {
    let [row, other] = [&sample()[0], &sample()[1]];
    assert_eq!(rate(&row.puzzle, &other.solution), None);
}
