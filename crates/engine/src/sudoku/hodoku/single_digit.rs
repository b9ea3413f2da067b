//! Patterns of one digit that use lines with two places for it: Skyscraper, 2-String Kite, Empty Rectangle.

use super::{position::Position, step::Effect};
use crate::sudoku::{
    board::{HOUSES, box_of, column_of, row_of},
    techniques::geometry::{Cells, FIRST_BOX, FIRST_COLUMN, HOMES, HOUSE_CELLS, SEEN, cells, gathered, one},
};

/// For each of these lines with exactly two places for a digit, those places.
fn pairs(position: &Position, digit: usize, lines: std::ops::Range<usize>) -> ([[usize; 2]; 9], usize) {
    gathered(lines.filter(|&line| position.free(line, digit) == 2).filter_map(|line| {
        let mut places = cells(position.places(line, digit));
        Some([places.next()?, places.next()?])
    }))
}

/// If two parallel lines each have two places of a digit, and one place of each is in the same crossing line, one of
/// the other two places is true. So the digit can be removed from cells that see both: Skyscraper.
pub(super) fn skyscraper(position: &Position) -> Option<Effect> {
    let across: [fn(usize) -> usize; 2] = [column_of, row_of];
    [0, FIRST_COLUMN].into_iter().zip(across).find_map(|(first, across)| {
        (1..10).find_map(|digit| {
            let (pairs, len) = pairs(position, digit, first..first + 9);
            let both = (0..len).flat_map(|i| (i + 1..len).map(move |j| (pairs[i], pairs[j])));
            both.into_iter().find_map(|(one, other)| {
                let meets = |end: usize| across(one[end]) == across(other[end]);
                let [top, other_top] = match (meets(0), meets(1)) {
                    (true, false) => [one[1], other[1]],
                    (false, true) => [one[0], other[0]],
                    _ => return None,
                };
                Effect::remove_digit(digit, position.of_digit(digit) & SEEN[top] & SEEN[other_top])
            })
        })
    })
}

/// If a row and a column each have two places of a digit, and one place of each is in the same box, one of the other
/// two places is true. So the digit can be removed from the cell that sees both: 2-String Kite.
pub(super) fn kite(position: &Position) -> Option<Effect> {
    (1..10).find_map(|digit| {
        let ((mut rows, row_len), (mut columns, column_len)) =
            (pairs(position, digit, 0..FIRST_COLUMN), pairs(position, digit, FIRST_COLUMN..FIRST_BOX));
        for row in &mut rows[..row_len] {
            for column in &mut columns[..column_len] {
                // This swap also affects the next pair, and so the order of later finds.
                let ends = [(0, 0), (0, 1), (1, 0), (1, 1)];
                let joined = ends.into_iter().find(|&(end, other)| box_of(row[end]) == box_of(column[other]));
                let Some((end, other)) = joined else { continue };
                row.rotate_left(end);
                column.rotate_left(other);
                let crossing = row_of(column[1]) * 9 + column_of(row[1]);
                if row.iter().all(|cell| !column.contains(cell)) && position.has(crossing, digit) {
                    return Some(Effect::Remove(vec![(crossing, digit)]));
                }
            }
        }
        None
    })
}

/// If all places of a digit in a box lie in one row and one column, and a crossing line has two places for the digit,
/// one of them in that row or column, then the digit can be removed from the cell that the line's other place and the
/// box's other line both see: Empty Rectangle.
pub(super) fn empty_rectangle(position: &Position) -> Option<Effect> {
    (1..10).find_map(|digit| {
        let boxes = (0..9).filter(|&block| (2..=5).contains(&position.free(FIRST_BOX + block, digit)));
        boxes.into_iter().find_map(|block| {
            let places = position.places(FIRST_BOX + block, digit);
            // The crossing of the two lines, from the last cell of the box to its first.
            (0..9).rev().find_map(|corner| {
                let corner = usize::from(HOUSES[FIRST_BOX + block][corner]);
                let lines = [HOMES[corner][0].0, HOMES[corner][1].0];
                is_corner(places, lines).then(|| by_pair(position, digit, block, lines)).flatten()
            })
        })
    })
}

/// Whether the places of a box lie only in these two lines, and each line has a place outside their crossing.
fn is_corner(places: Cells, lines: [usize; 2]) -> bool {
    let [row, column] = lines.map(|line| HOUSE_CELLS[line]);
    let several = (places & row).count_ones() >= 2 || (places & column).count_ones() >= 2;
    places & !(row | column) == 0 && places & row & !column != 0 && places & column & !row != 0 && several
}

fn by_pair(position: &Position, digit: usize, block: usize, [row, column]: [usize; 2]) -> Option<Effect> {
    // The kinds of house: a pair across the row is in a column, and vice versa.
    [(row, column, 1, 0), (column, row, 0, 1)].into_iter().find_map(|(line, other, across, along)| {
        let outside = cells(position.places(line, digit) & !HOUSE_CELLS[FIRST_BOX + block]);
        outside.into_iter().find_map(|cell| {
            let pair = HOMES[cell][across].0;
            if position.free(pair, digit) != 2 {
                return None;
            }
            let partner = cells(position.places(pair, digit) & !one(cell)).next()?;
            let meets = HOUSE_CELLS[HOMES[partner][along].0] & HOUSE_CELLS[other];
            Effect::remove_digit(digit, position.of_digit(digit) & meets & !HOUSE_CELLS[FIRST_BOX + block])
        })
    })
}
