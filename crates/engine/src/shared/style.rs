//! [`Style`], the givens and the symmetry that a level has when a request does not state them.

use super::{givens::Givens, level::Level, symmetry::Symmetry};

/// The style of a level: how its puzzles look if a request leaves this open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// The level that has the style.
    pub level: Level,
    /// The symmetry with which its puzzles are made.
    pub symmetry: Symmetry,
    /// The numbers of givens with which they are made.
    pub made: Givens,
    /// The numbers of givens with which they are delivered; contains `made`.
    pub delivered: Givens,
}

/// The numbers of givens that a request can state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivensLimits {
    /// The numbers that can be searched for.
    pub searched: Givens,
    /// The numbers that can be made.
    pub made: Givens,
}
