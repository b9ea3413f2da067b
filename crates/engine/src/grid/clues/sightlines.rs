//! Clues beside the grid. A [`Sightline`] is a row or column as seen from its clue: the clue says how many digits are visible, because they
//! are larger than all digits before them.

use super::Loose;
use crate::{
    grid::{
        rules::{Holds, House},
        variant::GridVariant,
    },
    shared::{
        step::{Cell, HouseType, Side},
        text::{Region, RegionType},
    },
};

/// A row or column as seen from a clue beside the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sightline {
    /// Where the clue stands.
    pub(crate) side: Side,
    /// The number of the row or column, from 0.
    pub(crate) line: u8,
    /// The number of visible digits.
    pub(crate) visible: u8,
}

impl Sightline {
    /// Its cells, from the one next to the clue.
    pub(crate) fn cells(self, size: u8) -> Vec<Cell> {
        let (size, line) = (Cell::from(size), Cell::from(self.line));
        let cell = |at: Cell| match self.side {
            Side::North => at * size + line,
            Side::East => line * size + size - 1 - at,
            Side::South => (size - 1 - at) * size + line,
            Side::West => line * size + at,
        };
        (0..size).map(cell).collect()
    }

    /// The sightline after a move of the cells. `to` is the place of a cell after it.
    pub(super) fn moved(self, size: u8, to: impl Fn(Cell) -> Cell) -> Self {
        let moved: Vec<Cell> = self.cells(size).into_iter().map(to).collect();
        let side = Side::of([moved[0], moved[1]]);
        let line = if matches!(side, Side::North | Side::South) {
            moved[0] % Cell::from(size)
        } else {
            moved[0] / Cell::from(size)
        };
        Self { side, line: u8::try_from(line).expect("a board has at most 16 lines"), ..self }
    }

    /// The sightline as a house, with its index among the regions and clues.
    pub(crate) fn house(self, number: u16, size: u8) -> House {
        House {
            house_type: HouseType::Sightline,
            number,
            cells: self.cells(size).into_iter().collect(),
            holds: Holds::AnyDigits,
            is_listed: true,
            seen_from: Some(self.side),
            number_of_clue: Some(self.visible.into()),
            operator: None,
        }
    }

    pub(super) fn region(self, size: u8) -> Region {
        let (region_type, cells) = (RegionType::Sightline, self.cells(size));
        Region { region_type, cells, sum: Some(self.visible.into()), operator: None }
    }
}

/// All clues that may stand beside a solution.
pub(super) fn of_solution(variant: &GridVariant, solution: &[u8]) -> Vec<Loose> {
    let all = Side::ALL.into_iter().flat_map(|side| (0..variant.size).map(move |line| (side, line)));
    let clue = |(side, line)| {
        let empty = Sightline { side, line, visible: 0 };
        let digits: Vec<u8> = empty.cells(variant.size).into_iter().map(|cell| solution[usize::from(cell)]).collect();
        let is_visible = |at: &u8| digits[..usize::from(*at)].iter().all(|before| *before < digits[usize::from(*at)]);
        let visible = (0..variant.size).filter(is_visible).fold(0, |count, _| count + 1);
        Loose::Sightline(Sightline { visible, ..empty })
    };
    all.map(clue).collect()
}

/// A row or column with at least one clue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SeenLine {
    /// From left to right, or from top to bottom.
    cells: Vec<Cell>,
    /// For each end, its clue: the index of its house in the rules, and the number of visible digits.
    ends: [Option<(usize, u8)>; 2],
}

/// The rows and columns with clues, in the order in which the houses first have them.
pub(crate) fn seen_lines(houses: &[House]) -> Vec<SeenLine> {
    let mut lines: Vec<SeenLine> = Vec::new();
    for (index, house) in houses.iter().enumerate() {
        let Some(side) = house.seen_from else { continue };
        let visible = house.number_of_clue.and_then(|number| u8::try_from(number).ok()).unwrap_or_default();
        let cells = house.cells.list();
        let at = lines.iter().position(|line| line.cells == cells).unwrap_or_else(|| {
            lines.push(SeenLine { cells, ends: [None; 2] });
            lines.len() - 1
        });
        lines[at].ends[usize::from(side.is_reversed())] = Some((index, visible));
    }
    lines
}
