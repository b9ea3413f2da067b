//! Parses requests that create, change, and end daily series, and the name and the date of a daily puzzle.

use jiff::civil::Date;

use super::{FAULTS_MAX, Parser};
use crate::calls::errors::{ServiceError, fields::Invalid};
use puzzled_api::{criteria::StatesCriteria as _, v1 as pb, words};
use puzzled_engine::shared::{criteria::Criteria, names::quoted};
use puzzled_store::{
    series::{
        calendar::date_of,
        daily_series::{NAME_LEN_MAX, Series, SeriesWish, Zone},
        update::SeriesChange,
    },
    stock::stated::ANY_VARIANT,
};

/// The zone of a series that names none.
const ZONE_DEFAULT: &str = "UTC";

/// A series to create, and its first day if the request names it.
pub(crate) fn new_series(request: &pb::CreateDailySeriesRequest) -> Result<(SeriesWish, Option<Date>), ServiceError> {
    let mut parser = Parser::default();
    parser.series_name(&request.name);
    let zone = parser.zone(if request.time_zone.is_empty() { ZONE_DEFAULT } else { &request.time_zone });
    let first = parser.optional_date("effective_date", &request.effective_date);
    let kind = parser.required_kind(request.kind);
    let variant = Some(&request.variant).filter(|name| *name != ANY_VARIANT).cloned().unwrap_or_default();
    parser.shelves(&pb::JobSpec { kind: request.kind, variant, ..pb::JobSpec::default() });
    parser.set_count(&request.criteria);
    let (Some(kind), Some(zone)) = (kind, zone) else {
        parser.done()?;
        return Err(ServiceError::Internal("a series without a fault came to nothing".to_owned()));
    };
    parser.done()?;
    let variant = match request.variant.as_str() {
        ANY_VARIANT => ANY_VARIANT.to_owned(),
        "" => kind.default_variant().to_owned(),
        name => kind.variant_name(name),
    };
    let days = if request.criteria.is_empty() {
        days(request.kind, &variant, &[pb::DayCriteria::default()])?
    } else {
        days(request.kind, &variant, &request.criteria)?
    };
    Ok((SeriesWish { name: request.name.clone(), kind: kind.name().to_owned(), variant, zone, days }, first))
}

/// The changes of an update of a series.
pub(crate) fn series_change(
    request: &pb::UpdateDailySeriesRequest,
    series: &Series,
) -> Result<SeriesChange, ServiceError> {
    let mut parser = Parser::default();
    let zone = if request.time_zone.is_empty() { None } else { parser.zone(&request.time_zone) };
    let effective_date = parser.optional_date("effective_date", &request.effective_date);
    parser.set_count(&request.criteria);
    parser.done()?;
    let kind = words::kind(&series.kind).into();
    let days = if request.criteria.is_empty() { None } else { Some(days(kind, &series.variant, &request.criteria)?) };
    Ok(SeriesChange { zone, days, effective_date })
}

/// Checks the name of a series, which is required.
pub(crate) fn series_name(name: &str) -> Result<&str, ServiceError> {
    let mut parser = Parser::default();
    parser.series_name(name);
    parser.done()?;
    Ok(name)
}

/// The criteria of all sets. A fault has the index of its set: `criteria[3].level`.
fn days(kind: i32, variant: &str, sets: &[pb::DayCriteria]) -> Result<Vec<Criteria>, ServiceError> {
    let (mut days, mut invalid) = (Vec::with_capacity(sets.len()), Vec::new());
    for (index, set) in sets.iter().enumerate() {
        let mut parser = Parser::default();
        let criteria = parser.criteria(&pb::JobSpec { kind, variant: variant.to_owned(), ..set.stated() });
        let found = parser.fitting(&criteria);
        match parser.done_with(found) {
            Ok(found) => days.push(Criteria { kind: None, variant: None, ..found.criteria() }),
            Err(ServiceError::Invalid(Invalid(faults))) => {
                let named =
                    faults.into_iter().map(|(field, fault)| (format!("criteria[{index}].{field}").into(), fault));
                invalid.extend(named);
            }
            Err(error) => return Err(error),
        }
    }
    invalid.truncate(FAULTS_MAX);
    if invalid.is_empty() { Ok(days) } else { Err(ServiceError::Invalid(Invalid(invalid))) }
}

impl Parser {
    fn series_name(&mut self, name: &str) {
        let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
        if name.is_empty() {
            self.refuse("name", "required; set the name of a series".to_owned());
        } else if name.len() > NAME_LEN_MAX {
            self.refuse("name", format!("{} characters; at most {NAME_LEN_MAX} are allowed", name.len()));
        } else if !name.bytes().all(is_allowed) {
            self.refuse("name", format!("{} has other characters than a to z, 0 to 9, ., _, and -", quoted(name)));
        }
    }

    fn zone(&mut self, name: &str) -> Option<Zone> {
        let zone = Zone::named(name);
        if zone.is_none() {
            let fault = format!("{} is not an IANA time zone; use one such as Europe/Berlin", quoted(name));
            self.refuse("time_zone", fault);
        }
        zone
    }

    /// A date, or `None` if the text is empty.
    pub(super) fn optional_date(&mut self, field: &'static str, text: &str) -> Option<Date> {
        if text.is_empty() {
            return None;
        }
        let date = date_of(text).filter(|date| date.year() >= 1970);
        if date.is_none() {
            self.refuse(
                field,
                format!("{} is not a date from 1970-01-01 on; use one such as 2026-11-21", quoted(text)),
            );
        }
        date
    }

    /// Checks the number of sets of criteria.
    fn set_count(&mut self, sets: &[pb::DayCriteria]) {
        if !matches!(sets.len(), 0 | 1 | 7) {
            self.refuse("criteria", format!("{} sets; send one for all days, or seven, Monday first", sets.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::registry;

    fn request() -> pb::CreateDailySeriesRequest {
        pb::CreateDailySeriesRequest {
            name: "daily".to_owned(),
            kind: pb::Kind::Sudoku.into(),
            ..pb::CreateDailySeriesRequest::default()
        }
    }

    #[test]
    fn series_has_defaults_for_all_but_its_name_and_kind() {
        let (wish, first) = new_series(&request()).unwrap();
        assert_eq!((wish.variant.as_str(), wish.zone.name(), wish.days.len(), first), ("9x9", "UTC", 1, None));
        assert_eq!((wish.kind.as_str(), &wish.days[0]), (registry::kinds()[0].name(), &Criteria::default()));
    }

    #[test]
    fn fault_of_a_weekday_names_its_set() {
        let easy = pb::DayCriteria { level: pb::Level::Easy.into(), ..pb::DayCriteria::default() };
        let broken = pb::DayCriteria { level: 9, ..easy.clone() };
        let criteria = [vec![easy; 5], vec![broken.clone(), broken]].concat();
        let refused = new_series(&pb::CreateDailySeriesRequest { criteria, ..request() }).unwrap_err().to_string();
        assert!(refused.starts_with("criteria[5].level: 9 is not a level;"), "{refused}");
        assert!(refused.contains("; criteria[6].level: "), "{refused}");
    }
}
