//! Sue de Coq: two or three cells where a box and a line cross share their digits between the two houses.

use super::{
    position::Position,
    step::{Candidate, Effect},
};
use crate::sudoku::techniques::geometry::{Cells, DIGITS, FIRST_BOX, HOUSE_CELLS, Mask, bits, cells, one};

/// A crossing with the chosen cells.
struct Crossing<'a> {
    position: &'a Position,
    line: Cells,
    block: Cells,
    chosen: Cells,
    digits: Mask,
    /// The number of digits of the chosen cells minus the number of cells.
    surplus: u32,
}

/// The chosen cells of a crossing have more digits than cells, by at least two: their surplus. Some cells of the line and
/// some cells of the box use up digits of the crossing, without a common one. If they use up as many digits as the surplus
/// has, all these cells together contain all their digits. So the digits of the crossing and of the line's part can be
/// removed from the rest of the line, and those of the crossing and of the box's part from the rest of the box: Sue de Coq.
pub(super) fn sue_de_coq(position: &Position) -> Option<Effect> {
    (0..FIRST_BOX).find_map(|line| {
        (FIRST_BOX..27).find_map(|block| {
            let [line, block] = [line, block].map(|house| HOUSE_CELLS[house] & position.empty());
            let common = line & block;
            if common.count_ones() < 2 { None } else { at_crossing(position, line, block, common) }
        })
    })
}

fn at_crossing(position: &Position, line: Cells, block: Cells, common: Cells) -> Option<Effect> {
    let later = |cell: usize| common & !(one(cell) | (one(cell) - 1));
    let try_cells = |chosen: Cells| {
        let digits = cells(chosen).fold(0, |digits, cell| digits | position.of_cell(cell));
        let surplus = digits.count_ones().saturating_sub(chosen.count_ones());
        let crossing = Crossing { position, line, block, chosen, digits, surplus };
        if surplus >= 2 { crossing.find() } else { None }
    };
    cells(common).find_map(|first| {
        cells(later(first)).find_map(|second| {
            let two = one(first) | one(second);
            try_cells(two).or_else(|| cells(later(second)).find_map(|third| try_cells(two | one(third))))
        })
    })
}

/// Cells of one house outside the crossing, and their digits.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    cells: Cells,
    digits: Mask,
}

impl Part {
    fn with(self, cell: usize, position: &Position) -> Self {
        Self { cells: self.cells | one(cell), digits: self.digits | position.of_cell(cell) }
    }
}

/// The first result for a set of these cells. Each set comes directly before its extensions.
fn each_part<T>(position: &Position, open: Cells, part: Part, test: &mut impl FnMut(Part) -> Option<T>) -> Option<T> {
    cells(open).find_map(|cell| {
        let part = part.with(cell, position);
        test(part).or_else(|| each_part(position, open & !(one(cell) | (one(cell) - 1)), part, test))
    })
}

impl Crossing<'_> {
    fn find(&self) -> Option<Effect> {
        each_part(self.position, self.line & !self.chosen, Part::default(), &mut |line_part| {
            let taken = self.taken(line_part)?;
            if taken == 0 || taken >= self.surplus {
                return None;
            }
            // The two parts may share digits that the crossing lacks, but no digit of the crossing.
            let allowed = DIGITS & !(line_part.digits & self.digits);
            let open = cells(self.block & !self.chosen & !line_part.cells);
            let open = open.filter(|&cell| self.position.of_cell(cell) & !allowed == 0).map(one).sum();
            each_part(self.position, open, Part::default(), &mut |block_part| {
                let fits = self.taken(block_part) == Some(self.surplus - taken);
                if fits { self.clear(line_part, block_part) } else { None }
            })
        })
    }

    /// The number of digits of the crossing that a part uses up, or `None` if it has none of them.
    fn taken(&self, part: Part) -> Option<u32> {
        let further = (part.digits & !self.digits).count_ones();
        (part.digits & self.digits != 0).then(|| part.cells.count_ones().saturating_sub(further))
    }

    fn clear(&self, line_part: Part, block_part: Part) -> Option<Effect> {
        let common = line_part.digits & block_part.digits;
        let of_block = (self.digits | block_part.digits) & !line_part.digits | common;
        let of_line = (self.digits | line_part.digits) & !block_part.digits | common;
        let rest_of_block = self.block & !block_part.cells & !self.chosen;
        let rest_of_line = self.line & !line_part.cells & !self.chosen;
        Effect::remove(self.with(rest_of_block, of_block).chain(self.with(rest_of_line, of_line)))
    }

    fn with(&self, from: Cells, digits: Mask) -> impl Iterator<Item = Candidate> {
        cells(from).flat_map(move |cell| bits(self.position.of_cell(cell) & digits).map(move |digit| (cell, digit)))
    }
}
