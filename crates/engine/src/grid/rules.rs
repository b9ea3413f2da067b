//! [`Rules`]: the houses of a board and the cells that exclude each other. The ladder, the generator, and the layer's own solver read
//! them. The second proof does not: `model.rs` writes the rules again.

use super::{
    cells::{Cells, Digits},
    puzzle::Puzzle,
    variant::{Areas, Content, Extra, GridVariant},
};
use crate::shared::step::{Cell, HouseType};

/// The rules of one puzzle, without its digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) size: u8,
    /// All cells.
    pub(crate) all: Cells,
    /// The digits of the kind.
    pub(crate) digits: Digits,
    /// Whether each cell of a solution holds a digit.
    pub(crate) fills: bool,
    /// The houses, at most 64: rows, columns, boxes or regions, then the others.
    pub(crate) houses: Vec<House>,
    /// For each cell, the cells that cannot hold the same digit.
    pub(crate) peers: Vec<Cells>,
    /// For each cell, its houses.
    pub(crate) houses_of: Vec<Houses>,
}

/// A set of houses: bit h stands for the house at index h of [`Rules::houses`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(crate) struct Houses(pub(crate) u64);

impl Houses {
    pub(crate) const NONE: Self = Self(0);

    pub(crate) const fn only(house: usize) -> Self {
        Self(1 << house)
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The indices in increasing order.
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let house = rest.trailing_zeros() as usize;
            (rest != 0).then(|| rest &= rest - 1).map(|()| house)
        })
    }
}

/// Cells that hold each digit exactly once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct House {
    pub(crate) house_type: HouseType,
    /// The number of a region from 0, of any other house from 1, as in a step.
    pub(crate) number: u16,
    pub(crate) cells: Cells,
}

impl House {
    /// Whether houses of this type cover the board without overlap, so that a fish can use them.
    pub(crate) fn covers_board(&self) -> bool {
        matches!(self.house_type, HouseType::Row | HouseType::Column | HouseType::Box | HouseType::Region)
    }

    /// Whether it is a box or a region.
    pub(crate) fn is_area(&self) -> bool {
        matches!(self.house_type, HouseType::Box | HouseType::Region)
    }

    /// Whether it is a row or a column.
    pub(crate) fn is_line(&self) -> bool {
        matches!(self.house_type, HouseType::Row | HouseType::Column)
    }
}

impl Rules {
    /// The rules of a puzzle.
    pub(crate) fn of(puzzle: &Puzzle) -> Self {
        Self::with(puzzle.variant, &puzzle.regions)
    }

    /// The rules of a variant with these regions; none if it has boxes.
    pub(crate) fn with(variant: &GridVariant, regions: &[u8]) -> Self {
        let houses = houses(variant, regions);
        let count = variant.cells();
        let mut peers = vec![Cells::NONE; count];
        let mut houses_of = vec![Houses::NONE; count];
        for (index, house) in houses.iter().enumerate() {
            for cell in house.cells.iter() {
                peers[usize::from(cell)] = peers[usize::from(cell)].or(house.cells);
                houses_of[usize::from(cell)] = houses_of[usize::from(cell)].or(Houses::only(index));
            }
        }
        if variant.content == Content::Stars {
            for (cell, peers) in (0..).zip(&mut peers) {
                *peers = peers.or(touching(variant.size, cell));
            }
        }
        for (cell, peers) in (0..).zip(&mut peers) {
            peers.remove(cell);
        }
        Self {
            size: variant.size,
            all: Cells::first_of_board(count),
            digits: Digits::up_to(variant.digits()),
            fills: variant.content == Content::Digits,
            houses,
            peers,
            houses_of,
        }
    }

    /// The houses that have both cells.
    pub(crate) fn shared(&self, cell: Cell, other: Cell) -> Houses {
        self.houses_of[usize::from(cell)].and(self.houses_of[usize::from(other)])
    }

    /// The cells of some houses.
    pub(crate) fn cells_of(&self, houses: Houses) -> Cells {
        houses.iter().fold(Cells::NONE, |all, house| all.or(self.houses[house].cells))
    }

    /// The cells that cannot hold a digit that any of these cells holds, whichever it is.
    pub(crate) fn seen_by_all(&self, cells: Cells) -> Cells {
        cells.iter().fold(self.all, |seen, cell| seen.and(self.peers[usize::from(cell)]))
    }
}

fn houses(variant: &GridVariant, regions: &[u8]) -> Vec<House> {
    let size = Cell::from(variant.size);
    let of = |house_type, number: u16, is_in: &dyn Fn(Cell, Cell) -> bool| House {
        house_type,
        number,
        cells: (0..size * size).filter(|cell| is_in(cell / size, cell % size)).collect(),
    };
    let mut houses = Vec::new();
    houses.extend((0..size).map(|line| of(HouseType::Row, line + 1, &|row, _| row == line)));
    houses.extend((0..size).map(|line| of(HouseType::Column, line + 1, &|_, column| column == line)));
    match variant.areas {
        Areas::Boxes { rows, columns } => {
            let (rows, columns) = (Cell::from(rows), Cell::from(columns));
            let number = |row: Cell, column: Cell| row / rows * (size / columns) + column / columns;
            houses
                .extend((0..size).map(|area| of(HouseType::Box, area + 1, &|row, column| number(row, column) == area)));
        }
        Areas::Regions => {
            let region = |row, column| Cell::from(regions[usize::from(row * size + column)]);
            houses
                .extend((0..size).map(|area| of(HouseType::Region, area, &|row, column| region(row, column) == area)));
        }
    }
    for extra in variant.extra {
        match extra {
            Extra::Diagonals => {
                houses.push(of(HouseType::Diagonal, 1, &|row, column| row == column));
                houses.push(of(HouseType::Diagonal, 2, &|row, column| row + column == size - 1));
            }
            Extra::Windows => houses.extend((0..4).map(|window| {
                let (top, left) = (1 + window / 2 * 4, 1 + window % 2 * 4);
                let within = |at: Cell, from: Cell| (from..from + 3).contains(&at);
                of(HouseType::Window, window + 1, &|row, column| within(row, top) && within(column, left))
            })),
        }
    }
    houses
}

/// The cells that touch a cell, also at a corner, and the cell.
fn touching(size: u8, cell: Cell) -> Cells {
    let size = Cell::from(size);
    let near = |at: Cell| at.saturating_sub(1)..(at + 2).min(size);
    near(cell / size).flat_map(|row| near(cell % size).map(move |column| row * size + column)).collect()
}
