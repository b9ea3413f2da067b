//! Parses a request into domain values in one pass. A parser collects the faults of all fields before it refuses a request, so the caller sees
//! all of them at once. Also parses what requests of several services contain: names, IDs, and reasons.

use std::str::FromStr;

use crate::calls::{Invalid, ServiceError};
use puzzled_engine::shared::names::quoted;

/// The maximum number of faults in one error. A status travels in headers, which must stay small.
pub(crate) const FAULTS_MAX: usize = 20;

/// The maximum number of characters of the name of an audience, a request, or an import.
const NAME_LEN_MAX: usize = 128;

/// The maximum number of characters of a reason, a source, or a note.
const REASON_LEN_MAX: usize = 500;

/// Parses the fields of one request, and collects their faults.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    pub(super) invalid: Vec<(&'static str, String)>,
    /// A refusal that is not the request's fault. It is returned only if the request has no fault.
    unsupported: Option<ServiceError>,
}

impl Parser {
    /// Adds a fault: the field, and a message with the value and the limit.
    pub(crate) fn refuse(&mut self, field: &'static str, description: String) {
        if self.invalid.len() < FAULTS_MAX {
            self.invalid.push((field, description));
        }
    }

    /// Records that this server does not support the request.
    pub(crate) fn unsupported(&mut self, error: ServiceError) {
        self.unsupported.get_or_insert(error);
    }

    /// Returns the faults, or what this server does not support, if there is any.
    pub(crate) fn done(self) -> Result<(), ServiceError> {
        if !self.invalid.is_empty() {
            let invalid = self.invalid.into_iter().map(|(field, description)| (field.into(), description));
            return Err(ServiceError::Invalid(Invalid(invalid.collect())));
        }
        self.unsupported.map_or(Ok(()), Err)
    }

    /// As [`Self::done`], with the value if there is nothing to return.
    pub(crate) fn done_with<T>(self, value: Option<T>) -> Result<T, ServiceError> {
        self.done()?;
        value.ok_or_else(|| ServiceError::Internal("a request was parsed to no value, but has no fault".to_owned()))
    }

    /// Checks the name of an audience, a request, or an import. It may be empty.
    pub(crate) fn name(&mut self, field: &'static str, name: &str) {
        if !name.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            self.refuse(field, format!("{} has characters that are not allowed; use printable ASCII", quoted(name)));
        } else if name.len() > NAME_LEN_MAX {
            self.refuse(field, format!("{} characters; at most {NAME_LEN_MAX} are allowed", name.len()));
        }
    }

    /// The ID in a field; `None` if unset.
    pub(crate) fn id<Id: FromStr>(&mut self, field: &'static str, id: &str, of: &str) -> Option<Id> {
        let known = id.parse().ok();
        if known.is_none() && !id.is_empty() {
            self.refuse(field, format!("{} is not the ID of {of}", quoted(id)));
        }
        known
    }

    pub(crate) fn required_reason(&mut self, reason: &str) {
        let len = reason.chars().count();
        if !(1..=REASON_LEN_MAX).contains(&len) {
            self.refuse("reason", format!("{len} characters are outside 1 to {REASON_LEN_MAX}"));
        }
        self.readable(reason);
    }

    /// Checks a reason, which may be empty.
    pub(crate) fn reason(&mut self, reason: &str) {
        let len = reason.chars().count();
        if len > REASON_LEN_MAX {
            self.refuse("reason", format!("{len} characters; at most {REASON_LEN_MAX} are allowed"));
        }
        self.readable(reason);
    }

    fn readable(&mut self, reason: &str) {
        // PostgreSQL cannot store this character in text.
        if reason.contains('\0') {
            self.refuse("reason", "the character U+0000 is not allowed; remove it".to_owned());
        }
    }
}

/// Parses each entry of a list. An error names up to [`FAULTS_MAX`] faults, each with the index of its entry: `requests[3].level`. If no
/// entry has a fault, the error is that of the first entry that this server does not support.
pub(crate) fn each<E, T>(
    list: &'static str,
    entries: impl IntoIterator<Item = E>,
    mut parse: impl FnMut(E) -> Result<T, ServiceError>,
) -> Result<Vec<T>, ServiceError> {
    let (mut parsed, mut faults, mut unsupported) = (Vec::new(), Vec::new(), None);
    for (index, entry) in entries.into_iter().enumerate() {
        match parse(entry) {
            Ok(value) => parsed.push(value),
            Err(ServiceError::Invalid(Invalid(fields))) => faults
                .extend(fields.into_iter().map(|(field, fault)| (format!("{list}[{index}].{field}").into(), fault))),
            Err(error) => unsupported = unsupported.or_else(|| Some(error.in_list(list, index))),
        }
    }
    if !faults.is_empty() {
        faults.truncate(FAULTS_MAX);
        return Err(ServiceError::Invalid(Invalid(faults)));
    }
    unsupported.map_or(Ok(parsed), Err)
}

/// The ID of `of`, which is required. A text that is not an ID counts as an unknown ID.
pub(crate) fn required_id<Id: FromStr>(
    id: &str,
    of: &str,
    not_found: fn(String) -> ServiceError,
) -> Result<Id, ServiceError> {
    if id.is_empty() {
        return Err(Invalid::one("id", format!("required; set the ID of {of}")));
    }
    id.parse().map_err(|_| not_found(id.to_owned()))
}

/// What is wrong with a source or note, which may be empty.
pub(crate) fn remark_fault(remark: &str) -> Option<String> {
    let len = remark.chars().count();
    if len > REASON_LEN_MAX {
        return Some(format!("{len} characters; at most {REASON_LEN_MAX} are allowed"));
    }
    // PostgreSQL cannot store this character in text.
    remark.contains('\0').then(|| "the character U+0000 is not allowed; remove it".to_owned())
}
