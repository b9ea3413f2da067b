//! Sends and receives notices between processes with LISTEN and NOTIFY. A job causes one notice when it is queued and
//! one when it ends. Commits of slices send no notices, because every NOTIFY takes a lock on the whole server.

use std::time::Duration;

use async_trait::async_trait;
use sqlx::{
    PgConnection,
    postgres::{PgListener, PgPoolOptions},
};
use tokio::time::timeout;

use crate::{Listener, Notice, StoreError, postgres::PostgresSettings, sql::statements::server};
use puzzled_base::ids::JobId;

const CHANNEL: &str = "puzzled";

/// The time without a notice after which the listener checks its connection. A connection that was cut without a
/// message stays silent.
const SILENCE_MAX: Duration = Duration::from_secs(15);

/// The one connection that receives notices.
#[derive(Debug)]
pub(super) struct PostgresListener {
    listener: PgListener,
    patience: Duration,
}

impl PostgresListener {
    pub(super) async fn open(settings: &PostgresSettings) -> Result<Self, StoreError> {
        let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(settings.patience);
        let mut listener = PgListener::connect_with(&pool.connect_with(settings.options()).await?).await?;
        listener.listen(CHANNEL).await?;
        Ok(Self { listener, patience: settings.patience })
    }
}

#[async_trait]
impl Listener for PostgresListener {
    async fn next(&mut self) -> Result<Notice, StoreError> {
        loop {
            match timeout(SILENCE_MAX, self.listener.try_recv()).await {
                Ok(Ok(Some(notification))) => {
                    if let Some(notice) = parse(notification.payload()) {
                        return Ok(notice);
                    }
                    tracing::debug!(payload = notification.payload(), "unknown notice ignored");
                }
                Ok(Ok(None)) => return Ok(Notice::Missed),
                Ok(Err(error)) => return Err(error.into()),
                Err(_) => {
                    let asked = timeout(self.patience, sqlx::query(server::PING).execute(&mut self.listener)).await;
                    asked.map_err(|_| sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))??;
                }
            }
        }
    }
}

/// Notifies all processes once the write is committed.
pub(super) async fn notify(connection: &mut PgConnection, notices: &[Notice]) -> Result<(), StoreError> {
    sqlx::query(server::NOTIFY)
        .bind(CHANNEL)
        .bind(notices.iter().copied().map(payload).collect::<Vec<_>>())
        .execute(connection)
        .await?;
    Ok(())
}

fn payload(notice: Notice) -> String {
    match notice {
        Notice::Queued(id) => format!("queued {}", id.0),
        Notice::Finished(id) => format!("ended {}", id.0),
        Notice::Resumed => "resumed".to_owned(),
        Notice::Missed => "missed".to_owned(),
    }
}

fn parse(payload: &str) -> Option<Notice> {
    if payload == "resumed" {
        return Some(Notice::Resumed);
    }
    match payload.split_once(' ')? {
        ("queued", id) => Some(Notice::Queued(JobId(id.parse().ok()?))),
        ("ended", id) => Some(Notice::Finished(JobId(id.parse().ok()?))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notice_round_trips_and_foreign_ones_are_ignored() {
        for notice in [Notice::Queued(JobId(17)), Notice::Finished(JobId(i64::MAX)), Notice::Resumed] {
            assert_eq!(parse(&payload(notice)), Some(notice));
        }
        for other in ["", "queued", "queued x", "paused 17"] {
            assert_eq!(parse(other), None, "{other:?}");
        }
    }
}
