//! For each step of a solution, lists the other steps that were possible at that point: what else a person may have seen.

use std::collections::HashSet;

use super::{
    candidates::Candidates,
    find::{CandidateSet, Outcome},
    geometry::one,
    ladder::each_open,
};
use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        record::TechniqueCount,
        step::Step,
    },
    sudoku::board::Grid,
};

/// For each step of a solution, the other steps that were possible before it, up to SE 4.4, by technique and easiest first.
/// If several steps place or remove the same, only the easiest of them counts. Steps with the same effect as the step itself
/// are left out.
///
/// Takes some tens of microseconds per step. Stops at the first step that does not fit this puzzle.
///
/// # Errors
/// [`OutOfBudget::Cancelled`] if the flag of `budget` is raised before a step. Uses no nodes.
pub fn open_besides(
    puzzle: &Grid,
    steps: &[Step],
    budget: &Budget<'_>,
) -> Result<Vec<Vec<TechniqueCount>>, OutOfBudget> {
    let Some(mut position) = Candidates::of(puzzle) else { return Ok(Vec::new()) };
    let mut open = Vec::with_capacity(steps.len());
    for step in steps {
        budget.check_cancelled()?;
        let Some(taken) = outcome(step) else { break };
        open.push(beside(&position, taken));
        position.change(&taken);
    }
    Ok(open)
}

fn beside(position: &Candidates, taken: Outcome) -> Vec<TechniqueCount> {
    let mut seen = HashSet::from([taken]);
    let mut open: Vec<TechniqueCount> = Vec::new();
    each_open(position, |find| {
        if seen.insert(find.outcome) {
            let technique = find.technique;
            match open.iter_mut().find(|counted| counted.technique == technique.name) {
                Some(counted) => counted.count += 1,
                None => {
                    open.push(TechniqueCount { technique: technique.name, rating: technique.rating, count: 1 });
                }
            }
        }
    });
    open.sort_by_key(|counted| counted.rating);
    open
}

/// What a step does. `None` if it does not name cells and digits of a board.
fn outcome(step: &Step) -> Option<Outcome> {
    let on_board = |&(cell, digit): &(u16, u8)| {
        let (cell, digit) = (usize::from(cell), usize::from(digit));
        (cell < 81 && (1..10).contains(&digit)).then_some((cell, digit))
    };
    if let [placed] = step.placed.as_slice() {
        return on_board(placed).map(|(cell, digit)| Outcome::Place { cell, digit });
    }
    let removed = step.removed.iter().map(|candidate| on_board(candidate).map(|(cell, digit)| (digit, one(cell))));
    Outcome::remove(removed.collect::<Option<CandidateSet>>()?)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::{
        shared::level::Tenths,
        sudoku::techniques::{openings, reason},
    };

    /// Rated 7.1, with pairs, fish and wings on the way.
    const HARD: &str = "000006009006700030090803000010000050007520000005004002001670020000001400800000000";

    fn steps(puzzle: &Grid) -> Vec<Step> {
        reason(puzzle, &mut Budget::of_nodes(u64::MAX))
    }

    fn open_beside_all(puzzle: &Grid, steps: &[Step]) -> Vec<Vec<TechniqueCount>> {
        open_besides(puzzle, steps, &Budget::of_nodes(0)).unwrap()
    }

    #[test]
    fn raised_flag_ends_the_count_before_the_next_step() {
        let puzzle = Grid::parse(HARD).unwrap();
        let raised = AtomicBool::new(true);
        let counted = open_besides(&puzzle, &steps(&puzzle), &Budget::new(u64::MAX, &raised));
        assert_eq!(counted, Err(OutOfBudget::Cancelled));
    }

    #[test]
    fn open_hidden_singles_exclude_the_taken_cell() {
        let puzzle = Grid::parse(HARD).unwrap();
        let steps = steps(&puzzle);
        let open = open_beside_all(&puzzle, &steps);
        assert_eq!(open.len(), steps.len());
        let mut position = Candidates::of(&puzzle).unwrap();
        let is_hidden = |name: &str| ["Last Cell", "Hidden Single in Box", "Hidden Single in Line"].contains(&name);
        for (step, open) in steps.iter().zip(open) {
            let [in_boxes, in_lines, _] = openings(&position).map(u128::count_ones);
            let counted: u32 = open.iter().filter(|open| is_hidden(open.technique)).map(|open| open.count).sum();
            assert_eq!(counted + u32::from(is_hidden(step.technique)), in_boxes + in_lines, "{step:?}: {open:?}");
            position.change(&outcome(step).unwrap());
        }
    }

    #[test]
    fn what_is_open_is_rated_4_4_at_most_and_comes_easiest_first() {
        let puzzle = Grid::parse(HARD).unwrap();
        let open = open_beside_all(&puzzle, &steps(&puzzle));
        assert!(open.iter().flatten().all(|open| open.rating <= Tenths(44) && open.count > 0));
        assert!(open.iter().all(|open| open.is_sorted_by_key(|open| open.rating)));
        assert!(open.iter().flatten().any(|open| open.rating > Tenths(25)), "{open:?}");
    }

    #[test]
    fn nothing_easier_than_a_step_is_open_beside_it() {
        let puzzle = Grid::parse(HARD).unwrap();
        let steps = steps(&puzzle);
        for (step, open) in steps.iter().zip(open_beside_all(&puzzle, &steps)) {
            // The ladder tries a naked single before a direct hidden triplet, and after a direct hidden pair.
            assert!(open.iter().all(|open| open.rating >= step.rating), "{step:?}: {open:?}");
        }
    }

    #[test]
    fn a_step_of_another_board_ends_the_list() {
        let puzzle = Grid::parse(HARD).unwrap();
        let mut steps = steps(&puzzle);
        steps[1].placed = vec![(81, 1)];
        assert_eq!(open_beside_all(&puzzle, &steps).len(), 1);
    }
}
