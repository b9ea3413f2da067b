//! Handing out, all callers in one write, so that many share the wait for the disk.

mod reads;
mod writes;

use super::SqliteStore;
use crate::store::{
    StoreError,
    delivery::{Delivered, NewDelivery},
    handout::hand_out,
};

impl SqliteStore {
    pub(super) async fn deliver_puzzles(&self, wanted: &[NewDelivery]) -> Result<Vec<Delivered>, StoreError> {
        let mut write = self.write("deliver.begin").await?;
        let mut out = hand_out(&mut write, wanted).await?;
        if out.changes_something() {
            writes::all(&mut write, &mut out.hands, &out.rows).await?;
            write.commit("deliver.commit", "deliver.committed").await?;
        }
        Ok(out.answers)
    }
}
