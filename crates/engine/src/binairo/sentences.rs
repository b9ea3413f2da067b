//! Writes the argument of a step in one English sentence, from the step's data alone.

use crate::{
    grid::techniques::sentences::{cell_list, cell_name, house_list, house_name, rounds},
    shared::{
        phrases::{capitalized, in_words},
        step::{House, HouseType, Step},
    },
};

pub(super) fn naked_single(step: &Step) -> String {
    so(step, &placed(step, |digit| 2 - digit).replacen(" is ", " cannot be ", 1))
}

pub(super) fn by_sign(step: &Step) -> String {
    let Some(House { cells, operator, .. }) = step.houses.last() else { return String::new() };
    let relation = if *operator == Some("=") { "equal" } else { "different" };
    let is_other = |cell: &u16| step.placed.iter().all(|(placed, _)| placed != cell);
    let other: Vec<_> = cells.iter().copied().filter(is_other).collect();
    let [both, other] = [cells, &other].map(|cells| cell_list(step, cells, "and"));
    let sign = operator.unwrap_or_default();
    so(step, &format!("The sign {sign} makes {both} {relation}, and {other} is {}", digit(step)))
}

pub(super) fn pair(step: &Step) -> String {
    so(step, &format!("{} are {}", cell_list(step, &step.cells, "and"), digit(step)))
}

pub(super) fn gap(step: &Step) -> String {
    pair(step).replacen(", so ", ", so between them ", 1)
}

pub(super) fn count(step: &Step) -> String {
    let number = in_words(step.cells.len());
    so(step, &format!("{} already has its {number} {}s", capitalized(&line(step)), digit(step)))
}

pub(super) fn completion(step: &Step) -> String {
    let half = in_words(usize::from(step.columns / 2));
    if_not(step, &format!("{} could not have {half} 0s and {half} 1s without three alike side by side", line(step)))
}

pub(super) fn signed_completion(step: &Step) -> String {
    if_not(step, &format!("{} could not be filled so that its signs hold", line(step)))
}

pub(super) fn unlike(step: &Step) -> String {
    if_not(step, &format!("{} would be equal to {}", line(step), house_list(step, &step.cover_houses)))
}

pub(super) fn refutation(step: &Step) -> String {
    let fails = match (&step.secondary_cells[..], step.houses.last()) {
        (&[cell], _) => format!("{} could be neither 0 nor 1", cell_name(step, cell)),
        (_, Some(House { house_type: HouseType::Edge, cells, .. })) => {
            format!("the sign between {} would not hold", cell_list(step, cells, "and"))
        }
        (_, house) => format!("{} could not be filled", house.map(|house| house_name(step, house)).unwrap_or_default()),
    };
    if_not(step, &format!("{fails} after {}", rounds(step)))
}

/// The name of the first house of the step.
fn line(step: &Step) -> String {
    step.houses.first().map(|house| house_name(step, house)).unwrap_or_default()
}

fn so(step: &Step, argument: &str) -> String {
    format!("{argument}, so {}.", placed(step, |digit| digit - 1))
}

/// The argument that the other digit cannot stand there.
fn if_not(step: &Step, consequence: &str) -> String {
    so(step, &format!("If {}, {consequence}", placed(step, |digit| 2 - digit).replacen(" is ", " were ", 1)))
}

/// What the step places. `sign` maps the digit as data to the digit, 0 or 1, that the sentence names.
fn placed(step: &Step, sign: fn(u8) -> u8) -> String {
    let placed = step.placed.first();
    placed.map_or_else(String::new, |&(cell, digit)| format!("{} is {}", cell_name(step, cell), sign(digit)))
}

/// The digit of the pattern, as 0 or 1.
fn digit(step: &Step) -> String {
    step.digits.first().map(|digit| (digit - 1).to_string()).unwrap_or_default()
}
