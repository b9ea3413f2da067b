//! Turns what a technique of Sudoku found into a step, with one English sentence that gives the argument.

use super::{
    candidates::Candidates,
    chains::{Ground, proof},
    find::{CandidateSet, Find, Outcome, Pattern},
    geometry::{Cells, FIRST_COLUMN, Mask, bits, cell_number, cells, digit_number, one},
};
use crate::{
    shared::{
        budget::Budget,
        phrases::list,
        step::{Cell, Chain, Link, Statement, Step},
    },
    sudoku::board::{cell_name, house_name},
};

/// Turns a find in a position into a step. Its chains are derived within the budget. If the budget ends, they have no
/// links.
pub(crate) fn write(before: &Candidates, find: &Find, budget: &mut Budget<'_>) -> Step {
    let (placed, removed) = match &find.outcome {
        Outcome::Place { cell, digit } => (vec![(cell_number(*cell), digit_number(*digit))], Vec::new()),
        Outcome::Remove(set) => (Vec::new(), listed(set)),
    };
    let chains = match &find.pattern {
        Pattern::Chain(hint) => proof(&Ground::of(before), hint, budget),
        _ => Vec::new(),
    };
    Step {
        technique: find.technique.name,
        rating: find.technique.rating,
        cells: cells(pattern_cells(&find.pattern) | chain_cells(&chains)).map(cell_number).collect(),
        placed,
        removed,
        sentence: format!("{}, so {}.", argument(before, find, &chains), effect(&find.outcome)),
        chains,
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
        Pattern::Loop { ring, set_cells, .. } => ring | set_cells,
        Pattern::Grave { cells, set_cells, .. } => cells | set_cells,
        Pattern::Aligned { base, excluders } => base | excluders,
        Pattern::Chain(_) => 0,
        Pattern::Wing { pivot, pincers, .. } => one(pivot) | one(pincers[0]) | one(pincers[1]),
    }
}

fn argument(before: &Candidates, find: &Find, chains: &[Chain]) -> String {
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
        Pattern::Loop { kind, ring, pair, set_cells, set_digits } => {
            let only = format!("{} must not hold {} alone", cell_list(ring, "and"), digit_list(pair, "and"));
            format!("{only}, or the two could change places{}", loop_use(kind, set_cells, set_digits))
        }
        Pattern::Grave { cells, digits, set_cells, set_digits } => grave(before, cells, digits, set_cells, set_digits),
        Pattern::Aligned { base, excluders } => {
            let (of_base, seen) = (cell_list(base, "and"), cell_list(excluders, "and"));
            format!("Every other way to fill {of_base} repeats a digit or leaves none for one of {seen}")
        }
        Pattern::Chain(_) => chain_sentence(chains),
    }
}

/// The clause about the type of a unique loop, 1–4.
fn loop_use(kind: usize, set_cells: Cells, set_digits: Mask) -> String {
    let (of_cells, digits) = (cell_list(set_cells, "or"), digit_list(set_digits, "and"));
    match kind {
        1 => format!(": {of_cells} holds another digit"),
        2 => format!(": {of_cells} is {digits}"),
        3 => format!(": with {} that leaves {digits} no other place there", cell_list(set_cells, "and")),
        _ => format!(", and {digits} has no place in their house but {of_cells}"),
    }
}

fn grave(before: &Candidates, surplus: Cells, digits: Mask, set_cells: Cells, set_digits: Mask) -> String {
    let (of_cells, of_digits) = (cell_list(surplus, "or"), digit_list(digits, "or"));
    let only =
        format!("But for {of_digits} in {of_cells}, every cell would have two digits and every digit two places");
    match (set_cells, set_digits) {
        (0, 0) if surplus.is_power_of_two() => format!("{only}, of {} candidates", before.count()),
        (0, 0) => format!("{only}, and one of them is {of_digits}"),
        (0, common) => format!("{only}, and {} is in one of the two", digit_list(common, "and")),
        (set, digits) => {
            format!("{only}, and with {} that uses up {}", cell_list(set, "and"), digit_list(digits, "and"))
        }
    }
}

fn chain_cells(chains: &[Chain]) -> Cells {
    let links = chains.iter().flat_map(|chain| &chain.links);
    let of_link =
        |link: &Link| link.pattern.iter().fold(one(link.then.cell.into()), |all, &cell| all | one(cell.into()));
    let assumed = chains.iter().fold(0, |all, chain| all | one(chain.assumption.cell.into()));
    links.fold(assumed, |all, link| all | of_link(link))
}

/// A single chain link by link. If there are several chains, only the start and end of each.
fn chain_sentence(chains: &[Chain]) -> String {
    match chains {
        [only] if only.links.iter().all(|link| link.premises.len() == 1) && is_path(only) => {
            let links: Vec<_> = only.links.iter().map(|link| stated(link.then)).collect();
            format!("If {}, then {}", stated(only.assumption), links.join(", then "))
        }
        [only] => {
            let clash = only.links.iter().map(|link| link.then).find(|then| is_contradicted(only, *then));
            let (cell, digit) = clash.map_or((String::new(), 0), |then| (cell_name(then.cell.into()), then.digit));
            let count = only.links.len();
            format!("If {}, {count} implications make {cell} both {digit} and not {digit}", stated(only.assumption))
        }
        [around, back] if around.links.last().is_some_and(|link| link.then == around.assumption) => {
            let links: Vec<_> = around.links.iter().map(|link| stated(link.then)).collect();
            let start = stated(around.assumption);
            format!("If {start}, then {}, and if {}, the same way back", links.join(", then "), stated(back.assumption))
        }
        _ => {
            let starts = list(chains.iter().map(|chain| stated(chain.assumption)), "or");
            let count: usize = chains.iter().map(|chain| chain.links.len()).sum();
            format!("Whether {starts}, the same follows, by {count} implications in all")
        }
    }
}

fn is_path(chain: &Chain) -> bool {
    let before = std::iter::once(chain.assumption).chain(chain.links.iter().map(|link| link.then));
    chain.links.iter().zip(before).all(|(link, before)| link.premises == [before])
}

fn is_contradicted(chain: &Chain, statement: Statement) -> bool {
    let contrary = Statement { holds: !statement.holds, ..statement };
    chain.assumption == contrary || chain.links.iter().any(|link| link.then == contrary)
}

fn stated(statement: Statement) -> String {
    let is = if statement.holds { "is" } else { "is not" };
    format!("{} {is} {}", cell_name(statement.cell.into()), statement.digit)
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

/// Names of parallel lines: `rows 1 and 5`.
fn line_list(first: usize, lines: Mask) -> String {
    let word = if first == FIRST_COLUMN { "columns" } else { "rows" };
    format!("{word} {}", list(bits(lines).map(|line| (line + 1).to_string()), "and"))
}
