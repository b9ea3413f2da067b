//! Rule: the data of processes as their rows in the database describe them: role, start, and the slices that each process
//! holds. Also how often a process renews its row, and how long a row counts.

use std::time::Duration;

use puzzled_base::{clock::Millis, ids::JobId};

/// The time between two renewals of a process's row.
pub const RENEW_EVERY: Duration = Duration::from_secs(10);

/// A process counts as running for this time after its last renewal, in milliseconds: six renewals.
pub const RUNNING_MS: i64 = 60_000;

/// The row of a process is kept for this time after its last renewal, in milliseconds: a day.
pub const KEPT_MS: i64 = 24 * 60 * 60 * 1_000;

/// The maximum number of slices that are listed per process. Further slices are only counted.
pub const HELD_MAX: u32 = 100;

/// The task of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Answers calls, and makes puzzles if it has workers.
    Serve,
    /// Only makes puzzles.
    Work,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 2] = [Self::Serve, Self::Work];

    /// The word in the database and in messages, which is the command's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Serve => "serve",
            Self::Work => "work",
        }
    }
}

/// A process as it describes itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// A random name, so that no two processes share it.
    pub name: String,
    /// The host that it runs on.
    pub host: String,
    /// Its process ID on that host.
    pub pid: u32,
    /// Its role.
    pub role: Role,
    /// Its version of puzzled.
    pub version: String,
    /// Its worker threads; 0 if it only answers calls.
    pub workers: u32,
}

/// A process with the times of its row and the slices that it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Id of the row. Processes are listed by id, and older processes have lower ids.
    pub id: i64,
    /// The process.
    pub process: Process,
    /// When it registered, by the store's clock.
    pub started_at: Millis,
    /// When it last renewed its row, by the store's clock.
    pub seen_at: Millis,
    /// Slices of open jobs whose unexpired leases its workers hold, at most [`HELD_MAX`], oldest first.
    pub slices: Vec<HeldSlice>,
    /// The number of these slices, without the limit.
    pub held: u32,
}

/// A slice under a lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldSlice {
    /// Row of the slice.
    pub slice_id: i64,
    /// The job.
    pub job_id: JobId,
    /// Its first index.
    pub first_index: u32,
    /// The index after its last index.
    pub end_index: u32,
    /// Name of the worker that holds it.
    pub worker: String,
    /// When its lease expires.
    pub lease_expires_at: Millis,
}

/// A running process of an older minor version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OlderProcess {
    /// The host that it runs on.
    pub host: String,
    /// Its version of puzzled.
    pub version: String,
}

/// Whether a version belongs to an older minor version than `other`. A version that cannot be read is not older.
pub(crate) fn is_older(version: &str, other: &str) -> bool {
    let minor = |version: &str| -> Option<(u32, u32)> {
        let (major, rest) = version.split_once('.')?;
        Some((major.parse().ok()?, rest.split('.').next()?.parse().ok()?))
    };
    minor(version).zip(minor(other)).is_some_and(|(version, other)| version < other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_of_earlier_minor_versions_are_older() {
        let older = ["0.1.0", "0.2.0", "0.2.11"].map(|version| is_older(version, "0.3.1"));
        let others = ["0.3.0", "0.10.1", "1.0.0", "0.3.0-rc.1", "dev"].map(|version| is_older(version, "0.3.1"));
        assert_eq!((older, others), ([true; 3], [false; 5]));
    }
}
