//! Parses what several requests about daily series contain: the name, the time zone, and the criteria of the days.

use crate::{
    calls::{Invalid, ServiceError},
    wire::{FAULTS_MAX, Parser},
};
use puzzled_api::{criteria::StatesCriteria as _, v1 as pb, words};
use puzzled_engine::shared::{criteria::Criteria, names::quoted};
use puzzled_store::{
    series::daily_series::{NAME_LEN_MAX, Zone, is_series_name},
    stock::stated::ANY_VARIANT,
};

const UNSET: i32 = pb::Kind::Unspecified as i32;

/// Checks the name of a series, which is required.
pub(super) fn series_name(name: &str) -> Result<&str, ServiceError> {
    let mut parser = Parser::default();
    parser.series_name(name);
    parser.done()?;
    Ok(name)
}

/// The criteria of all sets, each with its kind and variant, or with those of the series. A fault has the index of its set:
/// `criteria[3].level`.
pub(super) fn days(of_series: (i32, &str), sets: &[pb::DayCriteria]) -> Result<Vec<Criteria>, ServiceError> {
    let (mut days, mut invalid) = (Vec::with_capacity(sets.len()), Vec::new());
    for (index, set) in sets.iter().enumerate() {
        let mut parser = Parser::default();
        let day = parser.day(of_series, set);
        match parser.done_with(day) {
            Ok(day) => days.push(day),
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
    pub(super) fn series_name(&mut self, name: &str) {
        if name.is_empty() {
            self.refuse("name", "required; set the name of a series".to_owned());
        } else if name.len() > NAME_LEN_MAX {
            self.refuse("name", format!("{} characters; at most {NAME_LEN_MAX} are allowed", name.len()));
        } else if !is_series_name(name) {
            self.refuse("name", format!("{} has other characters than a to z, 0 to 9, ., _, and -", quoted(name)));
        }
    }

    pub(super) fn zone(&mut self, name: &str) -> Option<Zone> {
        let zone = Zone::named(name);
        if zone.is_none() {
            let fault = format!("{} is not an IANA time zone; use one such as Europe/Berlin", quoted(name));
            self.refuse("time_zone", fault);
        }
        zone
    }

    /// The criteria of one set.
    fn day(&mut self, of_series: (i32, &str), set: &pb::DayCriteria) -> Option<Criteria> {
        let own = set.stated();
        if own.kind == UNSET && !own.variant.is_empty() {
            self.refuse("variant", "set without a kind; set both, or neither".to_owned());
        }
        let (kind, variant) = if own.kind == UNSET { of_series } else { (own.kind, own.variant.as_str()) };
        let criteria = self.criteria(&pb::JobSpec { kind, variant: variant.to_owned(), ..own.clone() });
        let found = self.fitting(&criteria)?;
        let kind = words::kind_of(kind)?;
        let variant = match variant {
            ANY_VARIANT => ANY_VARIANT.to_owned(),
            "" => kind.default_variant().to_owned(),
            name => kind.variant_name(name),
        };
        // A day of a level that the variant lacks would never get a puzzle.
        if let Some((info, level)) = kind.variant(&variant).zip(criteria.level)
            && let Some(fault) = info.check_level(kind.name(), level).err()
        {
            self.refuse_criteria(vec![fault]);
        }
        Some(Criteria { variant: Some(variant), ..found.criteria() })
    }

    /// Checks that either each set of criteria has a kind, or none has one and `kind` is set. Adds a fault otherwise.
    pub(super) fn kinds(&mut self, kind: i32, sets: &[pb::DayCriteria]) {
        let without = sets.iter().position(|set| set.kind == UNSET);
        let with = sets.iter().position(|set| set.kind != UNSET);
        match (with, without) {
            (None, _) => self.require_kind(kind),
            (Some(with), Some(without)) => {
                let fault =
                    format!("criteria[{with}] has a kind, criteria[{without}] has none; set all kinds, or none");
                self.refuse("criteria", fault);
            }
            (Some(_), None) if kind != UNSET => {
                self.refuse("kind", "set together with the kinds of the days; set one or the other".to_owned());
            }
            (Some(_), None) => {}
        }
    }

    /// Checks the number of sets of criteria.
    pub(super) fn set_count(&mut self, sets: &[pb::DayCriteria]) {
        if !matches!(sets.len(), 0 | 1 | 7) {
            self.refuse("criteria", format!("{} sets; send one for all days, or seven, Monday first", sets.len()));
        }
    }
}
