//! What processes that share a database tell each other, so that nobody has to keep asking.

use std::fmt::Debug;

use async_trait::async_trait;

use super::{StoreError, job::JobId};

/// Something that a process has done, told to all of them, itself included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// A job was queued, or queued again.
    Queued(JobId),
    /// A job came to an end.
    Ended(JobId),
    /// The queue, which may have been paused, goes on.
    Resumed,
    /// Some notices were not heard, because the connection was lost for a while.
    Missed,
}

/// Hears the notices, from when it was made.
#[async_trait]
pub trait Listener: Debug + Send {
    /// Waits for the next one.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be heard; a new ear is needed then.
    async fn next(&mut self) -> Result<Notice, StoreError>;
}
