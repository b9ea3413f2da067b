//! Parses requests into domain values in one pass. A parser collects the faults of all fields before it refuses a
//! request, so the caller sees all of them at once.

mod criteria;
mod delivery;
mod import_records;
mod names;
mod new_job;
mod page;
mod page_token;
mod recorded;
mod series_request;
mod text;
mod wish;

use crate::{
    calls::errors::{ServiceError, fields::Invalid},
    settings::Limits,
};

pub(crate) use criteria::{checked, part};
pub(crate) use delivery::{DayOf, Fitting, Wanted, daily, day, get_puzzle};
pub(crate) use import_records::{import, record_kind};
pub(crate) use names::{audience, job_id, pause_reason, release, target_id, withdrawal, withdrawals};
pub(crate) use new_job::{Setting, new_job};
pub(crate) use page::{audit_entries, deliveries, export, jobs, processes, puzzles, targets};
pub(crate) use recorded::{NamedPuzzle, printed, recorded};
pub(crate) use series_request::{new_series, series_change, series_name};
pub(crate) use text::{
    AskedPuzzle, PuzzleText, WantedPicture, WithSolution, WithVerdict, check_board, hint, rate, render_puzzle, solve,
    text_fault, validate,
};
pub(crate) use wish::{change, wish};

/// The maximum number of faults in one error. A status travels in headers, which must stay small.
pub(crate) const FAULTS_MAX: usize = 20;

/// Checks the number of requests in a batch.
///
/// # Errors
/// [`ServiceError::Invalid`] if there are none, or too many.
pub(crate) fn batch(len: usize, limits: &Limits) -> Result<(), ServiceError> {
    let max = limits.max_batch_requests;
    if (1..=max as usize).contains(&len) {
        return Ok(());
    }
    Err(Invalid::one("requests", format!("{len} are outside 1 to {max}")))
}

/// Parses the fields of one request, and collects their faults.
#[derive(Debug, Default)]
struct Parser {
    invalid: Vec<(&'static str, String)>,
    /// A refusal that is not the request's fault. It is returned only if the request has no fault.
    unsupported: Option<ServiceError>,
}

impl Parser {
    /// Adds a fault: the field, and a message with the value and the limit.
    fn refuse(&mut self, field: &'static str, description: String) {
        if self.invalid.len() < FAULTS_MAX {
            self.invalid.push((field, description));
        }
    }

    /// Records that this server does not support the request.
    fn unsupported(&mut self, error: ServiceError) {
        self.unsupported.get_or_insert(error);
    }

    /// Returns the faults, if there are any.
    fn done(self) -> Result<(), ServiceError> {
        if !self.invalid.is_empty() {
            let invalid = self.invalid.into_iter().map(|(field, description)| (field.into(), description));
            return Err(ServiceError::Invalid(Invalid(invalid.collect())));
        }
        self.unsupported.map_or(Ok(()), Err)
    }

    /// Returns the faults, or the value if there are none.
    fn done_with<T>(self, value: Option<T>) -> Result<T, ServiceError> {
        self.done()?;
        value.ok_or_else(|| ServiceError::Internal("a request without a fault came to nothing".to_owned()))
    }
}
