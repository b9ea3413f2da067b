//! The answers that workers and clients received, for comparison with the file.

use std::collections::{BTreeMap, HashSet};

use puzzled::{
    clock::Millis,
    store::{
        job::{Job, JobId, JobState, Lease, NewJob, Slice},
        target::StockTarget,
    },
};

use crate::{process::policy, state::State};

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    jobs: BTreeMap<JobId, Known>,
    /// Jobs of which it is unknown whether they were queued.
    maybe: Vec<NewJob>,
    leases: Vec<Held>,
    /// A job as the reply of the last step had it.
    told: Option<Job>,
    /// Leases that were given, and have not ended as far as anybody knows.
    given: HashSet<Lease>,
    /// Leases that have ended: nothing may be done with them any more.
    ended: HashSet<Lease>,
}

#[derive(Debug)]
struct Known {
    new: NewJob,
    /// How it stood after the last step.
    last: Option<Job>,
    /// A person has asked to retry it since.
    retried: bool,
}

/// A lease that excludes all others as long as it lasts.
#[derive(Debug)]
struct Held {
    lease: Lease,
    first_index: u32,
    end_index: u32,
    expires_at: Millis,
}

impl Ledger {
    /// The reply named this job.
    pub(crate) fn acknowledged(&mut self, new: &NewJob, id: JobId) {
        self.maybe.retain(|maybe| maybe != new);
        let known = self.jobs.entry(id).or_insert(Known { new: new.clone(), last: None, retried: false });
        assert_eq!(known.new, *new, "{id} is the job of another request");
    }

    /// A reply said how a job stands.
    pub(crate) fn told(&mut self, job: &Job) {
        self.told = Some(job.clone());
    }

    /// There was no reply.
    pub(crate) fn may_have_been_queued(&mut self, new: &NewJob) {
        let is_known = self.jobs.values().any(|known| known.new == *new);
        if !is_known && !self.maybe.contains(new) {
            self.maybe.push(new.clone());
        }
    }

    /// The job of a request, if a reply has named it.
    pub(crate) fn job_of(&self, new: &NewJob) -> Option<JobId> {
        self.jobs.iter().find(|(_, known)| known.new == *new).map(|(&id, _)| id)
    }

    /// The version of the engine that a job needs.
    pub(crate) fn needed_version(&self, id: JobId) -> u32 {
        self.jobs[&id].new.needed_version
    }

    pub(crate) fn ids(&self) -> Vec<JobId> {
        self.jobs.keys().copied().collect()
    }

    /// A retry was asked for; if it was done, all leases on the job's slices have ended with it.
    pub(crate) fn retry_asked(&mut self, id: JobId) {
        let known = self.jobs.get_mut(&id).unwrap();
        known.retried = true;
        if known.last.as_ref().is_some_and(|job| !job.state.is_open()) {
            self.leases.retain(|held| held.lease.job_id != id);
        }
    }

    /// It was done, if the job had ended.
    pub(crate) fn retried(&mut self, id: JobId) {
        let last = self.jobs[&id].last.as_ref();
        if last.is_some_and(|job| job.state.is_unfinished()) {
            self.ended.extend(self.given.extract_if(|lease| lease.job_id == id));
        }
    }

    /// Work was asked for: leases that have run out may have been taken back, whatever the reply, and stay so when the
    /// clock is set back.
    pub(crate) fn asked_for_work(&mut self, now: Millis) {
        self.leases.retain(|held| held.expires_at > now);
    }

    /// A slice was claimed: no other unexpired lease may cover any of its indices.
    pub(crate) fn claimed(&mut self, now: Millis, slice: &Slice) {
        self.asked_for_work(now);
        let Slice { lease, first_index, end_index, .. } = *slice;
        let shared = self.leases.iter().find(|held| {
            held.lease.job_id == lease.job_id && held.first_index < end_index && first_index < held.end_index
        });
        assert!(shared.is_none(), "at {now:?} {slice:?} was leased, but it is still held: {shared:?}");
        self.leases.push(Held { lease, first_index, end_index, expires_at: now.plus_ms(policy().lease_ms) });
        // The previous holder of the slice has lost it.
        self.ended.extend(self.given.extract_if(|given| given.slice_id == lease.slice_id));
        self.given.insert(lease);
    }

    /// Something was done that only a lease that stands allows.
    pub(crate) fn was_allowed(&self, lease: Lease) {
        assert!(!self.ended.contains(&lease), "{lease:?} has ended, and yet it was let do something");
    }

    pub(crate) fn renewed(&mut self, now: Millis, slice: &Slice) {
        self.was_allowed(slice.lease);
        self.may_have_ended(slice.lease);
        let Slice { lease, first_index, end_index, .. } = *slice;
        self.leases.push(Held { lease, first_index, end_index, expires_at: now.plus_ms(policy().lease_ms) });
    }

    /// It is unknown whether it was renewed, so the shorter of the two times counts.
    pub(crate) fn may_have_been_renewed(&mut self, now: Millis, lease: Lease) {
        for held in self.leases.iter_mut().filter(|held| held.lease == lease) {
            held.expires_at = held.expires_at.min(now.plus_ms(policy().lease_ms));
        }
    }

    /// Other leases may cover its indices again.
    pub(crate) fn may_have_ended(&mut self, lease: Lease) {
        self.leases.retain(|held| held.lease != lease);
    }

    /// A reply said that it has ended, by this call or before it.
    pub(crate) fn has_ended(&mut self, lease: Lease) {
        self.may_have_ended(lease);
        self.given.remove(&lease);
        self.ended.insert(lease);
    }

    /// Compares the file with all replies, and trusts the file where no reply came.
    pub(crate) fn check(&mut self, state: &State) {
        for job in &state.jobs {
            if !self.jobs.contains_key(&job.id) {
                if job.target_id.is_some() {
                    // A planner has queued it.
                    self.jobs.insert(job.id, Known { new: as_queued(job), last: None, retried: false });
                    continue;
                }
                let maybe = self.maybe.iter().position(|new| is_made_of(job, new));
                let new = self.maybe.swap_remove(maybe.unwrap_or_else(|| panic!("nobody has queued {job:?}")));
                self.jobs.insert(job.id, Known { new, last: None, retried: false });
            }
        }
        if let Some(told) = self.told.take() {
            assert_eq!(state.jobs.iter().find(|job| job.id == told.id), Some(&told), "a reply said otherwise");
        }
        for (id, known) in &mut self.jobs {
            let job = state.jobs.iter().find(|job| job.id == *id);
            let job = job.unwrap_or_else(|| panic!("{id} was acknowledged and is lost"));
            assert!(is_made_of(job, &known.new), "{job:?} is not {known:?}");
            if let Some(last) = &known.last {
                has_gone_on(last, job, known.retried, &state.targets);
            }
            known.last = Some(job.clone());
            known.retried = false;
        }
    }
}

fn as_queued(job: &Job) -> NewJob {
    NewJob {
        spec: job.spec.clone(),
        wanted: job.wanted,
        seed: job.seed,
        priority: job.priority,
        tries_max: job.tries_max,
        not_before_at: job.not_before_at,
        labels: job.labels.clone(),
        no_surplus: job.no_surplus,
        needed_version: job.needed_version,
        request: None,
        shortfall: None,
        by: None,
    }
}

fn is_made_of(job: &Job, new: &NewJob) -> bool {
    let request_id = new.request.as_ref().map(|request| &request.request_id);
    (&job.spec, job.wanted, job.seed, job.priority) == (&new.spec, new.wanted, new.seed, new.priority)
        && (job.request_id.as_ref(), job.not_before_at) == (request_id, new.not_before_at)
        && job.needed_version == new.needed_version
}

fn has_gone_on(last: &Job, job: &Job, retried: bool, targets: &[StockTarget]) {
    let may_rise = |name: &str, last: u64, now: u64| assert!(last <= now, "{name} of {} fell: {last}, {now}", job.id);
    may_rise("made", last.made.into(), job.made.into());
    may_rise("next index", last.next_index.into(), job.next_index.into());
    may_rise("tries", last.tally.tries, job.tally.tries);
    may_rise("bound of tries", last.tries_max.into(), job.tries_max.into());
    match last.state {
        JobState::Queued | JobState::Running => assert_eq!(last.tries_max, job.tries_max),
        JobState::Failed | JobState::Cancelled | JobState::Ended if retried => {}
        _ => {
            // A target that was deleted leaves its jobs.
            let has_target = targets.iter().any(|target| Some(target.id) == last.target_id);
            let target_id = if has_target { last.target_id } else { None };
            assert_eq!(Job { target_id, ..last.clone() }, *job, "an ended job changed");
        }
    }
    assert!(last.state != JobState::Running || job.state != JobState::Queued, "{job:?} was running");
    assert_eq!((last.created_at, last.seed), (job.created_at, job.seed));
}
