//! Computes HoDoKu's score and level for a puzzle with one solution, in the form in which a rating record contains
//! them.

use super::{HodokuRating, Outcome, rate};
use crate::{
    shared::budget::{Budget, OutOfBudget},
    sudoku::board::Grid,
};

/// The maximum number of nodes for one puzzle. A step uses at most 54, and there are at most 729 steps. The proof of
/// uniqueness uses a few hundred at most.
const NODES_MAX: u64 = 60_000;

/// The HoDoKu rating of a puzzle with one solution. `None` for any other puzzle. Takes from ten microseconds to tens of
/// milliseconds.
///
/// # Errors
/// [`OutOfBudget`] if the budget ends first.
pub(in crate::sudoku) fn rate_unique(
    puzzle: &Grid,
    budget: &mut Budget<'_>,
) -> Result<Option<HodokuRating>, OutOfBudget> {
    match budget.within(NODES_MAX, |budget| rate(puzzle, budget)) {
        Outcome::Rated(rating) => Ok(Some(rating)),
        Outcome::NotUnique => Ok(None),
        Outcome::OutOfBudget { cause, .. } => Err(cause),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::hodoku::HodokuLevel;

    fn check(line: &str, wanted: Option<(u32, HodokuLevel)>) {
        let never = false.into();
        let found = rate_unique(&Grid::parse(line).unwrap(), &mut Budget::new(u64::MAX, &never)).unwrap();
        assert_eq!(found.map(|rating| (rating.score, rating.level)), wanted, "{line}");
    }

    #[test]
    fn only_a_unique_puzzle_has_score_and_level() {
        let easy = Some((208, HodokuLevel::Easy));
        check("000000000090152030270309084000000000300806009600407005003601900908000302700000006", easy);
        let extreme = Some((18_124, HodokuLevel::Extreme));
        check("000400000058009000600020010200070901005006070000008030006000000700030100000000327", extreme);
        check("000000000000000000000000000000000000000000000000000000000000000000000000000000000", None);
    }
}
