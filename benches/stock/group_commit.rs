//! The baseline for deliveries to an audience: each call writes one row to SQLite, and the rows of concurrent calls are
//! committed together.

use std::path::Path;

use sqlx::{
    Connection as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use tokio::sync::{mpsc, oneshot};

use super::load::Caller;

/// The maximum number of rows per commit, the same as for callers of `GetPuzzle`.
const BATCH_MAX: usize = 256;

/// A task that commits rows.
#[derive(Debug)]
pub(crate) struct GroupCommit(Committer);

/// A caller that commits a row through the task.
#[derive(Debug, Clone)]
pub(crate) struct Committer(mpsc::Sender<oneshot::Sender<()>>);

impl GroupCommit {
    /// Starts the task on a new database file with the same durability as the store's.
    pub(crate) async fn on(file: &Path) -> Self {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let mut connection = SqliteConnection::connect_with(&options).await.expect("a database");
        sqlx::query("create table rows (id integer primary key, audience integer, puzzle integer, at integer)")
            .execute(&mut connection)
            .await
            .expect("a table");
        let (sender, inbox) = mpsc::channel(4 * BATCH_MAX);
        tokio::spawn(commit_all(connection, inbox));
        Self(Committer(sender))
    }

    pub(crate) fn caller(&self) -> Committer {
        self.0.clone()
    }
}

async fn commit_all(mut connection: SqliteConnection, mut inbox: mpsc::Receiver<oneshot::Sender<()>>) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    while inbox.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let mut write = connection.begin_with("begin immediate").await.expect("a write");
        for _ in &batch {
            sqlx::query("insert into rows (audience, puzzle, at) values (?, ?, ?)")
                .bind(1)
                .bind(2)
                .bind(3)
                .execute(&mut *write)
                .await
                .expect("a row");
        }
        write.commit().await.expect("a commit");
        for reply in batch.drain(..) {
            let _ = reply.send(());
        }
    }
}

impl Caller for Committer {
    async fn call(&mut self) {
        let (reply, answer) = oneshot::channel();
        self.0.send(reply).await.expect("a task");
        answer.await.expect("a commit");
    }
}
