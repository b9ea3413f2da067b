//! Reading shelves and puzzles.

use std::collections::HashMap;

use sqlx::{Row as _, postgres::PgRow};

use super::{PostgresStore, rows};
use crate::store::{
    StoreError,
    puzzle::{Place, Puzzle, PuzzleId, Shelf, ShelfFilter},
    same::select_puzzles,
};
use puzzled_engine::symmetry::Symmetry;

impl PostgresStore {
    pub(super) async fn read_shelves(&self) -> Result<Vec<Shelf>, StoreError> {
        let found = self.connections.all(|| sqlx::query("select * from shelves order by id")).await?;
        found.iter().map(rows::shelf).collect()
    }

    /// Row by row, where SQLite makes one json of them: this driver hands over all rows that have come with one packet.
    ///
    /// Withdrawn puzzles are left out here, not by the statements: with `withdrawn_at is null` in them the index of a
    /// shelf's pages would fit too, and a planner that knows little of a new table takes it and reads the whole shelf.
    pub(super) async fn read_puzzles_at(&self, places: &[Place]) -> Result<Vec<Option<Puzzle>>, StoreError> {
        let found = match places {
            [place] => self.rows_at(*place).await?,
            several => self.rows_at_all(several).await?,
        };
        let mut puzzles = HashMap::with_capacity(found.len());
        for row in &found {
            let puzzle = rows::puzzle(row)?;
            if puzzle.withdrawn.is_none() {
                puzzles.insert((row.try_get("shelf_id")?, puzzle.position), puzzle);
            }
        }
        // The same place may have been drawn twice.
        Ok(places.iter().map(|place| puzzles.get(&(place.shelf_id.0, place.position)).cloned()).collect())
    }

    /// The usual draw. The statement for several places takes several times as long for one: it is planned anew each time.
    async fn rows_at(&self, place: Place) -> Result<Vec<PgRow>, StoreError> {
        self.connections
            .all(|| {
                sqlx::query(select_puzzles!("where puzzles.shelf_id = $1 and puzzles.position = $2"))
                    .bind(place.shelf_id.0)
                    .bind(place.position)
            })
            .await
    }

    async fn rows_at_all(&self, places: &[Place]) -> Result<Vec<PgRow>, StoreError> {
        let shelves: Vec<_> = places.iter().map(|place| place.shelf_id.0).collect();
        let positions: Vec<_> = places.iter().map(|place| place.position).collect();
        self.connections
            .all(|| {
                sqlx::query(select_puzzles!(
                    "join unnest($1::bigint[], $2::bigint[]) as wanted (shelf_id, position)
                       on puzzles.shelf_id = wanted.shelf_id and puzzles.position = wanted.position"
                ))
                .bind(&shelves)
                .bind(&positions)
            })
            .await
    }

    pub(super) async fn read_puzzle(&self, id: PuzzleId) -> Result<Option<Puzzle>, StoreError> {
        let row =
            self.connections.optional(|| sqlx::query(select_puzzles!("where puzzles.id = $1")).bind(id.0)).await?;
        row.as_ref().map(rows::puzzle).transpose()
    }

    pub(super) async fn read_puzzles(
        &self,
        filter: &ShelfFilter,
        after: Option<PuzzleId>,
        limit: u32,
    ) -> Result<Vec<Puzzle>, StoreError> {
        // The first ids of each shelf that fits, then the first of those: as quick for a rare level as for a common one.
        let found = self
            .connections
            .all(|| {
                sqlx::query(select_puzzles!(
                    "where puzzles.id in (
                         select ids.id
                         from shelves as fitting
                         cross join lateral (select id from puzzles
                                             where shelf_id = fitting.id and id > $1 and withdrawn_at is null
                                             order by id
                                             limit $7) as ids
                         where ($2::text is null or fitting.kind = $2)
                           and ($3::text is null or fitting.variant = $3)
                           and ($4::text is null or fitting.symmetry = $4)
                           and fitting.rating between $5 and $6
                         order by ids.id
                         limit $7)
                     order by puzzles.id"
                ))
                .bind(after.map_or(0, |id| id.0))
                .bind(&filter.kind)
                .bind(&filter.variant)
                .bind(filter.symmetry.map(Symmetry::name))
                .bind(i16::from(filter.rating_min.0))
                .bind(i16::from(filter.rating_max.0))
                .bind(i64::from(limit))
            })
            .await?;
        found.iter().map(rows::puzzle).collect()
    }
}
