//! The four types of Unique Rectangle and Unique Loop: the ways to use a ring of cells that must not contain only two digits.

use super::{
    candidates::Candidates,
    find::{CandidateSet, Find, Outcome, Pattern},
    geometry::{Cells, DIGITS, HOMES, HOUSE_CELLS, Mask, SEEN, bits, cells, cells_at, gathered, one, subsets},
    loops::technique,
};

/// A ring of cells and its two digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ring {
    pub(super) cells: Cells,
    /// The two digits, which every cell of the ring has as candidates.
    pub(super) pair: Mask,
}

/// Calls `keep` with every use of a ring that removes something. `path` lists its cells in order.
pub(super) fn find_all(candidates: &Candidates, ring: &Ring, path: &[usize], keep: &mut dyn FnMut(Find)) {
    let has_extra = |cell: &usize| candidates.of_cell(*cell) != ring.pair;
    let (extra_cells, len) = gathered::<_, 18>(path.iter().copied().filter(has_extra));
    let extra = path.iter().fold(0, |all, &cell| all | candidates.of_cell(cell)) & !ring.pair;
    match extra_cells[..len] {
        [] => {}
        [only] => only_extra_cell(ring, only, keep),
        [first, second] => {
            if extra.is_power_of_two() {
                same_digit(candidates, ring, &[first, second], extra, keep);
            } else {
                with_a_set(candidates, ring, [first, second], extra, keep);
            }
            locked_digit(candidates, ring, [first, second], keep);
        }
        _ => same_digit(candidates, ring, &extra_cells[..len], extra, keep),
    }
}

fn find(ring: &Ring, kind: usize, harder: u8, set: (Cells, Mask), removed: CandidateSet) -> Option<Find> {
    let pattern = Pattern::Loop { kind, ring: ring.cells, pair: ring.pair, set_cells: set.0, set_digits: set.1 };
    Some(Find { technique: technique(ring.cells, kind, harder), pattern, outcome: Outcome::remove(removed)? })
}

/// Type 1: if only one cell of the ring has other candidates, both digits of the pair can be removed from it.
fn only_extra_cell(ring: &Ring, cell: usize, keep: &mut dyn FnMut(Find)) {
    find(ring, 1, 0, (one(cell), 0), CandidateSet::of_cell(cell, ring.pair)).into_iter().for_each(keep);
}

/// Type 2: if the cells with other candidates all have the same one, it can be removed from every cell that sees them all,
/// because one of them holds it.
fn same_digit(candidates: &Candidates, ring: &Ring, extra: &[usize], digit: Mask, keep: &mut dyn FnMut(Find)) {
    let digit = digit.trailing_zeros() as usize;
    let seen = extra.iter().fold(Cells::MAX, |seen, &cell| seen & SEEN[cell]);
    let removed = CandidateSet::digit_in(digit, seen & candidates.of_digit(digit));
    let holders = extra.iter().fold(0, |all, &cell| all | one(cell));
    find(ring, 2, 0, (holders, 1 << digit), removed).into_iter().for_each(keep);
}

/// Type 4: if two cells of one house have the other candidates, and one digit of the pair has no other place in the house, the
/// other digit of the pair can be removed from both.
fn locked_digit(candidates: &Candidates, ring: &Ring, extra: [usize; 2], keep: &mut dyn FnMut(Find)) {
    let both = one(extra[0]) | one(extra[1]);
    let is_locked =
        |digit: usize| shared_houses(extra).any(|house| HOUSE_CELLS[house] & candidates.of_digit(digit) & !both == 0);
    if let Some(locked) = bits(ring.pair).find(|&digit| is_locked(digit)) {
        let other = ring.pair & !(1 << locked);
        let removed = CandidateSet::digit_in(other.trailing_zeros() as usize, both);
        find(ring, 4, 0, (both, 1 << locked), removed).into_iter().for_each(keep);
    }
}

/// Type 3: if two cells of one house have the other candidates, the two count as one cell that has only these, and a naked or
/// hidden set of the house may include it.
fn with_a_set(candidates: &Candidates, ring: &Ring, extra: [usize; 2], digits: Mask, keep: &mut dyn FnMut(Find)) {
    for size in digits.count_ones()..=7 {
        for house in shared_houses(extra) {
            let empty = candidates.empty_in(house).count_ones();
            if 2 * size <= empty {
                naked(candidates, ring, extra, digits, (house, size), keep);
            }
            if 2 * size < empty {
                hidden(candidates, ring, extra, digits, (house, size), keep);
            }
        }
    }
}

fn naked(
    candidates: &Candidates,
    ring: &Ring,
    extra: [usize; 2],
    digits: Mask,
    (house, size): (usize, u32),
    keep: &mut dyn FnMut(Find),
) {
    let common = digits & candidates.of_cell(extra[0]) & candidates.of_cell(extra[1]);
    let both = one(extra[0]) | one(extra[1]);
    let others = candidates.empty_in(house) & !place_of(extra[0], house) & !place_of(extra[1], house);
    for places in subsets(others, size - 1) {
        let set = cells_at(house, places);
        let of_set = cells(set).fold(0, |all, cell| all | candidates.of_cell(cell));
        let is_naked = (of_set | common).count_ones() == size && (of_set | digits).count_ones() == size;
        if is_naked && cells(set).all(|cell| candidates.of_cell(cell).count_ones() > 1) {
            let of_set = of_set | digits;
            let removed = candidates.digits_in(of_set, HOUSE_CELLS[house] & !set & !both);
            find(ring, 3, tenths_harder(size), (set, of_set), removed).into_iter().for_each(&mut *keep);
        }
    }
}

fn hidden(
    candidates: &Candidates,
    ring: &Ring,
    extra: [usize; 2],
    digits: Mask,
    (house, size): (usize, u32),
    keep: &mut dyn FnMut(Find),
) {
    let both = place_of(extra[0], house) | place_of(extra[1], house);
    let left = |digit: usize| candidates.places(house)[digit] & !place_of(extra[1], house);
    let rest = DIGITS & !ring.pair & !digits;
    let choices = (size == 2).then_some(0).into_iter().filter(|_| rest != 0).chain(subsets(rest, size - 2));
    for chosen in choices {
        let set_digits = chosen | ring.pair;
        let places = bits(set_digits).fold(0, |all, digit| all | left(digit));
        if places.count_ones() != size || bits(set_digits).any(|digit| left(digit) == 0) {
            continue;
        }
        let set = cells_at(house, places & !both);
        let removed = candidates.digits_in(DIGITS & !set_digits, set);
        find(ring, 3, tenths_harder(set.count_ones()), (set, set_digits), removed).into_iter().for_each(&mut *keep);
    }
}

/// Each member of the set beyond the first raises the rating by a tenth.
#[expect(clippy::cast_possible_truncation, reason = "sets have at most nine members")]
fn tenths_harder(size: u32) -> u8 {
    size.saturating_sub(1) as u8
}

/// The houses that both cells lie in, box first.
fn shared_houses([first, second]: [usize; 2]) -> impl Iterator<Item = usize> {
    [2, 0, 1]
        .into_iter()
        .map(move |way| HOMES[first][way].0)
        .filter(move |&house| HOUSE_CELLS[house] & one(second) != 0)
}

/// The cell's place in one of its houses, as a one-bit mask.
fn place_of(cell: usize, house: usize) -> Mask {
    HOMES[cell].into_iter().filter(|&(home, _)| home == house).map(|(_, place)| place).sum()
}
