//! Delivers puzzles to audiences, lists their deliveries, records what they have had elsewhere, and forgets audiences. One
//! write delivers to several callers (`batch.rs`).

use async_trait::async_trait;
use serde_json::json;

use crate::{
    StoreError,
    access::{actor::Actor, audit_entry::NewEntry, audit_store},
    deliveries::{
        batch::{Batch, DeliveryWrite, ROUNDS_MAX},
        delivery::{Delivered, Delivery, DeliveryId, Forgotten, NewDelivery},
        held::{let_go, serve_from_held},
        history::{Had, Recorded},
        holder::Holder,
        record::record,
        shuffle::AudienceStates,
    },
    sql::{
        database::{Database, Lock, Write, id},
        rows,
        statement::values,
        statements::audience,
    },
};

/// Deliveries to audiences.
#[async_trait]
pub trait DeliveryStore {
    /// Delivers puzzles, each to its audience, and records the deliveries in one transaction. The results are in the order of
    /// `requests`. No audience gets two puzzles with the same repeat hash. If a request has the name of an earlier one, it
    /// gets the same puzzle. The deliveries are durable when the call returns.
    async fn deliver(&self, requests: &[NewDelivery]) -> Result<Vec<Delivered>, StoreError>;

    /// Returns up to `limit` deliveries to an audience with ids below `before`, newest first. An unknown audience has
    /// no deliveries.
    async fn deliveries(
        &self,
        audience: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError>;

    /// Records puzzles as delivered to an audience, all in one transaction. The audience then gets no repeat of them, and
    /// pruning never deletes the records. If an ID names no stored puzzle, records nothing. Puzzles that the audience has had
    /// are only counted.
    async fn record_deliveries(&self, audience: &str, had: &[Had], by: &Actor) -> Result<Recorded, StoreError>;

    /// Deletes an audience with all its deliveries. Withdraws the puzzles that it holds, cancels the open jobs that make
    /// puzzles for it, and removes its name from all jobs. The audit entry does not contain the audience's name, which may
    /// identify a person.
    async fn forget_audience(&self, audience: &str, by: &Actor) -> Result<Forgotten, StoreError>;
}

#[async_trait]
impl<D: Database<Write: DeliveryWrite>> DeliveryStore for D {
    async fn deliver(&self, requests: &[NewDelivery]) -> Result<Vec<Delivered>, StoreError> {
        let mut audiences: Vec<_> = requests.iter().map(|new| new.audience.as_str()).collect();
        audiences.sort_unstable();
        audiences.dedup();
        self.with_retries(|| async {
            let mut write = self.write("deliver.begin").await?;
            // The lock is a separate statement before all reads, so that the reads see what earlier writes have
            // committed.
            write.lock("deliver.lock", Lock::Audiences(&audiences)).await?;
            let mut batch = Batch::of(requests, write.states(&audiences).await?);
            batch.know(&mut write).await?;
            for _ in 0..ROUNDS_MAX {
                let draws = batch.draw();
                if draws.is_empty() {
                    break;
                }
                let positions = batch.positions(&mut write, &draws).await?;
                let puzzles = write.read_drawn(&positions).await?;
                batch.answer(puzzles);
            }
            batch.serve_from_few(&mut write).await?;
            serve_from_held(&mut batch, &mut write).await?;
            batch.read_records(&mut write).await?;
            if batch.rows.is_empty() && !batch.states.any_taken() {
                return write.roll_back(batch.into_answers()).await;
            }
            insert_audiences(&mut write, &mut batch.states).await?;
            write.note(&batch.states, &batch.rows).await?;
            write.commit("deliver.commit", "deliver.committed").await?;
            Ok(batch.into_answers())
        })
        .await
    }

    async fn deliveries(
        &self,
        audience: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        self.all(audience::DELIVERIES, values![audience, before.map_or(i64::MAX, |id| id.0), limit], rows::delivery)
            .await
    }

    async fn record_deliveries(&self, audience: &str, had: &[Had], by: &Actor) -> Result<Recorded, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("record.begin").await?;
            write.lock("record.lock", Lock::Audiences(&[audience])).await?;
            record(write, audience, had, by).await
        })
        .await
    }

    async fn forget_audience(&self, audience: &str, by: &Actor) -> Result<Forgotten, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("forget.begin").await?;
            write.lock("forget.lock", Lock::Audiences(&[audience])).await?;
            let mut forgotten = let_go(&mut write, &Holder::Audience(audience.to_owned())).await?;
            if let Some(id) = write.optional("forget.find", audience::FIND, values![audience], id).await? {
                forgotten.deliveries = delete_audience(&mut write, id).await?;
            } else if forgotten == Forgotten::default() {
                return write.roll_back(forgotten).await;
            }
            let Forgotten { deliveries, withdrawn, cancelled } = forgotten;
            let details = json!({ "deliveries": deliveries, "withdrawn": withdrawn, "cancelled": cancelled });
            let entry = NewEntry::of(by, Vec::new(), details);
            audit_store::insert(&mut write, "forget.audit", &[entry]).await?;
            write.commit("forget.commit", "forget.committed").await?;
            Ok(forgotten)
        })
        .await
    }
}

/// Deletes an audience with its deliveries, and returns their number.
async fn delete_audience<W: Write>(write: &mut W, id: i64) -> Result<u64, StoreError> {
    write.execute("forget.swaps", audience::DELETE_SWAPS, values![id]).await?;
    write.execute("forget.cursors", audience::DELETE_CURSORS, values![id]).await?;
    let forgotten = write.execute("forget.deliveries", audience::DELETE_DELIVERIES, values![id]).await?;
    write.execute("forget.audience", audience::DELETE, values![id]).await?;
    Ok(forgotten)
}

/// Inserts a row for each new audience that gets a puzzle.
async fn insert_audiences<W: Write>(write: &mut W, states: &mut AudienceStates) -> Result<(), StoreError> {
    for (name, state) in states.iter_mut().filter(|(_, state)| state.lacks_row()) {
        state.id = Some(write.one("deliver.insert_audience", audience::INSERT, values![name, write.now()], id).await?);
    }
    Ok(())
}
