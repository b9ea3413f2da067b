//! A slice that a virtual worker has claimed, and the tries that it makes for the slice.

use puzzled_store::jobs::slice::{Lease, MadeAt, Slice, SliceWork};

use crate::toy::{self, Toy};

/// Duration of a try, in milliseconds: so long that slices cover only a few indices.
pub(crate) const TRY_MS: i64 = 150;

/// A claimed slice and its results so far.
#[derive(Debug, Clone)]
pub(crate) struct HeldSlice {
    pub(crate) slice: Slice,
    pub(crate) work: SliceWork,
    toy: Toy,
}

impl HeldSlice {
    pub(crate) fn new(slice: Slice, toy: Toy) -> Self {
        let work = SliceWork { next_index: slice.first_index, next_try: slice.first_try, ..SliceWork::default() };
        Self { slice, work, toy }
    }

    pub(crate) fn lease(&self) -> Lease {
        self.slice.lease
    }

    /// Whether there is nothing left to try.
    pub(crate) fn is_done(&self) -> bool {
        self.work.next_index == self.slice.end_index || self.work.next_try >= self.slice.tries_max
    }

    /// Makes `tries` tries, or fewer if the slice is done earlier.
    pub(crate) fn make_tries(&mut self, tries: u64) {
        for _ in 0..tries {
            if self.is_done() {
                return;
            }
            let SliceWork { next_index: index, next_try: try_number, .. } = self.work;
            self.work.work_ms += TRY_MS;
            match self.toy.make(self.slice.seed, index, try_number) {
                Ok(number) => {
                    self.work.tally.tries += 1;
                    let made = toy::made(&self.slice.spec.variant, number, index, try_number);
                    self.work.made.push(MadeAt { index, try_number, made });
                    self.work.next_index += 1;
                    self.work.next_try = 0;
                }
                Err(miss) => self.work.miss(miss),
            }
        }
    }
}
