//! Requests for one stored puzzle: by its id, one that fits, or that of a day.

use super::{
    Parser,
    criteria::{Criteria, level},
    date::{date, day_at, day_of},
    names::named,
};
use crate::{
    clock::Millis,
    proto::v1 as pb,
    service::{
        errors::{Invalid, ServiceError},
        quoted::quoted,
    },
    store::{
        delivery::{Daily, DeliveryName},
        puzzle::{PuzzleId, ShelfFilter},
    },
};

/// What a `GetPuzzle` asks for.
#[derive(Debug)]
pub(in crate::service) enum Wanted {
    /// The puzzle with an id.
    Id(PuzzleId),
    /// One that fits.
    OneOf(Box<Fitting>),
}

/// A wish for a puzzle that fits.
#[derive(Debug)]
pub(in crate::service) struct Fitting {
    pub(in crate::service) shelves: ShelfFilter,
    /// Empty for none.
    pub(in crate::service) audience: String,
    pub(in crate::service) name: Option<DeliveryName>,
    pub(in crate::service) wait: bool,
    pub(in crate::service) enqueue_if_short: bool,
}

/// The puzzle that a request asks for.
pub(in crate::service) fn get_puzzle(request: &pb::GetPuzzleRequest) -> Result<Wanted, ServiceError> {
    if !request.id.is_empty() {
        return by_id(request).map(Wanted::Id);
    }
    let mut parser = Parser::default();
    let shelves = parser.shelves(request.into());
    if request.kind == i32::from(pb::Kind::Unspecified) {
        parser.refuse("kind", "KIND_UNSPECIFIED without an id: give one or the other".to_owned());
    }
    parser.name("audience", &request.audience);
    parser.name("request_id", &request.request_id);
    if request.audience.is_empty() && !request.request_id.is_empty() {
        parser.refuse("request_id", format!("{} without an audience", quoted(&request.request_id)));
    }
    parser.done()?;
    let nameless = pb::GetPuzzleRequest { request_id: String::new(), ..request.clone() };
    Ok(Wanted::OneOf(Box::new(Fitting {
        shelves,
        audience: request.audience.clone(),
        name: named(request.request_id.clone(), &nameless).map(DeliveryName::Request),
        wait: request.wait,
        enqueue_if_short: request.enqueue_if_short,
    })))
}

/// What is no id names nothing, so it is not found.
fn by_id(request: &pb::GetPuzzleRequest) -> Result<PuzzleId, ServiceError> {
    let criteria_only = pb::GetPuzzleRequest {
        id: String::new(),
        include_solution: false,
        include_ratings: false,
        include_drawing: false,
        include_structure: false,
        scramble_seed: None,
        ..request.clone()
    };
    if criteria_only != pb::GetPuzzleRequest::default() {
        let fault = format!("{} together with criteria: give one or the other", quoted(&request.id));
        return Err(Invalid::one("id", fault));
    }
    request.id.parse().map_err(|()| ServiceError::PuzzleNotFound(request.id.clone()))
}

/// The puzzle of a day that a request asks for, and the date of that day: up to `ahead_days` after `now`, today if none is said.
pub(in crate::service) fn daily(
    request: &pb::GetDailyPuzzleRequest,
    now: Millis,
    ahead_days: u32,
) -> Result<(Fitting, String), ServiceError> {
    let mut parser = Parser::default();
    let shelves = parser.shelves(Criteria { kind: request.kind, level: request.level, ..Criteria::default() });
    if request.kind == i32::from(pb::Kind::Unspecified) {
        parser.refuse("kind", "KIND_UNSPECIFIED where a kind is required".to_owned());
    }
    parser.name("audience", &request.audience);
    let date = parser.date(&request.date, day_at(now), ahead_days);
    let (kind, date) = parser.done_with(shelves.kind.clone().zip(date))?;
    let level = level(request.level).map(|level| level.name().to_owned()).unwrap_or_default();
    let fitting = Fitting {
        shelves,
        audience: request.audience.clone(),
        name: Some(DeliveryName::Daily(Daily { date: date.clone(), kind, level })),
        wait: false,
        enqueue_if_short: false,
    };
    Ok((fitting, date))
}

impl Parser {
    /// The UTC date of a daily puzzle, from 1970-01-01 to `ahead_days` from `today`; today if none is said.
    fn date(&mut self, text: &str, today: i64, ahead_days: u32) -> Option<String> {
        if text.is_empty() {
            return Some(date(today));
        }
        let last = today.saturating_add(ahead_days.into());
        match day_of(text) {
            None => self.refuse("date", format!("{} is not a date such as {}", quoted(text), date(today))),
            Some(day) if day < 0 => self.refuse("date", format!("{text} is before {}", date(0))),
            Some(day) if day > last => {
                self.refuse("date", format!("{text} is after {}, {ahead_days} days from today (UTC)", date(last)));
            }
            Some(_) => return Some(text.to_owned()),
        }
        None
    }
}
