//! Writes the argument of a step in one English sentence, from the step's data alone.

use crate::{
    grid::techniques::sentences::{cell_list, cell_name, house_list, house_name, rounds, same_houses},
    shared::{
        phrases::in_words,
        step::{Cell, House, Step},
    },
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
    refuted(step, "no place for its star")
}

fn refuted(step: &Step, places: &str) -> String {
    let Some(&(cell, _)) = step.removed.first() else { return String::new() };
    let (cell, failing) =
        (cell_name(step, cell), step.houses.last().map(|house| house_name(step, house)).unwrap_or_default());
    let rounds = rounds(step);
    format!("If {cell} had a star, {failing} would have {places} after {rounds}, so {cell} has no star.")
}

pub(super) fn last_places(step: &Step) -> String {
    let placed: Vec<_> = step.placed.iter().map(|&(cell, _)| cell).collect();
    let placed = cell_list(step, &placed, "and");
    let it = if missing(step) == 1 { "it" } else { "one" };
    format!("{}, so {placed} has {it}.", stars_fit_only(step))
}

pub(super) fn stars_in_house(step: &Step) -> String {
    let cover = house_list(step, &step.cover_houses);
    format!("{}, all in {cover}, which lacks no other, so {}.", stars_fit_only(step), no_star(step))
}

pub(super) fn place_beside_block(step: &Step) -> String {
    let placed = cell_list(step, &step.secondary_cells, "and");
    let (house, others) = (house_list(step, &step.houses), cell_list(step, &excluded(step), "and"));
    let (stars, one) = (stars(step), if missing(step) == 2 { "the other" } else { "one" });
    format!("In {house}, {others} touch each other, so they cannot have the {stars}, and {placed} has {one}.")
}

pub(super) fn exclusion_of_several(step: &Step) -> String {
    let places = match in_words(step.secondary_cells.len()).as_str() {
        one @ ("no" | "one") => format!("{one} place"),
        number => format!("{number} places"),
    };
    format!("{} {places} for its {}, so {}.", exclusion_leaves(step), stars(step), no_star(step))
}

pub(super) fn block_exclusion(step: &Step) -> String {
    let left = cell_list(step, &step.secondary_cells, "and");
    format!("{} only {left} for its {}, which would touch, so {}.", exclusion_leaves(step), stars(step), no_star(step))
}

pub(super) fn counting_stars(step: &Step) -> String {
    let (base, cover) = (houses_of_type(step, &step.houses), houses_of_type(step, &step.cover_houses));
    let lack = if step.cover_houses.len() == 1 { "lacks" } else { "lack" };
    format!("The {} of {base} fit only in {cover}, which {lack} no other, so {}.", stars(step), no_star(step))
}

pub(super) fn refutation_of_several(step: &Step) -> String {
    refuted(step, "no room for its stars")
}

/// How many stars the house of a step lacks.
fn missing(step: &Step) -> usize {
    step.number.and_then(|number| usize::try_from(number).ok()).unwrap_or_default()
}

/// The stars that the house lacks: `last star`, `two missing stars`.
fn stars(step: &Step) -> String {
    match missing(step) {
        1 => "last star".to_owned(),
        number => format!("{} missing stars", in_words(number)),
    }
}

fn stars_fit_only(step: &Step) -> String {
    let (house, places) = (house_list(step, &step.houses), cell_list(step, &step.cells, "and"));
    let fit = if missing(step) == 1 { "fits" } else { "fit" };
    format!("In {house}, the {} {fit} only in {places}", stars(step))
}

/// The beginning of the argument that a star excludes places of a house.
fn exclusion_leaves(step: &Step) -> String {
    let (removed, excluded) = (cell_list(step, &removed(step), "or"), cell_list(step, &excluded(step), "and"));
    format!("A star in {removed} would exclude {excluded}, which leaves {}", house_list(step, &step.houses))
}

/// The cells of the pattern that are not secondary.
fn excluded(step: &Step) -> Vec<Cell> {
    step.cells.iter().copied().filter(|cell| !step.secondary_cells.contains(cell)).collect()
}

/// Houses of one type. A single one has its name.
fn houses_of_type(step: &Step, houses: &[House]) -> String {
    if houses.len() == 1 { house_list(step, houses) } else { same_houses(houses) }
}

fn removed(step: &Step) -> Vec<Cell> {
    step.removed.iter().map(|&(cell, _)| cell).collect()
}

fn no_star(step: &Step) -> String {
    let removed = removed(step);
    let verb = if removed.len() == 1 { "has" } else { "have" };
    format!("{} {verb} no star", cell_list(step, &removed, "and"))
}
