//! Parses `GetPuzzle` and `GetDailyPuzzle`, the requests for one stored puzzle: by ID, by criteria, or of a day.

use jiff::civil::Date;

use super::{Parser, criteria::Criteria};
use crate::{
    proto::v1 as pb,
    rules::{
        jobs::{job::NamedRequest, repeat::Fields},
        series::series::Series,
        stock::{
            filter::ShelfFilter,
            puzzle::PuzzleId,
        },
    },
    service::{
        errors::{ServiceError, fields::Invalid},
        handlers::scramble,
        render,
    },
    system::clock::Millis,
};
use puzzled_engine::{registry, shared::names::quoted};

/// The parsed `GetPuzzle` request.
#[derive(Debug)]
pub(in crate::service) enum Wanted<'a> {
    /// The puzzle with this ID.
    Id(PuzzleId),
    /// A puzzle that fits.
    OneOf(Box<Fitting<'a>>),
}

/// The criteria for a puzzle, with the audience and the name of the request.
#[derive(Debug)]
pub(in crate::service) struct Fitting<'a> {
    pub(in crate::service) criteria: Criteria<'a>,
    pub(in crate::service) shelves: ShelfFilter,
    /// Empty if there is none.
    pub(in crate::service) audience: &'a str,
    pub(in crate::service) name: Option<NamedRequest>,
    /// The day that gets the puzzle.
    pub(in crate::service) day: Option<&'a DayOf>,
    pub(in crate::service) wait: bool,
    /// Whether the answer has the record of the rating.
    pub(in crate::service) with_record: bool,
    pub(in crate::service) enqueue_if_short: bool,
}

impl<'a> Fitting<'a> {
    /// The criteria of a day. The audience does not matter, because the day has one puzzle for all.
    pub(in crate::service) fn of_day(
        request: &pb::GetDailyPuzzleRequest,
        day: &'a DayOf,
        criteria: &'a pb::DayCriteria,
    ) -> Result<Self, ServiceError> {
        let shelves = day.series.filter_on(day.date);
        Ok(Self {
            criteria: Criteria {
                kind: render::kind(&day.series.kind).into(),
                variant: &day.series.variant,
                symmetry: criteria.symmetry,
                level: criteria.level,
                min_rating: criteria.min_rating,
                max_rating: criteria.max_rating,
                technique: &criteria.technique,
                min_givens: criteria.min_givens,
                max_givens: criteria.max_givens,
            },
            shelves: shelves.ok_or_else(|| ServiceError::Internal("a day without criteria".to_owned()))?,
            audience: "",
            name: None,
            day: Some(day),
            wait: request.wait,
            with_record: request.include_record,
            enqueue_if_short: request.enqueue_if_short,
        })
    }

    /// The criteria in the form in which they are compared.
    pub(in crate::service) fn fields(&self) -> Fields {
        let kind = self.shelves.kind.as_deref().and_then(registry::kind);
        kind.map_or(Fields::new(), |kind| self.criteria.fields(kind))
    }
}

pub(in crate::service) fn get_puzzle(request: &pb::GetPuzzleRequest) -> Result<Wanted<'_>, ServiceError> {
    if !request.id.is_empty() {
        return by_id(request).map(Wanted::Id);
    }
    let mut parser = Parser::default();
    let shelves = parser.fitting(request.into());
    if request.kind == i32::from(pb::Kind::Unspecified) {
        parser.refuse("kind", "required unless id is set".to_owned());
    }
    let kind = shelves.kind.as_deref().and_then(registry::kind);
    if let (Some(kind), Some(seed)) = (kind, request.scramble_seed)
        && !kind.has_views()
    {
        parser.refuse("scramble_seed", scramble::without_views(kind.name(), seed));
    }
    parser.name("audience", &request.audience);
    parser.name("request_id", &request.request_id);
    if request.audience.is_empty() && !request.request_id.is_empty() {
        parser.refuse("request_id", format!("{} is set without an audience; set both", quoted(&request.request_id)));
    }
    parser.done()?;
    let mut fitting = Fitting {
        criteria: request.into(),
        shelves,
        audience: &request.audience,
        name: None,
        day: None,
        wait: request.wait,
        with_record: request.include_record,
        enqueue_if_short: request.enqueue_if_short,
    };
    if !request.request_id.is_empty() {
        // The store compares the audience, because each name belongs to one audience.
        let (request_id, fields) = (request.request_id.clone(), fitting.fields());
        fitting.name = Some(NamedRequest { request_id, fields });
    }
    Ok(Wanted::OneOf(Box::new(fitting)))
}

/// A text that is not an ID counts as an ID without a puzzle.
fn by_id(request: &pb::GetPuzzleRequest) -> Result<PuzzleId, ServiceError> {
    let criteria_only = pb::GetPuzzleRequest {
        id: String::new(),
        include_solution: false,
        include_ratings: false,
        include_drawing: false,
        include_structure: false,
        include_record: false,
        scramble_seed: None,
        ..request.clone()
    };
    if criteria_only != pb::GetPuzzleRequest::default() {
        let fault = format!("{} together with criteria; set one of them", quoted(&request.id));
        return Err(Invalid::one("id", fault));
    }
    request.id.parse().map_err(|()| ServiceError::PuzzleNotFound(request.id.clone()))
}

/// The name of the series in a `GetDailyPuzzle` request; empty if it has none. Also checks the name of the audience.
pub(in crate::service) fn daily(request: &pb::GetDailyPuzzleRequest) -> Result<&str, ServiceError> {
    let mut parser = Parser::default();
    parser.name("series", &request.series);
    parser.name("audience", &request.audience);
    parser.optional_date("date", &request.date);
    parser.done()?;
    Ok(&request.series)
}

/// A day of a series.
#[derive(Debug, Clone)]
pub(in crate::service) struct DayOf {
    pub(in crate::service) series: Series,
    pub(in crate::service) date: Date,
}

/// The day that a `GetDailyPuzzle` request names: from the first day of the series to `ahead` days after the current one.
pub(in crate::service) fn day(
    request: &pb::GetDailyPuzzleRequest,
    series: Series,
    now: Millis,
    ahead: u32,
) -> Result<DayOf, ServiceError> {
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
            parser.refuse("date", format!("{date} is after {last}, {ahead} days after the current day of the series"));
        }
        (None, Some(first), None) => {
            parser.refuse("date", format!("the series has no day yet; its first one is {first}"));
        }
        (Some(date), Some(first), None) if date >= first => {
            parser.refuse("date", format!("{date} is more than {ahead} days ahead"));
        }
        _ => {}
    }
    if let (Some(kind), Some(seed)) = (registry::kind(&series.kind), request.scramble_seed)
        && !kind.has_views()
    {
        parser.refuse("scramble_seed", scramble::without_views(kind.name(), seed));
    }
    parser.done_with(date.map(|date| DayOf { series, date }))
}
