//! Tests that generated Sudoku puzzles fulfill their specs, that tries that miss state the reason, that texts are read
//! leniently, and that published puzzles can be rated.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use puzzled_engine::{
    shared::{
        budget::{Budget, OutOfBudget},
        givens::Givens,
        kind::PuzzleKind,
        level::{Level, Tenths, level_of},
        rng::Rng,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        text::{RegionType, TextError, Verdict},
        tries::{MissReason, Try},
    },
    sudoku::{
        Sudoku,
        board::{Grid, box_of},
        canonical::canonical,
        orbits::orbits,
        rate::rating::{self, Outcome},
    },
};

use super::{TOP, first_made, grids, make, nine, spec, styled, with_budget};

#[test]
fn every_puzzle_fulfills_its_spec() {
    for (symmetry, level) in Symmetry::ALL.into_iter().flat_map(|symmetry| Level::ALL.map(|level| (symmetry, level))) {
        let spec = Spec { symmetry, ..styled(Difficulty::Level(level), None) };
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
        assert_eq!(level_of(nine().levels, made.record.rating), level, "{spec:?} {made:?}");
        assert_eq!(made.givens, puzzle.givens());
        assert!(spec.givens.unwrap().contains(made.givens), "{spec:?} {made:?}");
        assert_eq!(made.canonical, format!("9x9/{}", canonical(&puzzle)));
        assert_eq!(Sudoku.normalize("9x9", &made.text), Ok(made.text.clone()));
        let verdict = with_budget(100_000, |budget| Sudoku.validate("9x9", &made.text, budget));
        assert_eq!(verdict, Ok(Verdict::Unique { solution: made.solution.clone() }));
        let reasoned = with_budget(u64::MAX, |budget| Sudoku.reason("9x9", &made.text, budget)).unwrap();
        assert_eq!(reasoned.record, Ok(made.record), "{spec:?}");
    }
}

#[test]
fn wanted_number_of_givens_is_met_exactly() {
    let cases = [
        (Symmetry::None, 24, Difficulty::Any),
        (Symmetry::None, 40, Difficulty::Level(Level::Easy)),
        (Symmetry::Rotation180, 29, Difficulty::Level(Level::Easy)),
        (Symmetry::Diagonal, 30, Difficulty::Level(Level::Medium)),
        (Symmetry::Full, 36, Difficulty::Any),
    ];
    for (symmetry, givens, difficulty) in cases {
        let (_, made) = first_made(&spec(symmetry, difficulty, Some(Givens::new(givens, givens))), 5);
        assert_eq!(made.givens, givens, "{symmetry:?}");
    }
}

#[test]
fn range_is_met_at_both_ends() {
    for rating in [12, 15, 23, 26, 34, 42, 44, 56, 66, 71].map(Tenths) {
        let (_, made) = first_made(&styled(Difficulty::Range { min: rating, max: rating }, None), 5);
        assert_eq!(made.record.rating, rating);
    }
}

#[test]
fn every_number_that_the_symmetry_allows_is_drawn_from_a_range() {
    for (symmetry, wanted) in [
        (Symmetry::None, (26..=32).collect::<Vec<_>>()),
        (Symmetry::Rotation180, (26..=32).collect()),
        (Symmetry::Rotation90, vec![28, 29, 32]),
    ] {
        let spec = spec(symmetry, Difficulty::Any, Some(Givens::new(26, 32)));
        let mut numbers = BTreeMap::<u16, u32>::new();
        for try_number in 0..700 {
            if let Try::Made(made) = make(&spec, 3, try_number) {
                *numbers.entry(made.givens).or_default() += 1;
            }
        }
        assert_eq!(numbers.keys().copied().collect::<Vec<_>>(), wanted, "{symmetry:?}");
        // Nearly every try with 28 givens or more makes a puzzle.
        let often = numbers.range(28..).map(|(_, times)| *times);
        let (least, most) = (often.clone().min().unwrap(), often.max().unwrap());
        assert!(least * 3 > most * 2, "{symmetry:?}: {numbers:?}");
    }
}

#[test]
fn puzzle_of_an_open_number_of_givens_has_one_that_its_level_delivers() {
    let spec = spec(Symmetry::None, Difficulty::Any, None);
    let (mut made_in_all, mut missed) = (0, 0);
    for try_number in 0..400 {
        match make(&spec, 3, try_number) {
            Try::Made(made) => {
                made_in_all += 1;
                assert!(nine().delivered(made.record.rating).unwrap().contains(made.givens), "{made:?}");
            }
            Try::Missed(miss) => {
                missed += 1;
                assert_eq!(miss.reason, MissReason::Givens);
            }
            Try::Cancelled => panic!("nobody cancels"),
        }
    }
    assert!(made_in_all > 100 && missed > 50, "{made_in_all} {missed}");
}

#[test]
fn miss_by_givens_states_the_nearest_number() {
    let spec = spec(Symmetry::Full, Difficulty::Any, Some(Givens::new(20, 20)));
    assert_eq!(Sudoku.check_spec(&spec), Ok(()));
    for try_number in 0..20 {
        let Try::Missed(miss) = make(&spec, 1, try_number) else { panic!("try {try_number} made a puzzle") };
        assert_eq!(miss.reason, MissReason::Givens);
        assert!(miss.nearest.ends_with(" givens"), "{miss:?}");
    }
}

#[test]
fn try_without_nodes_is_unproven_and_raised_flag_cancels() {
    let spec = spec(Symmetry::None, Difficulty::Any, None);
    let few = with_budget(10, |budget| Sudoku.make(&spec, &mut Rng::from_seed(1), budget));
    assert!(matches!(&few, Try::Missed(miss) if miss.reason == MissReason::Unproven), "{few:?}");
    let raised = AtomicBool::new(true);
    let ended = Sudoku.make(&spec, &mut Rng::from_seed(1), &mut Budget::new(u64::MAX, &raised));
    assert_eq!(ended, Try::Cancelled);
    let verdict = Sudoku.validate("9x9", &".".repeat(81), &mut Budget::new(u64::MAX, &raised));
    assert_eq!(verdict, Ok(Verdict::Unknown(OutOfBudget::Cancelled)));
}

#[test]
fn texts_are_read_leniently_and_written_in_one_form() {
    let line = "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......";
    let rows: Vec<_> = line.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row).replace('.', "0")).collect();
    assert_eq!(Sudoku.normalize("9x9", &rows.join("\n")), Ok(line.to_owned()));
    assert_eq!(Sudoku.normalize("9x9", "12"), Err(TextError::Length { len: 2, wanted: 81 }));
    let unknown = Sudoku.normalize("9x9", "1w").unwrap_err();
    assert!(matches!(unknown, TextError::Character { found: 'w', row: 1, column: 2, .. }), "{unknown:?}");
    assert!(matches!(Sudoku.normalize("5x5", line), Err(TextError::Variant { .. })));
}

#[test]
fn regions_are_the_boxes_in_the_order_of_their_numbers() {
    let regions = Sudoku.regions("9x9", &".".repeat(81)).unwrap();
    assert_eq!(regions.len(), 9);
    for (number, region) in regions.iter().enumerate() {
        assert_eq!((region.region_type, region.sum, region.operator), (RegionType::Region, None, None));
        assert!(
            region.cells.len() == 9 && region.cells.iter().all(|&cell| box_of(cell.into()) == number),
            "{region:?}"
        );
    }
    assert!(matches!(Sudoku.regions("5x5", ""), Err(TextError::Variant { .. })));
}

#[test]
fn every_published_puzzle_of_the_top_list_is_rated() {
    for puzzle in grids(TOP) {
        let outcome = with_budget(rating::NODES_PER_RATING_MAX, |budget| rating::outcome(&puzzle, budget));
        assert!(
            matches!(outcome, Outcome::Rated(ratings) if ratings.er <= nine().rating_max),
            "{puzzle:?} {outcome:?}"
        );
    }
}
