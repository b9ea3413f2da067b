//! The replies that virtual workers and callers received, and their comparison with the database.

use std::collections::{BTreeMap, HashSet};

use puzzled_base::{clock::Millis, ids::JobId};
use puzzled_store::{
    jobs::{
        job::{Job, JobState, NewJob},
        slice::{Lease, Slice},
    },
    targets::target::StockTarget,
};

use crate::{process::LEASE_MS, state::State};

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    jobs: BTreeMap<JobId, Known>,
    /// Jobs whose request got no reply: the database may have them or not.
    maybe: Vec<NewJob>,
    leases: Vec<Held>,
    /// The job that the reply of the last step showed.
    told: Option<Job>,
    /// Granted leases whose end no reply has reported.
    given: HashSet<Lease>,
    /// Ended leases: the store must refuse every action under them.
    ended: HashSet<Lease>,
}

#[derive(Debug)]
struct Known {
    new: NewJob,
    /// The job after the last step.
    last: Option<Job>,
    /// Whether a caller has asked for a retry since then.
    retried: bool,
}

/// A lease that has not expired: no other lease may cover its indices.
#[derive(Debug)]
struct Held {
    lease: Lease,
    first_index: u32,
    end_index: u32,
    expires_at: Millis,
}

impl Ledger {
    /// The reply to a request named this job.
    pub(crate) fn acknowledged(&mut self, new: &NewJob, id: JobId) {
        self.maybe.retain(|maybe| maybe != new);
        let known = self.jobs.entry(id).or_insert(Known { new: new.clone(), last: None, retried: false });
        assert_eq!(known.new, *new, "{id} is the job of another request");
    }

    /// A reply showed a job.
    pub(crate) fn told(&mut self, job: &Job) {
        self.told = Some(job.clone());
    }

    /// A request for a job got no reply.
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

    /// A caller asked for a retry. If the store did it, all leases on the job's slices have ended.
    pub(crate) fn retry_asked(&mut self, id: JobId) {
        let known = self.jobs.get_mut(&id).unwrap();
        known.retried = true;
        if known.last.as_ref().is_some_and(|job| !job.state.is_open()) {
            self.leases.retain(|held| held.lease.job_id != id);
        }
    }

    /// A reply confirmed the retry. If the job was unfinished, its leases have ended.
    pub(crate) fn retried(&mut self, id: JobId) {
        let last = self.jobs[&id].last.as_ref();
        if last.is_some_and(|job| job.state.is_unfinished()) {
            self.ended.extend(self.given.extract_if(|lease| lease.job_id == id));
        }
    }

    /// A worker asked for a slice. Whatever the reply, the store may have reclaimed slices of expired leases, and that holds even
    /// if the clock is set back.
    pub(crate) fn asked_for_work(&mut self, now: Millis) {
        self.leases.retain(|held| held.expires_at > now);
    }

    /// A worker claimed a slice: no other unexpired lease may cover any of its indices.
    pub(crate) fn claimed(&mut self, now: Millis, slice: &Slice) {
        self.asked_for_work(now);
        let Slice { lease, first_index, end_index, .. } = *slice;
        let shared = self.leases.iter().find(|held| {
            held.lease.job_id == lease.job_id && held.first_index < end_index && first_index < held.end_index
        });
        assert!(shared.is_none(), "at {now:?} {slice:?} was leased, although {shared:?} has not expired");
        self.leases.push(Held { lease, first_index, end_index, expires_at: now.plus_ms(LEASE_MS) });
        // The claim ends every earlier lease of the slice.
        self.ended.extend(self.given.extract_if(|given| given.slice_id == lease.slice_id));
        self.given.insert(lease);
    }

    /// The store did something that needs a valid lease.
    pub(crate) fn was_allowed(&self, lease: Lease) {
        assert!(!self.ended.contains(&lease), "the store accepted {lease:?}, which has ended");
    }

    pub(crate) fn renewed(&mut self, now: Millis, slice: &Slice) {
        self.was_allowed(slice.lease);
        self.may_have_ended(slice.lease);
        let Slice { lease, first_index, end_index, .. } = *slice;
        self.leases.push(Held { lease, first_index, end_index, expires_at: now.plus_ms(LEASE_MS) });
    }

    /// A renewal got no reply: the earlier of the two expiry times counts.
    pub(crate) fn may_have_been_renewed(&mut self, now: Millis, lease: Lease) {
        for held in self.leases.iter_mut().filter(|held| held.lease == lease) {
            held.expires_at = held.expires_at.min(now.plus_ms(LEASE_MS));
        }
    }

    /// The lease may have ended: other leases may cover its indices.
    pub(crate) fn may_have_ended(&mut self, lease: Lease) {
        self.leases.retain(|held| held.lease != lease);
    }

    /// A reply reported that the lease has ended, by this call or earlier.
    pub(crate) fn has_ended(&mut self, lease: Lease) {
        self.may_have_ended(lease);
        self.given.remove(&lease);
        self.ended.insert(lease);
    }

    /// Compares the database with all replies. Where no reply came, the database counts.
    pub(crate) fn check(&mut self, state: &State) {
        for job in &state.jobs {
            if !self.jobs.contains_key(&job.id) {
                if job.target_id.is_some() {
                    // A planner queued the job.
                    self.jobs.insert(job.id, Known { new: as_queued(job), last: None, retried: false });
                    continue;
                }
                let maybe = self.maybe.iter().position(|new| is_made_of(job, new));
                let new = self.maybe.swap_remove(maybe.unwrap_or_else(|| panic!("no request has queued {job:?}")));
                self.jobs.insert(job.id, Known { new, last: None, retried: false });
            }
        }
        if let Some(told) = self.told.take() {
            assert_eq!(
                state.jobs.iter().find(|job| job.id == told.id),
                Some(&told),
                "the reply differs from the database"
            );
        }
        for (id, known) in &mut self.jobs {
            let job = state.jobs.iter().find(|job| job.id == *id);
            let job = job.unwrap_or_else(|| panic!("a reply named {id}, but the database lacks it"));
            assert!(is_made_of(job, &known.new), "{job:?} is not {known:?}");
            if let Some(last) = &known.last {
                check_progress(last, job, known.retried, &state.targets);
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
        work_ms_max: job.work_ms_max,
        needed_version: job.needed_version,
        request: None,
        shortfall: None,
        by: None,
        holder: job.holder.clone(),
    }
}

fn is_made_of(job: &Job, new: &NewJob) -> bool {
    let request_id = new.request.as_ref().map(|request| &request.request_id);
    (&job.spec, job.wanted, job.seed, job.priority) == (&new.spec, new.wanted, new.seed, new.priority)
        && (job.request_id.as_ref(), job.not_before_at) == (request_id, new.not_before_at)
        && (job.needed_version, &job.holder) == (new.needed_version, &new.holder)
}

fn check_progress(last: &Job, job: &Job, retried: bool, targets: &[StockTarget]) {
    let may_rise = |name: &str, last: u64, now: u64| assert!(last <= now, "{name} of {} fell: {last}, {now}", job.id);
    may_rise("made", last.made.into(), job.made.into());
    may_rise("next index", last.next_index.into(), job.next_index.into());
    may_rise("tries", last.tally.tries, job.tally.tries);
    may_rise("bound of tries", last.tries_max.into(), job.tries_max.into());
    match last.state {
        JobState::Queued | JobState::Running => assert_eq!(last.tries_max, job.tries_max),
        JobState::Failed | JobState::Cancelled | JobState::Ended if retried => {}
        _ => {
            // If a target is deleted, its jobs stay and lose their target.
            let has_target = targets.iter().any(|target| Some(target.id) == last.target_id);
            let target_id = if has_target { last.target_id } else { None };
            assert_eq!(Job { target_id, ..last.clone() }, *job, "an ended job changed");
        }
    }
    assert!(last.state != JobState::Running || job.state != JobState::Queued, "{job:?} was running");
    assert_eq!((last.created_at, last.seed), (job.created_at, job.seed));
}
