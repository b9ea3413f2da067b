//! Locked candidates (Pointing, Claiming): all places of a digit in one house lie in another house that crosses it.

use super::{
    candidates::Candidates,
    crossings::{CROSSINGS, Crossing},
    find::{Find, Outcome, Pattern, Take, Technique},
    geometry::{FIRST_BOX, HOUSE_CELLS, bits, cells_at, has_several, indices_where},
};

/// Locked candidates from a box into a line.
pub(super) const POINTING: Technique = Technique::new("Pointing", 26);
/// Locked candidates from a line into a box.
pub(super) const CLAIMING: Technique = Technique::new("Claiming", 28);

/// If all places of a digit in a box lie in one line, the digit can be removed from the rest of the line, because the box needs
/// it in that line: Pointing. With box and line exchanged: Claiming.
pub(super) fn locked(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    let mut finds = patterns(candidates).filter_map(|(crossing, digit)| {
        let removed = HOUSE_CELLS[crossing.into] & !HOUSE_CELLS[crossing.from] & candidates.of_digit(digit);
        Some(Find {
            technique: if crossing.from < FIRST_BOX { CLAIMING } else { POINTING },
            outcome: Outcome::remove_digit(digit, removed)?,
            pattern: pattern(candidates, crossing, digit, None),
        })
    });
    finds.any(take)
}

/// Every digit whose places in a house, at least two, all lie in one crossing, whether or not this removes anything.
pub(super) fn patterns(candidates: &Candidates) -> impl Iterator<Item = (&'static Crossing, usize)> {
    CROSSINGS.iter().flat_map(|crossing| {
        let places = candidates.places(crossing.from);
        let digits = indices_where(places, |places| (places & !crossing.shared == 0) & has_several(places));
        bits(digits).map(move |digit| (crossing, digit))
    })
}

/// The pattern of a digit locked in a crossing. `single_in` is the house where that leaves a hidden single.
pub(super) fn pattern(candidates: &Candidates, crossing: &Crossing, digit: usize, single_in: Option<usize>) -> Pattern {
    let &Crossing { from, into, .. } = crossing;
    Pattern::Locked { from, into, digit, cells: cells_at(from, candidates.places(from)[digit]), single_in }
}
