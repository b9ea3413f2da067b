//! Caches draws. If many callers draw from the same shelves, one read also serves later calls. Draws with records are kept
//! apart from those without.
//!
//! Cached draws are valid for [`AGE_MAX`]. `WithdrawPuzzle` returns only after that time, so no process delivers the
//! puzzle later. A caller gets a cached draw only if it was made with the shelf counts that the caller has. Therefore
//! the cache does not delay the use of new stock.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crate::{
    rules::stock::{filter::ShelfFilter, puzzle::Shelf},
    system::clock::Clock,
};

/// The time, from the start of a read, during which its draws may be used.
pub(super) const AGE_MAX: Duration = Duration::from_millis(50);

/// The maximum number of additional draws per read.
const DRAWS_MAX: usize = 63;

/// The maximum number of filters with cached draws, with and without records. Calls with other filters read one draw each.
const FILTERS_MAX: usize = 64;

/// The cached draws of all filters.
#[derive(Debug)]
pub(super) struct Ahead<T> {
    clock: Arc<dyn Clock>,
    known: Mutex<Known<T>>,
}

#[derive(Debug)]
struct Known<T> {
    /// At most [`FILTERS_MAX`], searched linearly.
    batches: Vec<Batch<T>>,
    /// The number of calls of [`Ahead::drop_all`]. Draws whose read began in an earlier epoch are not cached.
    epoch: u64,
}

/// The cached draws of the last read for a filter.
#[derive(Debug)]
struct Batch<T> {
    filter: ShelfFilter,
    with_record: bool,
    /// The shelf counts with which the puzzles were drawn.
    shelves: Arc<[Shelf]>,
    read_at: Duration,
    waiting: Vec<T>,
    taken: usize,
    /// Whether a caller is reading the next draws.
    is_led: bool,
}

/// How a caller gets its draw.
pub(super) enum Source<'a, T> {
    /// The caller takes this cached draw.
    Take(T),
    /// The caller reads its own draw and [`Lead::more`] draws for later calls.
    Lead(Lead<'a, T>),
    /// The caller reads only its own draw, because another caller leads or too many filters have cached draws.
    Alone,
}

/// The right to read additional draws for a filter, until the value is dropped.
pub(super) struct Lead<'a, T> {
    ahead: &'a Ahead<T>,
    filter: &'a ShelfFilter,
    with_record: bool,
    shelves: Arc<[Shelf]>,
    began_at: Duration,
    epoch: u64,
    /// Draws to read in addition to the caller's own.
    pub(super) more: usize,
    left: Option<Vec<T>>,
}

impl<T> Ahead<T> {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, known: Mutex::new(Known { batches: Vec::new(), epoch: 0 }) }
    }

    /// Returns a draw that was cached with these counts, or tells the caller how to read.
    pub(super) fn source<'a>(
        &'a self,
        filter: &'a ShelfFilter,
        with_record: bool,
        shelves: &Arc<[Shelf]>,
    ) -> Source<'a, T> {
        let now = self.clock.elapsed();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let epoch = known.epoch;
        let lead = |more: usize| {
            let (shelves, more) = (Arc::clone(shelves), more.min(DRAWS_MAX));
            Source::Lead(Lead { ahead: self, filter, with_record, shelves, began_at: now, epoch, more, left: None })
        };
        let Some(batch) = known.batches.iter_mut().find(|batch| batch.serves(filter, with_record)) else {
            known.batches.retain(|batch| batch.is_led || batch.is_fresh(now));
            if known.batches.len() == FILTERS_MAX {
                return Source::Alone;
            }
            known.batches.push(Batch::led(filter.clone(), with_record, Arc::clone(shelves), now));
            return lead(0);
        };
        if batch.is_fresh(now)
            && Arc::ptr_eq(&batch.shelves, shelves)
            && let Some(draw) = batch.waiting.pop()
        {
            batch.taken += 1;
            return Source::Take(draw);
        }
        if batch.is_led {
            return Source::Alone;
        }
        batch.is_led = true;
        // If all draws were used in time, the next read makes twice as many. Otherwise, it makes as many as were used.
        // So at most half of the draws are unused.
        let were_used_in_time = batch.is_fresh(now) && batch.waiting.is_empty();
        lead(if were_used_in_time { batch.taken * 2 + 1 } else { batch.taken })
    }

    /// Drops all cached draws, and those of reads in progress.
    pub(super) fn drop_all(&self) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.epoch += 1;
        known.batches.iter_mut().for_each(|batch| batch.waiting.clear());
    }

    fn end(&self, lead: &mut Lead<'_, T>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_current = known.epoch == lead.epoch;
        let batch = known.batches.iter_mut().find(|batch| batch.serves(lead.filter, lead.with_record));
        let Some(batch) = batch else { return };
        batch.is_led = false;
        if let Some(left) = lead.left.take().filter(|_| is_current) {
            (batch.read_at, batch.taken, batch.waiting) = (lead.began_at, 0, left);
            batch.shelves = Arc::clone(&lead.shelves);
        }
    }
}

impl<T> Batch<T> {
    fn led(filter: ShelfFilter, with_record: bool, shelves: Arc<[Shelf]>, read_at: Duration) -> Self {
        Self { filter, with_record, shelves, read_at, waiting: Vec::new(), taken: 0, is_led: true }
    }

    fn serves(&self, filter: &ShelfFilter, with_record: bool) -> bool {
        self.with_record == with_record && self.filter == *filter
    }

    fn is_fresh(&self, now: Duration) -> bool {
        now.saturating_sub(self.read_at) < AGE_MAX
    }
}

impl<T> Lead<'_, T> {
    /// Caches draws for later calls.
    pub(super) fn leave(mut self, draws: Vec<T>) {
        self.left = Some(draws);
    }
}

impl<T> Drop for Lead<'_, T> {
    fn drop(&mut self) {
        self.ahead.end(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::clock::{ManualClock, Millis};

    struct World {
        clock: Arc<ManualClock>,
        ahead: Ahead<usize>,
        shelves: Arc<[Shelf]>,
    }

    impl World {
        fn new() -> Self {
            let clock = ManualClock::at(Millis(0));
            Self { ahead: Ahead::new(Arc::clone(&clock) as Arc<dyn Clock>), clock, shelves: Arc::new([]) }
        }

        fn source(&self) -> Source<'_, usize> {
            self.ahead.source(&ShelfFilter::ANY, false, &self.shelves)
        }

        fn led(&self) -> Lead<'_, usize> {
            let Source::Lead(lead) = self.source() else { panic!("there is no lead to take") };
            lead
        }

        /// Reads as many draws as a leader should, and returns their number.
        fn read(&self) -> usize {
            let lead = self.led();
            let more = lead.more;
            lead.leave((0..more).collect());
            more
        }

        /// Takes cached draws, at most `most`.
        fn take(&self, most: usize) -> usize {
            (0..most).take_while(|_| matches!(self.source(), Source::Take(_))).count()
        }

        fn wait(&self, share_of_age: f64) {
            let ms = AGE_MAX.mul_f64(share_of_age).as_millis();
            self.clock.advance_ms(i64::try_from(ms).unwrap());
        }
    }

    /// Reads and takes draws until one read makes the maximum.
    fn busy() -> World {
        let world = World::new();
        while world.read() < DRAWS_MAX {
            world.take(usize::MAX);
        }
        world
    }

    #[test]
    fn reads_double_while_all_draws_are_used_in_time() {
        let world = World::new();
        let reads: Vec<_> = (0..8).map(|_| (world.read(), world.take(100)).0).collect();
        assert_eq!(reads, [0, 1, 3, 7, 15, 31, 63, 63]);
    }

    #[test]
    fn stale_puzzles_are_dropped_and_production_follows_demand() {
        let world = busy();
        assert_eq!(world.take(5), 5);
        world.wait(1.0);
        assert_eq!(world.read(), 5);
        world.wait(1.0);
        assert_eq!([world.read(), world.take(1)], [0, 0]);
    }

    #[test]
    fn occasional_caller_reads_only_its_own_draw() {
        let world = World::new();
        for _ in 0..5 {
            assert_eq!(world.read(), 0);
            world.wait(1.2);
        }
    }

    #[test]
    fn draw_age_counts_from_the_start_of_its_read() {
        let world = busy();
        world.take(usize::MAX);
        let lead = world.led();
        world.wait(0.8);
        lead.leave(vec![1, 2]);
        assert_eq!(world.take(1), 1);
        world.wait(0.4);
        assert_eq!(world.take(1), 0);
    }

    #[test]
    fn draws_with_older_counts_are_not_used() {
        let mut world = busy();
        assert_eq!(world.take(1), 1);
        world.shelves = Arc::new([]);
        assert_eq!(world.take(1), 0);
    }

    #[test]
    fn pending_read_from_before_a_withdrawal_is_discarded() {
        let world = busy();
        world.ahead.drop_all();
        assert_eq!(world.take(1), 0);
        let lead = world.led();
        world.ahead.drop_all();
        lead.leave(vec![1, 2]);
        assert_eq!(world.take(1), 0);
    }

    #[test]
    fn one_caller_leads_and_gives_up_the_lead_when_dropped() {
        let world = World::new();
        let lead = world.led();
        assert!(matches!(world.source(), Source::Alone));
        drop(lead);
        drop(world.led());
    }

    #[test]
    fn filters_beyond_the_limit_draw_one_by_one_until_others_expire() {
        let world = World::new();
        let filter = |at: usize| ShelfFilter { kind: Some(at.to_string()), ..ShelfFilter::ANY };
        let leads = |at| matches!(world.ahead.source(&filter(at), false, &world.shelves), Source::Lead(_));
        assert!((0..FILTERS_MAX).all(leads));
        assert!(!leads(FILTERS_MAX));
        world.wait(1.0);
        assert!(leads(FILTERS_MAX));
    }
}
