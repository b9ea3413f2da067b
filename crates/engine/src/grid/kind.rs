//! [`GridKind`], the data of a kind on a square grid, and [`Grid`], which makes it a [`PuzzleKind`](crate::shared::kind::PuzzleKind).

use std::sync::LazyLock;

use super::{make::Shape, variant::GridVariant};
use crate::shared::variant::VariantInfo;

/// A kind on a square grid. Everything else about it is in its variants.
pub(crate) struct GridKind {
    /// The name in the registry.
    pub(crate) name: &'static str,
    /// The first engine version that makes puzzles of the kind.
    pub(crate) since: u32,
    /// The name of the default variant.
    pub(crate) default_variant: &'static str,
    /// What the names of the variants mean, for people.
    pub(crate) meaning: &'static str,
    /// The variants, in the order in which people see them listed.
    pub(crate) variants: &'static [GridVariant],
    /// Their properties in the same order: [`GridVariant::info`] of each.
    pub(crate) infos: LazyLock<Vec<VariantInfo>>,
    /// How puzzles are made: which clues are taken away, moved, and repaired.
    pub(crate) shape: &'static dyn Shape,
}
