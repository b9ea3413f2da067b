//! Full houses and singles, locked candidates, and naked and hidden subsets. Singles are found in the order in which they
//! appeared; all full houses and naked singles come before the first hidden single.

use super::{
    position::Position,
    step::{Candidate, Effect},
};
use crate::sudoku::{
    board::HOUSES,
    techniques::geometry::{FIRST_BOX, HOMES, HOUSE_CELLS, Mask, bits, cells, gathered, one},
};

/// If a cell is the last empty one of a house, the missing digit goes there: Full House.
pub(super) fn full_house(position: &Position) -> Option<Effect> {
    let is_last = |house: usize, digit: usize| (1..10).all(|other| other == digit || position.free(house, other) == 0);
    let mut open = position.naked.iter().filter(|&(cell, _)| position.value(cell) == 0);
    open.find(|&(cell, digit)| HOMES[cell].iter().any(|&(house, _)| is_last(house, digit))).map(Effect::Place)
}

/// If a cell has one candidate, the cell takes it: Naked Single.
pub(super) fn naked_single(position: &mut Position) -> Option<Effect> {
    while let Some((cell, digit)) = position.naked.pop() {
        if position.value(cell) == 0 {
            return Some(Effect::Place((cell, digit)));
        }
    }
    None
}

/// If a digit has one place in a house, the digit goes there: Hidden Single.
pub(super) fn hidden_single(position: &mut Position) -> Option<Effect> {
    while let Some((cell, digit)) = position.hidden.pop() {
        if position.value(cell) == 0 {
            let is_single = HOMES[cell].iter().any(|&(house, _)| position.free(house, digit) == 1);
            return is_single.then_some(Effect::Place((cell, digit)));
        }
    }
    None
}

/// If a box needs a digit in one line, the digit can be removed from the rest of the line: Locked Candidates Type 1
/// (Pointing).
pub(super) fn pointing(position: &Position) -> Option<Effect> {
    (FIRST_BOX..27).find_map(|house| locked(position, house, &[0, 1]))
}

/// If a line needs a digit in one box, the digit can be removed from the rest of the box: Locked Candidates Type 2
/// (Claiming).
pub(super) fn claiming(position: &Position) -> Option<Effect> {
    (0..FIRST_BOX).find_map(|house| locked(position, house, &[2]))
}

/// `kinds` are the kinds of house that the places may share: 0 row, 1 column, 2 box.
fn locked(position: &Position, house: usize, kinds: &[usize]) -> Option<Effect> {
    (1..10).filter(|&digit| matches!(position.free(house, digit), 2 | 3)).find_map(|digit| {
        let places = position.places(house, digit);
        let first = cells(places).next()?;
        kinds.iter().find_map(|&kind| {
            let into = HOMES[first][kind].0;
            let is_locked = places & !HOUSE_CELLS[into] == 0;
            Effect::remove_digit(digit, if is_locked { position.places(into, digit) & !places } else { 0 })
        })
    })
}

/// The houses in the order in which subsets are searched: boxes, rows, columns.
fn houses() -> impl Iterator<Item = usize> {
    (FIRST_BOX..27).chain(0..FIRST_BOX)
}

/// If some cells of a house together have as many candidates as there are cells, those candidates can be removed from
/// the rest of each house that contains all these cells: Naked Pair, Triple, Quadruple. If that removes candidates of a
/// box and a line: Locked Pair, Triple.
pub(super) fn naked(position: &Position, size: usize, locked: bool) -> Option<Effect> {
    let of_house = if locked { FIRST_BOX..27 } else { 0..0 };
    let all = of_house.chain(houses().filter(|_| !locked));
    all.into_iter().find_map(|house| {
        let is_small = |&cell: &usize| (1..=size).contains(&(position.of_cell(cell).count_ones() as usize));
        let (members, len) = gathered::<_, 9>(HOUSES[house].into_iter().map(usize::from).filter(is_small));
        first_combination(len, size, |chosen| {
            let digits = chosen.iter().fold(0, |digits, &at| digits | position.of_cell(members[at]));
            let mut subset = [0; 4];
            subset.iter_mut().zip(chosen).for_each(|(cell, &at)| *cell = members[at]);
            let fits = digits.count_ones() as usize == size;
            if fits { clear(position, &subset[..size], digits, locked) } else { None }
        })
    })
}

/// Removes the digits from cells that see the whole subset. Does so only if the subset is locked, or only if it is not,
/// as `locked` says.
fn clear(position: &Position, subset: &[usize], digits: Mask, locked: bool) -> Option<Effect> {
    let shared: [Option<usize>; 3] = std::array::from_fn(|kind| {
        let house = HOMES[subset[0]][kind].0;
        subset.iter().all(|&cell| HOMES[cell][kind].0 == house).then_some(house)
    });
    let outside_box = |cell: usize| HOUSE_CELLS[HOMES[subset[0]][2].0] & one(cell) == 0;
    let (mut removed, mut cleared): (Vec<Candidate>, _) = (Vec::new(), [false; 3]);
    for (kind, house) in shared.iter().enumerate().filter_map(|(kind, house)| house.map(|house| (kind, house))) {
        for cell in HOUSES[house].iter().map(|&cell| usize::from(cell)).filter(|cell| !subset.contains(cell)) {
            for digit in bits(position.of_cell(cell) & digits) {
                removed.push((cell, digit));
                cleared[kind] |= kind == 2 || outside_box(cell);
            }
        }
    }
    let in_two = cleared.iter().filter(|&&is_cleared| is_cleared).count() > 1;
    let is_locked = subset.len() < 4 && in_two && shared[2].is_some() && (shared[0].is_some() || shared[1].is_some());
    if is_locked == locked { Effect::remove(removed) } else { None }
}

/// If some digits together have as many places in a house as there are digits, all other candidates can be removed from
/// those cells: Hidden Pair, Triple, Quadruple.
pub(super) fn hidden(position: &Position, size: usize) -> Option<Effect> {
    houses().find_map(|house| {
        if ((HOUSE_CELLS[house] & position.empty()).count_ones() as usize) <= size {
            return None;
        }
        let is_rare = |&digit: &usize| (1..=size).contains(&usize::from(position.free(house, digit)));
        let (digits, len) = gathered::<_, 9>((1..10).filter(is_rare));
        first_combination(len, size, |chosen| {
            let places = chosen.iter().fold(0, |places, &at| places | position.places(house, digits[at]));
            if places.count_ones() as usize != size {
                return None;
            }
            let keep: Mask = chosen.iter().map(|&at| 1 << digits[at]).sum();
            let subset = HOUSES[house].iter().map(|&cell| usize::from(cell)).filter(|&cell| places & one(cell) != 0);
            Effect::remove(subset.flat_map(|cell| bits(position.of_cell(cell) & !keep).map(move |digit| (cell, digit))))
        })
    })
}

/// The first result for a choice of `size` out of `len` items, in lexicographic order: 01, 02, 03, 12 …
pub(super) fn first_combination<T>(len: usize, size: usize, mut test: impl FnMut(&[usize]) -> Option<T>) -> Option<T> {
    let mut chosen = [0, 1, 2, 3];
    if len < size {
        return None;
    }
    loop {
        let found = test(&chosen[..size]);
        if found.is_some() {
            return found;
        }
        let at = (0..size).rev().find(|&at| chosen[at] < len - size + at)?;
        chosen[at] += 1;
        for next in at + 1..size {
            chosen[next] = chosen[next - 1] + 1;
        }
    }
}
