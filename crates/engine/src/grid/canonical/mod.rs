//! The canonical form of a puzzle: the text of one of its isomorphs, the same for all of them. It begins with the variant and a colon,
//! so two variants share no form. The definitions of this folder never change, because the stock compares the forms.

mod colors;
mod lines;

use super::{
    puzzle::{Puzzle, in_order},
    text,
    variant::Group,
    views::Turn,
};
use crate::shared::text::TextError;

/// The maximum number of lines of a board in one direction.
const LINES_MAX: usize = 16;

/// The canonical form. Takes microseconds for a puzzle with one solution.
///
/// # Errors
/// [`TextError::Malformed`] if the text is too symmetric: nearly empty, nearly full, or regular.
pub(crate) fn canonical(puzzle: &Puzzle) -> Result<String, TextError> {
    let variant = puzzle.variant;
    let mut least = Least { puzzle, numbers: Vec::new() };
    match variant.group {
        Group::Renaming => least.offer(|cell| cell),
        Group::Boxes => colors::orders(puzzle, &mut |order| least.offer(|cell| order.source(variant.size, cell)))?,
        Group::BoxesKeepingExtras => {
            for order in &*lines::maps(variant) {
                least.offer(|cell| order.source(variant.size, cell));
            }
        }
        Group::TurnsKeepingDigits | Group::Complement => {
            let turns = Turn::all().filter(|turn| turn.is_of(variant));
            let images = turns.map(|turn| puzzle.moved(|cell| turn.source(variant.size, cell)));
            let complement = |image: &Puzzle| (variant.group == Group::Complement).then(|| image.complemented());
            let texts = images.flat_map(|image| complement(&image).into_iter().chain([image]));
            return Ok(texts.map(|image| text::write(&image)).min().unwrap_or_default());
        }
        Group::Turns => Turn::all().for_each(|turn| least.offer(|cell| turn.source(variant.size, cell))),
    }
    let (digits, regions) = least.numbers.split_at(variant.cells());
    let regions = regions.iter().map(|region| region - 1).collect();
    Ok(text::write(&Puzzle::new(variant, digits.to_vec(), regions)))
}

/// The least image of a puzzle so far. Digits and regions are numbered in order of appearance.
struct Least<'p> {
    puzzle: &'p Puzzle,
    /// The digits, then the regions from 1; empty at first.
    numbers: Vec<u8>,
}

impl Least<'_> {
    /// Compares the image in which the cell `source(cell)` moves to `cell`. A greater image is dropped after a few
    /// cells.
    fn offer(&mut self, source: impl Fn(usize) -> usize) {
        let Puzzle { digits, regions, .. } = self.puzzle;
        let image = || {
            let digits = in_order((0..digits.len()).map(|cell| digits[source(cell)]));
            digits.chain(in_order((0..regions.len()).map(|cell| regions[source(cell)] + 1)))
        };
        if self.numbers.is_empty() || image().lt(self.numbers.iter().copied()) {
            self.numbers = image().collect();
        }
    }
}

/// A new order of the rows and of the columns. Both may be exchanged first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Order {
    /// Whether rows and columns are exchanged first.
    transposed: bool,
    /// For each new row, and then for each new column, the old one that moves there.
    lines: [[u8; LINES_MAX]; 2],
}

impl Order {
    /// The cell that moves to `cell`.
    fn source(&self, size: u8, cell: usize) -> usize {
        let size = usize::from(size);
        let [row, column] = [self.lines[0][cell / size], self.lines[1][cell % size]].map(usize::from);
        if self.transposed { column * size + row } else { row * size + column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{
        samples::{KIND, named},
        variant::GridVariant,
    };

    /// The forms of puzzles of real kinds are frozen, too: `tests/golden/grid_canonical.txt`.
    #[test]
    fn the_form_of_a_puzzle_never_changes() {
        let puzzle =
            text::parse(&KIND, "", "5x5: 1.......2....3........... regions=aaabbaabbbccdddcccddeeeee").unwrap();
        assert_eq!(
            canonical(&puzzle).as_deref(),
            Ok("5x5: .............1....2.3.... regions=aaaaabbbccbbcccddeeedddee")
        );
    }

    #[test]
    fn group_that_keeps_digits_joins_turned_and_not_renamed_puzzles() {
        let group = Group::TurnsKeepingDigits;
        let variant = &*Box::leak(Box::new(GridVariant { group, ..*named("5x5") }));
        let regions = (0..25).map(|cell| cell / 5).collect();
        let digits = (0..25).map(|cell| [1, 0, 2, 0, 0][cell % 5]).collect();
        let puzzle = Puzzle::new(variant, digits, regions);
        let renamed = puzzle.with(puzzle.digits.iter().map(|digit| [0, 2, 1][usize::from(*digit)]).collect());
        assert_eq!(canonical(&puzzle.moved(|cell| 24 - cell)), canonical(&puzzle));
        assert_ne!(canonical(&renamed), canonical(&puzzle));
    }
}
