//! `ListJobs`: lists the jobs with certain states, kind, target, and labels.

use super::job_message::{job_message, state};
use crate::{
    calls::{Asked, Reply, Service, ServiceError},
    settings::Limits,
    wire::{Page, Parser},
};
use puzzled_api::v1 as pb;
use puzzled_base::ids::JobId;
use puzzled_store::jobs::job::{JobFilter, JobState};

impl Service {
    pub(crate) async fn list_jobs(&self, request: &Asked<pb::ListJobsRequest>) -> Reply<pb::ListJobsResponse> {
        let (filter, page) = parse(request.get_ref(), &self.settings().limits)?;
        let jobs = self.queue.store().jobs(&filter, page.after.map(JobId), page.reads()).await?;
        let (jobs, next_page_token) = page.cut(jobs, |job| job.id.0);
        let jobs = jobs.into_iter().map(job_message).collect();
        Ok(pb::ListJobsResponse { jobs, next_page_token })
    }
}

/// The jobs and the page of a request.
fn parse(
    request: &pb::ListJobsRequest,
    limits: &Limits,
) -> Result<(JobFilter, Page<pb::ListJobsRequest>), ServiceError> {
    let mut parser = Parser::default();
    let filter = JobFilter {
        states: parser.states(&request.states),
        kind: parser.kind(request.kind).map(|kind| kind.name().to_owned()),
        target_id: parser.id("target_id", &request.target_id, "a stock target"),
        labels: request.labels.clone(),
    };
    parser.labels(&request.labels);
    let criteria = pb::ListJobsRequest { page_size: 0, page_token: String::new(), ..request.clone() };
    let page = parser.page("jobs", criteria, (request.page_size, &request.page_token), limits);
    parser.done()?;
    Ok((filter, page))
}

impl Parser {
    /// The states. An empty list means any state, and so does a list with `JOB_STATE_UNSPECIFIED`.
    fn states(&mut self, values: &[i32]) -> Vec<JobState> {
        let mut states = Vec::new();
        let any = i32::from(pb::JobState::Unspecified);
        for &value in values.iter().filter(|&&value| value != any) {
            let known = JobState::ALL.into_iter().find(|&one| i32::from(state(one)) == value);
            if known.is_none() {
                self.refuse(
                    "states",
                    format!("{value} is not a state; use 1 (JOB_STATE_QUEUED) to 6 (JOB_STATE_ENDED)"),
                );
            }
            states.extend(known.filter(|state| !states.contains(state)));
        }
        if values.contains(&any) { Vec::new() } else { states }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_survive_the_wire() {
        for one in JobState::ALL {
            assert_eq!(Parser::default().states(&[state(one).into()]), [one]);
        }
    }
}
