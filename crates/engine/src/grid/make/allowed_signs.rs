//! The signs of a new puzzle: making starts with signs that its solution allows, and thinning takes most of them away.

use super::givens::{NODES_PER_REFUTATION_MAX, Thinning, is_steered};
use crate::{
    grid::{
        cells::Cells,
        clues::{Relation, Sign, relations::neighbors},
        puzzle::Puzzle,
        solve,
        variant::{ClueType, GridVariant},
    },
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        rng::Rng,
        step::Cell,
    },
};

/// To make a neighbor of a puzzle, a try puts back one sign, and one more for each group of this many signs of the
/// solution.
const SIGNS_PER_PUT_BACK: usize = 24;

/// In variants with signs for equal digits, the number of signs per row with which thinning starts.
const PER_ROW: usize = 2;

/// The signs of a solution that do not follow from the others; none if the variant has no signs.
pub(super) fn all(variant: &GridVariant, solution: &[u8]) -> Vec<Sign> {
    let ClueType::Signs(relations) = variant.clues else { return Vec::new() };
    let sign = |cells: [Cell; 2]| {
        let [first, second] = cells.map(|cell| solution[usize::from(cell)]);
        Some(Sign { cells, relation: *relations.iter().find(|relation| relation.holds(first, second))? })
    };
    let all: Vec<_> = neighbors(variant.size).filter_map(sign).collect();
    all.iter().filter(|sign| !follows(**sign, &all)).copied().collect()
}

/// The maximum number of signs with which thinning starts. It is low if signs say which digits are equal: with all
/// signs, one given digit would be enough.
pub(super) fn count_max(variant: &GridVariant) -> usize {
    match variant.clues {
        ClueType::Signs(relations) if relations.contains(&Relation::Same) => PER_ROW * usize::from(variant.size),
        _ => usize::MAX,
    }
}

/// Whether other signs lead from the cell with the smaller digit to the one with the larger digit.
fn follows(sign: Sign, all: &[Sign]) -> bool {
    let upward = |sign: &Sign| match (sign.relation, sign.cells) {
        (Relation::Less, cells) => Some(cells),
        (Relation::Greater, [first, second]) => Some([second, first]),
        (Relation::Same | Relation::Different, _) => None,
    };
    let Some([smaller, larger]) = upward(&sign) else { return false };
    let others: Vec<_> = all.iter().filter(|other| **other != sign).filter_map(upward).collect();
    let mut reached = Cells::only(smaller);
    loop {
        let above = others.iter().filter(|[from, _]| reached.contains(*from)).map(|[_, to]| *to);
        let next = reached.or(above.collect());
        if next == reached {
            return reached.contains(larger);
        }
        reached = next;
    }
}

/// Adds some signs to a puzzle. Returns all its signs in the order in which thinning takes them away: the added ones
/// come last.
pub(super) fn put_back(puzzle: &mut Puzzle, solution: &[u8], rng: &mut Rng) -> Vec<Sign> {
    let mut all = all(puzzle.variant, solution);
    rng.shuffle(&mut all);
    let count = 1 + all.len() / SIGNS_PER_PUT_BACK;
    let (mut order, mut back): (Vec<_>, Vec<_>) = all.into_iter().partition(|sign| puzzle.clues.signs.contains(sign));
    back.truncate(count);
    order.append(&mut back);
    puzzle.clues.signs.clone_from(&order);
    puzzle.clues.signs.sort_unstable();
    order
}

impl Thinning<'_> {
    /// Takes away the signs between two givens. Then takes away the signs of `order`, under the same condition as
    /// digits, as long as there are more signs than rows. Returns the rating if it is known.
    pub(super) fn take_signs(
        &mut self,
        puzzle: &mut Puzzle,
        order: &[Sign],
        budget: &mut Budget<'_>,
    ) -> Result<Option<Tenths>, OutOfBudget> {
        let mut rating = None;
        let digits = &puzzle.digits;
        puzzle.clues.signs.retain(|sign| sign.cells.iter().any(|cell| digits[usize::from(*cell)] == 0));
        self.rules.signs.clone_from(&puzzle.clues.signs);
        for sign in order {
            let Some(at) = puzzle.clues.signs.iter().position(|kept| kept == sign) else { continue };
            if puzzle.clues.signs.len() <= puzzle.variant.size.into() {
                break;
            }
            budget.check_cancelled()?;
            let is_kept = if is_steered(self.goal) {
                self.rules.signs.remove(at);
                let rated = self.rating(&puzzle.digits);
                rating = rated.or(rating);
                rated.is_some()
            } else {
                is_needless(puzzle, at, budget)?
            };
            if is_kept {
                puzzle.clues.signs.remove(at);
            }
            self.rules.signs.clone_from(&puzzle.clues.signs);
        }
        Ok(rating)
    }
}

/// Whether a puzzle has no solution if one of its signs is replaced by the opposite one. False if the nodes do not suffice.
fn is_needless(puzzle: &Puzzle, at: usize, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
    let mut opposite = puzzle.clone();
    let relation = &mut opposite.clues.signs[at].relation;
    *relation = relation.opposite();
    let found = budget.try_within(NODES_PER_REFUTATION_MAX, |budget| solve::solutions(&opposite, 1, budget))?;
    Ok(found.is_some_and(|found| found.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::samples::SIGNS;

    #[test]
    fn sign_to_which_other_signs_lead_is_left_out() {
        let variant = SIGNS.variant("3x3").expect("a variant of the kind");
        let signs = all(variant, &[1, 2, 9, 4, 3, 9, 9, 9, 9]);
        let is_there = |cells: [Cell; 2]| signs.iter().any(|sign| sign.cells == cells);
        let missing: Vec<_> = neighbors(3).filter(|cells| !is_there(*cells)).collect();
        assert_eq!(missing, [[0, 3]], "1 < 2, 2 < 3, and 3 < 4 lead from 1 to 4");
    }
}
