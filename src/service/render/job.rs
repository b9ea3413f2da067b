//! Jobs, from and to the wire.

use prost::Message as _;

use super::{kind, level, millis_of, rating, symmetry, timestamp};
use crate::{
    chance::Chance,
    clock::Millis,
    proto::v1 as pb,
    service::{
        errors::ServiceError,
        parse::{Checks, Criteria},
        settings::Limits,
    },
    store::job::{Job, JobState, NamedRequest, NewJob, Tally},
};
use puzzled_engine::spec::{Spec, Target};

/// How far ahead a job may be put off: 366 days. What lies further ahead is more likely a slip of units.
const NOT_BEFORE_MS_MAX: i64 = 366 * 24 * 60 * 60 * 1_000;

/// What a request is turned into a job with.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) struct Setting<'a> {
    pub(in crate::service) limits: &'a Limits,
    pub(in crate::service) chance: &'a Chance,
    pub(in crate::service) tries_max: u32,
    pub(in crate::service) now: Millis,
}

/// The job that a request asks for.
pub(in crate::service) fn new_job(request: pb::GenerateRequest, setting: Setting<'_>) -> Result<NewJob, ServiceError> {
    let mut checks = Checks::default();
    let spec = spec(&mut checks, &request);
    let wanted = count(&mut checks, request.count, setting.limits);
    let priority = checks.priority(request.priority);
    let not_before_at = not_before(&mut checks, request.not_before_time, setting.now);
    checks.request_id(&request.request_id);
    checks.labels(&request.labels);
    let spec = checks.done_with(spec)?;
    let seed = request.seed.unwrap_or_else(|| setting.chance.next_u64());
    let (tries_max, labels, no_extras) = (setting.tries_max, request.labels.clone(), request.no_extras);
    let request = named(request);
    Ok(NewJob { spec, wanted, seed, priority, tries_max, not_before_at, labels, no_extras, request, shortfall: None })
}

fn spec(checks: &mut Checks, request: &pb::GenerateRequest) -> Option<Spec> {
    let criteria = Criteria {
        kind: request.kind,
        variant: &request.variant,
        symmetry: request.symmetry,
        level: request.level,
        min_rating: request.min_rating,
        max_rating: request.max_rating,
    };
    let clues = request.clues.map(|clues| u16::try_from(clues).map_err(|_| clues)).transpose();
    if let Err(clues) = clues {
        checks.refuse("clues", format!("{clues} is above {}", u16::MAX));
    }
    checks.spec(criteria, clues.ok()?, &request.technique)
}

fn count(checks: &mut Checks, count: Option<u32>, limits: &Limits) -> u32 {
    let count = count.unwrap_or(1);
    if count == 0 {
        checks.refuse("count", "0 is below 1".to_owned());
    } else if count > limits.count_max {
        checks.refuse("count", format!("{count} is above {}", limits.count_max));
    }
    count
}

/// The beginning of time where the request does not say: at once, however far the store's clock is from ours.
fn not_before(checks: &mut Checks, sent: Option<prost_types::Timestamp>, now: Millis) -> Millis {
    let Some(sent) = sent else { return Millis::default() };
    match millis_of(sent) {
        Ok(at) if at.ms_since(now) > NOT_BEFORE_MS_MAX => {
            checks.refuse("not_before_time", format!("{sent} is more than 366 days ahead"));
            at
        }
        Ok(at) => at.max(Millis::default()),
        Err(fault) => {
            checks.refuse("not_before_time", fault);
            now
        }
    }
}

/// The request as sent, without its name: two requests are the same if these bytes are.
fn named(mut request: pb::GenerateRequest) -> Option<NamedRequest> {
    let request_id = std::mem::take(&mut request.request_id);
    (!request_id.is_empty()).then(|| NamedRequest { request_id, body: request.encode_to_vec() })
}

/// The wire's job.
pub(in crate::service) fn job(job: Job) -> pb::Job {
    let put_off = job.not_before_at > job.created_at;
    pb::Job {
        id: job.id.to_string(),
        state: state(job.state).into(),
        spec: Some(job_spec(job.spec)),
        wanted: job.wanted,
        made: job.made,
        tries: job.tally.tries,
        missed: Some(missed(&job.tally)),
        nearest: job.tally.nearest.map(|(_, words)| words).unwrap_or_default(),
        seed: job.seed,
        priority: job.priority,
        failed_attempts: job.failed_attempts,
        error: job.error.unwrap_or_default(),
        request_id: job.request_id.unwrap_or_default(),
        not_before_time: put_off.then(|| timestamp(job.not_before_at)),
        create_time: Some(timestamp(job.created_at)),
        start_time: job.started_at.map(timestamp),
        end_time: job.ended_at.map(timestamp),
        extra: job.extra,
        target_id: job.target_id.map(|id| id.to_string()).unwrap_or_default(),
        not_after_time: job.not_after_at.map(timestamp),
        labels: job.labels,
        rescues: job.rescues,
        no_extras: job.no_extras,
        prune_time: job.pruned_at.map(timestamp),
    }
}

fn job_spec(spec: Spec) -> pb::JobSpec {
    let (wanted_level, range) = match spec.target {
        Target::Any => (pb::Level::Unspecified, None),
        Target::Level(wanted) => (level(wanted), None),
        Target::Range { min, max } => (pb::Level::Unspecified, Some((min, max))),
    };
    pb::JobSpec {
        kind: kind(&spec.kind).into(),
        variant: spec.variant,
        level: wanted_level.into(),
        min_rating: range.map(|(min, _)| rating(min)),
        max_rating: range.map(|(_, max)| rating(max)),
        symmetry: symmetry(spec.symmetry).into(),
        clues: spec.clues.map(u32::from),
        technique: spec.technique.unwrap_or_default(),
    }
}

fn missed(tally: &Tally) -> pb::MissedTries {
    pb::MissedTries {
        repeats: tally.repeats,
        unrated: tally.unrated,
        off_target: tally.off_target,
        clues: tally.clues,
        unproven: tally.unproven,
        solvers_disagreed: tally.solvers_disagreed,
    }
}

/// The wire's state.
fn state(state: JobState) -> pb::JobState {
    match state {
        JobState::Queued => pb::JobState::Queued,
        JobState::Running => pb::JobState::Running,
        JobState::Succeeded => pb::JobState::Succeeded,
        JobState::Failed => pb::JobState::Failed,
        JobState::Cancelled => pb::JobState::Cancelled,
    }
}

/// The state; none if it is not said.
pub(in crate::service) fn state_of(state: pb::JobState) -> Option<JobState> {
    match state {
        pb::JobState::Unspecified => None,
        pb::JobState::Queued => Some(JobState::Queued),
        pb::JobState::Running => Some(JobState::Running),
        pb::JobState::Succeeded => Some(JobState::Succeeded),
        pb::JobState::Failed => Some(JobState::Failed),
        pb::JobState::Cancelled => Some(JobState::Cancelled),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_survive_the_wire() {
        for one in JobState::ALL {
            assert_eq!(state_of(state(one)), Some(one));
            assert_eq!(state(one).as_str_name(), format!("JOB_STATE_{}", one.name().to_ascii_uppercase()));
        }
    }

    #[test]
    fn only_the_name_of_a_request_is_left_out_of_what_it_is_compared_by() {
        let request = pb::GenerateRequest { kind: 1, request_id: "one".to_owned(), ..Default::default() };
        let named_one = named(request.clone()).unwrap();
        assert_eq!(named_one.request_id, "one");
        let other_name = pb::GenerateRequest { request_id: "two".to_owned(), ..request.clone() };
        assert_eq!(named(other_name).unwrap().body, named_one.body);
        let other_request = pb::GenerateRequest { count: Some(1), ..request };
        assert_ne!(named(other_request).unwrap().body, named_one.body);
        assert_eq!(named(pb::GenerateRequest::default()), None);
    }
}
