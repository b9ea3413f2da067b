//! Reads what a delivery needs on PostgreSQL: audiences and their cursors, known names, positions at draw indices, and
//! drawn puzzles. Each read is one statement for all callers.

use async_trait::async_trait;
use sqlx::Row as _;

use crate::store::{
    StoreError,
    audience::AudienceStates,
    column_lists::puzzle_columns,
    delivery::{DrawIndex, NewDelivery},
    delivery_batch::{DeliveryWrite, Draw, DrawnPuzzle, Named, Row},
    postgres::{Write, moves, rows},
    puzzle::{PuzzleId, ShelfId},
};

#[async_trait]
impl DeliveryWrite for Write {
    async fn states(&mut self, audiences: &[&str]) -> Result<AudienceStates, StoreError> {
        let found: Vec<(String, i64, Option<i64>, Option<i64>)> = sqlx::query_as(
            "select audiences.name, audiences.id, cursors.shelf_id, cursors.taken
             from audiences left join cursors on cursors.audience_id = audiences.id
             where audiences.name = any($1)",
        )
        .bind(audiences)
        .fetch_all(self.at("deliver.read_cursors").await?)
        .await?;
        let mut states = AudienceStates::default();
        for (name, id, shelf_id, taken) in found {
            let state = states.of(&name);
            state.id = Some(id);
            if let (Some(shelf_id), Some(taken)) = (shelf_id, taken) {
                state.knows(ShelfId(shelf_id), taken);
            }
        }
        Ok(states)
    }

    async fn named(&mut self, wanted: &[NewDelivery], states: &AudienceStates) -> Result<Vec<Named>, StoreError> {
        let (mut callers, mut audiences, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for (at, new) in (0_i64..).zip(wanted) {
            if let (Some(id), Some(name)) = (states.id(&new.audience), &new.name) {
                callers.push(at);
                audiences.push(id);
                names.push(name.column());
            }
        }
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let found: Vec<(i64, String, i64, String, bool)> = sqlx::query_as(
            "select wanted.at, deliveries.fields, deliveries.puzzle_id, encode(deliveries.grid, 'hex'),
                    puzzles.withdrawn_at is not null
             from unnest($1::bigint[], $2::bigint[], $3::text[]) as wanted (at, audience_id, name)
             join deliveries on deliveries.audience_id = wanted.audience_id and deliveries.name = wanted.name
             join puzzles on puzzles.id = deliveries.puzzle_id",
        )
        .bind(callers)
        .bind(audiences)
        .bind(names)
        .fetch_all(self.at("deliver.read_names").await?)
        .await?;
        let known = found.into_iter().map(|(at, fields, puzzle_id, grid, is_withdrawn)| {
            let corrupt = |_| StoreError::Corrupt { table: "deliveries", column: "fields", id: 0 };
            let fields = serde_json::from_str(&fields).map_err(corrupt)?;
            Ok(Named { at: caller(at)?, fields, puzzle_id: PuzzleId(puzzle_id), grid, is_withdrawn })
        });
        known.collect()
    }

    async fn swaps(
        &mut self,
        wanted: &[NewDelivery],
        states: &mut AudienceStates,
        indices: &[(usize, DrawIndex)],
    ) -> Result<(), StoreError> {
        let (mut callers, mut audiences, mut shelves, mut unread) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for &(at, index) in indices {
            let state = states.of(&wanted[at].audience);
            if state.has_to_read(index) {
                callers.push(number(at));
                audiences.push(state.id);
                shelves.push(index.shelf_id.0);
                unread.push(index.index);
            }
        }
        if unread.is_empty() {
            return Ok(());
        }
        let found: Vec<(i64, i64, i64, i64)> = sqlx::query_as(
            "select wanted.at, swaps.shelf_id, swaps.draw_index, swaps.position
             from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
                  as wanted (at, audience_id, shelf_id, draw_index)
             join swaps on swaps.audience_id = wanted.audience_id
                       and swaps.shelf_id = wanted.shelf_id and swaps.draw_index = wanted.draw_index",
        )
        .bind(callers)
        .bind(audiences)
        .bind(shelves)
        .bind(unread)
        .fetch_all(self.at("deliver.read_swaps").await?)
        .await?;
        for (at, shelf_id, index, position) in found {
            let index = DrawIndex { shelf_id: ShelfId(shelf_id), index };
            states.of(&wanted[caller(at)?].audience).has_read(index, position);
        }
        Ok(())
    }

    async fn read_drawn(
        &mut self,
        wanted: &[NewDelivery],
        states: &mut AudienceStates,
        draws: &[Draw],
    ) -> Result<Vec<DrawnPuzzle>, StoreError> {
        let (mut callers, mut audiences, mut shelves, mut positions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for &Draw { at, index, first } in draws {
            let state = states.of(&wanted[at].audience);
            callers.push(number(at));
            audiences.push(state.id);
            shelves.push(index.shelf_id.0);
            positions.push(state.draw(index, first));
        }
        // Withdrawn puzzles are left out here, not by the statement: see `read_puzzles_at`.
        let found = sqlx::query(concat!(
            "select wanted.at, encode(puzzles.grid, 'hex') as number, ",
            puzzle_columns!(),
            ",
                    shelves.kind, shelves.variant, shelves.base, shelves.symmetry, shelves.rating, shelves.technique,
                    shelves.clues
             from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
                  as wanted (at, audience_id, shelf_id, position)
             join puzzles on puzzles.shelf_id = wanted.shelf_id and puzzles.position = wanted.position
             join shelves on shelves.id = puzzles.shelf_id
             where not exists (select from deliveries
                               where deliveries.audience_id = wanted.audience_id and deliveries.grid = puzzles.grid)"
        ))
        .bind(callers)
        .bind(audiences)
        .bind(shelves)
        .bind(positions)
        .fetch_all(self.at("deliver.read_puzzles").await?)
        .await?;
        let mut puzzles = Vec::with_capacity(found.len());
        for row in &found {
            let puzzle = rows::puzzle(row)?;
            if puzzle.withdrawn.is_none() {
                puzzles.push(DrawnPuzzle { at: caller(row.try_get("at")?)?, grid: row.try_get("number")?, puzzle });
            }
        }
        puzzles.sort_by_key(|drawn| drawn.at);
        Ok(puzzles)
    }

    async fn note(&mut self, states: &mut AudienceStates, rows: &[Row<'_>]) -> Result<(), StoreError> {
        moves::all(self, states, rows).await
    }
}

/// The index of a caller, as the database stores it.
fn number(at: usize) -> i64 {
    i64::try_from(at).expect("an index fits")
}

fn caller(number: i64) -> Result<usize, StoreError> {
    let unknown = StoreError::Corrupt { table: "deliveries", column: "at", id: number };
    usize::try_from(number).map_err(|_| unknown)
}
