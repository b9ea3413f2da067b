//! Stock targets, the jobs that fill them, and the measured rates of making, as the store keeps them.

use std::{fmt, str::FromStr};

use super::{
    draft::Fault,
    growth::Full,
    job::{Job, JobId, number_after},
    puzzle::ShelfFilter,
};
use crate::clock::Millis;
use puzzled_engine::{
    spec::{Spec, Target},
    symmetry::Symmetry,
};

/// Number of a target, from 1; on the wire `target-3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TargetId(pub i64);

impl fmt::Display for TargetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "target-{}", self.0)
    }
}

impl FromStr for TargetId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        number_after("target-", text).map(Self).ok_or(())
    }
}

/// How many puzzles of a spec the stock should hold.
#[derive(Debug, Clone, PartialEq)]
pub struct StockTarget {
    /// Id.
    pub id: TargetId,
    /// What is wanted.
    pub wish: Wish,
    /// The name of the configuration that declares it; none if a call created it.
    pub declared_by: Option<String>,
    /// When it was created.
    pub created_at: Millis,
    /// When it last changed.
    pub updated_at: Millis,
}

/// What a target wants. There is one target for a spec.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// The puzzles.
    pub spec: Spec,
    /// Its low-water mark, from 1 to `target`; none stands for `target`, whatever that is. See [`Self::low_water_mark`].
    pub low_water: Option<u32>,
    /// Puzzles that the stock should hold, from 1.
    pub target: u32,
    /// Priority of the jobs that fill it.
    pub priority: i32,
    /// Whether its jobs store no extra puzzles.
    pub no_surplus: bool,
    /// When it may be filled; none means always.
    pub schedule: Option<Schedule>,
}

impl Wish {
    /// It is filled once fewer puzzles than this are in stock, from 1 to `target`.
    #[must_use]
    pub fn low_water_mark(&self) -> u32 {
        self.low_water.unwrap_or(self.target)
    }

    /// The puzzles in a few words: `sudoku 9x9 hard`.
    #[must_use]
    pub fn puzzles(&self) -> String {
        let Spec { kind, variant, symmetry, target, clues, technique } = &self.spec;
        let mut words = vec![kind.clone(), variant.clone()];
        match target {
            Target::Any => {}
            Target::Level(level) => words.push(level.name().to_owned()),
            Target::Range { min, max } => words.push(format!("{min}-{max}")),
        }
        if *symmetry != Symmetry::None {
            words.push(format!("symmetry {}", symmetry.name()));
        }
        words.extend(technique.as_ref().map(|technique| format!("needing {technique}")));
        words.extend(clues.map(|clues| format!("{clues} givens")));
        words.join(" ")
    }
}

/// Windows of time that open again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Cron expression of the times at which a window opens.
    pub cron: String,
    /// IANA name of the time zone by whose clocks the expression is read.
    pub time_zone: String,
    /// How long a window stays open, in minutes, from 1.
    pub window_minutes: u32,
}

/// What came of creating a target.
#[derive(Debug, Clone, PartialEq)]
pub enum TargetCreated {
    /// It is created.
    Created(StockTarget),
    /// The spec has this target already, which is left as it is.
    Exists(TargetId),
    /// There are as many targets as may be.
    TooMany {
        /// Targets that there are.
        targets: u32,
    },
}

/// What came of updating a target.
#[derive(Debug, Clone, PartialEq)]
pub enum TargetUpdated {
    /// It is as wanted.
    Updated(StockTarget),
    /// It stays as it was.
    Refused(UpdateRefusal),
    /// There is no such target.
    NoTarget,
}

/// Why a target is not updated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateRefusal {
    /// This configuration declares it, and only there it is changed.
    Declared(String),
    /// What would result is no target that could be created. Never empty.
    Invalid(Vec<Fault>),
}

/// A job to fill a target, to be queued only if the target needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct Refill {
    /// The target.
    pub target_id: TargetId,
    /// The shelves that count for it.
    pub shelves: ShelfFilter,
    /// Who asks.
    pub asked: Asked,
    /// Seed of the job.
    pub seed: u64,
    /// Tries allowed at one index.
    pub tries_max: u32,
    /// Whether the job stores no extra puzzles, even if the target's do.
    pub no_surplus: bool,
    /// Most puzzles of the job.
    pub count_max: u32,
    /// Most jobs open that fill targets.
    pub refills_max: u32,
    /// Most jobs open of any origin.
    pub open_jobs_max: u32,
}

/// Who asks for a refill, which decides when it is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The planner: below the low-water mark, and only if nothing has been done for the target since it looked.
    Planned {
        /// The target's last job when it looked.
        last: Option<JobId>,
        /// When the window closes in which the job may be worked.
        not_after_at: Option<Millis>,
    },
    /// A person: below the target.
    Manual,
}

/// What came of a refill.
#[derive(Debug, Clone, PartialEq)]
pub enum Refilled {
    /// A job for all that is missing, or as much of it as a job may have, is in the queue.
    Queued(Job),
    /// A job for this target is open already.
    Open(Job),
    /// The stock holds enough.
    Enough {
        /// Puzzles that count for the target.
        have: u64,
    },
    /// Somebody else has acted since the planner looked.
    Overtaken,
    /// The queue is paused, and the planner asked.
    Paused,
    /// The stock is full.
    StockFull(Full),
    /// As many refills are open as may be.
    RefillsFull {
        /// Refills that are open.
        open: u32,
    },
    /// As many jobs are open as may be.
    BacklogFull {
        /// Jobs that are open.
        open: u32,
    },
    /// There is no such target.
    NoTarget,
}

/// Why a refill ends before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The target was filled otherwise.
    Full,
    /// Its window closed.
    TooLate,
}

impl Stop {
    /// What stands as the job's error.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Full => "the stock target was filled before the job was done",
            Self::TooLate => "the window of the stock target closed before the job was done",
        }
    }
}

/// What came of all tries at a spec under this version of the engine, in all processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    /// The spec, as [`Spec::words`] has it.
    pub spec: String,
    /// Tries.
    pub tries: u64,
    /// Puzzles stored as wanted.
    pub hits: u64,
    /// Workers' time, in milliseconds.
    pub work_ms: i64,
}
