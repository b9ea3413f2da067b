//! Parses `GetPuzzle` and `GetDailyPuzzle`, the requests for one stored puzzle: by ID, by criteria, or of a day.

use jiff::civil::Date;

use super::{Parser, criteria::compared};
use crate::{
    calls::errors::{ServiceError, fields::Invalid},
    service::handlers::scramble,
};
use puzzled_api::{criteria::StatesCriteria as _, set_fields, v1 as pb};
use puzzled_base::clock::Millis;
use puzzled_engine::{
    registry,
    shared::{criteria::Criteria, names::quoted},
};
use puzzled_store::{
    deliveries::holder::Holder,
    ids::PuzzleId,
    jobs::{
        job::{Job, NamedRequest},
        repeat::Fields,
    },
    series::daily_series::Series,
    stock::{filter::ShelfFilter, stated::ANY_VARIANT},
};

/// The parsed `GetPuzzle` request.
#[derive(Debug)]
pub(crate) enum Wanted<'a> {
    /// The puzzle with this ID.
    Id(PuzzleId),
    /// A puzzle that fits.
    OneOf(Box<Fitting<'a>>),
}

/// The criteria for a puzzle, with the audience and the name of the request.
#[expect(clippy::struct_excessive_bools, reason = "each is a field of a request")]
#[derive(Debug)]
pub(crate) struct Fitting<'a> {
    pub(crate) criteria: Criteria,
    pub(crate) shelves: ShelfFilter,
    /// Empty if there is none.
    pub(crate) audience: &'a str,
    pub(crate) name: Option<NamedRequest>,
    /// The day that gets the puzzle.
    pub(crate) day: Option<&'a DayOf>,
    pub(crate) wait: bool,
    /// Whether the answer has the record of the rating.
    pub(crate) with_record: bool,
    pub(crate) enqueue_if_short: bool,
    /// Whether to draw only from the puzzles that the audience holds.
    pub(crate) exclusive: bool,
}

impl<'a> Fitting<'a> {
    /// The criteria of a day. The audience does not matter, because the day has one puzzle for all.
    pub(crate) fn of_day(request: &pb::GetDailyPuzzleRequest, day: &'a DayOf) -> Result<Self, ServiceError> {
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

    /// Whether the request may get the puzzles of a job. A day gets those that its series holds, and those of the shelves.
    pub(crate) fn gets_from(&self, job: &Job) -> bool {
        job.holder == self.holder() || self.day.is_some_and(|day| job.holder == Some(day.series.holder()))
    }

    /// Who holds the puzzles to draw from; `None` for the shelves.
    pub(crate) fn holder(&self) -> Option<Holder> {
        self.exclusive.then(|| Holder::Audience(self.audience.to_owned()))
    }

    /// The criteria in the form in which they are compared.
    pub(crate) fn fields(&self) -> Fields {
        let mut fields = compared(&self.criteria);
        fields.extend(self.exclusive.then(|| ("exclusive".to_owned(), "true".to_owned())));
        fields
    }
}

pub(crate) fn get_puzzle(request: &pb::GetPuzzleRequest) -> Result<Wanted<'_>, ServiceError> {
    if !request.id.is_empty() {
        return by_id(request).map(Wanted::Id);
    }
    let mut parser = Parser::default();
    let criteria = parser.criteria(&request.stated());
    let shelves = parser.fitting(&criteria);
    if request.kind == i32::from(pb::Kind::Unspecified) {
        parser.refuse("kind", "required unless id is set".to_owned());
    }
    let kind = criteria.kind.as_deref().and_then(registry::kind);
    let variant = criteria.variant.as_deref().filter(|name| *name != ANY_VARIANT);
    if let (Some(kind), Some(seed)) = (kind, request.scramble_seed)
        && !kind.has_views(&kind.variant_name(variant.unwrap_or(kind.default_variant())))
    {
        parser.refuse("scramble_seed", scramble::without_views(kind.name(), seed));
    }
    parser.name("audience", &request.audience);
    parser.name("request_id", &request.request_id);
    if request.audience.is_empty() && !request.request_id.is_empty() {
        parser.refuse("request_id", format!("{} is set without an audience; set both", quoted(&request.request_id)));
    }
    if request.audience.is_empty() && request.exclusive {
        parser.refuse("exclusive", "true without an audience; set both".to_owned());
    }
    let shelves = parser.done_with(shelves)?;
    let mut fitting = Fitting {
        criteria,
        shelves,
        audience: &request.audience,
        name: None,
        day: None,
        wait: request.wait,
        with_record: request.include_record,
        enqueue_if_short: request.enqueue_if_short,
        exclusive: request.exclusive,
    };
    if !request.request_id.is_empty() {
        // `fields` omits the audience: the store looks a name up per audience.
        let (request_id, fields) = (request.request_id.clone(), fitting.fields());
        fitting.name = Some(NamedRequest { request_id, fields });
    }
    Ok(Wanted::OneOf(Box::new(fitting)))
}

/// A malformed ID gives [`ServiceError::PuzzleNotFound`], like an unknown one.
fn by_id(request: &pb::GetPuzzleRequest) -> Result<PuzzleId, ServiceError> {
    if let Some(field) = field_without_id(request) {
        return Err(Invalid::one("id", format!("{} is set together with {field}; set only one", quoted(&request.id))));
    }
    request.id.parse().map_err(|()| ServiceError::PuzzleNotFound(request.id.clone()))
}

/// The name of a field that is set and not allowed together with an ID. A kind is named only if there is nothing else.
fn field_without_id(request: &pb::GetPuzzleRequest) -> Option<String> {
    let rest = pb::GetPuzzleRequest {
        id: String::new(),
        scramble_seed: None,
        include_solution: false,
        include_ratings: false,
        include_drawing: false,
        include_structure: false,
        include_links: false,
        include_record: false,
        ..request.clone()
    };
    let names = (rest != pb::GetPuzzleRequest::default()).then(|| set_fields(&rest).into_keys());
    names.into_iter().flatten().min_by_key(|name| name == "kind")
}

/// The name of the series in a `GetDailyPuzzle` request; empty if it has none. Also checks the name of the audience.
pub(crate) fn daily(request: &pb::GetDailyPuzzleRequest) -> Result<&str, ServiceError> {
    let mut parser = Parser::default();
    parser.name("series", &request.series);
    parser.name("audience", &request.audience);
    parser.optional_date("date", &request.date);
    parser.done()?;
    Ok(&request.series)
}

/// A day of a series.
#[derive(Debug, Clone)]
pub(crate) struct DayOf {
    pub(crate) series: Series,
    pub(crate) date: Date,
}

/// The day that a `GetDailyPuzzle` request names: from the first day of the series to `ahead` days after the current one.
pub(crate) fn day(
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
        && !kind.has_views(&series.variant)
    {
        parser.refuse("scramble_seed", scramble::without_views(kind.name(), seed));
    }
    parser.done_with(date.map(|date| DayOf { series, date }))
}
