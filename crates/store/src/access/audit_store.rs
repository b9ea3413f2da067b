//! The audit trail: writes an entry in the transaction of each change, counts denied calls, and lists entries.

use async_trait::async_trait;
use serde_json::{Value, json};

use crate::{
    StoreError,
    access::{
        actor::Actor,
        audit_entry::{AuditEntry, AuditFilter, Denial, NewEntry},
        principal::Role,
    },
    error::must_touch,
    sql::{
        database::{Database, Write},
        rows,
        statement::values,
        statements::audit,
    },
};

/// The audit trail.
#[async_trait]
pub trait AuditStore {
    /// Writes an entry for a call that changes nothing else, such as an export. The entry is durable when the call returns.
    async fn note(&self, by: &Actor, details: Value) -> Result<(), StoreError>;

    /// Counts denied calls, in one entry per principal, method, and minute. `denials` must contain each pair of
    /// principal and method at most once.
    async fn note_denied(&self, denials: &[Denial]) -> Result<(), StoreError>;

    /// Returns up to `limit` entries with ids below `before`, newest first.
    async fn audit_entries(
        &self,
        filter: &AuditFilter,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, StoreError>;
}

#[async_trait]
impl<D: Database> AuditStore for D {
    async fn note(&self, by: &Actor, details: Value) -> Result<(), StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("note.begin").await?;
            let entry = NewEntry::of(by, Vec::new(), details.clone());
            insert(&mut write, "note.insert", &[entry]).await?;
            write.commit("note.commit", "note.committed").await
        })
        .await
    }

    async fn note_denied(&self, denials: &[Denial]) -> Result<(), StoreError> {
        if denials.is_empty() {
            return Ok(());
        }
        let mut rows: Vec<_> = denials.iter().collect();
        // All processes use this order, so that two of them cannot deadlock.
        rows.sort_by(|one, other| (&one.by.name, &one.by.method).cmp(&(&other.by.name, &other.by.method)));
        let rows = rows.into_iter().map(|Denial { by, calls }| {
            json!([&*by.name, by.role.map(Role::name), by.address, by.method, &*by.call_id, calls])
        });
        let rows = rows.collect::<Value>().to_string();
        self.with_retries(|| async {
            let mut write = self.write("denied.begin").await?;
            let now = write.now();
            write
                .execute("denied.insert", audit::COUNT_DENIED, values![&rows, now, now.0.div_euclid(MINUTE_MS)])
                .await?;
            write.commit("denied.commit", "denied.committed").await
        })
        .await
    }

    async fn audit_entries(
        &self,
        filter: &AuditFilter,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let (alone, among) = match &filter.subject {
            // In a pattern, `_` stands for any character.
            Some(subject) => (Some(format!("[{subject:?}]")), Some(format!("%{:?}%", subject.replace('_', "!_")))),
            None => (None, None),
        };
        let values = values![
            before.unwrap_or(i64::MAX),
            filter.principal.as_ref(),
            filter.method.as_ref(),
            filter.since.map(|at| at.0),
            filter.before.map(|at| at.0),
            alone.as_ref(),
            among.as_ref(),
            limit,
        ];
        self.all(audit::LIST, values, rows::audit_entry).await
    }
}

/// The period in which the denied calls of a principal to a method share an entry, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// Inserts entries in this order.
pub(crate) async fn insert<W: Write>(
    write: &mut W,
    point: &'static str,
    entries: &[NewEntry<'_>],
) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    let rows = entries.iter().map(|NewEntry { by, method, subjects, details }| {
        let role = by.role.map(Role::name);
        json!([&*by.name, role, by.address, method, &*by.call_id, json!(subjects).to_string(), details.to_string()])
    });
    let rows = rows.collect::<Value>().to_string();
    let now = write.now();
    must_touch("the audit trail", entries.len() as u64, write.execute(point, audit::INSERT, values![&rows, now]).await?)
}
