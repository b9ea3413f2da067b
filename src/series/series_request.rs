//! Parses what several requests about daily series contain: the name, the time zone, and the criteria of the days.

use crate::{
    calls::{Invalid, ServiceError},
    wire::{FAULTS_MAX, Parser},
};
use puzzled_api::{criteria::StatesCriteria as _, v1 as pb};
use puzzled_engine::shared::{criteria::Criteria, names::quoted};
use puzzled_store::series::daily_series::{NAME_LEN_MAX, Zone, is_series_name};

/// Checks the name of a series, which is required.
pub(super) fn series_name(name: &str) -> Result<&str, ServiceError> {
    let mut parser = Parser::default();
    parser.series_name(name);
    parser.done()?;
    Ok(name)
}

/// The criteria of all sets. A fault has the index of its set: `criteria[3].level`.
pub(super) fn days(kind: i32, variant: &str, sets: &[pb::DayCriteria]) -> Result<Vec<Criteria>, ServiceError> {
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

    /// Checks the number of sets of criteria.
    pub(super) fn set_count(&mut self, sets: &[pb::DayCriteria]) {
        if !matches!(sets.len(), 0 | 1 | 7) {
            self.refuse("criteria", format!("{} sets; send one for all days, or seven, Monday first", sets.len()));
        }
    }
}
