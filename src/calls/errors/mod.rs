//! All errors of calls, with the status that the caller gets: code, reason, and google.rpc details. Errors are logged
//! only here.

pub(crate) mod access_error;
pub(crate) mod details;
pub(crate) mod exhausted;
pub(crate) mod fields;
#[cfg(test)]
mod reasons;

use std::{borrow::Cow, collections::HashMap};

use tonic::Status;
use tonic_types::StatusExt as _;

use access_error::AccessError;
use exhausted::Exhausted;
use fields::{Invalid, differences_in_words, different_fields};
use puzzled_api::{
    reasons::{code_of, name},
    v1::ErrorReason,
};
use puzzled_base::{
    ids::{JobId, PuzzleId, TargetId},
    message::bounded,
};
use puzzled_engine::{
    registry,
    shared::{level::Tenths, names::quoted, tries::Disagreement},
};
use puzzled_store::{
    StoreError,
    access::principal::Role,
    jobs::{growth::Full, open_quotas::OverQuota, process::OlderProcess, repeat::Difference},
};

/// What to do if a name was used for another request.
const REPEAT: &str = "repeat that request or choose another request_id";

/// The maximum length of a solution in the details of an error. A status travels in headers, and some clients accept
/// only 8 KiB of headers.
const SOLUTION_LEN_MAX: usize = 1_000;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServiceError {
    /// Fields of the request have invalid values.
    #[error("{0}")]
    Invalid(Invalid),
    /// The caller may not make the call.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The host of a plain request is not a name of this server.
    #[error(
        "host: {} is not a name of this server; use an IP address or localhost, or add the name to the setting `hosts` \
         (`--hosts`, PUZZLED_HOSTS)",
        quoted(.0)
    )]
    HostNotAllowed(String),
    /// The API has this kind, but this server does not make it.
    #[error("kind: {0} is not made by this server; GetServerInfo lists the kinds (`puzzled info`)")]
    KindUnsupported(&'static str),
    /// The requested ratings are above those that are generated.
    #[error("min_rating: {wanted_min} is above {supported_max}, the hardest rating that is generated")]
    RatingUnsupported { wanted_min: Tenths, supported_max: Tenths },
    /// The techniques do not finish the puzzle.
    #[error("text: the puzzle has no rating; the techniques up to {supported_max} do not finish it")]
    Unrated { supported_max: Tenths },
    /// The rater's budget ended first.
    #[error("text: the puzzle is rated {at_least} or harder; the limit `max_rating_nodes` ended the rating")]
    RatingOutOfBudget { at_least: Tenths },
    /// No puzzle has the id.
    #[error("there is no puzzle {}; ListPuzzles lists all (`puzzled list`)", quoted(.0))]
    PuzzleNotFound(String),
    /// No stock target has the id.
    #[error("there is no stock target {}; ListStockTargets lists all (`puzzled target list`)", quoted(.0))]
    TargetNotFound(String),
    /// The spec has a stock target already.
    #[error("{target} is the stock target for {puzzles}; change it with UpdateStockTarget")]
    TargetExists { puzzles: String, target: TargetId },
    /// A configuration declares the target, so a call cannot change it.
    #[error("{target} is declared by the configuration {by:?}; change it there and restart a server that has it")]
    TargetDeclared { target: TargetId, by: String },
    /// The number of stock targets is at its limit.
    #[error("stock targets: {targets} exist; the limit is {max}; delete one or raise `max_targets`")]
    TargetsFull { targets: u32, max: u32 },
    /// The number of open refills is at its limit.
    #[error("refills: {open} are queued or running; the limit is {max}; wait for one to end or raise `max_refills`")]
    RefillsFull { open: u32, max: u32 },
    /// No job has the id.
    #[error("there is no job {}; ListJobs lists all (`puzzled jobs`)", quoted(.0))]
    JobNotFound(String),
    /// The request's name was used for a different request.
    #[error(
        "request_id: {request_id:?} was used before for a request that queued {job} and differs in {}; {REPEAT}",
        differences_in_words(differs)
    )]
    RequestIdReused { request_id: String, job: JobId, differs: Vec<Difference> },
    /// A different request of the same batch has the name.
    #[error(
        "request_id: {request_id:?} is also that of requests[{first}], but this request differs in {}; {REPEAT}",
        differences_in_words(differs)
    )]
    RequestIdTwice { request_id: String, first: usize, differs: Vec<Difference> },
    /// The delivery's name was used for a different request.
    #[error(
        "request_id: {request_id:?} was used before for a request that was answered with {puzzle} and differs in {}; {REPEAT}",
        differences_in_words(differs)
    )]
    DeliveryNamed { request_id: String, puzzle: PuzzleId, differs: Vec<Difference> },
    /// The number of open jobs is at its limit. `counted` says which jobs `open` includes.
    #[error("jobs: {open} are {counted}; the limit is {max}; wait for one to end or raise `max_open_jobs`")]
    BacklogFull { open: u32, counted: &'static str, max: u32 },
    /// The growth of the stock is at its limit.
    #[error("{0}")]
    StockFull(Full),
    /// A quota of the principal on open work.
    #[error("{0}")]
    OverQuota(OverQuota),
    /// Another principal queued the job, and the caller is a maker.
    #[error("{} belongs to another principal; only the role `ops` may change it", quoted(.0))]
    NotOwnJob(String),
    /// One entry of a list in a request is refused, and so is the whole call.
    #[error("{list}[{index}]: {error}")]
    InBatch { list: &'static str, index: usize, error: Box<ServiceError> },
    /// No puzzle in stock fits.
    #[error("{0}")]
    StockExhausted(Box<Exhausted>),
    /// Earlier tries of the spec show that such a puzzle takes too long.
    #[error(
        "no such puzzle in {tries} tries and {:.1} minutes of work, so one probably takes more than a minute; set other \
         criteria",
        minutes(*work_ms)
    )]
    Unreachable { tries: u64, work_ms: i64 },
    /// No daily series has the name.
    #[error(
        "there is no daily series {}; create it with CreateDailySeries, or declare it in the configuration: [[series]] with \
         name, kind, and time_zone",
        quoted(.0)
    )]
    SeriesNotFound(String),
    /// A daily series has the name already.
    #[error("there is already a daily series `{0}`; change it with UpdateDailySeries, or choose another name")]
    SeriesExists(String),
    /// A configuration declares the series, so a call cannot change it.
    #[error(
        "the series `{series}` is declared by the configuration {by:?}; change it there and restart a server that has it"
    )]
    SeriesDeclared { series: String, by: String },
    /// The number of series is at its limit.
    #[error("daily series: {series} exist; the limit is {max}; let one of them continue with UpdateDailySeries")]
    SeriesFull { series: u32, max: u32 },
    /// The series has ended, and the day has no puzzle.
    #[error(
        "the series `{series}` has ended, and {date} has no puzzle; let the series continue with UpdateDailySeries"
    )]
    SeriesEnded { series: String, date: String },
    /// Puzzles fit, but the draws found only withdrawn ones.
    #[error("all drawn puzzles were withdrawn at the same time; repeat the call")]
    DrawUnlucky,
    /// The days of a series would have different kinds, and this process draws no puzzles for them.
    #[error(
        "the process on host {} has version {}, which draws no puzzles for a series of several kinds; replace it with 0.3 or \
         later, and repeat the call", .0.host, .0.version
    )]
    ProcessTooOld(OlderProcess),
    /// The text has several solutions.
    #[error("text: the puzzle has more than one solution{rule}; two solutions differ in {cells}")]
    NotUnique { solutions: [String; 2], rule: String, cells: String },
    /// The text has no solution.
    #[error("text: the puzzle has no solution{rule}; check the givens")]
    NoSolution { rule: String },
    /// The text's givens clash.
    #[error("text: the givens contradict each other: {reason}")]
    Contradiction { reason: String, cells: String },
    /// The text is a full board, which has no rating.
    #[error("text: the grid is complete, so there is nothing to rate; send the puzzle with its empty cells")]
    AlreadySolved,
    /// The budget of the search ended before a verdict.
    #[error("text: the search found no verdict within {nodes_max} nodes, the limit `max_search_nodes`")]
    OutOfBudget { nodes_max: u64 },
    /// The two solvers disagree, which is a fault of the program.
    #[error("the solvers disagree on the puzzle, which is a fault of the server; report the puzzle to its operator")]
    SolversDisagree(Disagreement),
    /// The number of calls is at the server's limit.
    #[error("the server is busy: {subject}, at most {max}; repeat the call after a moment")]
    Busy { subject: &'static str, max: u32 },
    /// The caller already uses its share of the places.
    #[error(
        "this caller is busy: {subject}, at most {max} for each caller; repeat the call when one of yours has ended"
    )]
    CallerBusy { subject: &'static str, max: u32 },
    /// The deadline expired.
    #[error("the deadline expired before the answer; repeat the call with a later deadline")]
    DeadlineExceeded,
    /// The caller cancelled the call.
    #[error("the caller cancelled the call")]
    CallerGone,
    /// The server is shutting down.
    #[error("the server is shutting down; repeat the call after a moment")]
    ShuttingDown,
    /// The store failed.
    #[error("{}", store_in_words(.0))]
    Store(#[from] StoreError),
    /// A fault of the program. The log has the cause.
    #[error("internal error; the log of the server has the cause")]
    Internal(String),
}

#[expect(clippy::cast_precision_loss, reason = "a year of milliseconds is exact")]
fn minutes(ms: i64) -> f64 {
    ms as f64 / 60_000.0
}

/// The message for the caller, without internals.
fn store_in_words(error: &StoreError) -> Cow<'static, str> {
    if error.is_full() {
        "the disk of the database is full; free space on it".into()
    } else if error.is_read_only() {
        "the database is read-only; repeat the call when it can be written again".into()
    } else if error.is_replaced() {
        "the database was deleted or replaced; the server saves what it holds, and ends".into()
    } else if error.is_passing() {
        "the database is unavailable; repeat the call after a moment".into()
    } else {
        "internal error; the log of the server has the cause".into()
    }
}

impl ServiceError {
    /// [`Self::BacklogFull`], except for a batch, which counts its earlier jobs too.
    pub(crate) fn backlog_full(open: u32, max: u32) -> Self {
        Self::BacklogFull { open, counted: "queued or running", max }
    }

    /// This error, for one request of a batch.
    pub(crate) fn in_batch(self, index: usize) -> Self {
        self.in_list("requests", index)
    }

    /// This error, for one entry of a list in a request.
    pub(crate) fn in_list(self, list: &'static str, index: usize) -> Self {
        Self::InBatch { list, index, error: Box::new(self) }
    }

    /// The reason, which determines the status code.
    pub(crate) fn reason(&self) -> ErrorReason {
        match self {
            Self::InBatch { error, .. } => error.reason(),
            Self::Invalid(_) => ErrorReason::InvalidField,
            Self::Access(error) => error.reason(),
            Self::KindUnsupported(_) => ErrorReason::KindUnsupported,
            Self::RatingUnsupported { .. } | Self::Unrated { .. } => ErrorReason::RatingUnsupported,
            Self::PuzzleNotFound(_) => ErrorReason::PuzzleNotFound,
            Self::JobNotFound(_) => ErrorReason::JobNotFound,
            Self::TargetNotFound(_) => ErrorReason::TargetNotFound,
            Self::TargetExists { .. } => ErrorReason::TargetExists,
            Self::TargetDeclared { .. } => ErrorReason::TargetDeclared,
            Self::TargetsFull { .. } => ErrorReason::TargetsFull,
            Self::RefillsFull { .. } => ErrorReason::RefillsFull,
            Self::RequestIdReused { .. } | Self::RequestIdTwice { .. } | Self::DeliveryNamed { .. } => {
                ErrorReason::RequestIdReused
            }
            Self::BacklogFull { .. } => ErrorReason::BacklogFull,
            Self::StockFull(_) => ErrorReason::StockFull,
            Self::OverQuota(_) => ErrorReason::QuotaExceeded,
            Self::NotOwnJob(_) => ErrorReason::PermissionDenied,
            Self::HostNotAllowed(_) => ErrorReason::HostNotAllowed,
            Self::StockExhausted(_) => ErrorReason::StockExhausted,
            Self::Unreachable { .. } => ErrorReason::Unreachable,
            Self::SeriesNotFound(_) => ErrorReason::SeriesNotFound,
            Self::SeriesExists(_) => ErrorReason::SeriesExists,
            Self::SeriesDeclared { .. } => ErrorReason::SeriesDeclared,
            Self::SeriesFull { .. } => ErrorReason::SeriesFull,
            Self::SeriesEnded { .. } => ErrorReason::SeriesEnded,
            Self::ProcessTooOld(_) => ErrorReason::ProcessTooOld,
            Self::DrawUnlucky => ErrorReason::DrawUnlucky,
            Self::NotUnique { .. } => ErrorReason::NotUnique,
            Self::NoSolution { .. } => ErrorReason::NoSolution,
            Self::Contradiction { .. } => ErrorReason::Contradiction,
            Self::AlreadySolved => ErrorReason::AlreadySolved,
            Self::OutOfBudget { .. } => ErrorReason::OutOfBudget,
            Self::RatingOutOfBudget { .. } => ErrorReason::RatingOutOfBudget,
            Self::Busy { .. } | Self::CallerBusy { .. } => ErrorReason::Busy,
            Self::DeadlineExceeded => ErrorReason::DeadlineExceeded,
            Self::CallerGone => ErrorReason::CallerGone,
            Self::ShuttingDown => ErrorReason::ShuttingDown,
            Self::Store(error) if error.is_full() => ErrorReason::DatabaseFull,
            Self::Store(error) if error.is_read_only() => ErrorReason::DatabaseReadOnly,
            Self::Store(error) if error.is_replaced() => ErrorReason::DatabaseReplaced,
            Self::Store(error) if error.is_passing() => ErrorReason::DatabaseUnavailable,
            Self::SolversDisagree(_) => ErrorReason::SolversDisagree,
            Self::Store(_) | Self::Internal(_) => ErrorReason::Internal,
        }
    }

    /// Metadata for programs, in addition to the reason.
    fn metadata(&self) -> HashMap<String, String> {
        let pairs: Vec<(String, String)> = match self {
            Self::KindUnsupported(kind) => {
                let made: Vec<_> = registry::kinds().iter().map(|kind| kind.name()).collect();
                vec![("kind".into(), (*kind).into()), ("kinds_made".into(), made.join(","))]
            }
            Self::RatingUnsupported { wanted_min, supported_max } => {
                vec![("wanted_min".into(), wanted_min.to_string()), ("supported_max".into(), supported_max.to_string())]
            }
            Self::InBatch { index, error, .. } => {
                error.metadata().into_iter().chain([("index".into(), index.to_string())]).collect()
            }
            Self::Access(error) => error.metadata(),
            Self::Unrated { supported_max } => vec![("supported_max".into(), supported_max.to_string())],
            Self::RatingOutOfBudget { at_least } => vec![("rating_at_least".into(), at_least.to_string())],
            Self::RequestIdReused { job, differs, .. } => {
                vec![("job".into(), job.to_string()), ("field".into(), different_fields(differs))]
            }
            Self::RequestIdTwice { differs, .. } => vec![("field".into(), different_fields(differs))],
            Self::DeliveryNamed { puzzle, differs, .. } => {
                vec![("puzzle".into(), puzzle.to_string()), ("field".into(), different_fields(differs))]
            }
            Self::StockExhausted(exhausted) => exhausted.metadata(),
            Self::StockFull(Full { bound, used, max, .. }) => {
                let numbers = [("used", used.to_string()), ("max", max.to_string())];
                let bound = ("bound", bound.setting().to_owned());
                numbers.into_iter().chain([bound]).map(|(name, value)| (name.into(), value)).collect()
            }
            Self::Unreachable { tries, work_ms } => {
                vec![("tries".into(), tries.to_string()), ("work_seconds".into(), (work_ms / 1_000).to_string())]
            }
            Self::OverQuota(over) => vec![("quota".into(), over.quota.name().into())],
            Self::NotOwnJob(_) => vec![("role".into(), Role::Ops.name().into())],
            Self::SeriesDeclared { by, .. } => vec![("declared_by".into(), by.clone())],
            Self::SeriesEnded { date, .. } => vec![("date".into(), date.clone())],
            Self::ProcessTooOld(OlderProcess { host, version }) => {
                vec![("host".into(), host.clone()), ("version".into(), version.clone())]
            }
            Self::TargetExists { target, .. } => vec![("target".into(), target.to_string())],
            Self::TargetDeclared { target, by } => {
                vec![("target".into(), target.to_string()), ("declared_by".into(), by.clone())]
            }
            Self::NotUnique { solutions, cells, .. } => {
                // Solutions of any size are in the response of Validate.
                let names = ["solution_1", "solution_2"].into_iter().zip(solutions);
                let shown = names.filter(|(_, solution)| solution.len() <= SOLUTION_LEN_MAX);
                let shown = shown.map(|(name, solution)| (name.into(), solution.clone()));
                shown.chain([("cells".into(), cells.clone())]).collect()
            }
            Self::Contradiction { cells, .. } => vec![("cells".into(), cells.clone())],
            Self::Busy { .. } => vec![("bound".into(), "server".into())],
            Self::CallerBusy { .. } => vec![("bound".into(), "caller".into())],
            _ => Vec::new(),
        };
        pairs.into_iter().collect()
    }

    /// Logs the error. Called for a call that fails, and for a record of an import.
    pub(crate) fn log(&self) {
        let reason = name(self.reason());
        match self {
            // The process logs these conditions once when they begin.
            Self::Store(error) if error.is_full() || error.is_read_only() || error.is_replaced() => {
                tracing::debug!(reason, %error, "call failed");
            }
            Self::Store(error) if error.is_passing() => tracing::warn!(reason, %error, "call failed"),
            Self::Store(error) => tracing::error!(reason, %error, "call failed"),
            Self::Internal(error) => tracing::error!(reason, error, "call failed"),
            Self::SolversDisagree(Disagreement { kind, text, own, core }) => {
                tracing::error!(
                    kind,
                    text,
                    own,
                    core,
                    "solvers disagreed; report this line in an issue with all its fields"
                );
            }
            _ => tracing::debug!(reason, error = %self, "call refused"),
        }
    }
}

impl From<ServiceError> for Status {
    fn from(error: ServiceError) -> Self {
        error.log();
        Self::with_error_details(code_of(error.reason()), bounded(error.to_string()), error.details())
    }
}
