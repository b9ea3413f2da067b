//! Commits slices on SQLite, one at a time.

use std::sync::Arc;

use async_trait::async_trait;

use super::SqliteStore;
use crate::store::{
    CommitStore, StoreError,
    commits::{Commit, commit_slices},
    database::Database as _,
    job::{Guarded, Job, Lease, SliceWork},
};

#[async_trait]
impl CommitStore for SqliteStore {
    async fn commit(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError> {
        let commit = Commit { lease, work: Arc::new(work) };
        let committed = self.repeated(|| commit_slices(self, std::slice::from_ref(&commit))).await;
        committed?.pop().unwrap_or(Ok(Guarded::LeaseLost))
    }
}
