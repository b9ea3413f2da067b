//! [`Style`], the givens and the symmetry that a level has when a request does not state them, and [`OpenSpec`], what such a
//! request does state.

use super::{givens::Givens, level::Level, spec::Difficulty, symmetry::Symmetry, variant::TechniqueInfo};

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

/// The parts of a spec that a request states. [`VariantInfo::resolve`](super::variant::VariantInfo::resolve) adds the others.
#[derive(Debug, Clone, Copy)]
pub struct OpenSpec<'a> {
    /// The symmetry; `None` leaves it open. [`Symmetry::None`] asks for no symmetry.
    pub symmetry: Option<Symmetry>,
    /// How hard the puzzle must be.
    pub difficulty: Difficulty,
    /// The smallest number of givens; `None` leaves it open.
    pub min_givens: Option<u16>,
    /// The largest number of givens; `None` leaves it open.
    pub max_givens: Option<u16>,
    /// The hardest technique that the puzzle must have; `None` allows any.
    pub technique: Option<&'a TechniqueInfo>,
}
