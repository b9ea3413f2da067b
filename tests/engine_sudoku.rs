//! The Sudoku engine as its callers see it: what is made, that two solvers agree, and that seeds keep their puzzles.
#![cfg(test)]

use std::{fmt::Write as _, sync::atomic::AtomicBool};

use proptest::prelude::*;
use puzzled::engine::{
    ENGINE_VERSION,
    budget::{Budget, OutOfBudget},
    csp::{Config, Search, Strength, Values, Variables},
    kind::{Made, MissReason, PuzzleKind, Try},
    level::{Level, Tenths, level_of},
    rng::{Rng, TrySeed},
    spec::{Spec, Target},
    sudoku::{
        Sudoku,
        board::Grid,
        canonical::canonical,
        core,
        grids::{random_grid, scramble},
        orbits::orbits,
        rating, solver,
    },
    symmetry::Symmetry,
    text::{TextError, Verdict},
};

/// Name, lines, and the most solutions that are counted.
const COUNTS: [(&str, &str, usize); 8] = [
    ("easy_naked_singles", include_str!("data/sudoku_counts/easy_naked_singles.txt"), 2),
    ("random_minimal", include_str!("data/sudoku_counts/random_minimal.txt"), 2),
    ("clue17", include_str!("data/sudoku_counts/clue17.txt"), 2),
    ("many_solutions_serg", include_str!("data/sudoku_counts/many_solutions_serg.txt"), 50),
    ("top1465", TOP, 2),
    ("hardest_se11", include_str!("data/sudoku_counts/hardest_se11.txt"), 2),
    ("hardest1106", include_str!("data/sudoku_counts/hardest1106.txt"), 2),
    ("invalid_random_clues", include_str!("data/sudoku_counts/invalid_random_clues.txt"), 50),
];
const TOP: &str = include_str!("data/sudoku_counts/top1465.txt");

fn grids(lines: &str) -> impl Iterator<Item = Grid> {
    lines.lines().map(|line| Grid::parse(line).unwrap())
}

fn with_budget<T>(nodes_max: u64, work: impl FnOnce(&mut Budget<'_>) -> T) -> T {
    let never = AtomicBool::new(false);
    work(&mut Budget::new(nodes_max, &never))
}

fn spec(symmetry: Symmetry, target: Target, clues: Option<u16>) -> Spec {
    Spec { kind: "sudoku".to_owned(), variant: "9x9".to_owned(), symmetry, target, clues }
}

fn make(spec: &Spec, seed: u64, attempt: u32) -> Try {
    let seed = TrySeed { seed, spec: spec.fingerprint(), index: 0, attempt, engine_version: ENGINE_VERSION };
    with_budget(u64::MAX, |budget| Sudoku.make(spec, &mut Rng::for_try(seed), budget))
}

/// The first puzzle of a seed, with the number of its try.
fn first_made(spec: &Spec, seed: u64) -> (u32, Made) {
    let mut tries = (0..2_000).map(|attempt| (attempt, make(spec, seed, attempt)));
    tries
        .find_map(|(attempt, end)| match end {
            Try::Made(made) => Some((attempt, *made)),
            Try::Missed(_) | Try::Cancelled => None,
        })
        .unwrap_or_else(|| panic!("no puzzle for {spec:?}"))
}

fn check_solutions_agree(puzzle: &Grid, limit: usize, set: &str) {
    with_budget(u64::MAX, |budget| {
        let mut by_core = core::solutions(puzzle, limit, budget).unwrap();
        let mut by_solver = solver::solutions(puzzle, limit, budget).unwrap();
        assert_eq!(by_core.len(), by_solver.len(), "{set}: {puzzle:?}");
        assert_eq!(solver::count(puzzle, limit, budget), Ok(by_solver.len()), "{set}: {puzzle:?}");
        for solution in by_core.iter().chain(&by_solver) {
            let kept = puzzle.cells().iter().zip(solution.cells()).all(|(&given, &digit)| [0, digit].contains(&given));
            assert!(kept && solution.givens() == 81 && solution.clash().is_none(), "{set}: {puzzle:?} {solution:?}");
        }
        by_core.sort();
        by_solver.sort();
        by_core.dedup();
        assert_eq!(by_core.len(), by_solver.len(), "{set}: {puzzle:?} has a solution twice");
        if by_core.len() < limit {
            assert_eq!(by_core, by_solver, "{set}: {puzzle:?}");
        }
        let one = core::solve(puzzle, budget).unwrap();
        assert_eq!(one.is_some(), !by_core.is_empty(), "{set}: {puzzle:?}");
    });
}

#[test]
fn core_and_solver_find_the_same_solutions() {
    for (set, lines, limit) in COUNTS {
        for puzzle in grids(lines) {
            check_solutions_agree(&puzzle, limit, set);
        }
    }
}

#[test]
fn core_and_solver_agree_on_boards_of_few_clues() {
    let mut rng = Rng::from_seed(16);
    for clues in 0..=16 {
        let mut cells: Vec<_> = (0..81).collect();
        rng.shuffle(&mut cells);
        let solution = random_grid(&mut rng);
        let digit = |cell: usize| if cells[..clues].contains(&cell) { solution.cells()[cell] } else { 0 };
        let line: String = (0..81).map(|cell| char::from(b'0' + digit(cell))).collect();
        check_solutions_agree(&Grid::parse(&line).unwrap(), 50, "few clues");
    }
}

/// Nodes that a set takes in the core, each puzzle until so many solutions are found or 20,000 nodes are used.
fn nodes(puzzles: &str, solutions: usize, config: Config) -> u64 {
    let of_puzzle = |puzzle: Grid| {
        with_budget(20_000, |budget| {
            let model = core::model(&puzzle);
            let mut search = Search::new(&model, config);
            for _ in 0..solutions {
                if !matches!(search.next_solution(budget), Ok(Some(_))) {
                    break;
                }
            }
            budget.nodes_used()
        })
    };
    grids(puzzles).map(of_puzzle).sum()
}

#[test]
fn switching_any_part_of_the_core_off_costs_nodes() {
    let full = Config::COUNTING;
    let forward = Config { strength: Strength::Forward, ..full };
    let check = Config { strength: Strength::Check, ..full };
    let in_order = |config| Config { variables: Variables::InOrder, ..config };
    let finding = |config| Config { values: Values::LeastConstraining, ..config };
    let easy = COUNTS[0].1;
    let minimal = COUNTS[1].1;
    // What is switched off, the puzzles, how many solutions are wanted of each, with it, without it.
    let cases = [
        ("fewest values first, full propagation", TOP, 2, full, in_order(full)),
        ("fewest values first, forward checking", easy, 2, forward, in_order(forward)),
        ("fewest values first, forward checking", minimal, 2, forward, in_order(forward)),
        ("least constraining value first, full propagation", TOP, 1, finding(full), full),
        ("least constraining value first, forward checking", TOP, 1, finding(forward), forward),
        ("full propagation, forward checking instead", TOP, 2, full, forward),
        ("forward checking, checks instead", easy, 2, forward, check),
    ];
    for (what, puzzles, solutions, with, without) in cases {
        let [with, without] = [with, without].map(|config| nodes(puzzles, solutions, config));
        assert!(with < without, "{what}: {with} nodes with it, {without} without");
    }
}

#[test]
fn every_puzzle_made_is_what_was_asked_for() {
    let targets = [Level::Easy, Level::Medium, Level::Hard, Level::Expert];
    for (symmetry, level) in Symmetry::ALL.into_iter().flat_map(|symmetry| targets.map(|level| (symmetry, level))) {
        let spec = spec(symmetry, Target::Level(level), None);
        assert_eq!(Sudoku.check_spec(&spec), Ok(()));
        let (_, made) = first_made(&spec, 1);
        let puzzle = Grid::parse(&made.text).unwrap();
        let is_given = |cell: u8| puzzle.cells()[usize::from(cell)] != 0;
        for orbit in orbits(symmetry) {
            assert!(
                orbit.cells().iter().all(|&cell| is_given(cell) == is_given(orbit.cells()[0])),
                "{spec:?} {made:?}"
            );
        }
        assert_eq!(level_of(Sudoku.levels(), made.record.rating), level, "{spec:?} {made:?}");
        assert_eq!(made.givens, puzzle.givens());
        assert_eq!(made.canonical, canonical(&puzzle));
        assert_eq!(Sudoku.normalise("9x9", &made.text), Ok(made.text.clone()));
        let verdict = with_budget(100_000, |budget| Sudoku.validate("9x9", &made.text, budget));
        assert_eq!(verdict, Ok(Verdict::Unique { solution: made.solution.clone() }));
        let reasoned = Sudoku.reason("9x9", &made.text).unwrap();
        assert_eq!(reasoned.record, Some(made.record), "{spec:?}");
    }
}

#[test]
fn a_wanted_number_of_clues_is_met_exactly() {
    let cases = [
        (Symmetry::None, 24, Target::Any),
        (Symmetry::None, 40, Target::Level(Level::Easy)),
        (Symmetry::Rotation180, 29, Target::Level(Level::Easy)),
        (Symmetry::Diagonal, 30, Target::Level(Level::Medium)),
        (Symmetry::Full, 36, Target::Any),
    ];
    for (symmetry, clues, target) in cases {
        let (_, made) = first_made(&spec(symmetry, target, Some(clues)), 5);
        assert_eq!(made.givens, clues, "{symmetry:?}");
    }
}

#[test]
fn a_range_is_met_at_both_of_its_ends() {
    for rating in [12, 15, 23, 26, 34, 42, 44].map(Tenths) {
        let (_, made) = first_made(&spec(Symmetry::None, Target::Range { min: rating, max: rating }, None), 5);
        assert_eq!(made.record.rating, rating);
    }
}

#[test]
fn seventeen_clues_of_full_symmetry_miss_and_say_by_how_much() {
    let spec = spec(Symmetry::Full, Target::Any, Some(17));
    assert_eq!(Sudoku.check_spec(&spec), Ok(()));
    for attempt in 0..20 {
        let Try::Missed(miss) = make(&spec, 1, attempt) else { panic!("try {attempt} made a puzzle") };
        assert_eq!(miss.reason, MissReason::Clues);
        assert!(miss.nearest.ends_with(" givens"), "{miss:?}");
    }
}

#[test]
fn a_try_without_nodes_proves_nothing_and_a_cancelled_one_says_so() {
    let spec = spec(Symmetry::None, Target::Any, None);
    let few = with_budget(10, |budget| Sudoku.make(&spec, &mut Rng::from_seed(1), budget));
    assert!(matches!(&few, Try::Missed(miss) if miss.reason == MissReason::Unproven), "{few:?}");
    let raised = AtomicBool::new(true);
    let ended = Sudoku.make(&spec, &mut Rng::from_seed(1), &mut Budget::new(u64::MAX, &raised));
    assert_eq!(ended, Try::Cancelled);
    let verdict = Sudoku.validate("9x9", &".".repeat(81), &mut Budget::new(u64::MAX, &raised));
    assert_eq!(verdict, Ok(Verdict::Unknown(OutOfBudget::Cancelled)));
}

#[test]
fn texts_are_read_leniently_and_written_one_way() {
    let line = "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......";
    let rows: Vec<_> = line.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row).replace('.', "0")).collect();
    assert_eq!(Sudoku.normalise("9x9", &rows.join("\n")), Ok(line.to_owned()));
    assert_eq!(Sudoku.normalise("9x9", "12"), Err(TextError::Length { len: 2, wanted: 81 }));
    assert_eq!(Sudoku.normalise("9x9", "1x"), Err(TextError::Character { found: 'x', at: 1 }));
    assert!(matches!(Sudoku.normalise("6x6", line), Err(TextError::Malformed { .. })));
}

/// Compares with a file of `tests/golden`; on a mismatch, the whole new file is in the message.
fn check_golden(name: &str, golden: &str, now: &str) {
    assert!(golden == now, "tests/golden/{name} should be:\n{now}");
}

#[test]
fn a_seed_keeps_its_puzzle() {
    let mut now = String::new();
    let levels =
        [Level::Easy, Level::Medium, Level::Hard, Level::Expert].map(|level| (level.name(), Target::Level(level)));
    for symmetry in Symmetry::ALL {
        for (name, target) in [("any", Target::Any)].into_iter().chain(levels) {
            let (attempt, made) = first_made(&spec(symmetry, target, None), 7);
            let rating = made.record.rating;
            writeln!(now, "{} {name} try {attempt} rated {rating} {}", symmetry.name(), made.text).unwrap();
        }
    }
    check_golden("sudoku_generate.txt", include_str!("golden/sudoku_generate.txt"), &now);
}

#[test]
fn a_seed_keeps_its_grid_and_its_scramble() {
    let mut now = String::new();
    for seed in 0..5 {
        let mut rng = Rng::from_seed(seed);
        let grid = random_grid(&mut rng);
        writeln!(now, "{seed} {} {}", grid.line(), scramble(&grid, &mut rng).line()).unwrap();
    }
    check_golden("sudoku_grids.txt", include_str!("golden/sudoku_grids.txt"), &now);
}

#[test]
fn canonical_forms_stay_for_ever() {
    let mut now = String::new();
    for (_, lines, _) in COUNTS {
        for puzzle in grids(lines).take(4) {
            writeln!(now, "{} {}", puzzle.dotted(), canonical(&puzzle)).unwrap();
        }
    }
    check_golden("sudoku_canonical.txt", include_str!("golden/sudoku_canonical.txt"), &now);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_scrambled_puzzle_has_the_same_canonical_form(set in 0..COUNTS.len(), line in 0..50_usize, seed: u64) {
        let puzzle = grids(COUNTS[set].1).nth(line).unwrap();
        let other = scramble(&puzzle, &mut Rng::from_seed(seed));
        prop_assert_eq!(canonical(&other), canonical(&puzzle));
    }

    #[test]
    fn a_canonical_form_is_its_own_and_the_same_puzzle(set in 0..COUNTS.len(), line in 0..50_usize) {
        let puzzle = grids(COUNTS[set].1).nth(line).unwrap();
        let form = Grid::parse(&canonical(&puzzle)).unwrap();
        prop_assert_eq!(canonical(&form), form.line());
        prop_assert_eq!(form.givens(), puzzle.givens());
        let counted = |puzzle: &Grid| with_budget(u64::MAX, |budget| solver::count(puzzle, 2, budget));
        prop_assert_eq!(counted(&form), counted(&puzzle));
    }

    #[test]
    fn any_81_cells_have_one_form_however_they_are_written(
        cells in proptest::collection::vec(prop_oneof![3 => Just(0_u8), 1 => 1..=2_u8, 1 => 1..=9_u8], 81),
        seed: u64,
    ) {
        let line: String = cells.iter().map(|&digit| char::from(b'0' + digit)).collect();
        let puzzle = Grid::parse(&line).unwrap();
        let other = scramble(&puzzle, &mut Rng::from_seed(seed));
        prop_assert_eq!(canonical(&other), canonical(&puzzle));
    }
}

#[test]
fn the_ladder_rates_only_what_it_can_finish() {
    for puzzle in grids(TOP) {
        let Some(rating) = rating::quick(&puzzle) else { continue };
        assert!(rating <= Sudoku.rating_max(), "{puzzle:?}");
    }
}
