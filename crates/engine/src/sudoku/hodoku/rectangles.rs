//! Unique Rectangles of types 1–6 and Hidden Rectangles: if four cells in two rows, two columns, and two boxes
//! contained only two digits, the puzzle would have a second solution.

use super::{
    position::Position,
    rectangle_subset::by_subset,
    step::{Candidate, Effect},
};
use crate::sudoku::{
    board::{HOUSES, box_of, column_of, row_of},
    techniques::geometry::{Cells, FIRST_BOX, FIRST_COLUMN, HOMES, HOUSE_CELLS, Mask, SEEN, bits, cells, one},
};

/// The types in HoDoKu's numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Type1,
    Type2,
    Type3,
    Type4,
    Type5,
    Type6,
    Hidden,
}

/// A rectangle with its two digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rectangle<'a> {
    pub(super) position: &'a Position,
    pub(super) digits: [usize; 2],
    /// The cells without other candidates.
    pub(super) bare: Cells,
    /// The cells with other candidates.
    pub(super) extra: Cells,
}

/// If all four cells of a rectangle contained only its two digits, the puzzle would have two solutions. So something
/// that prevents this must be true. Returns the step for the first rectangle of this type: Uniqueness Test 1–6, Hidden
/// Rectangle.
pub(super) fn unique_rectangle(position: &Position, kind: Kind) -> Option<Effect> {
    let mut seen = Seen::default();
    let allowed = position.allowed();
    cells(position.with_two()).find_map(|corner| {
        let mut digits = bits(position.of_cell(corner));
        let digits = [digits.next()?, digits.next()?];
        let allowed = digits.map(|digit| allowed[digit]);
        let both = allowed[0] & allowed[1];
        corners(corner, |adjacent, far, far_adjacent| {
            // HoDoKu requires only that the cell opposite the corner can contain the first digit.
            let fits = both & one(adjacent) != 0 && allowed[0] & one(far) != 0 && both & one(far_adjacent) != 0;
            let rectangle = [corner, adjacent, far, far_adjacent];
            if fits && seen.is_new(rectangle) { Rectangle::of(position, digits, rectangle).find(kind) } else { None }
        })
    })
}

/// The rectangles at a corner: the adjacent cell in the same box, then the two opposite cells in another box, starting
/// with the one that sees the corner.
pub(super) fn corners<T>(corner: usize, mut test: impl FnMut(usize, usize, usize) -> Option<T>) -> Option<T> {
    let own_box = HOUSES[FIRST_BOX + box_of(corner)].map(usize::from);
    let in_line = |cell: usize| row_of(cell) == row_of(corner) || column_of(cell) == column_of(corner);
    own_box.into_iter().filter(|&cell| cell != corner && in_line(cell)).find_map(|adjacent| {
        let kind = usize::from(row_of(adjacent) == row_of(corner));
        let lines = [corner, adjacent].map(|cell| HOUSES[HOMES[cell][kind].0].map(usize::from));
        (0..9)
            .filter(|&at| box_of(lines[0][at]) != box_of(corner))
            .find_map(|at| test(adjacent, lines[0][at], lines[1][at]))
    })
}

/// The rectangles visited in one search. HoDoKu identifies them by a number that two rectangles may share, and skips
/// the second one.
#[derive(Debug, Default)]
pub(super) struct Seen(Vec<usize>);

impl Seen {
    /// Whether the rectangle is new to this search.
    pub(super) fn is_new(&mut self, mut rectangle: [usize; 4]) -> bool {
        rectangle.sort_unstable();
        let number = rectangle.into_iter().fold(0, |number, cell| number * 10 + cell);
        let is_new = !self.0.contains(&number);
        if is_new {
            self.0.push(number);
        }
        is_new
    }
}

impl<'a> Rectangle<'a> {
    fn of(position: &'a Position, digits: [usize; 2], rectangle: [usize; 4]) -> Self {
        let pair: Mask = digits.iter().map(|&digit| 1 << digit).sum();
        let all: Cells = rectangle.into_iter().map(one).sum();
        let bare = rectangle.into_iter().filter(|&cell| position.of_cell(cell) & !pair == 0).map(one).sum();
        Self { position, digits, bare, extra: all & !bare }
    }

    fn find(&self, kind: Kind) -> Option<Effect> {
        let two = self.bare.count_ones() == 2;
        match kind {
            Kind::Type1 if self.bare.count_ones() == 3 => self.last_corner(),
            Kind::Type2 | Kind::Type5 if two || self.bare.is_power_of_two() => self.same_extra(kind),
            Kind::Type3 if two => by_subset(self),
            Kind::Type4 if two => self.locked_pair(),
            Kind::Type6 if two => self.diagonal(),
            Kind::Hidden if two || self.bare.is_power_of_two() => self.hidden(),
            _ => None,
        }
    }

    /// The candidates of these cells other than the two digits.
    pub(super) fn extras(&self, of: Cells) -> Mask {
        let pair: Mask = self.digits.iter().map(|&digit| 1 << digit).sum();
        cells(of).fold(0, |all, cell| all | self.position.of_cell(cell) & !pair)
    }

    fn with(&self, digit: usize, from: Cells) -> impl Iterator<Item = Candidate> + use<> {
        cells(self.position.of_digit(digit) & from).map(move |cell| (cell, digit))
    }

    /// If three cells have only the two digits, the fourth has neither: type 1.
    fn last_corner(&self) -> Option<Effect> {
        Effect::remove(self.digits.iter().flat_map(|&digit| self.with(digit, self.extra)))
    }

    /// If the other cells have one further digit, one of them takes it, so it can go from cells that see them all: type
    /// 2, or type 5 if these are not two cells in one line.
    fn same_extra(&self, kind: Kind) -> Option<Effect> {
        let extras = self.extras(self.extra);
        if !extras.is_power_of_two() {
            return None;
        }
        let in_line = self.extra.count_ones() == 2 && in_line(self.extra);
        let found = if in_line { Kind::Type2 } else { Kind::Type5 };
        let digit = extras.trailing_zeros() as usize;
        let seen = cells(self.extra).fold(Cells::MAX, |seen, cell| seen & SEEN[cell]);
        Effect::remove_digit(digit, if found == kind { self.position.of_digit(digit) & seen } else { 0 })
    }

    /// If the line of the other two cells needs one of the two digits in these cells, they cannot have the other digit:
    /// type 4.
    fn locked_pair(&self) -> Option<Effect> {
        let seen = cells(self.extra).fold(Cells::MAX, |seen, cell| seen & SEEN[cell]);
        let [first, second] = self.digits;
        let is_free = |digit: usize| self.position.of_digit(digit) & seen == 0;
        let removed = if is_free(first) {
            second
        } else if is_free(second) {
            first
        } else {
            return None;
        };
        if in_line(self.extra) { Effect::remove(self.with(removed, self.extra)) } else { None }
    }

    /// If the other two cells are at opposite corners, and the rectangle's lines have no further place for one digit,
    /// that digit cannot be in these cells. Otherwise it would be at the opposite corner too: type 6.
    fn diagonal(&self) -> Option<Effect> {
        let lines = cells(self.extra).flat_map(|cell| [HOMES[cell][0].0, HOMES[cell][1].0]);
        let around = lines.fold(0, |all, line| all | HOUSE_CELLS[line]) & !(self.bare | self.extra);
        let digit = self.digits.into_iter().find(|&digit| self.position.of_digit(digit) & around == 0)?;
        if in_line(self.extra) { None } else { Effect::remove(self.with(digit, self.extra)) }
    }

    /// If the two lines that do not cross a corner without other candidates have no further place for one digit, the
    /// cell where the lines meet cannot have the other digit: Hidden Rectangle.
    fn hidden(&self) -> Option<Effect> {
        if self.bare.count_ones() == 2 && in_line(self.bare) {
            return None;
        }
        cells(self.bare).find_map(|corner| {
            let across = cells(self.extra | self.bare)
                .find(|&cell| row_of(cell) != row_of(corner) && column_of(cell) != column_of(corner))?;
            let around = (HOUSE_CELLS[row_of(across)] | HOUSE_CELLS[FIRST_COLUMN + column_of(across)])
                & !(self.bare | self.extra);
            let [first, second] = self.digits;
            [(first, second), (second, first)].into_iter().find_map(|(needed, removed)| {
                let holds = self.position.of_digit(needed) & around == 0;
                Effect::remove(self.with(removed, if holds { one(across) } else { 0 }))
            })
        })
    }
}

/// Whether two cells share a row or a column.
fn in_line(two: Cells) -> bool {
    (0..FIRST_BOX).any(|line| two & !HOUSE_CELLS[line] == 0)
}
