//! The Kakuro kernel: exact propagation of runs, and a search that counts solutions. It shares only the board types
//! with the constraint core, so each can check the other.

mod exact;
mod propagate;
mod search;

use super::{
    board::{Digit, Puzzle},
    digits::Digits,
};
use crate::shared::budget::{Budget, OutOfBudget};
use search::Search;

pub(crate) use exact::{Open, exact, partners, take_placed};
pub(crate) use propagate::{Filter, Propagation};

/// The solutions of a puzzle, at most `limit`. Their order depends only on the puzzle.
///
/// # Errors
/// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
pub fn solutions(puzzle: &Puzzle, limit: usize, budget: &mut Budget<'_>) -> Result<Vec<Vec<Digit>>, OutOfBudget> {
    budget.check_cancelled()?;
    Search::new(puzzle, limit).run(&open(puzzle), budget)
}

/// A solution other than `solution`, if there is one.
///
/// # Errors
/// [`OutOfBudget`] if none was found and one may exist.
pub fn another(
    puzzle: &Puzzle,
    solution: &[Digit],
    budget: &mut Budget<'_>,
) -> Result<Option<Vec<Digit>>, OutOfBudget> {
    budget.check_cancelled()?;
    let mut search = Search::new(puzzle, 2);
    search.know(solution.to_vec());
    Ok(search.run(&open(puzzle), budget)?.into_iter().nth(1))
}

/// Whether some solution lies within these candidates, one set for each white cell.
///
/// # Errors
/// [`OutOfBudget`] if none was found and one may exist.
pub(crate) fn is_possible(
    puzzle: &Puzzle,
    candidates: &[Digits],
    budget: &mut Budget<'_>,
) -> Result<bool, OutOfBudget> {
    budget.check_cancelled()?;
    Ok(!Search::new(puzzle, 1).run(candidates, budget)?.is_empty())
}

/// All nine digits for every white cell.
pub(crate) fn open(puzzle: &Puzzle) -> Vec<Digits> {
    vec![Digits::ALL; puzzle.layout().cells().len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kakuro::notation::text::parse;

    /// Two rows of two white cells that have two solutions, although there are as many sums as cells.
    const TWO: &str = "# \\3 \\3\n3\\ . .\n3\\ . .";
    const ONE: &str = "# \\4 \\3\n3\\ . .\n4\\ . .";

    fn check(text: &str, limit: usize, nodes_max: u64) -> Result<Vec<Vec<Digit>>, OutOfBudget> {
        let puzzle = parse(text).unwrap();
        let found = solutions(&puzzle, limit, &mut Budget::of_nodes(nodes_max))?;
        assert!(found.iter().all(|digits| puzzle.is_solved_by(digits)));
        Ok(found)
    }

    #[test]
    fn puzzle_with_as_many_sums_as_cells_may_have_two_solutions() {
        let mut both = check(TWO, 9, 100).unwrap();
        both.sort();
        assert_eq!(both, [[1, 2, 2, 1], [2, 1, 1, 2]]);
        assert_eq!(check(TWO, 1, 100).unwrap().len(), 1);
    }

    #[test]
    fn unique_puzzle_has_one_solution_and_no_other() {
        assert_eq!(check(ONE, 2, 100).unwrap(), [[1, 2, 3, 1]]);
    }

    #[test]
    fn another_finds_a_second_solution_if_there_is_one() {
        let mut budget = Budget::of_nodes(100);
        let [two, one] = [TWO, ONE].map(|text| parse(text).unwrap());
        assert_eq!(another(&two, &[1, 2, 2, 1], &mut budget), Ok(Some(vec![2, 1, 1, 2])));
        assert_eq!(another(&one, &[1, 2, 3, 1], &mut budget), Ok(None));
    }

    #[test]
    fn exhausted_budget_is_not_an_answer() {
        assert_eq!(check(TWO, 2, 0), Err(OutOfBudget::Nodes));
    }

    #[test]
    fn impossible_sums_leave_no_solution() {
        assert_eq!(check("# \\3 \\4\n3\\ . .\n5\\ . .", 2, 100), Ok(Vec::new()));
    }
}
