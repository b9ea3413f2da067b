//! Naked and hidden sets (pairs, triplets, quads): some cells of a house that hold as many digits as there are cells.

use crate::{
    grid::{
        cells::{Cells, Digits, Houses, bits},
        find::{Find, Take, Technique},
        position::Position,
        rules::Holds,
    },
    shared::step::Cell,
};

/// If n cells of a house have only n candidates together, these can be removed from the other cells of the house,
/// because the n cells use them up: Naked Pair, Triplet, Quad. For boards whose cells all hold a digit.
pub(crate) fn naked_set(size: usize, technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let houses = position.rules().houses.iter().enumerate();
    for (house, of_house) in houses.filter(|(_, house)| house.holds != Holds::AnyDigits) {
        let open = position.open().and(of_house.cells);
        // With fewer open cells, the rest of the house is a hidden set no larger than this one, which was found before.
        if open.len() < 2 * size {
            continue;
        }
        let few = |cell: &Cell| (2..=size).contains(&position.candidates(*cell).len());
        let few: Vec<Cell> = open.iter().filter(few).collect();
        let masks: Vec<u64> = few.iter().map(|cell| position.candidates(*cell).0.into()).collect();
        let taken = small_unions(&masks, size, &mut |chosen, union| {
            let (cells, digits) = (chosen_of(&few, chosen).collect(), bits(union).collect());
            let removed = removed(position, digits, open.without(cells));
            let houses = Houses::only(house);
            !removed.is_empty() && take(Find { cells, digits, houses, removed, ..Find::of(technique) })
        });
        if taken {
            return;
        }
    }
}

/// If two cells that see each other have the same two candidates, these can be removed from every cell that sees both, because the two
/// cells use them up: Naked Pair, also across houses. For boards whose cells all hold a digit.
pub(crate) fn seen_pair(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let rules = position.rules();
    let pairs: Cells = position.open().iter().filter(|cell| position.candidates(*cell).len() == 2).collect();
    for first in pairs.iter() {
        let digits = position.candidates(first);
        let is_equal = |second: &Cell| *second > first && position.candidates(*second) == digits;
        for second in rules.peers[usize::from(first)].and(pairs).iter().filter(is_equal) {
            let cells: Cells = [first, second].into_iter().collect();
            let removed = removed(position, digits, rules.seen_by_all(cells));
            let houses = rules.shared(first, second);
            if !removed.is_empty() && take(Find { cells, digits, houses, removed, ..Find::of(technique) }) {
                return;
            }
        }
    }
}

/// If n digits have only n places together in a house, all other candidates can be removed from these n cells, because
/// the n digits fill them: Hidden Pair, Triplet, Quad.
pub(crate) fn hidden_set(size: usize, technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    // With fewer open cells, the rest of the house is a naked set no larger than this one, which was found before.
    each_hidden_set(size, 2 * size + 1, technique, position, &mut |_, find| {
        let removed = removed(position, position.rules().digits.without(find.digits), find.cells);
        !removed.is_empty() && take(Find { removed, ..find })
    });
}

/// If a hidden set leaves another digit one place in the house, it goes there: Direct Hidden Pair, Triplet. A person
/// sees this without pencil marks, so only the digit is placed.
pub(crate) fn direct_hidden_set(size: usize, technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    each_hidden_set(size, size + 1, technique, position, &mut |house, find| {
        position.left(house).without(find.digits).iter().any(|digit| {
            let places = position.places_in(house, digit);
            let left = places.without(find.cells).single().filter(|_| places.meets(find.cells));
            left.is_some_and(|cell| take(Find { placed: Some((cell, digit)), ..find.clone() }))
        })
    });
}

/// Calls `seen` with each hidden set of this size in houses with at least `open_min` open cells: with the index of the
/// house, and the find without its effect.
fn each_hidden_set(
    size: usize,
    open_min: usize,
    technique: &Technique,
    position: &Position<'_>,
    seen: &mut dyn FnMut(usize, Find) -> bool,
) {
    for (house, of_house) in position.rules().houses.iter().enumerate() {
        let open = position.open().and(of_house.cells);
        if position.left(house).len() < size || open.len() < open_min {
            continue;
        }
        let open = open.list();
        let rare = |digit: &u8| (2..=size).contains(&position.places_in(house, *digit).len());
        let rare: Vec<u8> = position.left(house).iter().filter(rare).collect();
        let has = |cell: Cell, digit: u8| u64::from(position.candidates(cell).contains(digit));
        let places_of = |digit: u8| (0..).zip(&open).map(|(at, &cell)| has(cell, digit) << at).sum();
        let masks: Vec<u64> = rare.iter().map(|&digit| places_of(digit)).collect();
        let taken = small_unions(&masks, size, &mut |chosen, union| {
            let (cells, digits) = (chosen_of(&open, union).collect(), chosen_of(&rare, chosen).collect());
            seen(house, Find { cells, digits, houses: Houses::only(house), ..Find::of(technique) })
        });
        if taken {
            return;
        }
    }
}

/// Calls `seen` with each choice of `size` masks whose union has exactly `size` bits: with the indices of the masks as
/// bits, and the union. Stops as soon as `seen` returns true, and returns whether it did. Takes at most 64 masks.
pub(super) fn small_unions(masks: &[u64], size: usize, seen: &mut dyn FnMut(u64, u64) -> bool) -> bool {
    fn choose(masks: &[u64], from: usize, at: [u64; 2], size: usize, seen: &mut dyn FnMut(u64, u64) -> bool) -> bool {
        let [chosen, union] = at;
        let left = size - chosen.count_ones() as usize;
        if left == 0 {
            return union.count_ones() as usize == size && seen(chosen, union);
        }
        (from..(masks.len() + 1).saturating_sub(left)).any(|index| {
            let union = union | masks[index];
            union.count_ones() as usize <= size
                && choose(masks, index + 1, [chosen | 1 << index, union], size, &mut *seen)
        })
    }
    choose(masks, 0, [0; 2], size, seen)
}

/// The items at the indices that a mask contains.
pub(super) fn chosen_of<T: Copy>(items: &[T], mask: u64) -> impl Iterator<Item = T> {
    bits(mask).map(|at| items[usize::from(at)])
}

/// The candidates of these digits in these cells.
fn removed(position: &Position<'_>, digits: Digits, cells: Cells) -> Vec<(u8, Cells)> {
    let of_digit = digits.iter().map(|digit| (digit, position.places(digit).and(cells)));
    of_digit.filter(|(_, cells)| !cells.is_empty()).collect()
}
