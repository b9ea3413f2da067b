//! Which stored puzzle a caller gets by its ID.

use crate::{
    access::Caller,
    rules::{
        access::principal::Role,
        stock::puzzle::{Puzzle, PuzzleId},
    },
    service::{Service, errors::ServiceError},
};

impl Service {
    /// The puzzle with an ID, withdrawn or not. To readers, the ID of a held puzzle is unknown.
    ///
    /// # Errors
    /// [`ServiceError::PuzzleNotFound`] if there is no such puzzle, or if the caller may not know of it.
    pub(super) async fn visible(&self, id: PuzzleId, caller: &Caller) -> Result<Puzzle, ServiceError> {
        let found = self.stock.store().puzzle(id).await?;
        let is_shown = |puzzle: &Puzzle| !puzzle.is_held() || caller.principal.role >= Role::Maker;
        found.filter(is_shown).ok_or_else(|| ServiceError::PuzzleNotFound(id.to_string()))
    }
}
