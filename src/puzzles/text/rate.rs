//! `Rate`: rates a text.

use super::caller_puzzle::CallerPuzzle;
use crate::{
    calls::{Asked, Cancel, Class, Reply, Service, ServiceError},
    wire::Parser,
};
use puzzled_api::{puzzle, v1 as pb};

impl Service {
    pub(crate) async fn rate(&self, request: &Asked<pb::RateRequest>) -> Reply<pb::RateResponse> {
        let limits = &self.settings().limits;
        let pb::RateRequest { kind, variant, text } = request.get_ref();
        let puzzle = CallerPuzzle::of(Parser::default().puzzle(*kind, variant, text, limits)?, limits)?;
        self.compute(Class::Long, request, move |cancel: &Cancel| rated(&puzzle, cancel)).await?
    }
}

/// Level, rating and record.
///
/// # Errors
/// [`ServiceError::AlreadySolved`] if no cell is empty, and the errors of a text that cannot be rated.
pub(super) fn rated(asked: &CallerPuzzle, cancel: &Cancel) -> Result<pb::RateResponse, ServiceError> {
    asked.solution(cancel)?;
    let record = asked.rated(cancel)?;
    if record.is_of_complete_grid() {
        return Err(ServiceError::AlreadySolved);
    }
    Ok(puzzle::rated(asked.variant_info()?, record))
}
