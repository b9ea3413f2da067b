//! Handing out, all callers of this process in one write. Callers of other processes who ask for the same audience wait for
//! its end, and then see all of it.

mod reads;
mod writes;

use super::PostgresStore;
use crate::store::{
    StoreError,
    delivery::{Delivered, NewDelivery},
    handout::hand_out,
};

impl PostgresStore {
    pub(super) async fn deliver_puzzles(&self, wanted: &[NewDelivery]) -> Result<Vec<Delivered>, StoreError> {
        let mut write = self.write("deliver.begin").await?;
        let mut out = hand_out(&mut write, wanted).await?;
        if !out.changes_something() {
            return write.undone(out.answers).await;
        }
        writes::all(&mut write, &mut out.hands, &out.rows).await?;
        write.commit("deliver.commit", "deliver.committed").await?;
        Ok(out.answers)
    }
}
