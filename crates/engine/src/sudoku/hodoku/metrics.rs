//! HoDoKu's scale as numbers of a rating record.

use super::{HodokuLevel, Outcome, rate};
use crate::{
    budget::{Budget, OutOfBudget},
    record::Metric,
    sudoku::board::Grid,
};

/// The names of the levels, in the order of their numbers.
pub(in crate::sudoku) const LEVEL_NAMES: [&str; 5] = [
    HodokuLevel::Easy.name(),
    HodokuLevel::Medium.name(),
    HodokuLevel::Hard.name(),
    HodokuLevel::Unfair.name(),
    HodokuLevel::Extreme.name(),
];

/// Nodes for one puzzle. A step takes at most 54, and there are at most 729; the rest is for the proof that it has one
/// solution, which takes a few hundred at most.
const NODES_MAX: u64 = 60_000;

/// The numbers of a puzzle with one solution; none of another. From some ten microseconds to some tens of milliseconds.
///
/// | name | meaning | range |
/// |---|---|---|
/// | `hodoku_score` | sum of the scores of HoDoKu's steps | 0 and up; 10,000 for each guess |
/// | `hodoku_level` | HoDoKu's level: Easy, Medium, Hard, Unfair, Extreme | 1–5 |
///
/// # Errors
/// [`OutOfBudget`] if the budget ends first.
pub(in crate::sudoku) fn metrics(puzzle: &Grid, budget: &mut Budget<'_>) -> Result<Vec<Metric>, OutOfBudget> {
    match budget.within(NODES_MAX, |budget| rate(puzzle, budget)) {
        Outcome::Rated(rating) => Ok(vec![
            Metric { name: "hodoku_score", value: f64::from(rating.score) },
            Metric { name: "hodoku_level", value: f64::from(rating.level as u8 + 1) },
        ]),
        Outcome::NotUnique => Ok(Vec::new()),
        Outcome::OutOfBudget { cause, .. } => Err(cause),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, wanted: &[f64]) {
        let never = false.into();
        let found = metrics(&Grid::parse(line).unwrap(), &mut Budget::new(u64::MAX, &never)).unwrap();
        let found: Vec<_> = found.iter().map(|metric| metric.value).collect();
        assert_eq!(found, wanted, "{line}");
    }

    #[test]
    fn score_and_level_are_numbers_and_a_board_with_more_solutions_has_none() {
        check("000000000090152030270309084000000000300806009600407005003601900908000302700000006", &[208.0, 1.0]);
        check("000400000058009000600020010200070901005006070000008030006000000700030100000000327", &[18_124.0, 5.0]);
        check("000000000000000000000000000000000000000000000000000000000000000000000000000000000", &[]);
    }
}
