//! The transaction that records the puzzles of a history: finds the stored puzzles, leaves out those that the audience has
//! had already, and inserts the rest with an entry in the audit trail.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::{
    StoreError,
    access::{actor::Actor, audit_entry::NewEntry, audit_store},
    deliveries::history::{Entry, Had, Recorded, Stocked, entries, new_entries},
    error::must_touch,
    sql::{
        database::{Columns, Reading, Write, id},
        statement::values,
        statements::{audience, history},
    },
};
use puzzled_base::{ids::PuzzleId, repeat_hash::RepeatHash};

/// Records puzzles, and commits. The write must hold the lock of the audience. The audit entry does not contain the audience's
/// name, which may identify a person.
pub(crate) async fn record<W: Write>(
    mut write: W,
    audience: &str,
    had: &[Had],
    by: &Actor,
) -> Result<Recorded, StoreError> {
    let all = match entries(had, &stocked(&mut write, had).await?) {
        Ok(entries) => entries,
        Err((index, id)) => return write.roll_back(Recorded::NoPuzzle { index, id }).await,
    };
    let count = all.len();
    let known = write.optional("record.find_audience", audience::FIND, values![audience], id).await?;
    let before = match known {
        Some(audience_id) => had_before(&mut write, audience_id, &all).await?,
        None => HashSet::new(),
    };
    let new = new_entries(all, before);
    let recorded = Recorded::Done { new: new.len() as u64, known: (count - new.len()) as u64 };
    if new.is_empty() {
        return write.roll_back(recorded).await;
    }
    let audience_id = match known {
        Some(audience_id) => audience_id,
        None => write.one("record.insert_audience", audience::INSERT, values![audience, write.now()], id).await?,
    };
    insert(&mut write, audience_id, &new).await?;
    let details = json!({ "recorded": new.len(), "known": count - new.len() });
    audit_store::insert(&mut write, "record.audit", &[NewEntry::of(by, Vec::new(), details)]).await?;
    write.commit("record.commit", "record.committed").await?;
    Ok(recorded)
}

/// Reads the stored puzzles with the IDs, forms, or repeat hashes of a history. No other write can delete them
/// meanwhile.
async fn stocked<W: Write>(write: &mut W, had: &[Had]) -> Result<Vec<Stocked>, StoreError> {
    let (mut ids, mut forms, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
    for had in had {
        match had {
            Had::Stored(id) => ids.push(id.0),
            Had::Like(likeness) => {
                forms.push(likeness.form.as_str());
                hashes.push(RepeatHash(likeness.repeat_hash).to_string());
            }
            Had::Solved(repeat_hash) => hashes.push(repeat_hash.to_string()),
        }
    }
    write.all("record.find_puzzles", history::STOCKED, values![ids, forms, texts(&hashes)], stocked_of).await
}

fn stocked_of(row: &impl Columns) -> Result<Stocked, StoreError> {
    let row = Reading::new(row, "puzzles")?;
    Ok(Stocked {
        id: PuzzleId(row.id()),
        form: row.get("canonical")?,
        repeat_hash: row.word("repeat_hash")?,
        is_kept: row.get("is_kept")?,
    })
}

/// Returns the repeat hashes among these entries that the audience has.
async fn had_before<W: Write>(
    write: &mut W,
    audience_id: i64,
    entries: &[Entry],
) -> Result<HashSet<RepeatHash>, StoreError> {
    let hashes: Vec<_> = entries.iter().map(|entry| entry.repeat_hash.to_string()).collect();
    let had = write.all("record.find_deliveries", history::HAD, values![audience_id, texts(&hashes)], hash_of).await?;
    Ok(had.into_iter().collect())
}

fn hash_of(row: &impl Columns) -> Result<RepeatHash, StoreError> {
    Reading::new(row, "deliveries")?.word("repeat_hash")
}

fn texts(hashes: &[String]) -> Vec<&str> {
    hashes.iter().map(String::as_str).collect()
}

async fn insert<W: Write>(write: &mut W, audience_id: i64, new: &[Entry]) -> Result<(), StoreError> {
    let rows = new.iter().map(|entry| json!([entry.puzzle_id.map(|id| id.0), entry.repeat_hash.to_string()]));
    let rows = rows.collect::<Value>().to_string();
    let inserted = write.execute("record.insert", history::INSERT, values![audience_id, &rows, write.now()]).await?;
    must_touch("recording deliveries", new.len() as u64, inserted)
}
