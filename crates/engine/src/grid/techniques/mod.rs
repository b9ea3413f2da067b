//! The techniques of the grid layer. Each finds all its applications to a position.

use super::find::Technique;

/// The ladder of kinds whose cells all hold digits.
pub(crate) const LADDER: &[Technique] = &[];
