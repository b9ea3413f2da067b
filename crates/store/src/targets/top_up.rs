//! Rule: the size and the priority of a top-up, the job that fills the shortfall of a caller. Pure functions.

/// The size of a top-up, the job that fills a caller's shortfall.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopUp {
    /// The number of puzzles, from 1.
    pub count: u32,
    /// The working time after which the job ends if it has a puzzle, in milliseconds.
    pub work_ms_max: i64,
}

impl TopUp {
    /// The top-up for a call that lacks this number of puzzles. Each puzzle adds the working time of one whole top-up.
    #[must_use]
    pub fn of_lacking(self, lacking: u32) -> Self {
        Self { count: lacking, work_ms_max: self.work_ms_max.saturating_mul(lacking.into()) }
    }
}

/// The priority of a top-up. It is high, because a caller waits for the job.
pub const PRIORITY: i32 = 10;
