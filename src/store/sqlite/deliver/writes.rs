//! What a hand-out leaves behind: deliveries, and how far each audience has come. Each is one statement for all callers.

use super::reads::hex;
use crate::store::{
    StoreError,
    handout::{Hands, Row},
    sqlite::{Write, json, must_touch},
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
    move_on(write, &cursors, &changed, &done_with).await
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
         from jsonb_each(?) as new join puzzles on puzzles.id = new.value ->> 1
         order by new.key",
    )
    .bind(now.0)
    .bind(json(&new)?)
    .execute(write.at("deliver.insert_deliveries").await?)
    .await?;
    must_touch("inserting deliveries", rows.len() as u64, inserted.rows_affected())
}

/// How far the audiences have come, and what stands in their slots. Three statements that go to the database together: each
/// way to its thread and back costs as much as one of them.
async fn move_on(
    write: &mut Write<'_>,
    cursors: &[(Option<i64>, i64, i64)],
    changed: &[(Option<i64>, i64, i64, i64)],
    done_with: &[(Option<i64>, i64, i64)],
) -> Result<(), StoreError> {
    let moved = sqlx::query(
        "insert into cursors (audience_id, shelf_id, taken)
         select value ->> 0, value ->> 1, value ->> 2 from jsonb_each(?) where true
         on conflict (audience_id, shelf_id) do update set taken = excluded.taken;

         insert into swaps (audience_id, shelf_id, slot, position)
         select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from jsonb_each(?) where true
         on conflict (audience_id, shelf_id, slot) do update set position = excluded.position;

         delete from swaps
         where (audience_id, shelf_id, slot)
               in (select value ->> 0, value ->> 1, value ->> 2 from jsonb_each(?))",
    )
    .bind(json(&cursors)?)
    .bind(json(&changed)?)
    .bind(json(&done_with)?)
    .execute(write.at("deliver.move_cursors").await?)
    .await?;
    must_touch("moving cursors", (cursors.len() + changed.len() + done_with.len()) as u64, moved.rows_affected())
}
