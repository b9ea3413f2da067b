//! Finds wings: W-Wing, XY-Wing, and XYZ-Wing.

use super::{position::Position, step::Effect};
use crate::sudoku::techniques::geometry::{Cells, Mask, SEEN, bits, cells, one};

/// If two cells have the same two candidates x and z, and some house has exactly two places of z, one of which sees the
/// first cell and one the second, then one of the two cells is not z. So x can be removed from cells that see both:
/// W-Wing.
pub(super) fn w_wing(position: &Position) -> Option<Effect> {
    let twos = position.with_two();
    cells(twos).find_map(|first| {
        let digits = position.of_cell(first);
        let later = cells(twos & !(one(first) | (one(first) - 1)));
        later.filter(|&second| position.of_cell(second) == digits).find_map(|second| {
            let low = digits.trailing_zeros() as usize;
            let high = (digits & (digits - 1)).trailing_zeros() as usize;
            [(low, high), (high, low)].into_iter().find_map(|(digit, link)| {
                let removed = position.of_digit(digit) & SEEN[first] & SEEN[second];
                let holds = removed != 0 && (0..27).any(|house| links(position, house, link, [first, second]));
                Effect::remove_digit(digit, if holds { removed } else { 0 })
            })
        })
    })
}

/// Whether a digit has exactly two places in a house, neither of them one of these two cells, and one place sees the first cell and the other
/// the second. As in HoDoKu, a place that sees the first cell does not count for the second.
fn links(position: &Position, house: usize, digit: usize, [first, second]: [usize; 2]) -> bool {
    if position.free(house, digit) != 2 {
        return false;
    }
    let (mut sees_first, mut sees_second) = (false, false);
    for cell in cells(position.places(house, digit) & !one(first) & !one(second)) {
        if SEEN[cell] & one(first) != 0 {
            sees_first = true;
        } else {
            sees_second |= SEEN[cell] & one(second) != 0;
        }
    }
    sees_first && sees_second
}

/// If a cell is x or y, one of its peers is x or z, and another is y or z, then one of the two peers is z. So z can be
/// removed from cells that see both: XY-Wing.
pub(super) fn xy_wing(position: &Position) -> Option<Effect> {
    let twos = position.with_two();
    first_three(position, twos, twos, true)
}

/// If a cell is x, y, or z, one of its peers is x or z, and another is y or z, then one of the three cells is z. So z
/// can be removed from cells that see all three: XYZ-Wing.
pub(super) fn xyz_wing(position: &Position) -> Option<Effect> {
    let threes = cells(position.empty()).filter(|&cell| position.of_cell(cell).count_ones() == 3).map(one).sum();
    first_three(position, threes, position.with_two(), false)
}

/// The first three cells with three digits that form a wing. Without `turning`, the first cell is the pivot. With it, the cells are in
/// ascending order, and each is tried as the pivot.
fn first_three(position: &Position, pivots: Cells, pincers: Cells, turning: bool) -> Option<Effect> {
    let after = |cell: usize| pincers & !(one(cell) | (one(cell) - 1));
    cells(pivots).find_map(|pivot| {
        let others = if turning { after(pivot) } else { pincers };
        cells(others).filter(|&second| digits_of(position, &[pivot, second]).count_ones() == 3).find_map(|second| {
            cells(after(second)).find_map(|third| {
                let all = [pivot, second, third];
                let [a, b, c] = all.map(|cell| position.of_cell(cell));
                if digits_of(position, &all).count_ones() != 3 || a == b || b == c || a == c {
                    return None;
                }
                let turns = [[pivot, second, third], [second, pivot, third], [third, second, pivot]];
                let turns = if turning { &turns[..] } else { &turns[..1] };
                turns.iter().find_map(|&turn| wing(position, turn, !turning))
            })
        })
    })
}

fn digits_of(position: &Position, of: &[usize]) -> Mask {
    of.iter().fold(0, |digits, &cell| digits | position.of_cell(cell))
}

fn wing(position: &Position, [pivot, second, third]: [usize; 3], seen_by_pivot: bool) -> Option<Effect> {
    let common = position.of_cell(second) & position.of_cell(third);
    if SEEN[pivot] & one(second) == 0 || SEEN[pivot] & one(third) == 0 || !common.is_power_of_two() {
        return None;
    }
    let digit = bits(common).next()?;
    let seen = SEEN[second] & SEEN[third] & if seen_by_pivot { SEEN[pivot] } else { Cells::MAX };
    Effect::remove_digit(digit, position.of_digit(digit) & seen)
}
