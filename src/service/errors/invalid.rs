//! The error of a request with invalid fields: each field, with a sentence about its value and the limit.

use std::borrow::Cow;

use super::ServiceError;
use crate::rules::targets::draft::Fault;

/// Fields with values that they may not have: each with a sentence that contains the value and the limit. Never empty.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::service) struct Invalid(pub(in crate::service) Vec<(Cow<'static, str>, String)>);

impl Invalid {
    /// The faults of a stock target.
    pub(in crate::service) fn of_target(faults: Vec<Fault>) -> ServiceError {
        let fields = faults.into_iter().map(|Fault { field, reason }| (field.into(), reason));
        ServiceError::Invalid(Self(fields.collect()))
    }

    /// The error for a single field.
    pub(in crate::service) fn one(field: &'static str, description: String) -> ServiceError {
        ServiceError::Invalid(Self(vec![(field.into(), description)]))
    }
}

impl std::fmt::Display for Invalid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sentences: Vec<_> = self.0.iter().map(|(field, description)| format!("{field}: {description}")).collect();
        f.write_str(&sentences.join("; "))
    }
}
