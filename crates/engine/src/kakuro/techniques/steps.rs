//! Turns what a technique of Kakuro found into a step: the data from which `sentences.rs` writes the argument.

use super::{
    chains::runs_of_chain,
    find::{Find, Outcome, Pattern, UNIQUE_COMBINATION, UNIQUE_REST},
    position::Position,
};
use crate::{
    kakuro::{
        board::cells_of,
        digits::{Digits, combinations},
        layout::cell_number,
    },
    shared::step::{House, HouseType, Step},
};

/// The step for a find in the position `before`.
pub(crate) fn write(before: &Position<'_>, find: &Find) -> Step {
    let layout = before.puzzle().layout();
    let (mut placed, mut removed) = (Vec::new(), Vec::new());
    match &find.outcome {
        Outcome::Place { white, digit } => placed.push((layout.cells()[*white], *digit)),
        Outcome::Remove(list) => {
            for &(white, digits) in list {
                removed.extend(digits.iter().map(|digit| (layout.cells()[white], digit)));
            }
        }
    }
    let parts = parts(before, find);
    Step {
        technique: find.technique.name,
        rating: find.technique.rating(),
        columns: cell_number(layout.width()),
        cells: cells_of(layout, parts.whites),
        secondary_cells: cells_of(layout, parts.secondary_whites),
        digits: parts.digits.iter().collect(),
        secondary_digits: Vec::new(),
        houses: parts.runs.into_iter().map(|run| house(before, run)).collect(),
        cover_houses: Vec::new(),
        number: parts.number,
        placed,
        removed,
        chains: Vec::new(),
    }
}

fn house(before: &Position<'_>, run: usize) -> House {
    let puzzle = before.puzzle();
    House {
        house_type: HouseType::Run,
        number: cell_number(puzzle.clues_before(run)),
        cells: cells_of(puzzle.layout(), whites_of(before, run)),
        sum: Some(puzzle.sums()[run].into()),
        operator: None,
    }
}

/// The data of a pattern, with numbers of white cells and runs.
#[derive(Default)]
struct Parts {
    whites: Vec<usize>,
    secondary_whites: Vec<usize>,
    digits: Digits,
    runs: Vec<usize>,
    number: Option<i32>,
}

fn parts(before: &Position<'_>, find: &Find) -> Parts {
    match &find.pattern {
        Pattern::Cell { white, digit } => {
            Parts { whites: vec![*white], digits: Digits::only(*digit), ..Parts::default() }
        }
        Pattern::Run { run } => {
            let rest = before.rest(*run);
            Parts {
                whites: whites_of(before, *run).collect(),
                secondary_whites: rest.whites().to_vec(),
                digits: digits_of_run(before, find, *run),
                runs: vec![*run],
                number: i32::try_from(rest.sum).ok(),
            }
        }
        Pattern::Set { run, whites, digits } => {
            Parts { whites: whites.clone(), digits: *digits, runs: vec![*run], ..Parts::default() }
        }
        Pattern::Cut { terms, total, runs } => Parts {
            whites: terms.iter().map(|&(white, _)| white).collect(),
            secondary_whites: terms.iter().filter(|(_, added)| !added).map(|&(white, _)| white).collect(),
            digits: digits_of(&find.outcome),
            runs: runs.clone(),
            number: Some(*total),
        },
        Pattern::Contradiction { white, digit, .. } => {
            // The chain is computed only here, because most finds are never written as steps.
            let runs = runs_of_chain(before, (*white, *digit));
            let mut whites: Vec<_> = runs.iter().flat_map(|&run| whites_of(before, run)).collect();
            whites.sort_unstable();
            whites.dedup();
            Parts { whites, digits: Digits::only(*digit), runs, ..Parts::default() }
        }
        Pattern::Trial { white, digit, nodes } => Parts {
            whites: vec![*white],
            digits: Digits::only(*digit),
            number: i32::try_from(*nodes).ok(),
            ..Parts::default()
        },
    }
}

/// The digits of the only combination if the technique has one, otherwise the digits that the step places or removes.
fn digits_of_run(before: &Position<'_>, find: &Find, run: usize) -> Digits {
    if !matches!(find.technique, UNIQUE_COMBINATION | UNIQUE_REST) {
        return digits_of(&find.outcome);
    }
    let rest = before.rest(run);
    let mut sets = combinations(rest.cells().len(), rest.sum).iter();
    sets.find(|set| set.and(rest.placed).is_empty()).copied().unwrap_or_default()
}

fn digits_of(outcome: &Outcome) -> Digits {
    match outcome {
        Outcome::Place { digit, .. } => Digits::only(*digit),
        Outcome::Remove(list) => list.iter().fold(Digits::NONE, |all, (_, digits)| all.or(*digits)),
    }
}

fn whites_of<'p>(before: &Position<'p>, run: usize) -> impl Iterator<Item = usize> + use<'p> {
    before.puzzle().layout().runs()[run].whites().iter().map(|&white| usize::from(white))
}
