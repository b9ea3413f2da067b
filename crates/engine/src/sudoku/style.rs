//! The styles of the levels of 9×9 Sudoku: the symmetry and the givens that a puzzle has if a request does not state them.

use crate::shared::{
    givens::{Givens, GivensLimits, Style},
    level::{Level, Tenths},
    symmetry::Symmetry,
};

/// The numbers of givens that a request can state. No puzzle with 16 has one solution, and with 81 nothing is left to solve. Below
/// 19, one core makes fewer than one puzzle in 10 seconds (`cargo bench --bench hits -- --rare`).
pub(super) const LIMITS: GivensLimits = GivensLimits { searched: Givens::new(17, 80), made: Givens::new(19, 80) };

/// Ranges of ratings and techniques that begin here or above have no style. With 25 givens and a half turn, puzzles rated 9.0 to
/// 9.4 take 45 times as long.
pub(super) const UNSTYLED_FROM: Tenths = Tenths(75);

/// The style of each level, easiest first. Newspapers print easy puzzles with 32 to 40 givens in a pattern that a half turn keeps.
pub(super) const STYLES: [Style; 5] = [
    style(Level::Easy, Givens::new(32, 38), Givens::new(28, 40)),
    style(Level::Medium, Givens::new(28, 34), Givens::new(25, 36)),
    style(Level::Hard, Givens::new(26, 32), Givens::new(23, 34)),
    style(Level::Expert, Givens::new(24, 30), Givens::new(21, 32)),
    style(Level::Evil, Givens::new(23, 28), Givens::new(19, 30)),
];

const fn style(level: Level, made: Givens, delivered: Givens) -> Style {
    Style { level, symmetry: Symmetry::Rotation180, made: Some(made), delivered: Some(delivered) }
}
