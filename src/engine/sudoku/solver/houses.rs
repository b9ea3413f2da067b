//! What follows without a guess, for all cells of a band at once and all bands side by side.
//!
//! A band is three rows of nine bits. The three bits that a row has in a box are a minirow; sets of minirows keep only
//! the lowest bit of each, at 0, 3, … 24. Rows and boxes of a band are unions of three minirows, columns of three rows.

use super::candidates::{ALL, Bands, Candidates, cells_of, zip};

/// The lowest bit of each minirow, of each row, of each box, of each minirow in the first row.
const MINIROWS: u32 = 0o111_111_111;
const ROWS: u32 = 1 | 1 << 9 | 1 << 18;
const BOXES: u32 = 0o111;
const COLUMNS: u32 = 0o777;

/// Settles every single and takes away what locked candidates refute, until nothing changes. False if some cell or
/// house is left without a candidate: then there is no solution.
#[inline]
pub(super) fn propagate(state: &mut Candidates) -> bool {
    loop {
        let Some(settled) = naked_singles(state) else { return false };
        if settled {
            continue;
        }
        if state.is_solved() {
            return true;
        }
        let Some(settled) = hidden_singles(state) else { return false };
        if !settled && !locked_candidates(state) {
            return true;
        }
    }
}

/// Settles the cells that have one candidate left. None if a cell has no candidate, else whether there was one.
#[inline]
fn naked_singles(state: &mut Candidates) -> Option<bool> {
    let [mut once, mut twice] = [[0; 4]; 2];
    for &cells in &state.digits {
        twice = zip(twice, zip(once, cells, |once, cells| once & cells), |twice, again| twice | again);
        once = zip(once, cells, |once, cells| once | cells);
    }
    if once != ALL {
        return None;
    }
    let singles = zip(zip(once, twice, |once, twice| once & !twice), state.open, |single, open| single & open);
    for cell in cells_of(singles) {
        // A single that was placed a moment ago may have taken this one's candidate.
        let digit = (0..9).find(|&digit| state.has(cell, digit))?;
        state.place(cell, digit);
    }
    Some(singles != [0; 4])
}

/// Settles the cells that are the only place of a digit in a house. None if a digit has no place, else whether there
/// was one.
#[inline]
fn hidden_singles(state: &mut Candidates) -> Option<bool> {
    let mut settled = false;
    for digit in 0..9 {
        let cells = state.digits[digit];
        let singles = zip(only_places(cells)?, state.open, |single, open| single & open);
        for cell in cells_of(singles) {
            if !state.has(cell, digit) {
                return None;
            }
            state.place(cell, digit);
            settled = true;
        }
    }
    Some(settled)
}

/// The cells of a set that are alone in their row, column or box; none if some house has no cell of the set.
#[inline]
fn only_places(cells: Bands) -> Option<Bands> {
    let mut only = [0; 4];
    let mut complete = true;
    for (only, &band) in only.iter_mut().zip(&cells[..3]) {
        let [once, twice] = fold([band, band >> 1, band >> 2]);
        let [row, row_twice] = fold_counted([once, once >> 3, once >> 6], [twice, twice >> 3, twice >> 6], ROWS);
        let [of_box, box_twice] = fold_counted([once, once >> 9, once >> 18], [twice, twice >> 9, twice >> 18], BOXES);
        complete &= row == ROWS && of_box == BOXES;
        let [row, of_box] = [row & !row_twice, of_box & !box_twice];
        *only = band & ((row * COLUMNS) | (of_box * (7 * ROWS)));
    }
    let [once, twice] = fold([cells[0], cells[1], cells[2]]);
    let shifted = |mask: u32| [mask, mask >> 9, mask >> 18];
    let [column, column_twice] = fold_counted(shifted(once), shifted(twice), COLUMNS);
    complete &= column == COLUMNS;
    let columns = (column & !column_twice) * ROWS;
    let only = zip(only, zip(cells, [columns; 4], |cells, columns| cells & columns), |only, columns| only | columns);
    complete.then_some(only)
}

/// Bits that are set at least once, and at least twice.
#[inline]
fn fold([a, b, c]: [u32; 3]) -> [u32; 2] {
    [a | b | c, a & b | (a | b) & c]
}

/// The same of parts that are themselves counted, at the bits of `mask`.
#[inline]
fn fold_counted(once: [u32; 3], twice: [u32; 3], mask: u32) -> [u32; 2] {
    let [any, more] = fold(once);
    [any & mask, (more | twice[0] | twice[1] | twice[2]) & mask]
}

/// If a digit's places in a box all lie in one row, it can go from that row's other boxes; and if its places in a row
/// all lie in one box, from that box's other rows. The same with columns. Returns whether anything went.
#[inline]
fn locked_candidates(state: &mut Candidates) -> bool {
    let mut changed = 0;
    for cells in &mut state.digits {
        let before = *cells;
        for band in &mut cells[..3] {
            *band &= locked_rows(*band);
        }
        let columns = std::array::from_fn(|band| {
            let cells = cells[band];
            (cells | cells >> 9 | cells >> 18) & COLUMNS
        });
        for (band, kept) in cells.iter_mut().zip(locked_columns(columns)) {
            *band &= kept * ROWS;
        }
        changed |= zip(before, *cells, |before, after| before ^ after).into_iter().fold(0, |all, band| all | band);
    }
    changed != 0
}

/// The cells of a band that its minirows leave to a digit.
#[inline]
fn locked_rows(band: u32) -> u32 {
    let minirows = (band | band >> 1 | band >> 2) & MINIROWS;
    // The other two minirows of the same box, and of the same row.
    let in_box = [turn(minirows, 9), turn(minirows, 18)];
    let in_row = [turn_in_rows(minirows, 3), turn_in_rows(minirows, 6)];
    let alone_in_box = minirows & !(in_box[0] | in_box[1]);
    let alone_in_row = minirows & !(in_row[0] | in_row[1]);
    let refuted =
        turn_in_rows(alone_in_box, 3) | turn_in_rows(alone_in_box, 6) | turn(alone_in_row, 9) | turn(alone_in_row, 18);
    !(refuted * 7)
}

/// Moves rows round within a band.
#[inline]
fn turn(band: u32, by: u32) -> u32 {
    (band >> by | band << (27 - by)) & MINIROWS
}

/// Moves minirows round within each row.
#[inline]
fn turn_in_rows(band: u32, by: u32) -> u32 {
    let low = ROWS * ((1 << (9 - by)) - 1);
    band >> by & low | band << (9 - by) & !low & MINIROWS
}

/// The columns of each band that the minicolumns leave to a digit; nine bits a band.
#[inline]
fn locked_columns(columns: [u32; 3]) -> [u32; 3] {
    let [once, twice] = fold(columns);
    let alone_in_column = once & !twice;
    let alone_in_box = columns.map(|band| {
        let [left, right] = [(band & 0o333) << 1 | (band & 0o444) >> 2, (band & 0o666) >> 1 | (band & 0o111) << 2];
        band & !left & !right
    });
    std::array::from_fn(|band| {
        // A column whose only places lie in this box refutes the box's other columns.
        let claimed = columns[band] & alone_in_column;
        let claimed_by_others =
            (claimed & 0o333) << 1 | (claimed & 0o444) >> 2 | (claimed & 0o666) >> 1 | (claimed & 0o111) << 2;
        let pointed_at = alone_in_box[(band + 1) % 3] | alone_in_box[(band + 2) % 3];
        !(claimed_by_others | pointed_at) & COLUMNS
    })
}

#[cfg(test)]
mod tests {
    use super::{super::candidates::bit, *};
    use crate::engine::{rng::Rng, sudoku::board::HOUSES};

    fn set(cells: impl IntoIterator<Item = usize>) -> Bands {
        let mut bands = [0; 4];
        cells.into_iter().for_each(|cell| bands[cell / 27] |= bit(cell));
        bands
    }

    /// Sets of 5–60 cells, most of them with a place in every house.
    fn random_sets() -> impl Iterator<Item = Vec<usize>> {
        let mut rng = Rng::from_seed(1);
        (0..3000_u64).map(move |round| {
            let mut cells: Vec<_> = (0..81).collect();
            rng.shuffle(&mut cells);
            cells.truncate(5 + usize::try_from(round % 56).unwrap());
            cells
        })
    }

    #[test]
    fn the_only_place_in_a_house_is_found() {
        for cells in random_sets() {
            let places = |house: &[u8; 9]| -> Vec<usize> {
                house.iter().map(|&cell| usize::from(cell)).filter(|cell| cells.contains(cell)).collect()
            };
            let complete = HOUSES.iter().all(|house| !places(house).is_empty());
            let alone = HOUSES.iter().map(places).filter(|places| places.len() == 1).flatten();
            assert_eq!(only_places(set(cells.clone())), complete.then(|| set(alone)), "{cells:?}");
        }
    }

    #[test]
    fn locked_candidates_refute_what_lies_outside_the_overlap() {
        for cells in random_sets() {
            let bands = set(cells.clone());
            let mut state = Candidates { digits: [[0; 4]; 9], open: [0; 4] };
            state.digits[0] = bands;
            while locked_candidates(&mut state) {}
            let left = slowly_locked(cells.clone());
            // Without a solution for the digit, the order of the refutations decides what is left at the end.
            let complete = |cells: Bands| only_places(cells).is_some();
            if complete(set(left.clone())) {
                assert_eq!(state.digits[0], set(left), "{cells:?}");
            } else {
                assert!(!complete(state.digits[0]), "{cells:?}");
            }
        }
    }

    fn slowly_locked(mut cells: Vec<usize>) -> Vec<usize> {
        loop {
            let before = cells.len();
            for (from, to) in HOUSES.iter().flat_map(|from| HOUSES.iter().map(move |to| (from, to))) {
                let lies_in = |house: &[u8; 9], cell: usize| house.iter().any(|&other| usize::from(other) == cell);
                let overlap = from.iter().filter(|cell| to.contains(cell)).count();
                let inside = cells.iter().all(|&cell| !lies_in(from, cell) || lies_in(to, cell));
                let any = cells.iter().any(|&cell| lies_in(from, cell));
                if overlap == 3 && inside && any {
                    cells.retain(|&cell| !lies_in(to, cell) || lies_in(from, cell));
                }
            }
            if cells.len() == before {
                return cells;
            }
        }
    }
}
