//! What was handed out to an audience, and what may not be handed out any more.

use super::{
    Service,
    errors::ServiceError,
    page_token,
    parse::Checks,
    render::{self, timestamp},
};
use crate::{
    proto::v1 as pb,
    store::{delivery::DeliveryId, puzzle::PuzzleId},
};

/// What page tokens of `ListDeliveries` are bound to, beside the audience.
const LIST: &str = "deliveries";

impl Service {
    pub(super) async fn page_of_deliveries(
        &self,
        request: pb::ListDeliveriesRequest,
    ) -> Result<pb::ListDeliveriesResponse, ServiceError> {
        let mut checks = Checks::default();
        checks.required_audience(&request.audience);
        let size = checks.page_size(request.page_size, &self.limits);
        let criteria = pb::ListDeliveriesRequest { page_size: 0, page_token: String::new(), ..request.clone() };
        let before = checks.page_token(LIST, &criteria, &request.page_token).map(DeliveryId);
        checks.done()?;

        // One more than the page holds tells whether there is a next one.
        let mut found = self.stock.deliveries(&request.audience, before, size + 1).await?;
        let has_next = found.len() > size as usize;
        found.truncate(size as usize);
        let last = found.last().filter(|_| has_next).map(|last| page_token::write(LIST, &criteria, last.id.0));
        let deliveries = found.into_iter().map(|delivery| pb::Delivery {
            puzzle_id: delivery.puzzle_id.to_string(),
            deliver_time: Some(timestamp(delivery.at)),
            request_id: delivery.request_id.unwrap_or_default(),
            date: delivery.date.unwrap_or_default(),
        });
        Ok(pb::ListDeliveriesResponse { deliveries: deliveries.collect(), next_page_token: last.unwrap_or_default() })
    }

    pub(super) async fn forget(
        &self,
        request: pb::ForgetAudienceRequest,
    ) -> Result<pb::ForgetAudienceResponse, ServiceError> {
        let mut checks = Checks::default();
        checks.required_audience(&request.audience);
        checks.done()?;
        let forgotten = self.stock.forget_audience(&request.audience).await?;
        Ok(pb::ForgetAudienceResponse { forgotten })
    }

    pub(super) async fn withdraw(
        &self,
        request: pb::WithdrawPuzzleRequest,
    ) -> Result<pb::WithdrawPuzzleResponse, ServiceError> {
        let pb::WithdrawPuzzleRequest { id, reason } = request;
        let mut checks = Checks::default();
        if id.is_empty() {
            checks.refuse("id", "\"\" where the id of a puzzle is required".to_owned());
        }
        checks.reason(&reason);
        checks.done()?;
        let known: Option<PuzzleId> = id.parse().ok();
        let withdrawn = match known {
            Some(known) => self.stock.withdraw(known, &reason).await?,
            None => None,
        };
        let puzzle = withdrawn.ok_or(ServiceError::PuzzleNotFound(id))?;
        Ok(pb::WithdrawPuzzleResponse { puzzle: Some(render::puzzle::puzzle_message(puzzle, false)?) })
    }
}
