//! Stores the records of an import that are new, in one transaction for each call. An import gets its row with
//! its first stored puzzle.

use std::collections::HashMap;

use async_trait::async_trait;

use crate::{
    StoreError,
    access::{actor::Actor, audit_entry::NewEntry, audit_store},
    jobs::{queue_store::growth_state, slice::Alike},
    sql::{
        database::{Columns, Database, Reading, Write},
        statement::values,
        statements::import,
    },
    stock::{
        import::{
            Examined, Import, Imported, Other, Outcome, ProvedPuzzle, Reason, Refused, TakenLines, details, own_line,
            repeat, taken,
        },
        puzzle::ImportOrigin,
        shelving::{New, ShelveWrite, Shelved},
    },
};
use puzzled_base::ids::PuzzleId;

/// Imports.
#[async_trait]
pub trait ImportStore {
    /// Stores the puzzles of these records that are new, and returns the result for each record. If the stock becomes full,
    /// the results of later records are missing. A record that was stored before is [`Reason::Known`], with its own line.
    /// Each call that stores something has one entry in the audit trail. A dry run changes nothing.
    async fn import(&self, import: &Import, records: &[Examined], by: &Actor) -> Result<Imported, StoreError>;
}

#[async_trait]
impl<D: Database<Write: ShelveWrite>> ImportStore for D {
    async fn import(&self, import: &Import, records: &[Examined], by: &Actor) -> Result<Imported, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("import.begin").await?;
            let growth = growth_state(&mut write, "import.read_growth").await?.next(None, None, write.now());
            if let Some(full) = growth.full() {
                return write.roll_back(Imported::StockFull(full)).await;
            }
            insert_import(&mut write, import).await?;
            let source = write.one("import.read_source", import::SOURCE, values![&import.import_id], source).await?;
            if source != import.source {
                return write.roll_back(Imported::OtherSource(source)).await;
            }
            let outcomes = shelve(&mut write, import, records, growth.room()).await?;
            let stored = outcomes.iter().filter_map(|outcome| outcome.stored.as_ref().ok().copied().flatten());
            let subjects: Vec<_> = stored.map(|id| id.to_string()).collect();
            // A dry run has no ids. An import that has stored nothing keeps no row.
            if subjects.is_empty() {
                return write.roll_back(Imported::Done(outcomes)).await;
            }
            let entry = NewEntry::of(by, subjects, details(import, &outcomes));
            audit_store::insert(&mut write, "import.audit", &[entry]).await?;
            write.commit("import.commit", "import.committed").await?;
            Ok(Imported::Done(outcomes))
        })
        .await
    }
}

/// Adds the row of an import, unless it exists.
async fn insert_import<W: Write>(write: &mut W, import: &Import) -> Result<(), StoreError> {
    let values = values![&import.import_id, &import.source, write.now()];
    write.execute("import.insert", import::INSERT, values).await.map(|_| ())
}

fn source(row: &impl Columns) -> Result<String, StoreError> {
    Reading::new(row, "imports")?.get("source")
}

/// Puts puzzles on their shelves while the stock has room. `room` is the number of puzzles that fit; `None` means any number.
async fn shelve<W: Write + ShelveWrite>(
    write: &mut W,
    import: &Import,
    records: &[Examined],
    room: Option<u64>,
) -> Result<Vec<Outcome>, StoreError> {
    let taken = taken_lines(write, import, records).await?;
    let mut stored = HashMap::new();
    let (mut outcomes, mut rest) = (Vec::with_capacity(records.len()), records);
    // Each round takes at most as many records as there is room, so that the stock cannot exceed its limit. Repeats use
    // no room, so that a further round may follow.
    loop {
        let room = room.map_or(usize::MAX, |room| usize::try_from(room).unwrap_or(usize::MAX) - stored.len());
        let (round, later) = rest.split_at(room.min(rest.len()));
        if round.is_empty() {
            return Ok(outcomes);
        }
        outcomes.extend(shelve_round(write, import, round, &taken, &mut stored).await?);
        rest = later;
    }
}

async fn shelve_round<W: Write + ShelveWrite>(
    write: &mut W,
    import: &Import,
    round: &[Examined],
    taken_lines: &TakenLines,
    stored: &mut HashMap<u32, PuzzleId>,
) -> Result<Vec<Outcome>, StoreError> {
    let storable = |record: &'_ Examined| {
        record.found.as_ref().is_ok_and(|found| taken(record.line, found, taken_lines).is_none())
    };
    let new = round.iter().filter(|record| storable(record)).filter_map(|record| {
        let (import_id, note) = (import.import_id.clone(), record.note.clone());
        Some(New::of_import(ImportOrigin { import_id, line: record.line, note }, record.found.as_ref().ok()?))
    });
    let new: Vec<_> = new.collect();
    let mut shelved = write.shelve(&new).await?.into_iter();
    let mut outcomes = Vec::with_capacity(round.len());
    for Examined { line, found, .. } in round {
        let result = match found {
            Err(refused) => Err(refused.clone()),
            Ok(found) => match taken(*line, found, taken_lines) {
                Some(refused) => Err(refused),
                None => match shelved.next() {
                    Some(Shelved::Stored { id, .. }) => {
                        stored.insert(*line, PuzzleId(id));
                        Ok((!import.dry_run).then_some(PuzzleId(id)))
                    }
                    Some(Shelved::Repeat(alike)) => Err(refused_repeat(import, found, &alike, stored)),
                    Some(Shelved::NoShelf(_)) | None => Err(no_shelf(write.shelves_max())),
                },
            },
        };
        outcomes.push(Outcome { line: *line, stored: result });
    }
    Ok(outcomes)
}

/// `stored` has the puzzles that this write has added so far.
fn refused_repeat(import: &Import, found: &ProvedPuzzle, alike: &[Alike], stored: &HashMap<u32, PuzzleId>) -> Refused {
    let (reason, known) = repeat(found, alike);
    let other = known.map(|known| {
        let line = own_line(import, known.origin.import());
        let added = line.and_then(|line| stored.get(&line).copied());
        let id = added.map_or(Some(PuzzleId(known.puzzle_id)), |id| (!import.dry_run).then_some(id));
        Other { id, line }
    });
    Refused { reason, fault: String::new(), other }
}

fn no_shelf(shelves_max: u32) -> Refused {
    let fault = format!("the limit of {shelves_max} shelves is reached");
    Refused { reason: Reason::NoShelf, fault, other: None }
}

/// Returns the puzzles in circulation on the lines of these records.
async fn taken_lines<W: Write>(write: &mut W, import: &Import, records: &[Examined]) -> Result<TakenLines, StoreError> {
    let lines: Vec<_> = records.iter().map(|record| i64::from(record.line)).collect();
    let found = write.all("import.find_lines", import::LINES, values![&import.import_id, lines], line).await?;
    Ok(found.into_iter().collect())
}

fn line(row: &impl Columns) -> Result<(u32, (PuzzleId, String)), StoreError> {
    let row = Reading::new(row, "puzzles")?;
    Ok((row.number("import_line")?, (PuzzleId(row.id()), row.get("text")?)))
}
