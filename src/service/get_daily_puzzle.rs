//! `GetDailyPuzzle`: a delivery whose name is the day, so that whoever asks first chooses for all.

use super::{
    Service,
    errors::ServiceError,
    get_puzzle::Fitting,
    parse::{Checks, Criteria},
    render::{self, date::day_at},
};
use crate::{
    proto::v1 as pb,
    store::delivery::{Daily, DeliveryName},
};

impl Service {
    /// The puzzle of the day that a request asks for.
    pub(super) async fn puzzle_of_the_day(
        &self,
        request: &pb::GetDailyPuzzleRequest,
    ) -> Result<pb::GetDailyPuzzleResponse, ServiceError> {
        let mut checks = Checks::default();
        let shelves = checks.shelves(Criteria {
            kind: request.kind,
            variant: "",
            symmetry: pb::Symmetry::Unspecified.into(),
            level: request.level,
            min_rating: None,
            max_rating: None,
        });
        if request.kind == i32::from(pb::Kind::Unspecified) {
            checks.refuse("kind", "KIND_UNSPECIFIED where a kind is required".to_owned());
        }
        checks.audience(&request.audience);
        let date = checks.date(&request.date, day_at(self.clock.now()), self.limits.daily_ahead_days);
        let (kind, date) = checks.done_with(shelves.kind.clone().zip(date))?;
        let level = pb::Level::try_from(request.level).ok().and_then(render::level_of);
        let daily =
            Daily { date: date.clone(), kind, level: level.map(|level| level.name().to_owned()).unwrap_or_default() };
        let fitting = Fitting {
            shelves,
            audience: request.audience.clone(),
            name: Some(DeliveryName::Daily(daily)),
            wait: false,
            enqueue_if_short: false,
        };
        let puzzle = self.one_of(&fitting, false).await?;
        Ok(pb::GetDailyPuzzleResponse {
            puzzle: Some(render::puzzle::puzzle_message(puzzle, request.include_solution)?),
            date,
        })
    }
}
