//! Reads puzzles by shelf and position on SQLite, for draws, all as one row of JSON. With a row for each puzzle, the
//! driver would wake the reading task for each, which takes longer than the read itself.

use async_trait::async_trait;
use serde::Deserialize;
use sqlx::{Sqlite, pool::PoolConnection};

use crate::{
    StoreError,
    sql::{database::Database as _, record::RecordColumn, rows, statement::values, statements::positions},
    sqlite::{SqliteStore, json},
    stock::{
        puzzle::{ImportOrigin, JobOrigin, Origin, Position, Puzzle, ShelfId, ShelfKey},
        stock_store::PositionStore,
    },
};
use puzzled_base::{
    clock::Millis,
    ids::{JobId, PuzzleId},
};
use puzzled_engine::shared::level::Tenths;

/// What draws keep between calls.
#[derive(Debug, Default)]
pub(super) struct Draws {
    /// Open from the first draw on. It stays out of the pool, because taking it from the pool and returning it takes as long
    /// as the read.
    pub(super) connection: Option<PoolConnection<Sqlite>>,
    /// Whether the warning was logged. One broken row would repeat it forever. A metric counts such reads.
    has_warned: bool,
}

#[async_trait]
impl PositionStore for SqliteStore {
    async fn puzzles_at(&self, positions: &[Position], with_record: bool) -> Result<Vec<Option<Puzzle>>, StoreError> {
        self.files.must_be_open()?;
        let mut draws = self.draws.lock().await;
        let read = self.read_cards(&mut draws.connection, positions, with_record).await;
        let fault = match read.map(|found| parse(&found, positions)) {
            Ok(Some(puzzles)) => return Ok(puzzles),
            Ok(None) => "a value breaks an invariant".to_owned(),
            Err(error) => error.to_string(),
        };
        self.draw_fallbacks.one();
        if !std::mem::replace(&mut draws.has_warned, true) {
            tracing::warn!(error = fault, "draws read row by row, which is slower; run puzzled check");
        }
        drop(draws);
        // If a value is at fault, its row names it. If the database does not answer, this fails too.
        self.read_puzzle_rows_at(positions).await
    }
}

impl SqliteStore {
    async fn read_cards(
        &self,
        kept: &mut Option<PoolConnection<Sqlite>>,
        positions: &[Position],
        with_record: bool,
    ) -> Result<String, sqlx::Error> {
        let mut connection = match kept.take() {
            Some(connection) => connection,
            None => self.readers.acquire().await?,
        };
        let asked: Vec<_> = positions.iter().map(|position| (position.shelf_id.0, position.number)).collect();
        let sql = if with_record { positions::CARDS_WITH_RECORD } else { positions::CARDS };
        let read = sqlx::query_scalar(sql).bind(json(&asked)?).fetch_one(&mut *connection).await?;
        // A connection that failed, or whose caller went away, goes back to the pool, which tests it.
        *kept = Some(connection);
        Ok(read)
    }

    /// Reads row by row, to find the broken value if the puzzles cannot be read as JSON.
    async fn read_puzzle_rows_at(&self, positions: &[Position]) -> Result<Vec<Option<Puzzle>>, StoreError> {
        let mut puzzles = Vec::with_capacity(positions.len());
        for Position { shelf_id, number } in positions {
            puzzles
                .push(self.all(positions::LIVE, values![shelf_id.0, *number], rows::puzzle_with_record).await?.pop());
        }
        Ok(puzzles)
    }
}

fn parse(found: &str, positions: &[Position]) -> Option<Vec<Option<Puzzle>>> {
    let cards: Vec<(usize, Card)> = serde_json::from_str(found).ok()?;
    let mut puzzles: Vec<_> = positions.iter().map(|_| None).collect();
    for (at, card) in cards {
        *puzzles.get_mut(at)? = Some(card.read_at(*positions.get(at)?)?);
    }
    Some(puzzles)
}

/// A puzzle in circulation, with the record that decided its shelf if the statement read it.
#[derive(Deserialize)]
pub(super) struct Card(Columns, Option<RecordColumn>);

/// The other columns, and those of the shelf, in the order in which they are read.
#[derive(Deserialize)]
struct Columns {
    id: i64,
    shelf_id: i64,
    position: i64,
    text: String,
    solution: String,
    canonical: String,
    repeat_hash: String,
    givens: u16,
    technique: String,
    predicted_seconds: Option<u32>,
    rater: String,
    rater_version: u32,
    seed: Option<i64>,
    job_id: Option<i64>,
    job_index: Option<u32>,
    job_try: Option<u32>,
    import_id: Option<String>,
    import_line: Option<u32>,
    import_note: Option<String>,
    engine_version: u32,
    created_at: i64,
    kind: String,
    variant: String,
    base: String,
    symmetry: String,
    rating: u8,
    shelf_technique: String,
    shelf_givens: u16,
}

impl Columns {
    /// Returns the origin; `None` if the columns break an invariant.
    fn origin(&mut self) -> Option<Origin> {
        match (self.job_id, self.import_id.take()) {
            (Some(job_id), None) => Some(Origin::Job(JobOrigin {
                seed: self.seed?.cast_unsigned(),
                job_id: JobId(job_id),
                index: self.job_index?,
                try_number: self.job_try?,
            })),
            (None, Some(import_id)) => {
                let (line, note) = (self.import_line?, self.import_note.take()?);
                Some(Origin::Import(ImportOrigin { import_id, line, note }))
            }
            _ => None,
        }
    }
}

impl Card {
    /// Returns the puzzle; `None` if a value breaks an invariant, or if the puzzle is at another position.
    pub(super) fn read_at(self, position: Position) -> Option<Puzzle> {
        let Self(mut columns, record) = self;
        if position != (Position { shelf_id: ShelfId(columns.shelf_id), number: columns.position }) {
            return None;
        }
        let (symmetry, origin) = (columns.symmetry.parse().ok()?, columns.origin()?);
        Some(Puzzle {
            id: PuzzleId(columns.id),
            shelf: ShelfKey {
                kind: columns.kind,
                variant: columns.variant,
                base: columns.base,
                symmetry,
                rating: Tenths(columns.rating),
                technique: columns.shelf_technique,
                givens: columns.shelf_givens,
            },
            position: Some(columns.position),
            holder: None,
            text: columns.text,
            solution: columns.solution,
            canonical: columns.canonical,
            repeat_hash: columns.repeat_hash.parse().ok()?,
            givens: columns.givens,
            technique: columns.technique,
            predicted_seconds: columns.predicted_seconds,
            record: record.map(|record| record.stored(columns.rater, columns.rater_version)),
            origin,
            engine_version: columns.engine_version,
            created_at: Millis(columns.created_at),
            withdrawn: None,
        })
    }
}
