//! Writes deliveries, new audiences, and changes of the draw orders of audiences on SQLite. All statements except the
//! inserts of audiences are sent together.

use crate::store::{
    StoreError,
    audience::AudienceStates,
    delivery_batch::Row,
    sqlite::{Write, json, must_touch},
};

/// Writes the deliveries, new audiences, and cursors.
pub(super) async fn all(write: &mut Write, states: &mut AudienceStates, rows: &[Row<'_>]) -> Result<(), StoreError> {
    insert_audiences(write, states).await?;
    let new = rows.iter().map(|row| {
        let (name, fields) = row.name.as_ref().map(|(name, fields)| (name.as_str(), fields.as_str())).unzip();
        (states.id(row.audience), row.puzzle_id.0, name, fields)
    });
    let mut moves = Moves { deliveries: new.collect(), ..Moves::default() };
    for (_, state) in states.iter_mut() {
        moves.cursors.extend(state.cursors().map(|(shelf_id, taken)| (state.id, shelf_id.0, taken)));
        moves
            .changed
            .extend(state.changed().map(|(index, position)| (state.id, index.shelf_id.0, index.index, position)));
        moves.done_with.extend(state.done_with().map(|index| (state.id, index.shelf_id.0, index.index)));
    }
    insert(write, &moves).await
}

/// Inserts a row for each new audience that gets a puzzle.
async fn insert_audiences(write: &mut Write, states: &mut AudienceStates) -> Result<(), StoreError> {
    let now = write.now;
    for (name, state) in states.iter_mut() {
        if !state.lacks_row() {
            continue;
        }
        let id = sqlx::query_scalar("insert into audiences (name, created_at) values (?, ?) returning id")
            .bind(name)
            .bind(now.0)
            .fetch_one(write.at("deliver.insert_audience").await?)
            .await?;
        state.id = Some(id);
    }
    Ok(())
}

/// Audience, puzzle, and the name and the fields of the request, if it has a name.
type Delivery<'a> = (Option<i64>, i64, Option<&'a str>, Option<&'a str>);

/// Rows to write.
#[derive(Default)]
struct Moves<'a> {
    deliveries: Vec<Delivery<'a>>,
    /// Audience, shelf, and number of draw indices taken.
    cursors: Vec<(Option<i64>, i64, i64)>,
    /// Draw indices with their new positions.
    changed: Vec<(Option<i64>, i64, i64, i64)>,
    /// Draw indices whose rows are no longer needed.
    done_with: Vec<(Option<i64>, i64, i64)>,
}

/// Writes deliveries and cursors. Four statements go to the database together, because each round trip to its thread
/// takes as long as one statement.
async fn insert(write: &mut Write, moves: &Moves<'_>) -> Result<(), StoreError> {
    let Moves { deliveries, cursors, changed, done_with } = moves;
    let now = write.now;
    write.at("deliver.insert_deliveries").await?;
    let written = sqlx::query(
        "insert into deliveries (audience_id, puzzle_id, grid, name, fields, created_at)
         select new.value ->> 0, puzzles.id, puzzles.grid, new.value ->> 2, new.value ->> 3, ?
         from jsonb_each(?) as new join puzzles on puzzles.id = new.value ->> 1
         order by new.key;

         insert into cursors (audience_id, shelf_id, taken)
         select value ->> 0, value ->> 1, value ->> 2 from jsonb_each(?) where true
         on conflict (audience_id, shelf_id) do update set taken = excluded.taken;

         insert into swaps (audience_id, shelf_id, draw_index, position)
         select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from jsonb_each(?) where true
         on conflict (audience_id, shelf_id, draw_index) do update set position = excluded.position;

         delete from swaps
         where (audience_id, shelf_id, draw_index)
               in (select value ->> 0, value ->> 1, value ->> 2 from jsonb_each(?))",
    )
    .bind(now.0)
    .bind(json(deliveries)?)
    .bind(json(cursors)?)
    .bind(json(changed)?)
    .bind(json(done_with)?)
    .execute(write.at("deliver.move_cursors").await?)
    .await?;
    let rows = deliveries.len() + cursors.len() + changed.len() + done_with.len();
    must_touch("delivering", rows as u64, written.rows_affected())
}
