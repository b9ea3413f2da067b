//! Writes the argument of a step about sums in one or two English sentences. It reads only the step's data.

use crate::{
    grid::techniques::sentences::{cell_list, digit_list},
    shared::{
        phrases::{capitalized, list},
        step::{Cell, House, Step},
    },
};

pub(crate) fn single_combination(step: &Step) -> String {
    let (cells, digits) = (cell_list(step, &step.cells, "and"), digit_list(&step.digits, "and"));
    let (cages, sum) = (cages(step), rest(step));
    match step.cells[..] {
        [_] if is_single(step) => format!("{} has no other cell, so {}.", capitalized(&cages), effect(step)),
        [_] => format!("In {cages}, {sum} is left for {cells}, so {}.", effect(step)),
        _ => format!("In {cages}, only {digits} {} {sum} for {cells}, so {}.", make(step), effect(step)),
    }
}

/// Whether the cage of the step has one cell and no operator.
fn is_single(step: &Step) -> bool {
    step.houses.iter().any(|house| house.sum.is_some() && house.cells.len() == 1)
}

pub(crate) fn bounds(step: &Step) -> String {
    let (cells, sum) = (cell_list(step, &step.cells, "and"), rest(step));
    if !step.placed.is_empty() || step.cells.len() == 1 && operator(step).is_none() {
        return single_combination(step);
    }
    match operator(step) {
        Some("x") => {
            let why = "some of their candidates do not divide it, or leave too little or too much for the rest";
            return format!("In {}, {cells} make {sum}, and {why}, so {}.", cages(step), effect(step));
        }
        Some("-" | "/") => return partners(step),
        _ => {}
    }
    let average = f64::from(sum) / f64::from(u32::try_from(step.cells.len()).unwrap_or(1));
    let is_large = |(_, digit): &(Cell, u8)| f64::from(*digit) > average;
    let why = match (step.removed.iter().all(is_large), step.removed.iter().any(is_large)) {
        (true, _) => "large digits leave too little for the rest",
        (_, false) => "small digits leave too much for the rest",
        _ => "small digits leave too much for the rest and large ones too little",
    };
    format!("In {}, {cells} add up to {sum}, and {why}, so {}.", cages(step), effect(step))
}

pub(crate) fn combinations(step: &Step) -> String {
    let cells = cell_list(step, &step.cells, "and");
    let (cages, sum) = (cages(step), rest(step));
    match operator(step) {
        _ if !step.placed.is_empty() => single_combination(step),
        None => format!(
            "In {cages}, {cells} add up to {sum}, and some of their candidates are in no such sum, so {}.",
            effect(step)
        ),
        Some("-" | "/") => partners(step),
        Some(_) => {
            let why = "no way to fill them uses some of their candidates";
            format!("In {cages}, {cells} {} {sum}, and {why}, so {}.", make(step), effect(step))
        }
    }
}

/// The argument of a difference or a quotient. If one of the cells has its digit, only the other is named.
fn partners(step: &Step) -> String {
    let (cages, cells) = (cages(step), cell_list(step, &step.cells, "and"));
    match step.cells[..] {
        [_] => format!("In {cages}, the other digit leaves {cells} no other way, so {}.", effect(step)),
        _ => format!("In {cages}, some candidates of {cells} have no partner, so {}.", effect(step)),
    }
}

/// The operator of the cage of the step.
fn operator(step: &Step) -> Option<&'static str> {
    step.houses.iter().find(|house| house.sum.is_some())?.operator
}

/// The verb for what digits do.
fn make(step: &Step) -> &'static str {
    if operator(step).is_none_or(|operator| operator == "+") { "add up to" } else { "make" }
}

pub(crate) fn cage_and_house(step: &Step) -> String {
    let (digit, cells) = (digit_list(&step.digits, "and"), cell_list(step, &step.cells, "or"));
    format!("Each way to fill {} has {digit} in {cells}, so {}.", cages(step), effect(step))
}

/// The argument of a derived sum. If the cages have a smaller sum than the houses, the cells are inside the houses,
/// otherwise outside.
pub(crate) fn derived(step: &Step) -> String {
    let columns = u32::from(step.columns);
    let groups: Vec<_> = step.houses.iter().filter(|house| house.sum.is_none()).collect();
    let of_cages: u32 = step.houses.iter().filter_map(|house| house.sum).sum();
    let total = columns * (columns + 1) / 2 * u32::try_from(groups.len()).unwrap_or(0);
    let (add, it, its) = if groups.len() == 1 { ("adds", "it", "its") } else { ("add", "them", "their") };
    let (covering, others) = if of_cages < total {
        (format!("the cages inside {it}"), format!("{its} other cells"))
    } else {
        (format!("the cages that cover {it}"), format!("the cells outside {it}"))
    };
    let names = capitalized(&list(groups.iter().map(|house| house.name(step.columns)), "and"));
    let argument = format!("{names} {add} up to {total} and {covering} to {of_cages}");
    let (cells, effect) = (cell_list(step, &step.cells, "and"), effect(step));
    let (left, rest) = (i64::from(of_cages.abs_diff(total)), i64::from(rest(step)));
    match &step.placed[..] {
        [_] if left == rest => format!("{argument}, so {effect}."),
        _ if left == rest => format!("{argument}, so {cells} add up to {rest}, and {effect}."),
        _ => format!("{argument}, so {others} add up to {left}. Of these, {rest} are left for {cells}, so {effect}."),
    }
}

/// What follows: the digit of a cell, or the candidates to remove. Digits that are removed from the same cells are named
/// together.
fn effect(step: &Step) -> String {
    if let Some(&(cell, digit)) = step.placed.first() {
        return format!("{} is {}", cell_list(step, &[cell], "and"), digit_list(&[digit], "and"));
    }
    let mut groups: Vec<(Vec<u8>, Vec<Cell>)> = Vec::new();
    for digit in 1..=16 {
        let of_digit = step.removed.iter().filter(|(_, removed)| *removed == digit);
        let cells: Vec<_> = of_digit.map(|&(cell, _)| cell).collect();
        match groups.iter_mut().find(|(_, known)| *known == cells) {
            _ if cells.is_empty() => {}
            Some((digits, _)) => digits.push(digit),
            None => groups.push((vec![digit], cells)),
        }
    }
    let part = |(digits, cells): &(Vec<u8>, Vec<Cell>)| {
        format!("{} from {}", digit_list(digits, "and"), cell_list(step, cells, "and"))
    };
    groups.iter().map(part).collect::<Vec<_>>().join("; ").replacen(" from", " can be removed from", 1)
}

/// What the open cells add up to.
fn rest(step: &Step) -> i32 {
    step.number.unwrap_or_default()
}

/// The names of the cages of the step: their sums and first cells.
fn cages(step: &Step) -> String {
    let cages = step.houses.iter().filter(|house: &&House| house.sum.is_some());
    list(cages.map(|house| house.name(step.columns)), "and")
}
