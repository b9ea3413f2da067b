//! Simulates bounds on the stock: processes set, lift, and check them, and a model predicts when the stock is full.

use puzzled_store::jobs::growth;

use crate::{chaos::Simulation, faults::Ended, state::State};

/// The bound on puzzles, and whether the stock is full.
type Row = (Option<u64>, bool);

/// The model of the bound.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    last: Row,
    /// Puzzles in circulation after the last step.
    puzzles: u64,
    times_full: u64,
    /// The outcome of the current step, and whether a reply has confirmed it.
    next: Option<(Row, bool)>,
}

impl Growth {
    /// Whether the stock is full.
    pub(crate) fn is_full(&self) -> bool {
        self.last.1
    }

    /// How often the stock was full and then had room again.
    pub(crate) fn times_full(&self) -> u64 {
        self.times_full
    }

    /// Compares the database with the possible outcomes of the last step. With a reply, the step is done; without one, it is done
    /// or not.
    pub(crate) fn check(&mut self, state: &State) {
        let found = state.growth;
        match self.next.take() {
            None => assert_eq!(found, self.last, "the bound changed without a call"),
            Some((after, true)) => assert_eq!(found, after, "the reply differs from the database"),
            Some((after, false)) => {
                assert!(found == self.last || found == after, "{:?}, {after:?}: {found:?}", self.last);
            }
        }
        let live = state.puzzles.iter().filter(|puzzle| puzzle.is_live).count() as u64;
        self.times_full += u64::from(self.last.1 && !found.1);
        (self.last, self.puzzles) = (found, live);
    }

    /// The rule: the stock is full from 95 % of the bound on, until less than 90 % are used or the bound is raised.
    fn after(&self, bounds: Option<growth::Growth>) -> Row {
        let (before, was_full) = self.last;
        let max = bounds.map_or(before, |bounds| bounds.puzzles_max);
        let is_raised = match (before, max) {
            (Some(before), Some(max)) => max > before,
            (Some(_), None) => true,
            (None, _) => false,
        };
        let stays = was_full && !is_raised;
        let is_full =
            max.is_some_and(|max| if stays { self.puzzles * 10 >= max * 9 } else { self.puzzles * 20 >= max * 19 });
        (max, is_full)
    }
}

impl Simulation {
    /// A server starts or reloads with a bound of 70 to 130 % of the stock, or without one.
    pub(crate) async fn change_the_bound(&mut self) {
        let share = 70 + self.rng.below(60);
        let bound = (!self.chance(4)).then_some((self.growth.puzzles * share / 100).max(1));
        self.keep_growth(Some(growth::Growth { puzzles_max: bound, database_bytes_max: None })).await;
    }

    /// A server starts or reloads without a bound.
    pub(crate) async fn lift_the_bound(&mut self) {
        self.keep_growth(Some(growth::Growth::default())).await;
        self.look().await;
    }

    /// A process checks the stock against the bound, as each process does every second.
    pub(crate) async fn look_at_the_growth(&mut self) {
        self.keep_growth(None).await;
    }

    async fn keep_growth(&mut self, bounds: Option<growth::Growth>) {
        let process = self.any_process();
        let after = self.growth.after(bounds);
        let ended = self.faults.call(self.processes[process].queue.keep_growth(bounds)).await;
        if let Ended::Replied(turn) = &ended {
            assert_eq!(turn.full().is_some(), after.1, "{turn:?}");
        }
        self.growth.next = Some((after, matches!(ended, Ended::Replied(_))));
    }
}
