//! Simulated processes renew and remove their rows in the table of processes, while the store injects faults. Each
//! write happens completely or not at all, and a killed process leaves its row unchanged.

use puzzled_store::jobs::process::Listed;

use crate::{chaos::Simulation, faults::Ended};

/// Limit on the rows that a check reads: more than a simulation has processes.
const ROWS_MAX: u32 = 1_000;

impl Simulation {
    /// A process renews its row or, one time in eight, removes it.
    pub(crate) async fn let_a_process_renew(&mut self) {
        let at = self.any_process();
        let is_removal = self.chance(8);
        let before = self.row_of(at).await;
        let now = self.now();
        let process = &self.processes[at];
        let is_done = if is_removal {
            let removed = self.faults.call(process.store.remove_process(&process.row.name)).await;
            if let Ended::Replied(was_there) = &removed {
                assert_eq!(*was_there, before.is_some());
            }
            matches!(removed, Ended::Replied(_))
        } else {
            matches!(self.faults.call(process.store.keep_process(&process.row)).await, Ended::Replied(()))
        };
        let after = self.row_of(at).await;
        let has_happened = match &after {
            None => is_removal,
            Some(row) => !is_removal && row.seen_at == now,
        };
        let has_not = after.as_ref().map(times) == before.as_ref().map(times);
        assert!(has_happened || !is_done && has_not, "{before:?} became {after:?}");
        if let (Some(before), Some(after)) = (&before, &after) {
            assert_eq!((before.id, before.started_at, &before.process), (after.id, after.started_at, &after.process));
        }
    }

    pub(crate) async fn row_of(&self, process: usize) -> Option<Listed> {
        self.row_named(&self.processes[process].row.name).await
    }

    /// Checks that a kill left the process's row unchanged.
    pub(crate) async fn row_stays(&self, name: &str, row: Option<Listed>) {
        assert_eq!(self.row_named(name).await.as_ref().map(times), row.as_ref().map(times), "{name}");
    }

    async fn row_named(&self, name: &str) -> Option<Listed> {
        let rows = self.processes[0].store.processes(None, ROWS_MAX).await.unwrap();
        for row in &rows {
            let prefix = format!("{}-", row.process.name);
            assert!(row.slices.iter().all(|slice| slice.worker.starts_with(&prefix)), "{row:?}");
            assert_eq!(row.held as usize, row.slices.len());
        }
        rows.into_iter().find(|row| row.process.name == name)
    }
}

/// The ID of the row and its times, of which a renewal changes only the last.
fn times(row: &Listed) -> (i64, i64, i64) {
    (row.id, row.started_at.0, row.seen_at.0)
}
