//! Techniques that assume one solution. If four cells in two rows, two columns, and two boxes contained only two digits,
//! exchanging the digits would give a second solution: Unique, Hidden, and Avoidable Rectangles. If all open cells had two
//! candidates, there would be two solutions or none: Bivalue Universal Grave + 1.

use super::{
    position::Position,
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
struct Rectangle<'a> {
    position: &'a Position,
    digits: [usize; 2],
    /// The two digits as a set.
    pair: Mask,
    /// The cells without other candidates.
    bare: Cells,
    /// The cells with other candidates.
    extra: Cells,
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
fn corners<T>(corner: usize, mut test: impl FnMut(usize, usize, usize) -> Option<T>) -> Option<T> {
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
struct Seen(Vec<usize>);

impl Seen {
    /// Whether the rectangle is new to this search.
    fn is_new(&mut self, mut rectangle: [usize; 4]) -> bool {
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
        Self { position, digits, pair, bare, extra: all & !bare }
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
    fn extras(&self, of: Cells) -> Mask {
        cells(of).fold(0, |all, cell| all | self.position.of_cell(cell) & !self.pair)
    }

    fn with(&self, digit: usize, from: Cells) -> impl Iterator<Item = Candidate> + use<> {
        cells(self.position.of_digit(digit) & from).map(move |cell| (cell, digit))
    }

    /// If three cells have only the two digits, the fourth has neither: type 1.
    fn last_corner(&self) -> Option<Effect> {
        Effect::remove(self.digits.iter().flat_map(|&digit| self.with(digit, self.extra)))
    }

    /// If the other cells have one further digit, one of them takes it, so it can be removed from cells that see them
    /// all: type 2, or type 5 if these are not two cells in one line.
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
        let removed = match [first, second].map(is_free) {
            [true, _] => second,
            [_, true] => first,
            _ => return None,
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

/// If the two cells with further candidates share a house, one of them takes such a candidate. So together with other
/// cells of the house they may form a naked subset, whose digits can be removed from the rest of the house: type 3. If
/// the subset also lies in one box, its digits can be removed from that box too.
fn by_subset(rectangle: &Rectangle<'_>) -> Option<Effect> {
    let first = cells(rectangle.extra).next()?;
    let shared = HOMES[first].map(|(house, _)| house);
    shared.into_iter().filter(|&house| rectangle.extra & !HOUSE_CELLS[house] == 0).find_map(|house| {
        let position = rectangle.position;
        let open = HOUSE_CELLS[house] & position.empty() & !rectangle.bare & !rectangle.extra;
        let without_pair = cells(open).filter(|&cell| position.of_cell(cell) & rectangle.pair == 0).map(one).sum();
        extend(rectangle, house, without_pair, rectangle.extras(rectangle.extra), rectangle.extra)
    })
}

/// Tries each further cell in turn. The depth is at most the number of cells in the house.
fn extend(rectangle: &Rectangle<'_>, house: usize, open: Cells, digits: Mask, subset: Cells) -> Option<Effect> {
    cells(open).find_map(|cell| {
        let digits = digits | rectangle.position.of_cell(cell);
        let subset = subset | one(cell);
        let later = open & !(one(cell) | (one(cell) - 1));
        // If a subset of a box lies in one line, the search of that line finds it.
        let is_line = house >= FIRST_BOX && (0..FIRST_BOX).any(|line| subset & !HOUSE_CELLS[line] == 0);
        let is_subset = digits.count_ones() + 1 == subset.count_ones() && !is_line;
        let found = if is_subset { clear(rectangle, house, digits, subset) } else { None };
        found.or_else(|| extend(rectangle, house, later, digits, subset))
    })
}

fn clear(rectangle: &Rectangle<'_>, house: usize, digits: Mask, subset: Cells) -> Option<Effect> {
    let outside = |house: usize| -> Vec<Candidate> {
        let others = HOUSES[house].into_iter().map(usize::from).filter(|&cell| subset & one(cell) == 0);
        let of_cell = |cell| bits(rectangle.position.of_cell(cell) & digits).map(move |digit| (cell, digit));
        others.flat_map(of_cell).collect()
    };
    let removed = outside(house);
    if removed.is_empty() {
        return None;
    }
    let in_box = (FIRST_BOX..27).find(|&block| block != house && subset & !HOUSE_CELLS[block] == 0);
    Effect::remove(removed.into_iter().chain(in_box.into_iter().flat_map(outside)))
}

/// If three solved cells of a rectangle contain two digits crosswise, the fourth cannot complete them: type 1.
pub(super) fn avoidable_1(position: &Position) -> Option<Effect> {
    rectangle(position, true)
}

/// If two cells of a rectangle are solved, and each of the other two could complete them or contain one further digit,
/// one of them contains that digit. It can be removed from cells that see both: type 2.
pub(super) fn avoidable_2(position: &Position) -> Option<Effect> {
    rectangle(position, false)
}

fn rectangle(position: &Position, one_open: bool) -> Option<Effect> {
    let found = position.found();
    let mut seen = Seen::default();
    cells(found).find_map(|corner| {
        let first = position.value(corner);
        corners(corner, |adjacent, far, far_adjacent| {
            let second = position.value(adjacent);
            let is_found = |cell: usize, digit: usize| found & one(cell) != 0 && position.value(cell) == digit;
            let is_open =
                |cell: usize, digit: usize| position.has(cell, digit) && position.of_cell(cell).count_ones() == 2;
            let holds = |cell, digit| is_found(cell, digit) || is_open(cell, digit);
            let fits = found & one(adjacent) != 0 && holds(far, second) && holds(far_adjacent, first);
            let both_found = is_found(far, second) && is_found(far_adjacent, first);
            if !fits || both_found || !seen.is_new([corner, adjacent, far, far_adjacent]) {
                return None;
            }
            match (is_found(far, second), is_found(far_adjacent, first)) {
                (true, false) if one_open => Some(Effect::Remove(vec![(far_adjacent, first)])),
                (false, true) if one_open => Some(Effect::Remove(vec![(far, second)])),
                (false, false) if !one_open => {
                    let further = bits(position.of_cell(far)).find(|&digit| digit != second)?;
                    let seen = position.of_digit(further) & SEEN[far] & SEEN[far_adjacent];
                    Effect::remove_digit(further, if position.has(far_adjacent, further) { seen } else { 0 })
                }
                _ => None,
            }
        })
    })
}

/// If all cells have two candidates except one with three, and every digit has two places in every house except one
/// digit with three in each house of that cell, then the cell takes that digit, because without it the puzzle would
/// have two solutions or none: Bivalue Universal Grave + 1. The other two candidates can be removed.
pub(super) fn grave(position: &Position) -> Option<Effect> {
    let mut larger = cells(position.empty() & !position.with_two());
    let (cell, None) = (larger.next()?, larger.next()) else { return None };
    if position.of_cell(cell).count_ones() != 3 {
        return None;
    }
    let mut with_three = [None; 3];
    let mut extra = None;
    for house in 0..27 {
        for digit in 1..10 {
            match position.free(house, digit) {
                0..=2 => (),
                3 if with_three[house / 9].is_none() && extra.is_none_or(|extra| extra == digit) => {
                    (with_three[house / 9], extra) = (Some(house), Some(digit));
                }
                _ => return None,
            }
        }
    }
    let extra = extra.filter(|&extra| position.has(cell, extra))?;
    let is_there = HOMES[cell].iter().zip(with_three).all(|(&(house, _), found)| found == Some(house));
    let others = bits(position.of_cell(cell)).filter(|&digit| digit != extra).map(|digit| (cell, digit));
    if is_there { Effect::remove(others) } else { None }
}
