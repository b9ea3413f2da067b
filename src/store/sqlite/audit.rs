//! What a database says about itself twice, compared: counts with rows, cursors and slots with shelves, deliveries with
//! puzzles. What only the engine can say of a puzzle is not asked here.

use sqlx::{AssertSqlSafe, Row as _};

use super::{SqliteStore, StoreError, rows, stock::select_puzzles};
use crate::store::{
    puzzle::{Puzzle, PuzzleId},
    rating::Rating,
};

/// Findings of one comparison that are told; further ones are cut off.
const TOLD_MAX: u32 = 100;

/// Comparisons, each with a column of sentences about what does not agree.
const COMPARISONS: [&str; 8] = [
    "select 'shelf ' || shelves.id || ': ' || positions || ' positions, and ' || count(puzzles.id) || ' puzzles stand on it'
     from shelves left join puzzles on puzzles.shelf_id = shelves.id
     group by shelves.id
     having positions <> count(puzzles.id)",
    "select 'shelf ' || shelves.id || ': ' || positions || ' positions, and a puzzle stands at ' || max(position)
     from shelves join puzzles on puzzles.shelf_id = shelves.id
     group by shelves.id
     having max(position) >= positions or min(position) < 0",
    "select 'shelf ' || shelves.id || ': ' || withdrawn || ' counted as withdrawn, and ' || count(withdrawn_at) || ' are'
     from shelves left join puzzles on puzzles.shelf_id = shelves.id
     group by shelves.id
     having withdrawn <> count(withdrawn_at)",
    "select 'audience ' || audience_id || ', shelf ' || shelf_id || ': the cursor stands at ' || taken || ' of '
            || positions || ' positions'
     from cursors join shelves on shelves.id = shelf_id
     where taken > positions",
    "select 'audience ' || audience_id || ', shelf ' || shelf_id || ': slot ' || slot || ' holds position ' || position
            || ', the cursor stands at ' || coalesce(taken, 'none') || ' of ' || positions || ' positions'
     from swaps
     join shelves on shelves.id = shelf_id
     left join cursors using (audience_id, shelf_id)
     where taken is null or slot not between taken and positions - 1 or position not between 0 and positions - 1",
    // Of two slots that hold one position, both have a row, or the one without holds its own number.
    "select 'audience ' || one.audience_id || ', shelf ' || one.shelf_id || ': slots ' || one.slot || ' and '
            || coalesce(other.slot, one.position) || ' both hold position ' || one.position
     from swaps as one
     join cursors using (audience_id, shelf_id)
     left join swaps as other
       on other.audience_id = one.audience_id and other.shelf_id = one.shelf_id and other.position = one.position
          and other.slot > one.slot
     where other.slot is not null
        or (one.position >= taken and one.position <> one.slot
            and not exists (select 1 from swaps as own
                            where own.audience_id = one.audience_id and own.shelf_id = one.shelf_id
                              and own.slot = one.position))",
    "select 'delivery ' || deliveries.id || ': not the solution of puzzle-' || puzzle_id
     from deliveries left join puzzles on puzzles.id = puzzle_id
     where deliveries.grid is not puzzles.grid",
    "select 'puzzle-' || id || ': its solution has no number' from puzzles where grid is null",
];

impl SqliteStore {
    /// What does not agree in the database, in sentences, and how much was compared. Reads all of it, some more than once.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read at all.
    pub async fn audit(&self) -> Result<Vec<String>, StoreError> {
        // One moment of the database: comparisons of two would find what changed between them.
        let mut moment = self.readers.begin().await?;
        let mut findings: Vec<String> =
            sqlx::query_scalar("pragma integrity_check(100)").fetch_all(&mut *moment).await?;
        findings.retain(|line| line != "ok");
        for row in sqlx::query("pragma foreign_key_check").fetch_all(&mut *moment).await? {
            let (table, id): (String, Option<i64>) = (row.try_get(0)?, row.try_get(1)?);
            let referred: String = row.try_get(2)?;
            let id = id.map(|id| format!(" {id}")).unwrap_or_default();
            findings.push(format!("{table}{id}: refers to a row of {referred} that is not there"));
        }
        for comparison in COMPARISONS {
            let limited = AssertSqlSafe(format!("{comparison} limit {TOLD_MAX}"));
            findings.extend(sqlx::query_scalar::<_, String>(limited).fetch_all(&mut *moment).await?);
        }
        Ok(findings)
    }

    /// Up to `limit` puzzles with ids above `after`, by id, withdrawn ones too; a row that cannot be read is an error of its
    /// own and holds up no other.
    ///
    /// # Errors
    /// [`StoreError`] if none can be read.
    pub async fn all_puzzles(
        &self,
        after: PuzzleId,
        limit: u32,
    ) -> Result<Vec<(PuzzleId, Result<Puzzle, StoreError>)>, StoreError> {
        let found = sqlx::query(select_puzzles!("where puzzles.id > ? order by puzzles.id limit ?"))
            .bind(after.0)
            .bind(limit)
            .fetch_all(&self.readers)
            .await?;
        found.iter().map(|row| Ok((PuzzleId(row.try_get("id")?), rows::puzzle(row)))).collect()
    }

    /// What newer raters said of the puzzles with ids above `after` up to `last`, by puzzle; as in [`Self::all_puzzles`].
    ///
    /// # Errors
    /// [`StoreError`] if none can be read.
    pub async fn all_ratings(
        &self,
        after: PuzzleId,
        last: PuzzleId,
    ) -> Result<Vec<(PuzzleId, Result<Rating, StoreError>)>, StoreError> {
        let found = sqlx::query(
            "select puzzle_id as id, * from ratings where puzzle_id > ? and puzzle_id <= ?
             order by puzzle_id, rater, rater_version",
        )
        .bind(after.0)
        .bind(last.0)
        .fetch_all(&self.readers)
        .await?;
        found.iter().map(|row| Ok((PuzzleId(row.try_get("id")?), rows::rating(row)))).collect()
    }
}
