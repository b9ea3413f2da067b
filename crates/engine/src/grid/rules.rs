//! [`Rules`]: the houses and clues of a board, and the cells that exclude each other. The ladder, the generator, and the layer's own solver
//! read them. The second proof does not: `model.rs` states the rules independently.

use super::{
    cells::{Cells, Digits, Houses},
    clues::{Cage, Clues, Operator, SeenLine, Sign, Sum, seen_lines, sums},
    puzzle::Puzzle,
    variant::{Areas, Content, Extra, GridVariant},
};
use crate::shared::step::{self, Cell, HouseType, Side};

/// The rules of one puzzle, without its digits.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub(crate) variant: &'static GridVariant,
    pub(crate) size: u8,
    pub(crate) all: Cells,
    /// The digits of the kind.
    pub(crate) digits: Digits,
    /// Whether each cell of a solution holds a digit.
    pub(crate) fills: bool,
    /// The houses, at most 128. First the rows and columns, if they are houses; then the boxes or regions; then other houses; then the
    /// cages; and last the sightlines.
    pub(crate) houses: Vec<House>,
    pub(crate) signs: Vec<Sign>,
    /// The sums of the cages, in the order of the cages, and then the derived sums.
    pub(crate) sums: Vec<Sum>,
    /// The rows and columns with clues beside the grid.
    pub(crate) seen_lines: Vec<SeenLine>,
    /// For each cell, the cells that cannot hold the same digit.
    pub(crate) peers: Vec<Cells>,
    /// For each cell, the houses that contain it. Houses that may hold any digits are left out.
    pub(crate) houses_of: Vec<Houses>,
}

/// Cells with a common rule.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "the field has the name that it has in a step")]
pub(crate) struct House {
    pub(crate) house_type: HouseType,
    /// The number as in a step. Rows, columns, boxes, diagonals, and windows are numbered from 1, and regions from 0. The number of a cage
    /// or a sightline is its index in the `regions` of the API.
    pub(crate) number: u16,
    pub(crate) cells: Cells,
    pub(crate) holds: Holds,
    /// Whether a step lists its cells, because people do not count houses of this type.
    pub(crate) is_listed: bool,
    /// The side from which a sightline is seen.
    pub(crate) seen_from: Option<Side>,
    /// The number of a cage, or the number of visible digits of a sightline.
    pub(crate) number_of_clue: Option<u32>,
    /// How the digits of a cage make its number; `None` if they add up to it.
    pub(crate) operator: Option<Operator>,
}

/// What the cells of a house hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Each of these digits exactly once.
    Each(Digits),
    /// This many stars, at least two.
    Stars(u8),
    /// No digit twice.
    NoDigitTwice,
    /// Each of two digits in half of the cells.
    HalfOfEach,
    /// Any digits: a sightline, or a cage in which digits may repeat. Only its number restricts them.
    AnyDigits,
}

impl Holds {
    /// Whether a digit in one cell of the house excludes it from the others.
    const fn excludes(self) -> bool {
        !matches!(self, Self::Stars(_) | Self::HalfOfEach)
    }
}

impl House {
    /// Its name in sentences about a board with this many columns.
    pub(crate) fn name(&self, columns: u8) -> String {
        self.shown().name(columns.into())
    }

    /// The house as a step states it.
    pub(crate) fn shown(&self) -> step::House {
        let mut cells = if self.is_listed { self.cells.list() } else { Vec::new() };
        if self.seen_from.is_some_and(Side::is_reversed) {
            cells.reverse();
        }
        step::House {
            house_type: self.house_type,
            number: self.number,
            cells,
            sum: self.number_of_clue,
            operator: self.operator.map(Operator::sign),
        }
    }

    /// Whether houses of this type cover the board without overlap, so that a fish can use them.
    pub(crate) fn covers_board(&self) -> bool {
        matches!(self.house_type, HouseType::Row | HouseType::Column | HouseType::Box | HouseType::Region)
    }

    pub(crate) fn is_area(&self) -> bool {
        matches!(self.house_type, HouseType::Box | HouseType::Region)
    }

    pub(crate) fn is_line(&self) -> bool {
        matches!(self.house_type, HouseType::Row | HouseType::Column)
    }
}

impl Rules {
    pub(crate) fn of(puzzle: &Puzzle) -> Self {
        Self::of_clues(puzzle.variant, &puzzle.regions, &puzzle.clues)
    }

    /// The rules of a variant with these regions. `regions` is empty if the variant has boxes.
    pub(crate) fn with(variant: &'static GridVariant, regions: &[u8]) -> Self {
        Self::of_clues(variant, regions, &Clues::default())
    }

    fn of_clues(variant: &'static GridVariant, regions: &[u8], clues: &Clues) -> Self {
        let mut houses = houses(variant, regions, &clues.cages);
        add_sightlines(&mut houses, clues, variant.size);
        let all = Cells::first_of_board(variant.cells());
        let mut houses_of = vec![Houses::NONE; variant.cells()];
        for (index, house) in houses.iter().enumerate().filter(|(_, house)| house.holds != Holds::AnyDigits) {
            for cell in house.cells.iter() {
                let of_cell = &mut houses_of[usize::from(cell)];
                *of_cell = of_cell.or(Houses::only(index));
            }
        }
        let peers = all.iter().map(|cell| {
            let near = if variant.apart { touching(variant.size, cell) } else { Cells::NONE };
            let of_cell = houses_of[usize::from(cell)].iter().map(|index| &houses[index]);
            let excluding = of_cell.filter(|house| house.holds.excludes());
            excluding.fold(near, |seen, house| seen.or(house.cells)).without(Cells::only(cell))
        });
        let peers = peers.collect();
        Self {
            variant,
            size: variant.size,
            all,
            digits: Digits::up_to(variant.digits()),
            fills: variant.stars() == 0,
            sums: sums(&houses, variant.size),
            seen_lines: seen_lines(&houses, Vec::new()),
            houses,
            signs: clues.signs.clone(),
            peers,
            houses_of,
        }
    }

    /// Replaces the clues that thinning takes away.
    pub(crate) fn set_loose(&mut self, clues: &Clues) {
        self.signs.clone_from(&clues.signs);
        self.houses.retain(|house| house.house_type != HouseType::Sightline);
        add_sightlines(&mut self.houses, clues, self.size);
        self.seen_lines = seen_lines(&self.houses, std::mem::take(&mut self.seen_lines));
    }

    pub(crate) fn shared(&self, cell: Cell, other: Cell) -> Houses {
        self.houses_of[usize::from(cell)].and(self.houses_of[usize::from(other)])
    }

    /// The first house in which a digit in one of two cells excludes it from the other.
    pub(crate) fn excluding(&self, cell: Cell, other: Cell) -> Option<usize> {
        self.shared(cell, other).iter().find(|house| self.houses[*house].holds.excludes())
    }

    /// The cells that cannot hold the digit of `cell` if the cells in `held`, one of which is `cell`, hold it: the peers of `cell`, and the
    /// other cells of each house of `cell` that has all its stars.
    pub(crate) fn excluded(&self, cell: Cell, held: Cells) -> Cells {
        let of_cell = self.houses_of[usize::from(cell)].iter().map(|index| &self.houses[index]);
        let has_all =
            |house: &&House| matches!(house.holds, Holds::Stars(count) if house.cells.and(held).len() >= count.into());
        of_cell.filter(has_all).fold(self.peers[usize::from(cell)], |seen, house| seen.or(house.cells))
    }

    /// Whether `stars` of these cells can hold stars at the same time.
    pub(crate) fn has_room(&self, cells: Cells, stars: usize) -> bool {
        if stars < 2 || cells.len() < stars {
            return cells.len() >= stars;
        }
        let mut later = cells;
        cells.iter().any(|star| {
            later.remove(star);
            self.has_room(later.without(self.peers[usize::from(star)]), stars - 1)
        })
    }

    /// The cells of some houses.
    pub(crate) fn cells_of(&self, houses: Houses) -> Cells {
        houses.iter().fold(Cells::NONE, |all, house| all.or(self.houses[house].cells))
    }

    /// The cells that see all of `cells`. If a digit has to go into one of `cells`, no cell that sees them all can hold it.
    pub(crate) fn seen_by_all(&self, cells: Cells) -> Cells {
        cells.iter().fold(self.all, |seen, cell| seen.and(self.peers[usize::from(cell)]))
    }
}

fn houses(variant: &GridVariant, regions: &[u8], cages: &[Cage]) -> Vec<House> {
    let holds = |cells: Cells| match variant.content {
        Content::Halves { .. } => Holds::HalfOfEach,
        Content::Digits(last) => Holds::Each(Digits::up_to(cells.len().try_into().map_or(last, |len| last.min(len)))),
        Content::Stars(1) => Holds::Each(Digits::only(1)),
        Content::Stars(count) => Holds::Stars(count),
    };
    let size = Cell::from(variant.size);
    let mut houses = Vec::new();
    let mut add = |house_type, number, is_in: &dyn Fn(Cell, Cell) -> bool| {
        let cells = (0..size * size).filter(|cell| is_in(cell / size, cell % size)).collect();
        let is_listed = house_type == HouseType::Region && variant.areas == Areas::SmallRegions;
        let holds = holds(cells);
        let (seen_from, number_of_clue, operator) = (None, None, None);
        houses.push(House { house_type, number, cells, holds, is_listed, seen_from, number_of_clue, operator });
    };
    let lines = if variant.lines { size } else { 0 };
    (0..lines).for_each(|line| add(HouseType::Row, line + 1, &|row, _| row == line));
    (0..lines).for_each(|line| add(HouseType::Column, line + 1, &|_, column| column == line));
    let (area_type, first) =
        if matches!(variant.areas, Areas::Boxes { .. }) { (HouseType::Box, 1) } else { (HouseType::Region, 0) };
    let count = variant.areas_count(regions);
    let areas = variant.areas_of(regions);
    let area = |row: Cell, column: Cell| Cell::from(areas[usize::from(row * size + column)]);
    (0..count).for_each(|number| add(area_type, first + number, &|row, column| area(row, column) == number));
    for extra in variant.extra {
        match extra {
            Extra::Diagonals => {
                add(HouseType::Diagonal, 1, &|row, column| row == column);
                add(HouseType::Diagonal, 2, &|row, column| row + column == size - 1);
            }
            Extra::Windows => (0..4).for_each(|window| {
                let (top, left) = (1 + window / 2 * 4, 1 + window % 2 * 4);
                let within = |at: Cell, from: Cell| (from..from + 3).contains(&at);
                add(HouseType::Window, window + 1, &|row, column| within(row, top) && within(column, left));
            }),
        }
    }
    let cage = |(number, cage): (u16, &Cage)| {
        let holds = if variant.clues.has_repeats() { Holds::AnyDigits } else { Holds::NoDigitTwice };
        House {
            house_type: HouseType::Cage,
            number,
            cells: cage.cells,
            holds,
            is_listed: true,
            seen_from: None,
            number_of_clue: Some(cage.number),
            operator: cage.operator,
        }
    };
    houses.extend((count..).zip(cages).map(cage));
    houses
}

/// Adds the sightlines of a puzzle. In the regions of the API, they follow the areas and the other clues.
fn add_sightlines(houses: &mut Vec<House>, clues: &Clues, size: u8) {
    let before = houses.iter().filter(|house| house.is_area() || house.house_type == HouseType::Cage);
    let first = u16::try_from(before.count() + clues.signs.len()).expect("a board has at most 512 signs");
    houses.extend((first..).zip(&clues.sightlines).map(|(number, sightline)| sightline.house(number, size)));
}

/// The cell and the cells that touch it, also at a corner.
pub(crate) fn touching(size: u8, cell: Cell) -> Cells {
    let size = Cell::from(size);
    let near = |at: Cell| at.saturating_sub(1)..(at + 2).min(size);
    near(cell / size).flat_map(|row| near(cell % size).map(move |column| row * size + column)).collect()
}
