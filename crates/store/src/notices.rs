//! What a store reports: the changes that any process makes, and that it saved a database file that was deleted or replaced.

use std::{fmt::Debug, path::PathBuf};

use async_trait::async_trait;

use crate::StoreError;
use puzzled_base::ids::JobId;

/// An event that one process sends to all processes, including itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// A job was queued, or queued again.
    Queued(JobId),
    /// A job finished.
    Finished(JobId),
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

/// What was saved of a database that was deleted or replaced while it was open.
#[derive(Debug, Clone)]
pub struct Rescue {
    /// The path of the database.
    pub path: String,
    /// The file with all rows, or why it could not be written.
    pub saved: Result<PathBuf, String>,
}
