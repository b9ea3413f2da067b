//! The clues of a new puzzle that are no digits and no cages: making starts with those that its solution allows, and thinning takes most of
//! them away.

use super::givens::{NODES_PER_REFUTATION_MAX, Thinning, is_steered, longest};
use crate::{
    grid::{
        clues::{Clues, Loose, Relation, Sign},
        puzzle::Puzzle,
        solve,
        variant::{ClueType, GridVariant},
    },
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        rng::Rng,
    },
};

/// To make a neighbor of a puzzle, a try puts back one clue, plus the number of clues of the solution divided by this.
const CLUES_PER_PUT_BACK: usize = 24;

/// In variants with signs for equal digits, the number of signs per row with which thinning starts.
const PER_ROW: usize = 2;

/// The maximum number of clues with which thinning starts. It is low if signs say which digits are equal: with all
/// signs, one given digit would be enough.
pub(super) fn count_max(variant: &GridVariant) -> usize {
    match variant.clues {
        ClueType::Signs(relations) if relations.contains(&Relation::Same) => PER_ROW * usize::from(variant.size),
        _ => usize::MAX,
    }
}

/// Adds some clues to a puzzle. Returns all its clues in the order in which thinning takes them away: the added ones
/// come last.
pub(super) fn put_back(puzzle: &mut Puzzle, solution: &[u8], rng: &mut Rng) -> Vec<Loose> {
    let mut all = puzzle.variant.clues.loose(puzzle.variant, solution);
    rng.shuffle(&mut all);
    let count = 1 + all.len() / CLUES_PER_PUT_BACK;
    let known: Vec<_> = puzzle.clues.loose().collect();
    let (mut order, mut back): (Vec<_>, Vec<_>) = all.into_iter().partition(|clue| known.contains(clue));
    back.truncate(count);
    order.append(&mut back);
    puzzle.clues = order.iter().copied().collect();
    order
}

impl Thinning<'_> {
    /// Takes away the clues whose cells are all given. Then takes away the clues of `order`, under the same condition as
    /// digits, as long as there are more clues than the goal wants at least. Returns the rating if it is known.
    pub(super) fn take_clues(
        &mut self,
        puzzle: &mut Puzzle,
        order: &[Loose],
        budget: &mut Budget<'_>,
    ) -> Result<Option<Tenths>, OutOfBudget> {
        let mut rating = None;
        let size = puzzle.variant.size;
        let is_open = |clue: &Loose| clue.cells(size).iter().any(|cell| puzzle.digits[usize::from(cell)] == 0);
        puzzle.clues = puzzle.clues.loose().filter(is_open).collect();
        if self.at_once {
            let fewer = |count: usize| -> Clues {
                puzzle.clues.loose().filter(|clue| !order[..count].contains(clue)).collect()
            };
            let most = (0..=order.len()).rfind(|count| fewer(*count).len() >= self.clues_min).unwrap_or(0);
            let count = longest(most, |count| {
                let thinner = Puzzle { clues: fewer(count), ..puzzle.clone() };
                self.rules.set_loose(&thinner.clues);
                self.is_solved(&thinner, &mut rating, budget)
            })?;
            puzzle.clues = fewer(count);
        }
        self.rules.set_loose(&puzzle.clues);
        for clue in order {
            if !puzzle.clues.loose().any(|kept| kept == *clue) {
                continue;
            }
            if puzzle.clues.len() <= self.clues_min {
                break;
            }
            budget.check_cancelled()?;
            let fewer: Clues = puzzle.clues.loose().filter(|kept| kept != clue).collect();
            let is_kept = if is_steered(self.goal) {
                self.rules.set_loose(&fewer);
                let rated = self.rating(&puzzle.digits);
                rating = rated.or(rating);
                rated.is_some()
            } else {
                is_needless(puzzle, *clue, &fewer, budget)?
            };
            if is_kept {
                puzzle.clues = fewer;
            }
            self.rules.set_loose(&puzzle.clues);
        }
        Ok(rating)
    }
}

/// Whether a puzzle has no other solution without one of its clues. False if the nodes do not suffice.
fn is_needless(puzzle: &Puzzle, clue: Loose, fewer: &Clues, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
    let (clues, count) = match clue {
        // Each other solution fulfills the opposite sign.
        Loose::Sign(sign) => {
            let opposite = Sign { relation: sign.relation.opposite(), ..sign };
            (fewer.loose().chain([Loose::Sign(opposite)]).collect(), 0)
        }
        Loose::Sightline(_) => (fewer.clone(), 1),
    };
    let other = Puzzle { clues, ..puzzle.clone() };
    let found = budget.try_within(NODES_PER_REFUTATION_MAX, |budget| solve::solutions(&other, count + 1, budget))?;
    Ok(found.is_some_and(|found| found.len() == count))
}
