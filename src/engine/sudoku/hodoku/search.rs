//! One step's search: the position and what several techniques need of it.

use super::{almost_locked::Network, position::Position};
use std::cell::OnceCell;

/// A position between two steps.
pub(super) struct Search<'a> {
    /// The position.
    pub(super) position: &'a Position,
    almost_locked: OnceCell<Network>,
}

impl<'a> Search<'a> {
    pub(super) fn of(position: &'a Position) -> Self {
        Self { position, almost_locked: OnceCell::new() }
    }

    /// The almost locked sets, found when first asked for.
    pub(super) fn almost_locked(&self) -> &Network {
        self.almost_locked.get_or_init(|| Network::of(self.position))
    }
}
