//! Naked and hidden sets (pairs, triplets, quads): some cells of a house that hold as many digits as there are cells.

use super::{
    candidates::Candidates,
    find::{Find, Outcome, Pattern, Take, Technique},
    geometry::{Cells, DIGITS, HOUSE_CELLS, Mask, SCAN, bits, cells_at, indices_where, is_small, subsets},
};
use crate::sudoku::board::HOUSES;

/// Two cells with two digits.
pub(super) const NAKED_PAIR: Technique = Technique::new("Naked Pair", 30);
/// Two digits with two places.
pub(super) const HIDDEN_PAIR: Technique = Technique::new("Hidden Pair", 34);
/// Three cells with three digits.
pub(super) const NAKED_TRIPLET: Technique = Technique::new("Naked Triplet", 36);
/// Three digits with three places.
pub(super) const HIDDEN_TRIPLET: Technique = Technique::new("Hidden Triplet", 40);
/// Four cells with four digits.
pub(super) const NAKED_QUAD: Technique = Technique::new("Naked Quad", 50);
/// Four digits with four places.
pub(super) const HIDDEN_QUAD: Technique = Technique::new("Hidden Quad", 54);

/// If two cells of a house have the same two candidates and no others, both digits can be removed from the rest of the house,
/// because these cells use them up: Naked Pair.
pub(super) fn naked_pair(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    naked_set(candidates, 2, NAKED_PAIR, take)
}

/// If three cells of a house have three candidates among them, these can be removed from the rest of the house, because the three
/// cells use them up: Naked Triplet.
pub(super) fn naked_triplet(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    naked_set(candidates, 3, NAKED_TRIPLET, take)
}

/// If two digits have the same two places in a house, all other candidates can be removed from these cells, because the two
/// digits fill them: Hidden Pair.
pub(super) fn hidden_pair(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    hidden_set(candidates, 2, HIDDEN_PAIR, take)
}

/// If three digits have three places among them in a house, all other candidates can be removed from these cells, because the
/// three digits fill them: Hidden Triplet.
pub(super) fn hidden_triplet(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    hidden_set(candidates, 3, HIDDEN_TRIPLET, take)
}

/// If four cells of a house have four candidates among them, these can be removed from the rest of the house, because the four
/// cells use them up: Naked Quad.
pub(super) fn naked_quad(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    naked_set(candidates, 4, NAKED_QUAD, take)
}

/// If four digits have four places among them in a house, all other candidates can be removed from these cells, because the four
/// digits fill them: Hidden Quad.
pub(super) fn hidden_quad(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    hidden_set(candidates, 4, HIDDEN_QUAD, take)
}

fn naked_set(candidates: &Candidates, size: u32, technique: Technique, take: &mut Take<'_>) -> bool {
    SCAN.into_iter()
        // With fewer empty cells, the rest of the house is a hidden set no larger than this one, which was found before.
        .filter(|&house| candidates.empty_in(house).count_ones() >= 2 * size)
        .any(|house| naked_set_in(candidates, house, size, technique, take))
}

fn naked_set_in(candidates: &Candidates, house: usize, size: u32, technique: Technique, take: &mut Take<'_>) -> bool {
    let of_place = HOUSES[house].map(|cell| candidates.of_cell(usize::from(cell)));
    let small = indices_where(&of_place, |digits| is_small(digits, size));
    let mut finds = subsets(small, size).filter_map(|places| {
        let digits = bits(places).fold(0, |all, place| all | of_place[place]);
        if digits.count_ones() != size {
            return None;
        }
        let cells = cells_at(house, places);
        let outcome = Outcome::remove(candidates.digits_in(digits, HOUSE_CELLS[house] & !cells))?;
        Some(Find { technique, pattern: Pattern::NakedSet { house, cells, digits }, outcome })
    });
    finds.any(take)
}

fn hidden_set(candidates: &Candidates, size: u32, technique: Technique, take: &mut Take<'_>) -> bool {
    // With fewer empty cells, the rest of the house is a naked set no larger than this one, which was found before.
    let mut finds = hidden_sets(candidates, size, 2 * size + 1).filter_map(|set| {
        let outcome = Outcome::remove(candidates.digits_in(DIGITS & !set.digits, set.cells()))?;
        Some(Find { technique, pattern: set.pattern(), outcome })
    });
    finds.any(take)
}

/// Some digits that together have as many places in a house as there are digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct HiddenSet {
    pub(super) house: usize,
    pub(super) digits: Mask,
    /// Their places in the house.
    pub(super) places: Mask,
}

impl HiddenSet {
    /// The set as the proof of a step.
    pub(super) fn pattern(&self) -> Pattern {
        Pattern::HiddenSet { house: self.house, cells: self.cells(), digits: self.digits }
    }

    fn cells(&self) -> Cells {
        cells_at(self.house, self.places)
    }
}

/// Every hidden set of this size in houses with at least `empty_min` empty cells, whether or not it removes anything.
pub(super) fn hidden_sets(candidates: &Candidates, size: u32, empty_min: u32) -> impl Iterator<Item = HiddenSet> {
    SCAN.into_iter().filter(move |&house| candidates.empty_in(house).count_ones() >= empty_min).flat_map(move |house| {
        let places = candidates.places(house);
        let rare = indices_where(places, |places| is_small(places, size));
        subsets(rare, size).filter_map(move |digits| {
            let places = bits(digits).fold(0, |all, digit| all | places[digit]);
            (places.count_ones() == size).then_some(HiddenSet { house, digits, places })
        })
    })
}
