//! Compares our ratings and steps with those of Sudoku Explainer (`tests/data/sudoku_ratings.csv`), checks that each
//! step follows from its pattern and that a wrong step is caught, and compares records with their steps.

use std::collections::BTreeMap;

use puzzled_engine::{
    shared::{
        level::Tenths,
        step::{House, HouseType, SingleIn, Step},
        text::Unrated,
    },
    sudoku::{
        board::Grid,
        metrics::SudokuMetrics,
        rate::{
            rating::{Outcome, Ratings, outcome},
            record::rate,
        },
        techniques::{check_steps, reason},
    },
};

use super::with_budget;

/// Puzzles per hardest technique. With `PUZZLED_SOAK`, the tests take all.
const PER_TECHNIQUE: usize = 4;

/// A row of the reference set.
pub(super) struct Reference {
    pub(super) puzzle: Grid,
    pub(super) solution: Grid,
    ratings: Ratings,
    technique: &'static str,
    /// Number of steps by rating; empty if the reference does not list the steps.
    steps: BTreeMap<Tenths, usize>,
}

#[expect(clippy::disallowed_methods, reason = "a soak test is asked for by the environment")]
pub(super) fn is_soak() -> bool {
    std::env::var("PUZZLED_SOAK").is_ok_and(|soak| soak == "1")
}

/// The first puzzles of each hardest technique, or all.
pub(super) fn sample() -> Vec<Reference> {
    let per_technique = if is_soak() { usize::MAX } else { PER_TECHNIQUE };
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    let mut is_taken = |row: &Reference| {
        let taken = taken.entry(row.technique).or_default();
        *taken += 1;
        *taken <= per_technique
    };
    let (header, rows) = include_str!("../data/sudoku_ratings.csv").split_once('\n').unwrap();
    let names: Vec<_> = header.split(',').collect();
    rows.lines().map(|line| read(&names, line)).filter(|row| is_taken(row)).collect()
}

fn read(names: &[&str], line: &'static str) -> Reference {
    let fields: BTreeMap<_, _> = names.iter().copied().zip(line.split(',')).collect();
    let mut steps = BTreeMap::new();
    for entry in fields["se_steps"].split(';').filter(|entry| !entry.is_empty()) {
        let (technique, count) = entry.rsplit_once(':').expect(line);
        let rating = tenths(technique.split(' ').next().expect(line));
        *steps.entry(rating).or_default() += count.parse::<usize>().expect(line);
    }
    Reference {
        puzzle: Grid::parse(fields["puzzle"]).expect(line),
        solution: Grid::parse(fields["solution"]).expect(line),
        ratings: Ratings { er: tenths(fields["se_er"]), ep: tenths(fields["se_ep"]), ed: tenths(fields["se_ed"]) },
        technique: fields["se_hardest_technique"],
        steps,
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
fn ratings_and_steps_agree_with_sudoku_explainer() {
    for row in sample() {
        assert_eq!(with_budget(|budget| outcome(&row.puzzle, budget)), Outcome::Rated(row.ratings), "{:?}", row.puzzle);
        if !row.steps.is_empty() {
            let steps = with_budget(|budget| reason(&row.puzzle, budget));
            assert_eq!(by_rating(&steps), row.steps, "{:?}", row.puzzle);
        }
    }
}

#[test]
fn every_step_follows_from_its_pattern_and_agrees_with_the_solution() {
    for row in sample() {
        let steps = with_budget(|budget| reason(&row.puzzle, budget));
        let digit_of = |cell: u16| row.solution.cells()[usize::from(cell)];
        for step in &steps {
            assert!(step.placed.iter().all(|&(cell, digit)| digit_of(cell) == digit), "{:?}: {step:?}", row.puzzle);
            assert!(step.removed.iter().all(|&(cell, digit)| digit_of(cell) != digit), "{:?}: {step:?}", row.puzzle);
        }
        assert_eq!(check_steps(&row.puzzle, &steps), Ok(()), "{:?}", row.puzzle);
    }
}

#[test]
fn unproven_step_is_caught() {
    let sample = sample();
    let row = sample.iter().find(|row| row.technique == "Naked Pair").expect("a row");
    let mut steps = with_budget(|budget| reason(&row.puzzle, budget));
    let (at, removal) = steps.iter_mut().enumerate().find(|(_, step)| !step.removed.is_empty()).expect("a removal");
    // Without one of its cells, the pattern proves nothing.
    removal.cells.pop();
    assert_eq!(check_steps(&row.puzzle, &steps).map_err(|unproven| unproven.step), Err(at));
}

#[test]
fn a_chain_without_one_of_its_links_is_caught() {
    for row in sample().iter().filter(|row| row.ratings.er >= Tenths(66)).step_by(7) {
        let mut steps = with_budget(|budget| reason(&row.puzzle, budget));
        let Some((at, step)) = steps.iter_mut().enumerate().find(|(_, step)| step.chains.len() == 1) else { continue };
        let links = &mut step.chains[0].links;
        links.remove(links.len() / 2);
        assert_eq!(check_steps(&row.puzzle, &steps).map_err(|unproven| unproven.step), Err(at), "{:?}", row.puzzle);
    }
}

#[test]
fn a_link_that_does_not_name_the_place_of_its_proof_is_caught() {
    for row in sample().iter().filter(|row| row.ratings.er >= Tenths(66)).step_by(7) {
        let mut steps = with_budget(|budget| reason(&row.puzzle, budget));
        let Some(at) = steps.iter_mut().position(|step| forget_place(step).is_some()) else { continue };
        assert_eq!(check_steps(&row.puzzle, &steps).map_err(|unproven| unproven.step), Err(at), "{:?}", row.puzzle);
    }
}

/// Names no place in the first link of a step that fills a cell. `None` if there is no such link.
fn forget_place(step: &mut Step) -> Option<SingleIn> {
    step.chains.iter_mut().flat_map(|chain| &mut chain.links).find_map(|link| link.single_in.take())
}

#[test]
fn houses_of_a_step_have_the_cells_of_its_argument() {
    for row in &sample() {
        for step in with_budget(|budget| reason(&row.puzzle, budget)) {
            let is_in = |house: &House, cell: u16| match house.house_type {
                HouseType::Row => cell / 9 + 1 == house.number,
                HouseType::Column => cell % 9 + 1 == house.number,
                HouseType::Box => cell / 27 * 3 + cell % 9 / 3 + 1 == house.number,
                _ => false,
            };
            let is_unique = step.technique.starts_with("Unique") || step.technique.starts_with("Bivalue");
            let has_set = is_unique && step.technique.ends_with(['3', '4']);
            assert!(!has_set || step.houses.len() == 1, "{step:?}");
            let cells = if is_unique { &step.secondary_cells } else { &step.cells };
            let has_houses = step.chains.is_empty() && !step.houses.is_empty();
            let mut lost = cells.iter().filter(|&&cell| !step.houses.iter().any(|house| is_in(house, cell)));
            assert!(!has_houses || lost.next().is_none(), "{step:?}");
            let mut lost = cells.iter().filter(|&&cell| !step.cover_houses.iter().any(|house| is_in(house, cell)));
            assert!(step.cover_houses.is_empty() || lost.next().is_none(), "{step:?}");
        }
    }
}

#[test]
fn record_agrees_with_the_steps() {
    for row in &sample() {
        let record = with_budget(|budget| rate(&row.puzzle, &row.solution, budget)).expect("rated");
        let counted = record.techniques.iter().map(|technique| technique.count as usize).sum::<usize>();
        let metrics = record.metrics.read::<SudokuMetrics>().expect("of a Sudoku");
        assert_eq!(record.rating, row.ratings.er);
        assert!(record.techniques.is_sorted_by_key(|technique| technique.rating));
        assert!(row.steps.is_empty() || counted == row.steps.values().sum::<usize>());
        assert_eq!((metrics.er, metrics.steps as usize), (row.ratings.er, counted));
        assert_eq!(metrics.givens, u32::from(row.puzzle.givens()));
        let candidates = metrics.branching_factor * f64::from(81 - metrics.givens);
        assert!((candidates - f64::from(metrics.freedom)).abs() < 1e-9);
    }
}

#[test]
fn wrong_solution_gives_no_record() {
    let [row, other] = [&sample()[0], &sample()[1]];
    let record = with_budget(|budget| rate(&row.puzzle, &other.solution, budget));
    assert_eq!(record, Err(Unrated::Stuck));
}
