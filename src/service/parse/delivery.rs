//! Parses `GetPuzzle` and `GetDailyPuzzle`, the requests for one stored puzzle: by ID, by criteria, or of a day.

use super::{
    Parser,
    criteria::Criteria,
    date::{date, day_at, day_of},
};
use crate::{
    proto::v1 as pb,
    rules::{
        jobs::{job::NamedRequest, repeat::Fields},
        stock::{
            delivery::{Daily, DeliveryName},
            filter::ShelfFilter,
            holder::Holder,
            puzzle::PuzzleId,
        },
    },
    service::{
        errors::{ServiceError, fields::Invalid},
        handlers::scramble,
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
#[expect(clippy::struct_excessive_bools, reason = "each is a field of a request")]
#[derive(Debug)]
pub(in crate::service) struct Fitting<'a> {
    pub(in crate::service) criteria: Criteria<'a>,
    pub(in crate::service) shelves: ShelfFilter,
    /// Empty if there is none.
    pub(in crate::service) audience: &'a str,
    pub(in crate::service) name: Option<DeliveryName>,
    /// The audience for which the shared daily puzzle is recorded.
    pub(in crate::service) shared_with: Option<&'a str>,
    /// Whether the day is too far back to get a new puzzle.
    pub(in crate::service) only_known: bool,
    pub(in crate::service) wait: bool,
    /// Whether the answer has the record of the rating.
    pub(in crate::service) with_record: bool,
    pub(in crate::service) enqueue_if_short: bool,
    /// Whether to draw only from the puzzles that the audience holds.
    pub(in crate::service) exclusive: bool,
}

impl Fitting<'_> {
    /// Who holds the puzzles to draw from; `None` for the shelves.
    pub(in crate::service) fn holder(&self) -> Option<Holder> {
        self.exclusive.then(|| Holder::Audience(self.audience.to_owned()))
    }

    /// The criteria in the form in which they are compared.
    pub(in crate::service) fn fields(&self) -> Fields {
        let kind = self.shelves.kind.as_deref().and_then(registry::kind);
        let mut fields = kind.map_or(Fields::new(), |kind| self.criteria.fields(kind));
        fields.extend(self.exclusive.then(|| ("exclusive".to_owned(), "true".to_owned())));
        fields
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
    if request.audience.is_empty() && request.exclusive {
        parser.refuse("exclusive", "true without an audience; set both".to_owned());
    }
    parser.done()?;
    let mut fitting = Fitting {
        criteria: request.into(),
        shelves,
        audience: &request.audience,
        name: None,
        shared_with: None,
        only_known: false,
        wait: request.wait,
        with_record: request.include_record,
        enqueue_if_short: request.enqueue_if_short,
        exclusive: request.exclusive,
    };
    if !request.request_id.is_empty() {
        // `fields` omits the audience: the store looks a name up per audience.
        let (request_id, fields) = (request.request_id.clone(), fitting.fields());
        fitting.name = Some(DeliveryName::Request(NamedRequest { request_id, fields }));
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

/// The name of a field that is set and not allowed together with an ID.
fn field_without_id(request: &pb::GetPuzzleRequest) -> Option<&'static str> {
    // All fields are listed, so that a new one is not forgotten here.
    let pb::GetPuzzleRequest {
        id: _,
        kind,
        variant,
        symmetry,
        level,
        min_rating,
        max_rating,
        technique,
        min_givens,
        max_givens,
        audience,
        request_id,
        wait,
        enqueue_if_short,
        exclusive,
        scramble_seed: _,
        include_solution: _,
        include_ratings: _,
        include_drawing: _,
        include_structure: _,
        include_record: _,
    } = request;
    let fields = [
        ("level", *level != 0),
        ("symmetry", *symmetry != 0),
        ("variant", !variant.is_empty()),
        ("min_rating", min_rating.is_some()),
        ("max_rating", max_rating.is_some()),
        ("technique", !technique.is_empty()),
        ("min_givens", min_givens.is_some()),
        ("max_givens", max_givens.is_some()),
        ("audience", !audience.is_empty()),
        ("request_id", !request_id.is_empty()),
        ("wait", *wait),
        ("enqueue_if_short", *enqueue_if_short),
        ("exclusive", *exclusive),
        ("kind", *kind != 0),
    ];
    fields.into_iter().find_map(|(name, is_set)| is_set.then_some(name))
}

/// The days that have daily puzzles, relative to today.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) struct Days {
    /// The number of days in the future.
    pub(in crate::service) ahead: u32,
    /// The number of days in the past. Earlier days return only a puzzle that they already have.
    pub(in crate::service) past: u32,
}

/// Parses a `GetDailyPuzzle` request. Returns it with its date; the default is today.
pub(in crate::service) fn daily(
    request: &pb::GetDailyPuzzleRequest,
    now: Millis,
    days: Days,
) -> Result<(Fitting<'_>, String), ServiceError> {
    let (mut parser, today) = (Parser::default(), day_at(now));
    let shelves = parser.fitting(request.into());
    if request.kind == i32::from(pb::Kind::Unspecified) {
        parser.refuse("kind", "required; GetServerInfo lists the kinds".to_owned());
    }
    parser.name("audience", &request.audience);
    let day = parser.day(&request.date, today, days.ahead);
    let day = parser.done_with(day)?;
    let (audience, shared_with) = match request.audience.as_str() {
        audience if request.shared && !audience.is_empty() => ("", Some(audience)),
        audience => (audience, None),
    };
    let mut fitting = Fitting {
        criteria: request.into(),
        shelves,
        audience,
        name: None,
        shared_with,
        only_known: day < today.saturating_sub(days.past.into()),
        wait: request.wait,
        with_record: request.include_record,
        enqueue_if_short: request.enqueue_if_short,
        exclusive: false,
    };
    fitting.name = Some(DeliveryName::Daily(Daily { date: date(day), criteria: fitting.fields() }));
    Ok((fitting, date(day)))
}

/// The first day that can get a new puzzle.
pub(in crate::service) fn first_date(now: Millis, days: Days) -> String {
    date(day_at(now).saturating_sub(days.past.into()).max(0))
}

impl Parser {
    /// The UTC day of a daily puzzle, from 1970-01-01 to `ahead_days` after `today`. The default is today.
    fn day(&mut self, text: &str, today: i64, ahead_days: u32) -> Option<i64> {
        if text.is_empty() {
            return Some(today);
        }
        let last = today.saturating_add(ahead_days.into());
        match day_of(text) {
            None => self.refuse("date", format!("{} is not a date; use one such as {}", quoted(text), date(today))),
            Some(day) if day < 0 => self.refuse("date", format!("{text} is before {}", date(0))),
            Some(day) if day > last => {
                self.refuse("date", format!("{text} is after {}, {ahead_days} days from today (UTC)", date(last)));
            }
            Some(day) => return Some(day),
        }
        None
    }
}
