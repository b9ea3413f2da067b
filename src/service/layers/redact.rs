//! Removes from responses and errors what a principal without the right to solutions may not see: solutions, and the
//! numbers that reproduce a puzzle, such as seeds.

use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::service::errors::details::DOMAIN;
use puzzled_api::v1::{self as pb, batch_get_puzzles_result::Result as Answer};

/// A response that may have what a principal without the right to solutions may not see. `build.rs` implements it for all
/// that are not in its list `REDACTED`: they hide their puzzles and jobs.
pub(super) trait Redacted {
    /// Removes what the principal may not see.
    fn redact(&mut self) {}
}

impl Redacted for pb::Puzzle {
    fn redact(&mut self) {
        self.solution.clear();
        self.solution_board.clear();
        self.seed = 0;
        self.job_id.clear();
        (self.job_index, self.job_try) = (0, 0);
        // The source of an import may have its solutions, and a note is in the caller's words.
        self.import_id.clear();
        self.import_line = 0;
        self.import_note.clear();
    }
}

impl Redacted for pb::Job {
    fn redact(&mut self) {
        self.seed = 0;
    }
}

impl Redacted for pb::BatchGetPuzzlesResponse {
    fn redact(&mut self) {
        for result in &mut self.results {
            if let Some(Answer::Puzzle(puzzle)) = &mut result.result {
                puzzle.redact();
            }
        }
    }
}

impl Redacted for pb::ValidateResponse {
    fn redact(&mut self) {
        self.solutions.clear();
        self.drawing.clear();
    }
}

/// Removes solutions from the details of an error, and the seed of an earlier request from its message.
pub(super) fn status(status: Status) -> Status {
    let Some(info) = status.get_details_error_info().filter(|info| info.domain == DOMAIN) else { return status };
    let shows_seed = info.reason == "REQUEST_ID_REUSED"
        && info.metadata.get("field").is_some_and(|fields| fields.split(',').any(|field| field == "seed"));
    if status.code() != Code::InvalidArgument && !shows_seed {
        return status;
    }
    let mut details = status.get_error_details();
    let mut info = info;
    info.metadata.retain(|name, _| !name.starts_with("solution_"));
    details.set_error_info(info.reason, info.domain, info.metadata);
    let message = if shows_seed {
        "request_id: used before for a request that differs in its seed; repeat that request or choose another request_id"
    } else {
        status.message()
    };
    if shows_seed && let Some(resource) = details.resource_info().cloned() {
        details.set_resource_info(resource.resource_type, resource.resource_name, resource.owner, message);
    }
    Status::with_error_details(status.code(), message, details)
}
