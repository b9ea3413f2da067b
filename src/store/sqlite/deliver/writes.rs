//! What a hand-out leaves behind: deliveries, and how far each audience has come. Each is one statement for all callers.

use serde_json::json;

use super::reads::hex;
use crate::store::{
    StoreError,
    handout::{Hands, Row},
    sqlite::{Write, must_touch},
};

/// Writes all of it.
pub(super) async fn all(write: &mut Write<'_>, hands: &mut Hands, rows: &[Row<'_>]) -> Result<(), StoreError> {
    insert_audiences(write, hands).await?;
    insert_deliveries(write, hands, rows).await?;
    let (mut cursors, mut changed, mut done_with) = (Vec::new(), Vec::new(), Vec::new());
    for (_, hand) in hands.iter_mut() {
        cursors.extend(hand.cursors().map(|(shelf_id, taken)| (hand.id, shelf_id.0, taken)));
        changed.extend(hand.changed().map(|(slot, position)| (hand.id, slot.shelf_id.0, slot.slot, position)));
        done_with.extend(hand.done_with().map(|slot| (hand.id, slot.shelf_id.0, slot.slot)));
    }
    move_cursors(write, &cursors).await?;
    store_swaps(write, &changed).await?;
    delete_swaps(write, &done_with).await
}

/// Those that are new and have taken something.
async fn insert_audiences(write: &mut Write<'_>, hands: &mut Hands) -> Result<(), StoreError> {
    let now = write.now;
    for (name, hand) in hands.iter_mut() {
        if hand.id.is_some() || hand.cursors().next().is_none() {
            continue;
        }
        let id = sqlx::query_scalar("insert into audiences (name, created_at) values (?, ?) returning id")
            .bind(name)
            .bind(now.0)
            .fetch_one(write.at("deliver.insert_audience").await?)
            .await?;
        hand.id = Some(id);
    }
    Ok(())
}

async fn insert_deliveries(write: &mut Write<'_>, hands: &Hands, rows: &[Row<'_>]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let now = write.now;
    let new: Vec<_> = rows
        .iter()
        .map(|row| {
            let (name, body) = row.name.map(|name| (name.column(), hex(name.body()))).unzip();
            (hands.id(row.audience), row.puzzle_id.0, name, body)
        })
        .collect();
    let inserted = sqlx::query(
        "insert into deliveries (audience_id, puzzle_id, grid, name, body, created_at)
         select new.value ->> 0, puzzles.id, puzzles.grid, new.value ->> 2, unhex(new.value ->> 3), ?
         from json_each(?) as new join puzzles on puzzles.id = new.value ->> 1
         order by new.key",
    )
    .bind(now.0)
    .bind(json!(new).to_string())
    .execute(write.at("deliver.insert_deliveries").await?)
    .await?;
    must_touch("inserting deliveries", rows.len() as u64, inserted.rows_affected())
}

async fn move_cursors(write: &mut Write<'_>, cursors: &[(Option<i64>, i64, i64)]) -> Result<(), StoreError> {
    sqlx::query(
        "insert into cursors (audience_id, shelf_id, taken)
         select value ->> 0, value ->> 1, value ->> 2 from json_each(?) where true
         on conflict (audience_id, shelf_id) do update set taken = excluded.taken",
    )
    .bind(json!(cursors).to_string())
    .execute(write.at("deliver.move_cursors").await?)
    .await?;
    Ok(())
}

async fn store_swaps(write: &mut Write<'_>, swaps: &[(Option<i64>, i64, i64, i64)]) -> Result<(), StoreError> {
    if swaps.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "insert into swaps (audience_id, shelf_id, slot, position)
         select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(?) where true
         on conflict (audience_id, shelf_id, slot) do update set position = excluded.position",
    )
    .bind(json!(swaps).to_string())
    .execute(write.at("deliver.store_swaps").await?)
    .await?;
    Ok(())
}

async fn delete_swaps(write: &mut Write<'_>, slots: &[(Option<i64>, i64, i64)]) -> Result<(), StoreError> {
    if slots.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "delete from swaps
         where (audience_id, shelf_id, slot)
               in (select value ->> 0, value ->> 1, value ->> 2 from json_each(?))",
    )
    .bind(json!(slots).to_string())
    .execute(write.at("deliver.delete_swaps").await?)
    .await?;
    Ok(())
}
