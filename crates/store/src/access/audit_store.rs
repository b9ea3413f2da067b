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
        statement::{Sql, values},
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
        self.repeated(|| async {
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
        self.repeated(|| async {
            let mut write = self.write("denied.begin").await?;
            let now = write.now();
            write.execute("denied.insert", COUNT_DENIED, values![&rows, now, now.0.div_euclid(MINUTE_MS)]).await?;
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
            Some(subject) => (Some(format!("[{subject:?}]")), Some(format!("%{subject:?}%"))),
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
        self.all(LIST, values, rows::audit_entry).await
    }
}

/// The period in which the denied calls of a principal to a method share an entry, in milliseconds.
const MINUTE_MS: i64 = 60_000;

/// Only entries of four methods have several subjects. A partial index holds these entries.
const LIST: &str =
    "select id, principal, role, address, method, call_id, subjects, details, denied_minute, calls, created_at
    from audit
    where id < $1
      and (cast($2 as text) is null or principal = $2)
      and (cast($3 as text) is null or method = $3)
      and (cast($4 as bigint) is null or created_at >= $4)
      and (cast($5 as bigint) is null or created_at < $5)
      and (cast($6 as text) is null
           or id in (select id from audit where subjects = $6
                     union all
                     select id from audit
                     where method in ('BatchGenerate', 'Refill', 'ReleasePuzzles', 'WithdrawPuzzles', 'ImportPuzzles')
                       and subjects like cast($7 as text)))
    order by id desc
    limit $8";

const COUNT_DENIED: Sql = Sql {
    sqlite: "insert into audit (principal, role, address, method, call_id, calls, created_at, denied_minute)
             select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, $2, $3
             from jsonb_each($1)
             where true
             order by key
             on conflict (principal, method, denied_minute) where denied_minute is not null
             do update set calls = audit.calls + excluded.calls",
    postgres: "insert into audit (principal, role, address, method, call_id, calls, created_at, denied_minute)
               select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, (value ->> 5)::bigint, $2, $3
               from json_array_elements($1::json) with ordinality as new (value, rank)
               order by rank
               on conflict (principal, method, denied_minute) where denied_minute is not null
               do update set calls = audit.calls + excluded.calls",
};

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
    must_touch("the audit trail", entries.len() as u64, write.execute(point, INSERT, values![&rows, now]).await?)
}

const INSERT: Sql = Sql {
    sqlite: "insert into audit (principal, role, address, method, call_id, subjects, details, created_at)
             select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, $2
             from jsonb_each($1)
             order by key",
    postgres: "insert into audit (principal, role, address, method, call_id, subjects, details, created_at)
               select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, $2
               from json_array_elements($1::json) with ordinality as new (value, rank)
               order by rank",
};
