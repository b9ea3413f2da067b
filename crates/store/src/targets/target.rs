//! Rule: the data of stock targets, of their refills, and of making rates, as the store keeps them. Also decides, in the
//! transaction that queues a refill, whether the target still needs the refill and how many puzzles it makes.

use std::{fmt, sync::Arc};

use crate::{
    access::actor::Actor,
    jobs::{
        growth::Full,
        job::{Job, Labels, NewJob},
        open_quotas::OverQuota,
    },
    stock::filter::ShelfFilter,
};
use puzzled_base::{
    clock::Millis,
    ids::{JobId, TargetId},
};
use puzzled_engine::{
    registry,
    shared::{
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
    },
};

/// The reason why a field of a target is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The field's name in the API and in the configuration file.
    pub field: &'static str,
    /// The given value, and what is allowed.
    pub reason: String,
}

/// A stock target: how many puzzles of a spec the stock should hold.
#[derive(Debug, Clone, PartialEq)]
pub struct StockTarget {
    /// The target's id.
    pub id: TargetId,
    /// The wanted puzzles, and how they are made.
    pub wish: Wish,
    /// The name of the configuration that declares it; `None` if a call created it.
    pub declared_by: Option<String>,
    /// When it was created.
    pub created_at: Millis,
    /// When it last changed.
    pub updated_at: Millis,
}

/// The settings of a target. There is at most one target per spec.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// What each puzzle must be.
    pub spec: Spec,
    /// The low-water mark, from 1 to `count`; `None` follows `count` when that changes. See
    /// [`Self::low_water_mark`].
    pub low_water: Option<u32>,
    /// Puzzles that the stock should hold, from 1.
    pub count: u32,
    /// Priority of the jobs that fill it, from -100 to 100.
    pub priority: i32,
    /// When the target may be filled; `None` means always.
    pub schedule: Option<Schedule>,
}

impl Wish {
    /// The low-water mark, from 1 to `target`. If the stock holds fewer puzzles, the target is filled.
    #[must_use]
    pub fn low_water_mark(&self) -> u32 {
        self.low_water.unwrap_or(self.count)
    }
}

impl fmt::Display for Wish {
    /// The puzzles in a few words: `sudoku 9x9 hard`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spec { kind, variant, symmetry, difficulty, givens, technique } = &self.spec;
        let mut words = vec![kind.clone(), variant.clone()];
        match difficulty {
            Difficulty::Any => {}
            Difficulty::Level(level) => words.push(level.name().to_owned()),
            Difficulty::Range { min, max } => words.push(format!("{min}-{max}")),
        }
        if *symmetry != Symmetry::None {
            words.push(format!("symmetry {}", symmetry.name()));
        }
        words.extend(technique.clone());
        words.extend(givens.map(|givens| format!("{givens} givens")));
        f.write_str(&words.join(" "))
    }
}

/// Recurring windows of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Cron expression of the times at which a window opens.
    pub cron: String,
    /// IANA name of the time zone in which the expression is read.
    pub time_zone: String,
    /// Length of a window, in minutes, from 1.
    pub window_minutes: u32,
}

/// The result of creating a target.
#[derive(Debug, Clone, PartialEq)]
pub enum TargetCreated {
    /// The target was created.
    Created(StockTarget),
    /// The spec already has this target, which stays as it is.
    Exists(TargetId),
    /// The number of targets is at its limit.
    TooMany {
        /// The number of targets.
        targets: u32,
    },
}

/// The result of updating a target.
#[derive(Debug, Clone, PartialEq)]
pub enum TargetUpdated {
    /// The target after the update.
    Updated(StockTarget),
    /// The target stays as it was.
    Refused(UpdateRefusal),
    /// There is no such target.
    NoTarget,
}

/// The reason why a target is not updated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateRefusal {
    /// This configuration declares the target, and must be edited instead.
    Declared(String),
    /// The updated target would be invalid. Never empty.
    Invalid(Vec<Fault>),
}

/// A job to fill a target, queued only if the target needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct Refill {
    /// The target.
    pub target_id: TargetId,
    /// The shelves that count for it.
    pub shelves: ShelfFilter,
    /// The origin of the refill.
    pub asked: Asked,
    /// Seed of the job.
    pub seed: u64,
    /// The maximum number of tries per index.
    pub tries_max: u32,
    /// The maximum number of puzzles of the job.
    pub count_max: u32,
    /// The maximum number of open refills.
    pub refills_max: u32,
    /// The maximum number of open jobs, including refills.
    pub open_jobs_max: u32,
    /// The span of a planned refill; `None` without a trace. A manual refill has the span of its actor.
    pub traceparent: Option<String>,
}

/// The origin of a refill, which decides when it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// The planner. The refill is needed below the low-water mark, if the target has had no other job since the planner
    /// read it.
    Planned {
        /// The target's last job when the planner read it.
        last: Option<JobId>,
        /// The time at which the window of the job closes.
        not_after_at: Option<Millis>,
    },
    /// A principal. The refill is needed below the target.
    Manual(Arc<Actor>),
}

/// The result of a refill.
#[derive(Debug, Clone, PartialEq)]
pub enum Refilled {
    /// A job was queued for all missing puzzles, or for the maximum number of puzzles per job.
    Queued(Job),
    /// A job for this target is already open.
    Open(Job),
    /// The stock holds enough.
    Enough {
        /// Puzzles that count for the target.
        have: u64,
    },
    /// The target has had another job since the planner read it.
    Overtaken,
    /// The queue is paused, and the planner requested the refill.
    Paused,
    /// The stock is full.
    StockFull(Full),
    /// The job would exceed a quota of the principal that requested it.
    OverQuota(OverQuota),
    /// The number of open refills is at its limit.
    RefillsFull {
        /// Open refills.
        open: u32,
    },
    /// The number of open jobs is at its limit.
    BacklogFull {
        /// Open jobs.
        open: u32,
    },
    /// There is no such target.
    NoTarget,
}

/// The reason why a refill ends before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The target was filled without this job.
    Full,
    /// The window closed.
    TooLate,
}

impl Stop {
    /// The job's error.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Full => "the stock target was filled before the job was done",
            Self::TooLate => "the window of the stock target closed before the job was done",
        }
    }
}

/// The making rate of a spec under this engine version: the results of all its tries, in all processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MakingRate {
    /// The spec in words, see [`Spec::words`].
    pub spec: String,
    /// The number of tries.
    pub tries: u64,
    /// The number of puzzles stored.
    pub hits: u64,
    /// Working time, in milliseconds.
    pub work_ms: i64,
}

/// Returns why no job is needed; `None` if one is.
pub(crate) fn needless(target: &StockTarget, refill: &Refill, last: Option<Job>, have: u64) -> Option<Refilled> {
    let last_id = last.as_ref().map(|job| job.id);
    if let Some(open) = last.filter(|job| job.state.is_open()) {
        return Some(Refilled::Open(open));
    }
    let wanted = match &refill.asked {
        Asked::Planned { last: known, .. } if *known != last_id => return Some(Refilled::Overtaken),
        Asked::Planned { .. } => target.wish.low_water_mark(),
        Asked::Manual(_) => target.wish.count,
    };
    (have >= u64::from(wanted)).then_some(Refilled::Enough { have })
}

/// Whether a job is an open refill that must stop now. A job without a deadline, or with time left, is not too late.
pub(crate) fn may_stop(job: &Job, stop: Stop, now: Millis) -> bool {
    let is_over = match stop {
        Stop::Full => true,
        Stop::TooLate => job.not_after_at.is_some_and(|at| at <= now),
    };
    job.state.is_open() && job.target_id.is_some() && is_over
}

/// Builds a job for all missing puzzles, or for as many as a job may have.
pub(crate) fn new_job(target: StockTarget, refill: &Refill, have: u64) -> NewJob {
    let missing = u64::from(target.wish.count).saturating_sub(have);
    NewJob {
        needed_version: registry::needed_version(&target.wish.spec),
        spec: target.wish.spec,
        wanted: u32::try_from(missing).expect("at most the target").min(refill.count_max),
        seed: refill.seed,
        priority: target.wish.priority,
        tries_max: refill.tries_max,
        work_ms_max: None,
        not_before_at: Millis::default(),
        labels: Labels::new(),
        request: None,
        shortfall: None,
        by: asked_by(refill).cloned(),
        holder: None,
    }
}

/// The time at which the window of the job closes, if it has one.
pub(crate) fn not_after_at(refill: &Refill) -> Option<Millis> {
    match refill.asked {
        Asked::Planned { not_after_at, .. } => not_after_at,
        Asked::Manual(_) => None,
    }
}

/// Who asked for the refill; `None` if the planner did.
pub(crate) fn asked_by(refill: &Refill) -> Option<&Arc<Actor>> {
    match &refill.asked {
        Asked::Planned { .. } => None,
        Asked::Manual(by) => Some(by),
    }
}
