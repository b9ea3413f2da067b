//! XY-Wing and XYZ-Wing: whichever digit the pivot cell holds, one of the cells of the pattern holds the same third digit.

use crate::{
    grid::{
        cells::{Cells, Digits},
        find::{Find, Take, Technique},
        position::Position,
    },
    shared::step::Cell,
};

/// If the pivot cell has the candidates x and y, one of its peers has x and z, and another has y and z, then z can be
/// removed from every cell that sees both peers: XY-Wing (`size` 2). If the pivot has z, too, the cell must also see
/// the pivot: XYZ-Wing (`size` 3). For boards whose cells all hold a digit.
pub(crate) fn wing(size: usize, technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let rules = position.rules();
    let of_len =
        |len: usize| -> Cells { position.open().iter().filter(|c| position.candidates(*c).len() == len).collect() };
    let pairs = of_len(2);
    for pivot in of_len(size).iter() {
        let pincers = rules.peers[usize::from(pivot)].and(pairs).list();
        for (at, &first) in pincers.iter().enumerate() {
            for &second in &pincers[at + 1..] {
                let find = wing_of(position, pivot, [first, second], technique);
                if find.is_some_and(&mut *take) {
                    return;
                }
            }
        }
    }
}

fn wing_of(position: &Position<'_>, pivot: Cell, pincers: [Cell; 2], technique: &Technique) -> Option<Find> {
    let rules = position.rules();
    let digits = position.candidates(pivot);
    let [first, second] = pincers.map(|cell| position.candidates(cell));
    let digit = first.and(second).single()?;
    if first.or(second) != digits.or(Digits::only(digit)) {
        return None;
    }
    let secondary_cells: Cells = pincers.into_iter().collect();
    let holders = if digits.contains(digit) { secondary_cells.or(Cells::only(pivot)) } else { secondary_cells };
    let removed = rules.seen_by_all(holders).and(position.places(digit));
    let cells = secondary_cells.or(Cells::only(pivot));
    let find = Find { cells, secondary_cells, digits, removed: vec![(digit, removed)], ..Find::of(technique) };
    (!removed.is_empty()).then_some(find)
}
