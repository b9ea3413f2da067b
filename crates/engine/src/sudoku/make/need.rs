//! Decides which techniques a puzzle needs. A puzzle needs a technique if its steps use the technique, and if it would be harder
//! without the technique.

use crate::{
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
    },
    sudoku::{
        board::Grid,
        techniques::{Bounds, Candidates, Climb, TECHNIQUES, Technique, climb},
    },
};

/// The lowest ER at which one rating takes some tenths of a second.
const HARD_FROM: Tenths = Tenths(95);

/// The maximum number of nodes for one rating during a try: at most a tenth of a second, and a second for hard puzzles. A puzzle
/// that takes more counts as too hard.
pub(super) fn nodes_per_rating_max(er: Tenths) -> u64 {
    if er < HARD_FROM { 1_000_000 } else { 10_000_000 }
}

/// The techniques that a puzzle needs and whose easiest form is rated at least `from`, in the order of the ladder. A puzzle
/// needs a technique if its steps use the technique, and if the ladder without it does not solve the puzzle up to its ER. Each
/// technique costs one more climb. Returns no techniques if the ladder does not finish the puzzle within the budget.
///
/// # Errors
/// [`OutOfBudget::Cancelled`].
pub fn needed(puzzle: &Grid, from: Tenths, budget: &mut Budget<'_>) -> Result<Vec<&'static str>, OutOfBudget> {
    let (mut er, mut used) = (Tenths(0), Vec::<(Technique, Candidates)>::new());
    let Some(mut position) = Candidates::of(puzzle) else { return Ok(Vec::new()) };
    let end = climb(&mut position, Bounds::NONE, budget, |before, find| {
        er = er.max(find.technique.rating);
        if used.iter().all(|(technique, _)| technique.name != find.technique.name) {
            used.push((find.technique, before.clone()));
        }
    });
    match end {
        Climb::OutOfBudget { why: OutOfBudget::Cancelled, .. } => return Err(OutOfBudget::Cancelled),
        Climb::Solved => {}
        Climb::Stuck | Climb::Harder { .. } | Climb::OutOfBudget { .. } => return Ok(Vec::new()),
    }
    let mut names = Vec::new();
    for known in TECHNIQUES.iter().filter(|known| known.rating >= from) {
        if let Some((technique, before)) = used.iter().find(|(technique, _)| technique.name == known.name)
            && needs(before, er, *technique, budget)?
        {
            names.push(technique.name);
        }
    }
    Ok(names)
}

/// Whether a puzzle with this ER is harder without the technique, that is, whether the ladder without it does not solve the
/// puzzle up to that ER. Returns false if the budget ends before the answer. `before` is the start position, or any position up
/// to the first step by the technique, because the steps before that are the same without it.
///
/// # Errors
/// [`OutOfBudget::Cancelled`].
pub(in crate::sudoku) fn needs(
    before: &Candidates,
    er: Tenths,
    technique: Technique,
    budget: &mut Budget<'_>,
) -> Result<bool, OutOfBudget> {
    let mut position = before.clone();
    let bounds = Bounds { hardest: er, without: Some(technique.name) };
    let end = budget.within(nodes_per_rating_max(er), |budget| climb(&mut position, bounds, budget, |_, _| ()));
    match end {
        Climb::OutOfBudget { why: OutOfBudget::Cancelled, .. } => Err(OutOfBudget::Cancelled),
        Climb::Stuck | Climb::Harder { .. } => Ok(true),
        Climb::Solved | Climb::OutOfBudget { .. } => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        shared::{kind::PuzzleKind as _, rng::Rng, spec::Spec, tries::Try},
        sudoku::{Sudoku, rate::rating::RATING_MAX},
        toy::toy_spec,
    };

    /// ER of a puzzle on the ladder without a technique; `None` if that ladder does not finish it.
    fn rating_without(puzzle: &Grid, technique: &'static str) -> Option<Tenths> {
        let mut er = Tenths(0);
        let bounds = Bounds { hardest: RATING_MAX, without: Some(technique) };
        let mut position = Candidates::of(puzzle).unwrap();
        let end = climb(&mut position, bounds, &mut Budget::of_nodes(10_000_000), |_, find| {
            assert_ne!(find.technique.name, technique);
            er = er.max(find.technique.rating);
        });
        (end == Climb::Solved).then_some(er)
    }

    #[test]
    fn a_puzzle_is_harder_or_unsolved_without_a_technique_it_needs() {
        for technique in
            ["Hidden Single in Line", "Naked Single", "Pointing", "Naked Pair", "XY-Wing", "Forcing X-Chain"]
        {
            let technique_wanted = Some(technique.to_owned());
            let spec = Spec {
                kind: "sudoku".to_owned(),
                variant: "9x9".to_owned(),
                technique: technique_wanted,
                ..toy_spec()
            };
            let mut rng = Rng::from_seed(5);
            let made = (0..200).find_map(|_| match Sudoku.make(&spec, &mut rng, &mut Budget::of_nodes(u64::MAX)) {
                Try::Made(made) => Some(made),
                _ => None,
            });
            let made = made.unwrap_or_else(|| panic!("no puzzle needs {technique}"));
            let puzzle = Grid::parse(&made.text).unwrap();
            assert!(
                needed(&puzzle, Tenths(0), &mut Budget::of_nodes(u64::MAX)).unwrap().contains(&technique),
                "{made:?}"
            );
            let without = rating_without(&puzzle, technique);
            assert!(without.is_none_or(|without| without > made.record.rating), "{technique}: {without:?} {made:?}");
        }
    }

    #[test]
    fn technique_with_an_equal_substitute_is_not_needed() {
        let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let start = Candidates::of(&Grid::parse(puzzle).unwrap()).unwrap();
        let last_cell = TECHNIQUES[0];
        let needed = needs(&start, Tenths(12), last_cell, &mut Budget::of_nodes(u64::MAX));
        assert_eq!((last_cell.name, needed), ("Last Cell", Ok(false)));
    }
}
