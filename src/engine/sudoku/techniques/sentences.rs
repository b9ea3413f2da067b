//! Steps for people: what was found, written out with its argument in one English sentence.

use super::{
    candidates::Candidates,
    find::{CandidateSet, Find, Outcome, Pattern},
    geometry::{Cells, FIRST_COLUMN, Mask, bits, cell_number, cells, digit_number, one},
};
use crate::engine::{
    step::{Cell, Step},
    sudoku::board::{cell_name, house_name},
};

/// Writes out what was found in a position.
pub(crate) fn write(before: &Candidates, find: &Find) -> Step {
    let (placed, removed) = match &find.outcome {
        Outcome::Place { cell, digit } => (vec![(cell_number(*cell), digit_number(*digit))], Vec::new()),
        Outcome::Remove(set) => (Vec::new(), listed(set)),
    };
    Step {
        technique: find.technique.name,
        rating: find.technique.rating,
        cells: cells(pattern_cells(&find.pattern)).map(cell_number).collect(),
        placed,
        removed,
        sentence: format!("{}, so {}.", argument(before, find), effect(&find.outcome)),
    }
}

fn listed(set: &CandidateSet) -> Vec<(Cell, u8)> {
    let of_digit = |(digit, of_digit)| cells(of_digit).map(move |cell| (cell_number(cell), digit_number(digit)));
    let mut listed: Vec<_> = set.by_digit().flat_map(of_digit).collect();
    listed.sort_unstable();
    listed
}

fn pattern_cells(pattern: &Pattern) -> Cells {
    match *pattern {
        Pattern::LastCell { cell, .. } | Pattern::HiddenSingle { cell, .. } | Pattern::NakedSingle { cell, .. } => {
            one(cell)
        }
        Pattern::Locked { cells, .. }
        | Pattern::NakedSet { cells, .. }
        | Pattern::HiddenSet { cells, .. }
        | Pattern::Fish { cells, .. } => cells,
        Pattern::Wing { pivot, pincers, .. } => one(pivot) | one(pincers[0]) | one(pincers[1]),
    }
}

fn argument(before: &Candidates, find: &Find) -> String {
    match find.pattern {
        Pattern::LastCell { house, cell } => {
            format!("{} is the last empty cell of {}", cell_name(cell), house_name(house))
        }
        Pattern::HiddenSingle { house, cell, digit } => {
            format!("In {}, {digit} fits only in {}", house_name(house), cell_name(cell))
        }
        Pattern::NakedSingle { cell, digit } => format!("In {} every digit but {digit} is ruled out", cell_name(cell)),
        Pattern::Locked { from, into, digit, cells, single_in } => {
            let where_from = format!("In {}, {digit} fits only in {}", house_name(from), cell_list(cells, "or"));
            let found = format!("{where_from}, all in {}", house_name(into));
            match single_in {
                Some(house) => format!("{found}, which leaves {}", only_place(house, &find.outcome)),
                None => found,
            }
        }
        Pattern::NakedSet { house, cells, digits } => {
            let (of_cells, of_digits) = (cell_list(cells, "and"), digit_list(digits, "and"));
            format!("In {}, {of_cells} hold {of_digits} between them", house_name(house))
        }
        Pattern::HiddenSet { house, cells, digits } => {
            let (of_digits, of_cells) = (digit_list(digits, "and"), cell_list(cells, "and"));
            let found = format!("In {}, {of_digits} fit only in {of_cells}", house_name(house));
            match find.outcome {
                Outcome::Place { .. } => format!("{found}, which leaves {}", only_place(house, &find.outcome)),
                Outcome::Remove(_) => found,
            }
        }
        Pattern::Fish { digit, first_base, base, first_cover, cover, .. } => {
            let (of_base, of_cover) = (line_list(first_base, base), line_list(first_cover, cover));
            format!("In {of_base}, {digit} fits only in {of_cover}")
        }
        Pattern::Wing { pivot, pincers, digit } => wing(before, pivot, pincers, digit),
    }
}

fn wing(before: &Candidates, pivot: usize, pincers: [usize; 2], digit: usize) -> String {
    let of_pivot = before.of_cell(pivot);
    let [first, second] = pincers.map(|pincer| {
        let forcing = before.of_cell(pincer) & of_pivot & !(1 << digit);
        format!("if {}, {} is {digit}", digit_list(forcing, "or"), cell_name(pincer))
    });
    format!("{} is {}: {first}, and {second}", cell_name(pivot), digit_list(of_pivot, "or"))
}

fn only_place(house: usize, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Place { cell, digit } => format!("{digit} only {} in {}", cell_name(*cell), house_name(house)),
        Outcome::Remove(_) => String::new(),
    }
}

fn effect(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Place { cell, digit } => format!("{} is {digit}", cell_name(*cell)),
        Outcome::Remove(set) => {
            let digits = set.by_digit().filter(|&(_, of_digit)| of_digit != 0);
            let parts = digits.map(|(digit, of_digit)| format!("{digit} from {}", cell_list(of_digit, "and")));
            parts.collect::<Vec<_>>().join("; ").replacen(" from", " can go from", 1)
        }
    }
}

fn cell_list(set: Cells, last: &str) -> String {
    list(cells(set).map(cell_name), last)
}

fn digit_list(digits: Mask, last: &str) -> String {
    list(bits(digits).map(|digit| digit.to_string()), last)
}

/// Parallel lines: `rows 1 and 5`.
fn line_list(first: usize, lines: Mask) -> String {
    let word = if first == FIRST_COLUMN { "columns" } else { "rows" };
    format!("{word} {}", list(bits(lines).map(|line| (line + 1).to_string()), "and"))
}

fn list(items: impl Iterator<Item = String>, last: &str) -> String {
    let items: Vec<_> = items.collect();
    match items.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., end] => format!("{} {last} {end}", rest.join(", ")),
    }
}
