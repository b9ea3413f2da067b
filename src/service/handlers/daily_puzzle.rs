//! `GetDailyPuzzle`: gets the puzzle of a day of a series. If the day has none, draws one for all callers. If the request names
//! an audience, records the delivery.

use std::sync::Arc;

use super::draw_request::{DrawRequest, Drawn};
use crate::{
    calls::{
        errors::{ServiceError, access_error::AccessError},
        service::Service,
    },
    service::{
        parse::{self, DayOf, Fitting},
        render::{self, puzzle::Include},
    },
};
use puzzled_api::v1 as pb;
use puzzled_store::{
    access::principal::{Principal, Role},
    series::{daily_series::DEFAULT_NAME, day::DayDelivery},
    stock::filter::ShelfFilter,
};

impl Service {
    /// The puzzle of a day. All checks of the request run before the draw.
    pub(super) async fn daily(
        &self,
        request: &pb::GetDailyPuzzleRequest,
        draw: &DrawRequest,
    ) -> Result<pb::GetDailyPuzzleResponse, ServiceError> {
        let day = self.day(request, draw).await?;
        let drawn = self.puzzle_of_day(request, &day, draw).await?;
        let DayOf { series, date } = day;
        if !request.audience.is_empty() {
            let (audience, puzzle_id) = (request.audience.clone(), drawn.puzzle.id);
            let delivery = DayDelivery { audience, series: series.name.clone(), date, puzzle_id };
            self.stock.deliver_day(delivery, &series.kind).await?;
        }
        let include = Include {
            solutions: request.include_solution,
            drawing: request.include_drawing,
            structure: request.include_structure,
            links: request.include_links,
            record: request.include_record,
            ratings: false,
        };
        // As for a puzzle by ID, every view that can be rated fits.
        let puzzle = self.shown(drawn, request.scramble_seed, ShelfFilter::ANY, draw, include).await?;
        let next_day_time = series.next_day_at(self.clock.now()).map(render::timestamp);
        Ok(pb::GetDailyPuzzleResponse {
            puzzle: Some(puzzle),
            series: series.name,
            date: date.to_string(),
            next_day_time,
        })
    }

    /// The day that a request names, if the caller may have it.
    async fn day(&self, request: &pb::GetDailyPuzzleRequest, draw: &DrawRequest) -> Result<DayOf, ServiceError> {
        let name = parse::daily(request)?;
        let name = if name.is_empty() { DEFAULT_NAME } else { name };
        let series = self.stock.store().series(name).await?;
        let series = series.ok_or_else(|| ServiceError::SeriesNotFound(name.to_owned()))?;
        let now = self.clock.now();
        let day = parse::day(request, series, now, self.settings().limits.daily_ahead_days)?;
        if day.series.current_date(now).is_none_or(|current| day.date > current) {
            self.may_see_ahead(draw)?;
        }
        Ok(day)
    }

    /// Refuses callers that may not see the days to come.
    fn may_see_ahead(&self, draw: &DrawRequest) -> Result<(), ServiceError> {
        let Principal { name, role, .. } = &*draw.caller.principal;
        if *role >= Role::Maker {
            return Ok(());
        }
        self.denials.note(draw.actor());
        let (subject, principal) = ("date".into(), Arc::clone(name));
        Err(AccessError::Role { subject, principal, has: *role, needs: Role::Maker }.into())
    }

    /// The puzzle that a day has, or gets now.
    async fn puzzle_of_day(
        &self,
        request: &pb::GetDailyPuzzleRequest,
        day: &DayOf,
        draw: &DrawRequest,
    ) -> Result<Drawn, ServiceError> {
        let DayOf { series, date } = day;
        let seat = self.seat_for(draw).await?;
        if let Some(puzzle) = self.stock.store().puzzle_of_day(series.id, *date).await? {
            return Ok(Drawn { puzzle, seat });
        }
        drop(seat);
        let fitting = Fitting::of_day(request, day)?;
        self.one_of(&fitting, draw).await
    }
}
