//! Writes deliveries, new audiences, and changes of the draw orders of audiences on PostgreSQL, with one statement per
//! kind of row for all callers.

use crate::store::{
    StoreError,
    audience::AudienceStates,
    delivery_batch::Row,
    postgres::{Write, must_touch},
};

/// Writes the deliveries, new audiences, and cursors.
pub(super) async fn all(write: &mut Write, states: &mut AudienceStates, rows: &[Row<'_>]) -> Result<(), StoreError> {
    insert_audiences(write, states).await?;
    insert_deliveries(write, states, rows).await?;
    move_cursors(write, states).await?;
    store_swaps(write, states).await?;
    delete_swaps(write, states).await
}

/// Inserts a row for each new audience that gets a puzzle.
async fn insert_audiences(write: &mut Write, states: &mut AudienceStates) -> Result<(), StoreError> {
    let now = write.now;
    for (name, state) in states.iter_mut() {
        if !state.lacks_row() {
            continue;
        }
        let id = sqlx::query_scalar("insert into audiences (name, created_at) values ($1, $2) returning id")
            .bind(name)
            .bind(now.0)
            .fetch_one(write.at("deliver.insert_audience").await?)
            .await?;
        state.id = Some(id);
    }
    Ok(())
}

async fn insert_deliveries(write: &mut Write, states: &AudienceStates, rows: &[Row<'_>]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let now = write.now;
    let (names, fields): (Vec<_>, Vec<_>) =
        rows.iter().map(|row| row.name.as_ref().map(|(name, fields)| (name.as_str(), fields.as_str())).unzip()).unzip();
    let inserted = sqlx::query(
        "insert into deliveries (audience_id, puzzle_id, grid, name, fields, created_at)
         select new.audience_id, puzzles.id, puzzles.grid, new.name, new.fields, $5
         from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])
              with ordinality as new (audience_id, puzzle_id, name, fields, rank)
         join puzzles on puzzles.id = new.puzzle_id
         order by new.rank",
    )
    .bind(rows.iter().map(|row| states.id(row.audience)).collect::<Vec<_>>())
    .bind(rows.iter().map(|row| row.puzzle_id.0).collect::<Vec<_>>())
    .bind(names)
    .bind(fields)
    .bind(now.0)
    .execute(write.at("deliver.insert_deliveries").await?)
    .await?;
    must_touch("inserting deliveries", rows.len() as u64, inserted.rows_affected())
}

async fn move_cursors(write: &mut Write, states: &mut AudienceStates) -> Result<(), StoreError> {
    let (mut audiences, mut shelves, mut taken) = (Vec::new(), Vec::new(), Vec::new());
    for (_, state) in states.iter_mut() {
        for (shelf_id, done) in state.cursors() {
            audiences.push(state.id);
            shelves.push(shelf_id.0);
            taken.push(done);
        }
    }
    sqlx::query(
        "insert into cursors (audience_id, shelf_id, taken)
         select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])
         on conflict (audience_id, shelf_id) do update set taken = excluded.taken",
    )
    .bind(audiences)
    .bind(shelves)
    .bind(taken)
    .execute(write.at("deliver.move_cursors").await?)
    .await?;
    Ok(())
}

async fn store_swaps(write: &mut Write, states: &mut AudienceStates) -> Result<(), StoreError> {
    let (mut audiences, mut shelves, mut indices, mut positions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (_, state) in states.iter_mut() {
        for (index, position) in state.changed() {
            audiences.push(state.id);
            shelves.push(index.shelf_id.0);
            indices.push(index.index);
            positions.push(position);
        }
    }
    if indices.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "insert into swaps (audience_id, shelf_id, draw_index, position)
         select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
         on conflict (audience_id, shelf_id, draw_index) do update set position = excluded.position",
    )
    .bind(audiences)
    .bind(shelves)
    .bind(indices)
    .bind(positions)
    .execute(write.at("deliver.store_swaps").await?)
    .await?;
    Ok(())
}

async fn delete_swaps(write: &mut Write, states: &mut AudienceStates) -> Result<(), StoreError> {
    let (mut audiences, mut shelves, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for (_, state) in states.iter_mut() {
        for index in state.done_with() {
            audiences.push(state.id);
            shelves.push(index.shelf_id.0);
            indices.push(index.index);
        }
    }
    if indices.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "delete from swaps
         using unnest($1::bigint[], $2::bigint[], $3::bigint[]) as gone (audience_id, shelf_id, draw_index)
         where swaps.audience_id = gone.audience_id and swaps.shelf_id = gone.shelf_id and swaps.draw_index = gone.draw_index",
    )
    .bind(audiences)
    .bind(shelves)
    .bind(indices)
    .execute(write.at("deliver.delete_swaps").await?)
    .await?;
    Ok(())
}
