//! The rules of binairo except signs, as functions that exclude candidates. [`Line`] is a row or column as bit masks.

use std::sync::LazyLock;

use crate::{
    grid::{
        cells::{Cells, Digits},
        clues::{By, Exclusion, Relation, Sign},
        position::Position,
        rounds::Failure,
    },
    shared::step::Cell,
};

/// No three neighbors of a line are equal.
pub(super) fn threes(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    lines(position).try_for_each(|line| add(&line, line.threes(), By::House(line.house), exclusions))
}

/// Half of a line holds 0, the other half 1.
pub(super) fn counts(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    lines(position).try_for_each(|line| add(&line, line.counts(), By::House(line.house), exclusions))
}

/// Each candidate belongs to a way to fill its line. This ignores the signs.
pub(super) fn completions(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    lines(position).try_for_each(|line| add(&line, excluded(line.fillings([0; 2])), By::House(line.house), exclusions))
}

/// Each candidate belongs to a way to fill its line so that the signs of the line hold.
pub(super) fn signed_completions(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    let excluded = |line: &Line| excluded(line.fillings(line.signs(&position.rules().signs).1));
    lines(position).try_for_each(|line| add(&line, excluded(&line), By::House(line.house), exclusions))
}

/// No two rows are equal, and no two columns.
pub(super) fn unlike(position: &Position<'_>, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    let all: Vec<_> = lines(position).collect();
    all.iter().filter(|line| line.is_full()).try_for_each(|full| {
        all.iter().try_for_each(|line| add(line, line.unlike(full), By::Lines([line.house, full.house]), exclusions))
    })
}

/// Adds what a rule excludes in a line.
fn add(line: &Line, excluded: Option<[u16; 2]>, by: By, exclusions: &mut Vec<Exclusion>) -> Result<(), Failure> {
    let excluded = excluded.ok_or(Failure::Rule(by))?;
    for ((digit, excluded), open) in (1..).zip(excluded).zip(line.open) {
        if excluded & open != 0 {
            exclusions.push(Exclusion { by, digit, cells: line.cells(excluded & open) });
        }
    }
    Ok(())
}

/// The maximum number of cells of a line.
const CELLS_MAX: usize = 14;

/// A row or column. Bit i of a mask stands for its cell i.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// Its index among the houses of the rules.
    pub(super) house: usize,
    /// The number of its cells; even.
    size: Cell,
    /// The cells that hold 0, and those that hold 1.
    pub(super) held: [u16; 2],
    /// The open cells that may hold 0, and those that may hold 1.
    pub(super) open: [u16; 2],
    /// The first cell, and the distance from one to the next.
    first: Cell,
    step: Cell,
}

/// The rows and columns of a position, rows first, in the order of the houses.
pub(super) fn lines(position: &Position<'_>) -> impl Iterator<Item = Line> {
    let size = Cell::from(position.rules().size);
    let rows = (0..size).map(move |line| (line * size, 1));
    let columns = (0..size).map(move |line| (line, size));
    (0..).zip(rows.chain(columns)).map(move |(house, (first, step))| {
        let mut line = Line { house, size, held: [0; 2], open: [0; 2], first, step };
        for place in 0..size {
            let cell = first + place * step;
            let digit = position.digit(cell);
            let digits = if digit == 0 { position.candidates(cell) } else { Digits::only(digit) };
            let masks = if digit == 0 { &mut line.open } else { &mut line.held };
            for (digit, mask) in (1..).zip(masks) {
                *mask |= u16::from(digits.contains(digit)) << place;
            }
        }
        line
    })
}

impl Line {
    /// The cells of a mask.
    pub(super) fn cells(&self, mask: u16) -> Cells {
        let places = (0..self.size).filter(|place| mask & 1 << place != 0);
        places.map(|place| self.first + place * self.step).collect()
    }

    /// The place of a cell, as a mask; 0 if the cell is not in the line.
    pub(super) fn mask(&self, cell: Cell) -> u16 {
        (0..self.size).find(|place| self.first + place * self.step == cell).map_or(0, |place| 1 << place)
    }

    pub(super) fn is_full(&self) -> bool {
        self.held[0] | self.held[1] == self.all()
    }

    fn all(&self) -> u16 {
        (1 << self.size) - 1
    }

    /// The cells that cannot hold 0, and those that cannot hold 1, because three neighbors would be equal. `None` if
    /// three already are.
    pub(super) fn threes(&self) -> Option<[u16; 2]> {
        let excluded = self.held.map(|held| {
            let pairs = held & held >> 1;
            pairs << 2 | pairs >> 1 | (held & held >> 2) << 1
        });
        (!self.held.into_iter().any(has_three)).then_some(excluded)
    }

    /// For each digit: all cells if half of the cells hold the digit, otherwise none. `None` if more than half hold the same digit.
    pub(super) fn counts(&self) -> Option<[u16; 2]> {
        let (counts, half) = (self.held.map(u16::count_ones), u32::from(self.size / 2));
        let excluded = counts.map(|count| if count == half { u16::MAX } else { 0 });
        (counts.into_iter().max() <= Some(half)).then_some(excluded)
    }

    /// The cells that cannot hold 0, and those that cannot hold 1, because the line must differ from `full`, a full parallel line.
    /// `None` if no filling differs from it.
    pub(super) fn unlike(&self, full: &Self) -> Option<[u16; 2]> {
        let is_like = self.step == full.step && self.house != full.house && self.held[0] & full.held[1] == 0;
        if !is_like || self.held[1] & full.held[0] != 0 {
            return Some([0; 2]);
        }
        excluded(self.fillings([0; 2]).filter(|filling| *filling != full.held[1]))
    }

    /// The ways to fill the line: half of the cells hold 1, and no three neighbors are equal. Each is a mask of the
    /// cells that hold 1. A cell of `same` holds the same digit as the next cell, a cell of `different` the other
    /// digit.
    pub(super) fn fillings(&self, [same, different]: [u16; 2]) -> impl Iterator<Item = u16> {
        let not = [0, 1].map(|digit| self.all() & !(self.held[digit] | self.open[digit]));
        let fits = move |ones: &u16| {
            let changes = ones ^ ones >> 1;
            ones & not[1] == 0 && !ones & not[0] == 0 && changes & same == 0 && !changes & different == 0
        };
        FILLINGS[usize::from(self.size)].iter().copied().filter(fits)
    }

    /// The signs between cells of the line: their indices, and the first cells of the signs for equal and for different digits, as masks.
    pub(super) fn signs(&self, signs: &[Sign]) -> (Cells, [u16; 2]) {
        let of_line = (0..).zip(signs).filter(|(_, sign)| sign.cells.iter().all(|cell| self.mask(*cell) != 0));
        of_line.fold((Cells::NONE, [0; 2]), |(mut indices, mut masks), (index, sign)| {
            indices.insert(index);
            masks[usize::from(sign.relation != Relation::Same)] |= self.mask(sign.cells[0]);
            (indices, masks)
        })
    }
}

/// The cells that never hold 0 in these fillings, and those that never hold 1. `None` if there are no fillings.
pub(super) fn excluded(fillings: impl Iterator<Item = u16>) -> Option<[u16; 2]> {
    fillings.map(|ones| [ones, !ones]).reduce(|[ones, zeros], [also, not]| [ones & also, zeros & not])
}

fn has_three(mask: u16) -> bool {
    mask & mask >> 1 & mask >> 2 != 0
}

/// All ways to fill a line, by its number of cells. A line of 14 cells has 518.
static FILLINGS: LazyLock<Vec<Vec<u16>>> = LazyLock::new(|| (0..=CELLS_MAX).map(fillings).collect());

fn fillings(size: usize) -> Vec<u16> {
    let all = (1 << size) - 1;
    let keeps_rules = |ones: &u16| {
        let zeros = !ones & all;
        ones.count_ones() == zeros.count_ones() && !has_three(*ones) && !has_three(zeros)
    };
    (0..=all).filter(keeps_rules).collect()
}
