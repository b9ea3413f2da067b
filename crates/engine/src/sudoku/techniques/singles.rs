//! Hidden and naked singles: the steps that place a digit without an elimination before them.

use super::{
    candidates::Candidates,
    find::{Find, Outcome, Pattern, Take, Technique},
    geometry::{Cells, FIRST_BOX, SCAN, bits, cell_at, cells, cells_at},
};

/// The last empty cell of a house.
pub(super) const LAST_CELL: Technique = Technique::new("Last Cell", 10);
pub(super) const HIDDEN_SINGLE_BOX: Technique = Technique::new("Hidden Single in Box", 12);
/// A hidden single in a row or column.
pub(super) const HIDDEN_SINGLE_LINE: Technique = Technique::new("Hidden Single in Line", 15);
pub(super) const NAKED_SINGLE: Technique = Technique::new("Naked Single", 23);

/// All singles, easiest first: three kinds of hidden single, then the naked single.
pub(crate) const SINGLES: [Technique; 4] = [LAST_CELL, HIDDEN_SINGLE_BOX, HIDDEN_SINGLE_LINE, NAKED_SINGLE];

/// If a digit has one place left in a house, it goes there, because every house holds every digit: Hidden Single. The last empty
/// cell of a house is the easiest case, so all houses are searched for it first.
pub(super) fn hidden_single(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    let has_one_left = |house: &usize| candidates.empty_in(*house).is_power_of_two();
    let mut last_cells = SCAN.into_iter().filter(has_one_left).flat_map(|house| {
        singles_in(candidates, house).map(move |(cell, digit)| Find {
            technique: LAST_CELL,
            pattern: Pattern::LastCell { house, cell },
            outcome: Outcome::Place { cell, digit },
        })
    });
    let mut singles = SCAN.into_iter().flat_map(|house| {
        singles_in(candidates, house).map(move |(cell, digit)| Find {
            technique: if house < FIRST_BOX { HIDDEN_SINGLE_LINE } else { HIDDEN_SINGLE_BOX },
            pattern: Pattern::HiddenSingle { house, cell, digit },
            outcome: Outcome::Place { cell, digit },
        })
    });
    last_cells.any(&mut *take) || singles.any(take)
}

/// The digits that have exactly one place in a house, each with its cell.
fn singles_in(candidates: &Candidates, house: usize) -> impl Iterator<Item = (usize, usize)> {
    let cell_of = move |digit: usize| cell_at(house, candidates.places(house)[digit]);
    bits(candidates.hidden_singles(house)).map(move |digit| (cell_of(digit), digit))
}

/// If a cell has one candidate left, it holds that digit, because its peers exclude all others: Naked Single.
pub(super) fn naked_single(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    let mut finds = cells(candidates.naked_singles()).map(|cell| {
        let digit = candidates.of_cell(cell).trailing_zeros() as usize;
        let pattern = Pattern::NakedSingle { cell, digit };
        Find { technique: NAKED_SINGLE, pattern, outcome: Outcome::Place { cell, digit } }
    });
    finds.any(take)
}

/// The cells that a single fills in this position, each by its easiest single: in a box, in a line, naked.
pub(crate) fn openings(candidates: &Candidates) -> [Cells; 3] {
    let hidden = |house: usize| -> Cells {
        let places = candidates.places(house);
        let singles = bits(candidates.hidden_singles(house)).fold(0, |all, digit| all | places[digit]);
        cells_at(house, singles)
    };
    let (boxes, lines) = SCAN.split_at(9);
    let in_boxes = boxes.iter().fold(0, |all, &house| all | hidden(house));
    let in_lines = lines.iter().fold(0, |all, &house| all | hidden(house)) & !in_boxes;
    [in_boxes, in_lines, candidates.naked_singles() & !in_boxes & !in_lines]
}
