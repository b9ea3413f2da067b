//! Rule: checks the quotas on the open work of a principal: the number of its open jobs, and the number of puzzles that these
//! jobs still lack. Pure functions: the store first counts both, in the transaction that queues the jobs.

use std::{fmt, num::NonZeroU32};

use crate::access::principal::Quotas;

/// The open work of a principal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenWork {
    /// The number of open jobs.
    pub jobs: u64,
    /// The number of puzzles that these jobs still lack.
    pub puzzles: u64,
}

impl OpenWork {
    /// One job that lacks a number of puzzles.
    pub(crate) fn job(lacks: u32) -> Self {
        Self { jobs: 1, puzzles: lacks.into() }
    }

    /// Adds further work.
    pub(crate) fn add(&mut self, more: Self) {
        self.jobs += more.jobs;
        self.puzzles += more.puzzles;
    }
}

/// A quota on open work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenQuota {
    /// [`Quotas::open_jobs`].
    Jobs,
    /// [`Quotas::open_puzzles`].
    Puzzles,
}

impl OpenQuota {
    /// The key in the access file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Jobs => "open_jobs",
            Self::Puzzles => "open_puzzles",
        }
    }
}

/// A quota that a job would exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverQuota {
    /// The quota.
    pub quota: OpenQuota,
    /// The open jobs or puzzles.
    pub open: u64,
    /// The jobs or puzzles that the new job would add.
    pub more: u64,
    /// The maximum.
    pub max: u32,
}

impl fmt::Display for OverQuota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { quota, open, more, max } = self;
        let name = quota.name();
        match quota {
            OpenQuota::Jobs => write!(f, "{name}: {open} of your jobs are open; your quota is {max}")?,
            OpenQuota::Puzzles => write!(
                f,
                "{name}: your open jobs lack {open} puzzles, and this job would add {more}; your quota is {max}"
            )?,
        }
        f.write_str("; wait for a job to end, or cancel one")
    }
}

/// Whether the open work of a principal must be counted, because it has a quota on open work.
pub(crate) fn is_bounded(quotas: &Quotas) -> bool {
    quotas.open_jobs.is_some() || quotas.open_puzzles.is_some()
}

/// Returns the quota that more work would exceed, if any.
pub(crate) fn exceeded(quotas: &Quotas, open: OpenWork, more: OpenWork) -> Option<OverQuota> {
    let over = |quota, max: Option<NonZeroU32>, open: u64, more: u64| {
        let max = max?.get();
        (open + more > max.into()).then_some(OverQuota { quota, open, more, max })
    };
    over(OpenQuota::Jobs, quotas.open_jobs, open.jobs, more.jobs)
        .or_else(|| over(OpenQuota::Puzzles, quotas.open_puzzles, open.puzzles, more.puzzles))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quota_is_exceeded_by_the_first_job_beyond_it() {
        let quotas = |jobs, puzzles| Quotas {
            open_jobs: NonZeroU32::new(jobs),
            open_puzzles: NonZeroU32::new(puzzles),
            ..Quotas::default()
        };
        let open = OpenWork { jobs: 2, puzzles: 10 };
        let over = |quotas: Quotas| exceeded(&quotas, open, OpenWork::job(5)).map(|over| over.to_string());
        assert_eq!(over(quotas(3, 15)), None);
        assert_eq!(over(quotas(0, 0)), None);
        let jobs = "open_jobs: 2 of your jobs are open; your quota is 2; wait for a job to end, or cancel one";
        assert_eq!(over(quotas(2, 14)).unwrap(), jobs);
        let puzzles = "open_puzzles: your open jobs lack 10 puzzles, and this job would add 5; your quota is 14; wait for a job to \
                       end, or cancel one";
        assert_eq!(over(quotas(3, 14)).unwrap(), puzzles);
    }
}
