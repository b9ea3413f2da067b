//! XY-Wing and XYZ-Wing: whichever digit the pivot cell holds, one of the cells of the pattern holds the same third digit.

use super::{
    candidates::Candidates,
    find::{Find, Outcome, Pattern, Take, Technique},
    geometry::{Cells, HOMES, HOUSE_CELLS, Mask, SEEN, cells, one},
};

/// Three cells of two candidates each.
pub(super) const XY_WING: Technique = Technique::new("XY-Wing", 42);
/// A pivot of three candidates and two cells of two.
pub(super) const XYZ_WING: Technique = Technique::new("XYZ-Wing", 44);

/// If a cell is x or y, one of its peers is x or z, and another is y or z, then z can be removed from every cell that sees both
/// peers, because one of the two peers is z whichever digit the cell holds: XY-Wing.
pub(super) fn xy_wing(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    pivots(candidates, 2).any(|pivot| {
        let digits = candidates.of_cell(pivot);
        let common = |first: Mask, second: Mask| {
            let third = first & second;
            let fits = digits & first != 0 && digits & second != 0 && digits & third == 0;
            (fits && third.is_power_of_two()).then_some(third)
        };
        wing(candidates, pivot, XY_WING, common, take)
    })
}

/// If a cell is x, y, or z, one of its peers is x or z, and another is y or z, then z can be removed from every cell that sees
/// all three, because one of the three is z whichever digit the pivot holds: XYZ-Wing.
pub(super) fn xyz_wing(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    pivots(candidates, 3).any(|pivot| {
        let digits = candidates.of_cell(pivot);
        let common = |first: Mask, second: Mask| {
            let third = first & second;
            (first | second == digits && third.is_power_of_two()).then_some(third)
        };
        wing(candidates, pivot, XYZ_WING, common, take)
    })
}

fn pivots(candidates: &Candidates, size: u32) -> impl Iterator<Item = usize> {
    cells(candidates.empty()).filter(move |&cell| candidates.of_cell(cell).count_ones() == size)
}

/// Each pair of pincers of a pivot that removes something. `common` returns the digit of the wing if the candidates of the three
/// cells form one.
fn wing(
    candidates: &Candidates,
    pivot: usize,
    technique: Technique,
    common: impl Fn(Mask, Mask) -> Option<Mask>,
    take: &mut Take<'_>,
) -> bool {
    let (pincers, len) = pincers(candidates, pivot);
    let pincers = &pincers[..len];
    let pairs = (0..len).flat_map(|first| (first + 1..len).map(move |second| [pincers[first], pincers[second]]));
    let mut finds = pairs.filter_map(|pincers| {
        let [first, second] = pincers.map(|cell| candidates.of_cell(cell));
        let digit = common(first, second)?.trailing_zeros() as usize;
        // If the pivot can hold the digit itself, it must be seen too.
        let seen_by_pivot = if candidates.of_cell(pivot) & 1 << digit == 0 { Cells::MAX } else { SEEN[pivot] };
        let removed = candidates.of_digit(digit) & SEEN[pincers[0]] & SEEN[pincers[1]] & seen_by_pivot;
        let pattern = Pattern::Wing { pivot, pincers, digit };
        Some(Find { technique, pattern, outcome: Outcome::remove_digit(digit, removed)? })
    });
    finds.any(take)
}

/// The peers of a pivot that have two candidates, in the order box, row, column, with their number.
fn pincers(candidates: &Candidates, pivot: usize) -> ([usize; 20], usize) {
    let [(row, _), (column, _), (block, _)] = HOMES[pivot];
    let (mut pincers, mut len, mut done) = ([0; 20], 0, one(pivot));
    for house in [block, row, column] {
        for cell in cells(HOUSE_CELLS[house] & candidates.empty() & !done) {
            if candidates.of_cell(cell).count_ones() == 2 {
                pincers[len] = cell;
                len += 1;
            }
        }
        done |= HOUSE_CELLS[house];
    }
    (pincers, len)
}
