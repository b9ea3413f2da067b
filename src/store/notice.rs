//! The notices that processes on one PostgreSQL database send each other, and the interface that receives them. With
//! notices, processes need not poll often.

use std::fmt::Debug;

use async_trait::async_trait;

use super::StoreError;
use crate::rules::jobs::job::JobId;

/// An event that one process sends to all processes, including itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// A job was queued, or queued again.
    Queued(JobId),
    /// A job ended.
    Ended(JobId),
    /// Claims get slices again, because a pause ended or the stock has room.
    Resumed,
    /// Some notices were lost because the connection was down for a while.
    Missed,
}

/// Receives the notices sent after it was created.
#[async_trait]
pub trait Listener: Debug + Send {
    /// Waits for the next notice.
    ///
    /// # Errors
    /// [`StoreError`] if the connection fails. The caller then needs a new listener.
    async fn next(&mut self) -> Result<Notice, StoreError>;
}
