//! `GetDailyPuzzle`: gets the puzzle of a day of a series. If the day has none, draws one for all callers. If the request names
//! an audience, records the delivery.

use std::sync::Arc;

use super::draw::{DayOf, DrawRequest, Drawn, Fitting, SeatTaken};
use crate::{
    calls::{AccessError, Asked, Reply, Service, ServiceError},
    puzzles::views::without_views,
    wire::Parser,
};
use puzzled_api::{puzzle::Include, v1 as pb, words::timestamp};
use puzzled_base::clock::Millis;
use puzzled_engine::registry;
use puzzled_store::{
    access::principal::{Principal, Role},
    series::{
        daily_series::{DEFAULT_NAME, Series},
        day::DayDelivery,
    },
    stock::filter::ShelfFilter,
};

impl Service {
    /// All checks of the request run before the draw.
    pub(crate) async fn get_daily_puzzle(
        &self,
        request: &Asked<pb::GetDailyPuzzleRequest>,
    ) -> Reply<pb::GetDailyPuzzleResponse> {
        let draw = &self.draw_request(request, "GetDailyPuzzle", SeatTaken::of(request.get_ref().scramble_seed))?;
        let request = request.get_ref();
        let day = self.day(request, draw).await?;
        let drawn = self.puzzle_of_day(request, &day, draw).await?;
        let DayOf { series, date } = day;
        if !request.audience.is_empty() {
            let (audience, puzzle_id) = (request.audience.clone(), drawn.puzzle.id);
            let delivery = DayDelivery { audience, series: series.name.clone(), date, puzzle_id };
            self.stock.deliver_day(delivery, &drawn.puzzle.shelf.kind).await?;
        }
        let include = Include {
            solutions: request.include_solution,
            drawing: request.include_drawing,
            structure: request.include_structure,
            links: request.include_links,
            record: request.include_record,
            ratings: false,
        };
        // As for a puzzle by ID, a view may have any rating.
        let puzzle = self.shown(drawn, request.scramble_seed, ShelfFilter::ANY, draw, include).await?;
        let next_day_time = series.next_day_at(self.clock.now()).map(timestamp);
        Ok(pb::GetDailyPuzzleResponse {
            puzzle: Some(puzzle),
            series: series.name,
            date: date.to_string(),
            next_day_time,
        })
    }

    /// The day that a request names, if the caller may have it.
    async fn day(&self, request: &pb::GetDailyPuzzleRequest, draw: &DrawRequest) -> Result<DayOf, ServiceError> {
        let name = series_name(request)?;
        let name = if name.is_empty() { DEFAULT_NAME } else { name };
        let series = self.stock.store().series(name).await?;
        let series = series.ok_or_else(|| ServiceError::SeriesNotFound(name.to_owned()))?;
        let now = self.clock.now();
        let day = day_of(request, series, now, self.settings().limits.daily_ahead_days)?;
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

/// The name of the series in a request; empty if it has none. Also checks the name of the audience.
fn series_name(request: &pb::GetDailyPuzzleRequest) -> Result<&str, ServiceError> {
    let mut parser = Parser::default();
    parser.name("series", &request.series);
    parser.name("audience", &request.audience);
    parser.optional_date("date", &request.date);
    parser.done()?;
    Ok(&request.series)
}

/// The day that a request names: from the first day of the series to `ahead` days after the current one.
fn day_of(request: &pb::GetDailyPuzzleRequest, series: Series, now: Millis, ahead: u32) -> Result<DayOf, ServiceError> {
    let mut parser = Parser::default();
    let coming = series.coming_dates(now, ahead);
    let asked = parser.optional_date("date", &request.date);
    let date = asked.or(series.current_date(now)).or(coming.first().copied());
    let first = series.terms.first().map(|terms| terms.effective_date);
    match (date, first, coming.last()) {
        (Some(date), Some(first), _) if date < first => {
            parser.refuse("date", format!("{date} is before {first}, the first day of the series"));
        }
        (Some(date), _, Some(last)) if date > *last => {
            parser.refuse(
                "date",
                format!("{date} is after {last}, which is {ahead} days after the current day of the series"),
            );
        }
        (None, Some(first), None) => {
            parser.refuse("date", format!("the series has no day yet; its first one is {first}"));
        }
        (Some(date), Some(first), None) if date >= first => {
            parser.refuse("date", format!("{date} is more than {ahead} days ahead"));
        }
        _ => {}
    }
    if let (Some(of_day), Some(seed)) = (date.and_then(|date| series.criteria_on(date)), request.scramble_seed)
        && let Some(kind) = of_day.kind.as_deref().and_then(registry::kind)
        && !kind.has_views(&of_day.variant.unwrap_or_default())
    {
        parser.refuse("scramble_seed", without_views(kind.name(), seed));
    }
    parser.done_with(date.map(|date| DayOf { series, date }))
}

impl<'a> Fitting<'a> {
    /// The criteria of a day. The audience does not matter, because the day has one puzzle for all.
    fn of_day(request: &pb::GetDailyPuzzleRequest, day: &'a DayOf) -> Result<Self, ServiceError> {
        let criteria = day.series.criteria_on(day.date);
        let criteria =
            criteria.ok_or_else(|| ServiceError::Internal("a day before the first of its series".to_owned()))?;
        Ok(Self {
            shelves: ShelfFilter::of_stored(&criteria),
            criteria,
            audience: "",
            name: None,
            day: Some(day),
            wait: request.wait,
            with_record: request.include_record,
            enqueue_if_short: request.enqueue_if_short,
            exclusive: false,
        })
    }
}
