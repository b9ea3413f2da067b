//! Writes the argument of a step about sums in one English sentence, from the step's data alone.

use crate::{
    grid::techniques::sentences::{cell_list, digit_list, so},
    shared::{
        phrases::{capitalized, list},
        step::{House, Step},
    },
};

pub(super) fn single_combination(step: &Step) -> String {
    let (cells, digits) = (cell_list(step, &step.cells, "and"), digit_list(&step.digits, "and"));
    let argument = match step.cells[..] {
        [_] => format!("In {}, {digits} is left for {cells}", cages(step)),
        _ => format!("In {}, only {digits} add up to {} for {cells}", cages(step), rest(step)),
    };
    so(step, &argument)
}

pub(super) fn bounds(step: &Step) -> String {
    let removed: Vec<_> = step.removed.iter().map(|&(_, digit)| digit).collect();
    let [least, most] = [removed.iter().min(), removed.iter().max()].map(|end| end.copied().unwrap_or_default());
    let kept = format!("{} must be {} together", cell_list(step, &step.cells, "and"), rest(step));
    let mean = i64::from(rest(step)) / i64::try_from(step.cells.len()).unwrap_or(1).max(1);
    let why = match (i64::from(least) > mean, i64::from(most) <= mean) {
        (true, _) => "larger digits leave too little for the others",
        (_, true) => "smaller digits leave too much for the others",
        _ => "these digits leave too little or too much for the others",
    };
    so(step, &format!("In {}, {kept}, and {why}", cages(step)))
}

pub(super) fn combinations(step: &Step) -> String {
    let cells = cell_list(step, &step.cells, "and");
    so(step, &format!("In {}, no digits that {cells} may hold add up to {} with these", cages(step), rest(step)))
}

pub(super) fn cage_and_house(step: &Step) -> String {
    let (digit, cells) = (digit_list(&step.digits, "and"), cell_list(step, &step.cells, "or"));
    so(step, &format!("Each way to fill {} has {digit} in {cells}", cages(step)))
}

/// The sum of cells inside of houses, if the cages within them have less than the houses, and otherwise outside.
pub(super) fn derived(step: &Step) -> String {
    let is_cage = |house: &&House| house.sum.is_some();
    let groups: Vec<_> =
        step.houses.iter().filter(|house| !is_cage(house)).map(|house| house.name(step.columns)).collect();
    let of_cages: u32 = step.houses.iter().filter_map(|house| house.sum).sum();
    let of_house = u32::from(step.columns) * u32::from(step.columns + 1) / 2;
    let total = of_house * u32::try_from(groups.len()).unwrap_or(0);
    let (cells, rest) = (cell_list(step, &step.cells, "and"), rest(step));
    let verb = if step.cells.len() == 1 { "is" } else { "are" };
    let together = if step.cells.len() == 1 { "" } else { " together" };
    let (adds, cages) = (
        if groups.len() == 1 { "adds" } else { "add" },
        if of_cages < total { "the cages within" } else { "their cages" },
    );
    let cages = if of_cages > total && groups.len() == 1 { "its cages" } else { cages };
    let groups = list(groups, "and");
    let why = format!("{groups} {adds} up to {total} and {cages} to {of_cages}, so {cells} {verb} {rest}{together}");
    if step.placed.is_empty() { so(step, &why) } else { format!("{}.", capitalized(&why)) }
}

/// What the open cells add up to.
fn rest(step: &Step) -> i32 {
    step.number.unwrap_or_default()
}

/// The cages of the step by their sums and first cells.
fn cages(step: &Step) -> String {
    let cages = step.houses.iter().filter(|house| house.sum.is_some());
    list(cages.map(|house| house.name(step.columns)), "and")
}
