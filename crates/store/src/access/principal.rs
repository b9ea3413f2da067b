//! Rule: the data of a principal: its name, its role, its right to solutions, and its quotas.

use std::{num::NonZeroU32, sync::Arc};

/// Name of the principal of every caller of a server without an access file.
pub const ANONYMOUS: &str = "anonymous";

/// Who calls: a name from the access file, or [`ANONYMOUS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// The name, unique in the access file.
    pub name: Arc<str>,
    /// The methods that it may call.
    pub role: Role,
    /// Whether it may read solutions, and the values that reproduce them.
    pub sees_solutions: bool,
    /// What it may use.
    pub quotas: Quotas,
}

impl Principal {
    /// The principal of every caller without an access file: all roles, all solutions, no quota.
    #[must_use]
    pub fn anonymous() -> Self {
        Self { name: ANONYMOUS.into(), role: Role::Admin, sees_solutions: true, quotas: Quotas::default() }
    }
}

/// A set of methods. Each role includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Gets puzzles, and rates and solves its own puzzles.
    Reader,
    /// Queues jobs, and reads jobs, stock, and deliveries.
    Maker,
    /// Everything else except the audit trail.
    Ops,
    /// Reads the audit trail.
    Admin,
}

impl Role {
    /// All roles, from the one with the fewest methods.
    pub const ALL: [Self; 4] = [Self::Reader, Self::Maker, Self::Ops, Self::Admin];

    /// The word in the access file, in the database, and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Maker => "maker",
            Self::Ops => "ops",
            Self::Admin => "admin",
        }
    }
}

/// Limits on what a principal uses. `None` means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quotas {
    /// Calls per second, in each process.
    pub calls_per_second: Option<NonZeroU32>,
    /// Seconds on compute threads per minute, in each process.
    pub compute_seconds_per_minute: Option<NonZeroU32>,
    /// Open jobs, over all processes.
    pub open_jobs: Option<NonZeroU32>,
    /// Puzzles that its open jobs still lack, over all processes.
    pub open_puzzles: Option<NonZeroU32>,
}
