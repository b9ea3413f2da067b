//! Commits slices on PostgreSQL. One transaction makes all waiting commits; see `gather.rs`.

use std::sync::Arc;

use async_trait::async_trait;

use super::PostgresStore;
use crate::store::{
    CommitStore, StoreError,
    commits::{Commit, commit_slices},
    database::Database as _,
    job::{Guarded, Job, Lease, SliceWork},
};

#[async_trait]
impl CommitStore for PostgresStore {
    async fn commit(&self, lease: Lease, work: SliceWork) -> Result<Guarded<Job>, StoreError> {
        let commit = Commit { lease, work: Arc::new(work) };
        let all = |commits: Vec<Commit>| async move { self.repeated(|| commit_slices(self, &commits)).await };
        self.commits.make(commit, all).await
    }
}
