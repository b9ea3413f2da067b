//! Views: the same puzzle turned or mirrored, with other digits or with the complement of each digit.

use super::{
    puzzle::Puzzle,
    variant::{GridVariant, Group},
};
use crate::shared::{rng::Rng, symmetry::Symmetry};

/// A random view of a puzzle, with its solution. The pattern of givens keeps its symmetry. The canonical form stays the same.
pub(crate) fn scramble(puzzle: &Puzzle, solution: &[u8], symmetry: Symmetry, rng: &mut Rng) -> (Puzzle, Vec<u8>) {
    let variant = puzzle.variant;
    let turns: Vec<_> = Turn::all().filter(|turn| turn.is_of(variant) && turn.keeps(symmetry)).collect();
    let turn = turns[rng.index(turns.len())];
    let mut names: Vec<u8> = (0..=variant.digits()).collect();
    if !matches!(variant.group, Group::Complement | Group::TurnsKeepingDigits) {
        rng.shuffle(&mut names[1..]);
    }
    let is_complemented = variant.group == Group::Complement && rng.index(2) == 1;
    let view = |digits: &[u8]| {
        let renamed = digits.iter().map(|digit| names[usize::from(*digit)]).collect();
        let view = puzzle.with(renamed).moved(|cell| turn.source(variant.size, cell));
        if is_complemented { view.complemented() } else { view }
    };
    (view(&puzzle.digits), view(solution).digits)
}

/// A turn or mirror, from 0 to 7. Bit 0 exchanges left and right, bit 1 top and bottom, bit 2 then rows and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn(u8);

impl Turn {
    /// All eight, the one that moves no cell first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self)
    }

    /// The cell that moves to `cell`.
    pub(super) fn source(self, size: u8, cell: usize) -> usize {
        let size = usize::from(size);
        let (row, column) = (cell / size, cell % size);
        let (row, column) = if self.exchanges_lines() { (column, row) } else { (row, column) };
        let row = if self.0 & 2 == 0 { row } else { size - 1 - row };
        let column = if self.0 & 1 == 0 { column } else { size - 1 - column };
        row * size + column
    }

    /// Whether it keeps the rules of a variant and belongs to its group.
    pub(super) fn is_of(self, variant: &GridVariant) -> bool {
        match variant.group {
            Group::Renaming => self.0 == 0,
            _ => variant.is_square() || !self.exchanges_lines(),
        }
    }

    /// Whether each pattern with this symmetry keeps it. A quarter turn, for example, exchanges `Horizontal` and
    /// `Vertical`.
    pub(super) fn keeps(self, symmetry: Symmetry) -> bool {
        match symmetry {
            Symmetry::None | Symmetry::Rotation180 | Symmetry::Rotation90 | Symmetry::Full => true,
            Symmetry::Horizontal | Symmetry::Vertical => !self.exchanges_lines(),
            Symmetry::Diagonal | Symmetry::AntiDiagonal => matches!(self.0, 0 | 3 | 4 | 7),
        }
    }

    fn exchanges_lines(self) -> bool {
        self.0 & 4 != 0
    }
}
