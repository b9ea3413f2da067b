//! Writes the argument of a step in one English sentence, from the step's data alone.

use crate::{
    grid::techniques::sentences::{cell_list, cell_name, house_list, house_name, rounds, same_houses},
    shared::step::{Cell, Step},
};

pub(super) fn last_place(step: &Step) -> String {
    let cell = cell_list(step, &step.cells, "and");
    format!("In {}, the star fits only in {cell}, so {cell} has it.", house_list(step, &step.houses))
}

pub(super) fn in_house(step: &Step) -> String {
    let (house, places) = (house_list(step, &step.houses), cell_list(step, &step.cells, "or"));
    let cover = house_list(step, &step.cover_houses);
    format!("In {house}, the star fits only in {places}, all in {cover}, so {}.", no_star(step))
}

pub(super) fn exclusion(step: &Step) -> String {
    let (house, places) = (house_list(step, &step.houses), cell_list(step, &step.cells, "and"));
    let removed = cell_list(step, &removed(step), "or");
    format!(
        "A star in {removed} would exclude {places}, the only places for the star of {house}, so {}.",
        no_star(step)
    )
}

pub(super) fn counting(step: &Step) -> String {
    let (base, cover) = (same_houses(&step.houses), same_houses(&step.cover_houses));
    format!("The stars of {base} fit only in {cover}, which hold no other star, so {}.", no_star(step))
}

pub(super) fn refutation(step: &Step) -> String {
    let Some(&(cell, _)) = step.removed.first() else { return String::new() };
    let (cell, failing) =
        (cell_name(step, cell), step.houses.last().map(|house| house_name(step, house)).unwrap_or_default());
    let rounds = rounds(step);
    format!("If {cell} had a star, {failing} would have no place for its star after {rounds}, so {cell} has no star.")
}

fn removed(step: &Step) -> Vec<Cell> {
    step.removed.iter().map(|&(cell, _)| cell).collect()
}

fn no_star(step: &Step) -> String {
    let removed = removed(step);
    let verb = if removed.len() == 1 { "has" } else { "have" };
    format!("{} {verb} no star", cell_list(step, &removed, "and"))
}
