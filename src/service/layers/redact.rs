//! Removes from responses and errors what a principal without the right to solutions may not see: solutions, and the
//! numbers that reproduce a puzzle, such as seeds.

use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::{
    proto::v1::{self as pb, batch_get_puzzles_result::Result as Answer},
    service::errors::details::DOMAIN,
};

/// The rule for responses without such fields.
pub(super) fn nothing<T>(_: &mut T) {}

fn puzzle(puzzle: &mut pb::Puzzle) {
    puzzle.solution.clear();
    puzzle.solution_board.clear();
    puzzle.seed = 0;
    puzzle.job_id.clear();
    (puzzle.job_index, puzzle.job_try) = (0, 0);
    // The source of an import may have its solutions, and a note is in the caller's words.
    puzzle.import_id.clear();
    puzzle.import_line = 0;
    puzzle.import_note.clear();
}

fn job(job: &mut pb::Job) {
    job.seed = 0;
}

pub(super) fn get_puzzle(response: &mut pb::GetPuzzleResponse) {
    response.puzzle.as_mut().map(puzzle);
}

pub(super) fn batch_get_puzzles(response: &mut pb::BatchGetPuzzlesResponse) {
    for result in &mut response.results {
        if let Some(Answer::Puzzle(one)) = &mut result.result {
            puzzle(one);
        }
    }
}

pub(super) fn get_daily_puzzle(response: &mut pb::GetDailyPuzzleResponse) {
    response.puzzle.as_mut().map(puzzle);
}

pub(super) fn list_puzzles(response: &mut pb::ListPuzzlesResponse) {
    response.puzzles.iter_mut().for_each(puzzle);
}

pub(super) fn export_puzzles(response: &mut pb::ExportPuzzlesResponse) {
    response.puzzles.iter_mut().for_each(puzzle);
}

pub(super) fn withdraw_puzzle(response: &mut pb::WithdrawPuzzleResponse) {
    response.puzzle.as_mut().map(puzzle);
}

pub(super) fn generate(response: &mut pb::GenerateResponse) {
    response.job.as_mut().map(job);
}

pub(super) fn batch_generate(response: &mut pb::BatchGenerateResponse) {
    response.jobs.iter_mut().for_each(job);
}

pub(super) fn get_job(response: &mut pb::GetJobResponse) {
    response.job.as_mut().map(job);
}

pub(super) fn list_jobs(response: &mut pb::ListJobsResponse) {
    response.jobs.iter_mut().for_each(job);
}

pub(super) fn watch_job(response: &mut pb::WatchJobResponse) {
    response.job.as_mut().map(job);
}

pub(super) fn cancel_job(response: &mut pb::CancelJobResponse) {
    response.job.as_mut().map(job);
}

pub(super) fn retry_job(response: &mut pb::RetryJobResponse) {
    response.job.as_mut().map(job);
}

pub(super) fn refill(response: &mut pb::RefillResponse) {
    response.job.as_mut().map(job);
}

pub(super) fn validate(response: &mut pb::ValidateResponse) {
    response.solutions.clear();
    response.drawing.clear();
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
