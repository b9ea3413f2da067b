//! The rating of the hardest form that a technique can have: the largest set, the longest ring, or the longest chain.

use super::{
    bug::BUG_3,
    chains::CHAINS,
    find::Technique,
    loops::{LONGER_LOOP_TENTHS, LOOPS},
};
use crate::shared::level::Tenths;

/// The tenths that the largest set adds to a Unique Rectangle or Unique Loop of type 3: a set of seven cells.
const LOOP_SET_TENTHS: u8 = 6;

/// The tenths that the largest set adds to a Bivalue Universal Grave of type 3: a set of six cells.
const GRAVE_SET_TENTHS: u8 = 4;

/// The tenths that the longest single chain adds: within one digit, through cells with two candidates, and through both. In a shortest
/// chain, each pair of a house and a digit, and each cell, gives at most one link in each direction. So the chain has at most 2·27 + 2,
/// 2·243 + 2, and 2·(243 + 81) + 2 nodes.
const SINGLE_CHAIN_TENTHS: [u8; 3] = [8, 14, 15];

/// The tenths that the longest chain with branches adds. The longest chains that were seen add less than half of it.
const BRANCHES_TENTHS: u8 = 24;

/// An upper bound of the ratings of a technique's steps.
pub(in crate::sudoku) fn max_rating(technique: &Technique) -> Tenths {
    let is = |other: &Technique| other.name == technique.name;
    let at_loop = LOOPS.iter().position(is);
    let at_chain = CHAINS.iter().position(is);
    let [by_digit, by_cell, by_both] = SINGLE_CHAIN_TENTHS;
    let tenths = match (at_loop, at_chain) {
        (Some(2), _) => LOOP_SET_TENTHS,
        (Some(6), _) => LONGER_LOOP_TENTHS + LOOP_SET_TENTHS,
        (Some(at), _) if at >= 4 => LONGER_LOOP_TENTHS,
        // Skyscraper, Two-String Kite, and Turbot Fish have six nodes.
        (_, Some(1..=3)) => 0,
        (_, Some(0 | 4)) => by_digit,
        (_, Some(5)) => by_cell,
        (_, Some(6 | 7)) => by_both,
        (_, Some(_)) => BRANCHES_TENTHS,
        _ if is(&BUG_3) => GRAVE_SET_TENTHS,
        _ => 0,
    };
    Tenths(technique.rating.0 + tenths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        shared::budget::Budget,
        sudoku::{
            board::Grid,
            rate::rating::RATING_MAX,
            techniques::{Candidates, TECHNIQUES, climb},
        },
    };

    #[test]
    fn hardest_forms_are_bounded_by_the_hardest_rating() {
        let of = |name: &str| {
            let technique = TECHNIQUES.iter().find(|known| known.name == name).unwrap();
            (technique.rating.0, max_rating(technique).0)
        };
        for (name, wanted) in [
            ("X-Wing", (32, 32)),
            ("Unique Rectangle 1", (45, 45)),
            ("Unique Rectangle 3", (45, 51)),
            ("Unique Loop 1", (46, 50)),
            ("Unique Loop 3", (46, 56)),
            ("Bivalue Universal Grave 3", (58, 62)),
            ("Turbot Fish", (66, 66)),
            ("Bidirectional X-Cycle", (65, 73)),
            ("Forcing Chain", (70, 85)),
            ("Nishio Forcing Chains", (75, 99)),
        ] {
            assert_eq!(of(name), wanted, "{name}");
        }
        assert_eq!(TECHNIQUES.iter().map(max_rating).max(), Some(RATING_MAX));
    }

    #[test]
    fn no_step_of_a_hard_puzzle_is_rated_above_the_hardest_form() {
        let puzzles = include_str!("../../../tests/data/sudoku_counts/top1465.txt");
        for line in puzzles.lines().take(25) {
            let mut position = Candidates::of(&Grid::parse(line).unwrap()).unwrap();
            climb(&mut position, Tenths::MAX, &mut Budget::of_nodes(2_000_000), |_, find| {
                let technique = TECHNIQUES.iter().find(|known| known.name == find.technique.name).unwrap();
                assert!(
                    (technique.rating..=max_rating(technique)).contains(&find.technique.rating),
                    "{:?}",
                    find.technique
                );
            });
        }
    }
}
