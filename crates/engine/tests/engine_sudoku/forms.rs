//! Property tests of the canonical form of a Sudoku: all isomorphs of a puzzle have the same one.

use proptest::prelude::*;
use puzzled_engine::{
    shared::rng::Rng,
    sudoku::{board::Grid, canonical::canonical, kernel::Kernel, make::grids::scramble},
};

use super::{COUNTS, grids, halved, with_budget};

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_scrambled_puzzle_has_the_same_canonical_form(
        set in 0..COUNTS.len(),
        line in 0..50_usize,
        halvings in 0..5,
        seed: u64,
    ) {
        let puzzle = (0..halvings).fold(grids(COUNTS[set].1).nth(line).unwrap(), |puzzle, _| halved(&puzzle));
        let other = scramble(&puzzle, &mut Rng::from_seed(seed));
        prop_assert_eq!(canonical(&other), canonical(&puzzle));
    }

    #[test]
    fn canonical_form_is_its_own_form_with_equal_givens(set in 0..COUNTS.len(), line in 0..50_usize) {
        let puzzle = grids(COUNTS[set].1).nth(line).unwrap();
        let form = Grid::parse(&canonical(&puzzle)).unwrap();
        prop_assert_eq!(canonical(&form), form.line());
        prop_assert_eq!(form.givens(), puzzle.givens());
        let counted = |puzzle: &Grid| with_budget(u64::MAX, |budget| Kernel::fastest().count(puzzle, 2, budget));
        prop_assert_eq!(counted(&form), counted(&puzzle));
    }

    #[test]
    fn any_81_cells_share_a_form_with_their_isomorphs(
        cells in proptest::collection::vec(prop_oneof![3 => Just(0_u8), 1 => 1..=2_u8, 1 => 1..=9_u8], 81),
        seed: u64,
    ) {
        let line: String = cells.iter().map(|&digit| char::from(b'0' + digit)).collect();
        let puzzle = Grid::parse(&line).unwrap();
        let other = scramble(&puzzle, &mut Rng::from_seed(seed));
        prop_assert_eq!(canonical(&other), canonical(&puzzle));
    }
}
