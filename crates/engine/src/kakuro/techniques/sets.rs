//! Techniques of tier 4, which use the possible fillings of the open cells of one run: Naked Pair, Naked Triplet, and
//! Run Fillings.

use super::{
    find::{Find, NAKED_PAIR, NAKED_TRIPLET, Pattern, RUN_FILLINGS, Technique},
    position::Position,
};
use crate::kakuro::{
    digits::{Digits, RUN_MAX},
    solver::exact,
};

/// If two cells of a run have the same two candidates, both can go from the rest of the run, because these cells use them
/// up: Naked Pair.
pub(super) fn naked_pair(position: &Position<'_>, run: usize) -> Option<Find> {
    naked_set(position, run, 2, NAKED_PAIR)
}

/// If three cells of a run have three candidates among them, these can go from the rest of the run, because the three cells
/// use them up: Naked Triplet.
pub(super) fn naked_triplet(position: &Position<'_>, run: usize) -> Option<Find> {
    naked_set(position, run, 3, NAKED_TRIPLET)
}

fn naked_set(position: &Position<'_>, run: usize, size: usize, technique: Technique) -> Option<Find> {
    let rest = position.rest(run);
    if rest.cells().len() <= size {
        return None;
    }
    let small: Vec<_> = (0..rest.cells().len()).filter(|&at| rest.cells()[at].len() <= size).collect();
    let sets = (0_usize..1 << small.len()).filter(|set| set.count_ones() as usize == size);
    sets.into_iter().find_map(|set| {
        let chosen: Vec<_> = (0..small.len()).filter(|&at| set & 1 << at != 0).map(|at| small[at]).collect();
        let digits = chosen.iter().fold(Digits::NONE, |all, &at| all.or(rest.cells()[at]));
        if digits.len() != size {
            return None;
        }
        let outcome = rest.beyond(|at| if chosen.contains(&at) { Digits::ALL } else { Digits::ALL.without(digits) })?;
        let whites = chosen.iter().map(|&at| rest.whites()[at]).collect();
        Some(Find { technique, pattern: Pattern::Set { run, whites, digits }, outcome })
    })
}

/// If no filling of a run with different digits and the right sum uses a candidate, the candidate can go: Run Fillings.
pub(super) fn run_fillings(position: &Position<'_>, run: usize) -> Option<Find> {
    let rest = position.rest(run);
    let mut left = [Digits::ALL; RUN_MAX];
    let cells = &mut left[..rest.cells().len()];
    cells.copy_from_slice(rest.cells());
    if cells.is_empty() || !exact(cells, rest.sum) {
        return None;
    }
    Some(Find { technique: RUN_FILLINGS, pattern: Pattern::Run { run }, outcome: rest.beyond(|at| left[at])? })
}
