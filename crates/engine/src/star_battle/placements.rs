//! Random stars that fulfill the rules of a board without regions.

use crate::shared::{rng::Rng, step::Cell};

/// The maximum number of random orders of columns. About one in eight has no stars that touch.
const ORDERS_MAX: usize = 1_000;

/// The maximum number of searches for several stars in each row, and the maximum number of rows that a search fills, with those that it
/// fills again. Few searches take long, so a new one is faster.
const SEARCHES_MAX: usize = 100;
const ROWS_MAX: usize = 200;

/// Random stars that do not touch, `count` in each row and column. `None` if none are found within the limits.
pub(super) fn random(size: u8, count: u8, rng: &mut Rng) -> Option<Vec<Cell>> {
    if count == 1 { one(size, rng) } else { several(size, count, rng) }
}

/// One star in each row and column. All placements have the same chance.
fn one(size: u8, rng: &mut Rng) -> Option<Vec<Cell>> {
    let size = Cell::from(size);
    let mut columns: Vec<Cell> = (0..size).collect();
    (0..ORDERS_MAX).find_map(|_| {
        rng.shuffle(&mut columns);
        let is_apart = columns.windows(2).all(|pair| pair[0].abs_diff(pair[1]) > 1);
        is_apart.then(|| (0..).zip(&columns).map(|(row, column): (Cell, _)| row * size + column).collect())
    })
}

/// Several stars in each row and column. A search fills row by row with random ways to put stars into it.
fn several(size: u8, count: u8, rng: &mut Rng) -> Option<Vec<Cell>> {
    let is_apart = |row: &u32| row.count_ones() == u32::from(count) && row & row << 1 == 0;
    let ways: Vec<u32> = (0..1 << size).filter(is_apart).collect();
    (0..SEARCHES_MAX).find_map(|_| {
        let mut search = Search { size, count, ways: &ways, rows: Vec::new(), left: ROWS_MAX };
        if !search.fill(rng) {
            return None;
        }
        let size = Cell::from(size);
        let cells =
            |(row, stars): (Cell, u32)| (0..size).filter(move |at| stars & 1 << at != 0).map(move |at| row * size + at);
        Some((0..).zip(search.rows).flat_map(cells).collect())
    })
}

struct Search<'w> {
    size: u8,
    count: u8,
    /// The ways to put stars into a row, as bits.
    ways: &'w [u32],
    /// The rows so far.
    rows: Vec<u32>,
    /// How many rows the search may still fill.
    left: usize,
}

impl Search<'_> {
    /// Fills the other rows. Returns false if there is no way, or if the limit is reached.
    fn fill(&mut self, rng: &mut Rng) -> bool {
        if self.rows.len() == usize::from(self.size) {
            return true;
        }
        let last = self.rows.last().copied().unwrap_or_default();
        let touched = last | last << 1 | last >> 1;
        let mut ways: Vec<u32> = self.ways.iter().copied().filter(|way| way & touched == 0).collect();
        rng.shuffle(&mut ways);
        ways.into_iter().any(|way| {
            let Some(left) = self.left.checked_sub(1) else { return false };
            self.left = left;
            self.rows.push(way);
            let is_filled = self.has_room() && self.fill(rng);
            if !is_filled {
                self.rows.pop();
            }
            is_filled
        })
    }

    /// Whether no column has too many stars, and the other rows have room for those that each column lacks. Every second row has room.
    fn has_room(&self) -> bool {
        let room = (usize::from(self.size) - self.rows.len()).div_ceil(2);
        (0..self.size).all(|column| {
            let has = self.rows.iter().filter(|row| **row & 1 << column != 0).count();
            (has..=has + room).contains(&self.count.into())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_its_stars_and_none_touch() {
        let mut rng = Rng::from_seed(1);
        for (size, count) in [(6, 1), (11, 1), (10, 2)] {
            for _ in 0..100 {
                let stars = random(size, count, &mut rng).unwrap();
                let places: Vec<_> =
                    stars.iter().map(|star| (star / u16::from(size), star % u16::from(size))).collect();
                for line in 0..size.into() {
                    let [of_row, of_column] =
                        [0, 1].map(|side| places.iter().filter(|(row, column)| [*row, *column][side] == line).count());
                    assert_eq!([of_row, of_column], [usize::from(count); 2], "{stars:?}");
                }
                let touch = |one: &(u16, u16), other: &(u16, u16)| {
                    one != other && one.0.abs_diff(other.0) < 2 && one.1.abs_diff(other.1) < 2
                };
                assert!(!places.iter().any(|one| places.iter().any(|other| touch(one, other))), "{stars:?}");
            }
        }
    }

    #[test]
    fn board_that_is_too_small_has_no_stars() {
        assert_eq!([random(3, 1, &mut Rng::from_seed(1)), random(7, 2, &mut Rng::from_seed(1))], [None, None]);
    }
}
