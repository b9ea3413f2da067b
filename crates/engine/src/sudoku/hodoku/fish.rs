//! Finds basic fish of two to four lines (X-Wing, Swordfish, Jellyfish): plain, finned, and sashimi.

use super::{
    position::Position,
    search::{Fish, Search},
    simple::first_combination,
    step::Effect,
};
use crate::sudoku::techniques::geometry::{Cells, Mask, SEEN, bits, cells, gathered};

/// The search ignores fish with more fins than this.
const FINS_MAX: u32 = 5;

/// The lines of one digit: for each row, the columns in which it has a place, or vice versa.
struct Lines {
    digit: usize,
    by_row: bool,
    places: [Mask; 9],
}

impl Lines {
    fn of(position: &Position, digit: usize, by_row: bool) -> Self {
        let mut places = [0; 9];
        for cell in cells(position.of_digit(digit)) {
            let (line, across) = if by_row { (cell / 9, cell % 9) } else { (cell % 9, cell / 9) };
            places[line] |= 1 << across;
        }
        Self { digit, by_row, places }
    }

    fn cell(&self, line: usize, across: usize) -> usize {
        if self.by_row { line * 9 + across } else { across * 9 + line }
    }

    fn cells(&self, lines: Mask, across: Mask) -> Cells {
        let of_line = |line: usize| bits(self.places[line] & across).map(move |across| 1 << self.cell(line, across));
        bits(lines).flat_map(of_line).sum()
    }
}

/// The first fish of a kind in the rows of a digit, then in its columns.
fn each_way(search: &Search<'_>, kind: Fish, find: impl Fn(&Lines) -> Option<Effect>) -> Option<Effect> {
    search.fish(kind, |position, digit| {
        [true, false].into_iter().find_map(|by_row| find(&Lines::of(position, digit, by_row)))
    })
}

/// If a digit has places in some parallel lines only where they cross an equal number of other lines, it can be removed
/// from the rest of the crossing lines, because each of the parallel lines needs one of the crossings: X-Wing,
/// Swordfish, Jellyfish.
pub(super) fn plain(search: &Search<'_>, kind: Fish, size: usize) -> Option<Effect> {
    each_way(search, kind, |lines| {
        let fits = |&line: &usize| (1..=size).contains(&(lines.places[line].count_ones() as usize));
        let (fitting, len) = gathered::<_, 9>((0..9).filter(fits));
        first_combination(len, size, |chosen| {
            let base: Mask = chosen.iter().map(|&at| 1 << fitting[at]).sum();
            let cover = chosen.iter().fold(0, |cover, &at| cover | lines.places[fitting[at]]);
            let is_fish = cover.count_ones() as usize == size;
            Effect::remove_digit(lines.digit, if is_fish { lines.cells(0x1ff & !base, cover) } else { 0 })
        })
    })
}

/// If a fish is complete except for some other places of its lines, the fins, then either the fish or a fin is true. So
/// the digit can be removed from places that the fish removes and all fins see: Finned X-Wing, Swordfish, Jellyfish. If
/// one of its lines has at most one place other than the fins: Sashimi.
pub(super) fn finned(search: &Search<'_>, kind: Fish, size: usize, sashimi: bool) -> Option<Effect> {
    each_way(search, kind, |lines| {
        let (filled, len) = gathered::<_, 9>((0..9).filter(|&line| lines.places[line] != 0));
        let across = lines.places.iter().fold(0, |all, places| all | places);
        first_combination(len, size, |chosen| {
            let base: Mask = chosen.iter().map(|&at| 1 << filled[at]).sum();
            if may_have_fins(lines, base, size) { with_fins(lines, base, across, sashimi) } else { None }
        })
    })
}

/// All fins see only places in the fins' box. So the lines of the base in one band, without the places in one box, must
/// fit into the fish, and all other lines must fit completely.
fn may_have_fins(lines: &Lines, base: Mask, size: usize) -> bool {
    (0..3).filter(|band| base & 7 << (band * 3) != 0).any(|band| {
        let outside = bits(base & !(7 << (band * 3))).fold(0, |all, line| all | lines.places[line]);
        let inside = bits(base & 7 << (band * 3)).fold(0, |all, line| all | lines.places[line]);
        (0..3).any(|stack| (outside | inside & !(7 << (stack * 3))).count_ones() as usize <= size)
    })
}

fn with_fins(lines: &Lines, base: Mask, across: Mask, sashimi: bool) -> Option<Effect> {
    let size = base.count_ones() as usize;
    let touched = bits(base).fold(0, |all, line| all | lines.places[line]);
    let (choices, len) = gathered::<_, 9>(bits(touched & across));
    first_combination(len, size, |chosen| {
        let cover: Mask = chosen.iter().map(|&at| 1 << choices[at]).sum();
        let fins = lines.cells(base, !cover);
        if fins == 0 || fins.count_ones() > FINS_MAX {
            return None;
        }
        let seen = cells(fins).fold(Cells::MAX, |seen, fin| seen & SEEN[fin]);
        let removed = if seen == 0 { 0 } else { lines.cells(0x1ff & !base, cover) & seen };
        let is_sashimi = bits(base).any(|line| (lines.places[line] & cover).count_ones() <= 1);
        Effect::remove_digit(lines.digit, if is_sashimi == sashimi { removed } else { 0 })
    })
}
