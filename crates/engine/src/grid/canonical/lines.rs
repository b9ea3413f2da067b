//! Searches for the orders of rows and columns that move the diagonals or windows of a board onto each other.

use std::{borrow::Cow, sync::OnceLock};

use super::{LINES_MAX, Order};
use crate::{
    grid::{
        cells::Cells,
        rules::{House, Rules},
        variant::{Areas, Extra, GridVariant},
    },
    shared::step::Cell,
};

/// The maps of a variant of `Group::BoxesKeepingExtras`: on 9×9, 96 with diagonals and 128 with windows. These are
/// searched for once, and those of other boards in each call.
pub(super) fn maps(variant: &'static GridVariant) -> Cow<'static, [Order]> {
    static OF_DIAGONALS: OnceLock<Vec<Order>> = OnceLock::new();
    static OF_WINDOWS: OnceLock<Vec<Order>> = OnceLock::new();
    let known = match (variant.size, variant.extra) {
        (9, [Extra::Diagonals]) => &OF_DIAGONALS,
        (9, [Extra::Windows]) => &OF_WINDOWS,
        _ => return search(variant).into(),
    };
    known.get_or_init(|| search(variant)).into()
}

fn search(variant: &'static GridVariant) -> Vec<Order> {
    let Areas::Boxes { rows, .. } = variant.areas else { return Vec::new() };
    let houses = Rules::with(variant, &[]).houses;
    let houses: Vec<_> = houses.into_iter().filter(|house| !house.covers_board()).collect();
    let across = across(variant.size, &houses);
    let is_alike = |order: &[u8; LINES_MAX]| {
        let line = |at: usize| usize::from(order[at]);
        (0..across.len()).all(|one| (0..=one).all(|other| across[line(one)][line(other)] == across[one][other]))
    };
    // The boxes of these variants are square, and transposing the board keeps the other houses. So the same orders are
    // possible for columns.
    let orders: Vec<_> = orders(variant.size, rows).into_iter().filter(is_alike).collect();
    let both = orders.iter().flat_map(|rows| orders.iter().map(move |columns| [*rows, *columns]));
    let kept = both.map(|lines| Order { transposed: false, lines }).filter(|order| keeps(order, variant.size, &houses));
    kept.flat_map(|order| [order, Order { transposed: true, ..order }]).collect()
}

/// For each pair of rows, the number of columns in which both rows have a cell of a diagonal or window. If a map keeps the diagonals or
/// windows, it keeps these numbers, so [`search`] tries only orders that keep them. Of the 1,296 orders of rows, 24 keep them with diagonals, and 48 with windows.
fn across(size: u8, houses: &[House]) -> Vec<Vec<usize>> {
    let all = houses.iter().fold(Cells::NONE, |all, house| all.or(house.cells));
    let size = Cell::from(size);
    let is_both =
        |one: Cell, other: Cell, column: Cell| [one, other].iter().all(|row| all.contains(row * size + column));
    let count = |one: Cell, other: Cell| (0..size).filter(|column| is_both(one, other, *column)).count();
    (0..size).map(|one| (0..size).map(|other| count(one, other)).collect()).collect()
}

/// All orders of lines in which the lines of a band or stack stay together.
fn orders(size: u8, together: u8) -> Vec<[u8; LINES_MAX]> {
    let mut found = vec![[0; LINES_MAX]];
    for at in 0..usize::from(size) {
        let fits = |order: &[u8; LINES_MAX], line: u8| {
            let begins_band = at % usize::from(together) == 0;
            !order[..at].contains(&line) && (begins_band || order[at - 1] / together == line / together)
        };
        let all = found.iter().flat_map(|order| (0..size).map(move |line| (*order, line)));
        let extended = all.filter(|(order, line)| fits(order, *line)).map(|(mut order, line)| {
            order[at] = line;
            order
        });
        found = extended.collect();
    }
    found
}

/// Whether an order moves each of these houses onto one of these houses.
fn keeps(order: &Order, size: u8, houses: &[House]) -> bool {
    let source = |cell: Cell| order.source(size, usize::from(cell));
    let is_in = |house: &House, cell: Cell| Cell::try_from(source(cell)).is_ok_and(|cell| house.cells.contains(cell));
    houses.iter().all(|house| houses.iter().any(|from| house.cells.iter().all(|cell| is_in(from, cell))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::samples;

    #[test]
    fn maps_are_as_many_as_counted_and_keep_all_houses() {
        let [diagonals, windows] = ["9x9-x", "9x9-windoku"].map(samples::named);
        let extra = &[Extra::Diagonals, Extra::Windows];
        let both: &_ = Box::leak(Box::new(GridVariant { name: "both", extra, ..*diagonals }));
        let of_windows = maps(windows);
        let common = maps(diagonals).iter().filter(|order| of_windows.contains(*order)).count();
        for (variant, count) in [(diagonals, 96), (windows, 128), (both, common)] {
            let (name, maps) = (variant.name, maps(variant));
            assert_eq!(maps.len(), count, "{name}");
            let houses: Vec<_> = Rules::with(variant, &[]).houses.into_iter().map(|house| house.cells).collect();
            for order in &*maps {
                assert_eq!(maps.iter().filter(|other| *other == order).count(), 1);
                let moved = |cells: Cells| -> Cells {
                    cells.iter().map(|cell| Cell::try_from(order.source(9, usize::from(cell))).unwrap()).collect()
                };
                assert!(houses.iter().all(|house| houses.contains(&moved(*house))), "{name}: {order:?}");
            }
        }
    }
}
