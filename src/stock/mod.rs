//! The stock as one process sees it: draws puzzles from shelves at random, delivers them to audiences, withdraws them,
//! and counts the puzzles that fit. Concurrent callers share reads and writes.

mod ahead;
pub mod planner;

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use tokio::sync::Mutex;

use crate::{
    batcher::Batcher,
    rules::{
        access::actor::Actor,
        jobs::repeat::Difference,
        stock::{
            choose,
            delivery::{Delivered, DeliveryName, NewDelivery},
            filter::ShelfFilter,
            puzzle::{Position, Puzzle, PuzzleId, Shelf},
            puzzle_counts::PuzzleCounters,
        },
        targets::target::Rate,
    },
    store::{Store, StoreError},
    system::{chance::Chance, clock::Clock},
};
use ahead::{Ahead, Source};
use planner::{Planner, RefillPolicy};
use puzzled_engine::shared::{rng::Rng, spec::Spec};

/// The maximum number of rounds per draw. The first round reads one position, each other round [`POSITIONS_PER_ROUND`]. If
/// nine of ten puzzles of a shelf are withdrawn, one draw in a million fails.
const ROUNDS_MAX: usize = 9;

/// The maximum number of writes per delivery. After an unlucky write, the next one draws other positions, because the
/// empty positions that the write drew are skipped.
const WRITES_MAX: usize = 16;

/// The maximum number of draws per read.
const READS_MAX: usize = 64;

/// The maximum number of deliveries per write.
const DELIVERIES_MAX: usize = 256;

/// The number of positions that a round reads at once after the first round found none.
const POSITIONS_PER_ROUND: usize = 16;

/// The stock as one process sees it.
#[derive(Debug)]
pub struct Stock {
    store: Arc<dyn Store>,
    chance: Arc<Chance>,
    counts: Counts,
    ahead: Ahead<Puzzle>,
    reads: Batcher<Vec<Position>, Vec<Puzzle>>,
    planner: Planner,
    deliveries: Batcher<NewDelivery, Delivered>,
    counters: StockCounters,
}

/// Counters of the stock since the start of this process.
#[derive(Debug, Default)]
pub struct StockCounters {
    /// Puzzles that were delivered to audiences, by kind, without a level. A repeated request does not count again.
    pub delivered: PuzzleCounters,
}

/// The result of a draw.
#[derive(Debug, Clone, PartialEq)]
pub enum Draw {
    /// A puzzle, with the same probability for each that fits.
    Puzzle(Box<Puzzle>),
    /// No puzzle fits, or the audience has had all that fit.
    Exhausted(Lack),
    /// The name is not known, and the request accepts only a known one.
    Unknown,
    /// All draws, up to their limit, found withdrawn puzzles. A retry may succeed.
    Unlucky,
    /// Another request was answered under the same name.
    OtherRequest {
        /// The puzzle that answered it.
        puzzle: PuzzleId,
        /// The fields that differ; at least one.
        differs: Vec<Difference>,
    },
}

/// What the stock holds if a draw finds nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    /// The number of puzzles in stock that fit. The audience has had all of them.
    pub had: u64,
    /// The nearest shelves that have puzzles, at most [`choose::NEAREST_MAX`].
    pub nearest: Vec<Shelf>,
}

impl Lack {
    fn of(shelves: &[Shelf], filter: &ShelfFilter) -> Self {
        Self { had: choose::total(shelves, filter), nearest: choose::nearest(shelves, filter) }
    }
}

/// A request to deliver a puzzle.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    /// The audience that gets the puzzle. The shared daily puzzle belongs to the audience "".
    pub audience: &'a str,
    /// A request with the same name gets the same puzzle.
    pub name: Option<&'a DeliveryName>,
    /// See [`NewDelivery::shared_with`].
    pub shared_with: Option<&'a str>,
    /// See [`NewDelivery::only_known`].
    pub only_known: bool,
    /// The shelves that fit.
    pub shelves: &'a ShelfFilter,
}

impl Stock {
    /// Creates the stock of a store, and starts the tasks that read and deliver for all callers. The tasks end when the
    /// stock is dropped.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, chance: Arc<Chance>, clock: Arc<dyn Clock>) -> Self {
        let reads = Batcher::start(Arc::clone(&store), READS_MAX, read_all);
        let deliveries =
            Batcher::start(Arc::clone(&store), DELIVERIES_MAX, |store, requests: Vec<NewDelivery>| async move {
                store.deliver(&requests).await
            });
        let counts = Counts::new(Arc::clone(&store), Arc::clone(&clock));
        let ahead = Ahead::new(clock);
        let planner = Planner::new(Arc::clone(&store), Arc::clone(&chance), RefillPolicy::default());
        Self { store, chance, counts, ahead, reads, planner, deliveries, counters: StockCounters::default() }
    }

    /// Returns the same stock with other limits on refills.
    #[must_use]
    pub fn with_refills(self, policy: RefillPolicy) -> Self {
        let planner = Planner::new(Arc::clone(&self.store), Arc::clone(&self.chance), policy);
        Self { planner, ..self }
    }

    /// The store, for operations to which the stock adds nothing.
    #[must_use]
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Counters since the start of this process.
    #[must_use]
    pub fn counters(&self) -> &StockCounters {
        &self.counters
    }

    /// The planner of its refills.
    #[must_use]
    pub fn planner(&self) -> &Planner {
        &self.planner
    }

    /// Returns the making rate of a spec; `None` if the spec has no tries.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn rate(&self, spec: &Spec) -> Result<Option<Rate>, StoreError> {
        Ok(self.store.rates(&[spec.words()]).await?.pop())
    }

    /// Draws a puzzle from the shelves that fit and whose kind and variant this version knows: a shelf by its number of
    /// puzzles, then a position uniformly.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn draw(&self, filter: &ShelfFilter) -> Result<Draw, StoreError> {
        let mut shelves = self.counts.recent().await?;
        if !choose::has_any(&shelves, filter) {
            // Old counts must not lead to the answer "exhausted".
            shelves = self.counts.fresh().await?.drawn;
        }
        let lead = match self.ahead.source(filter, &shelves) {
            Source::Take(puzzle) => return Ok(Draw::Puzzle(Box::new(puzzle))),
            Source::Lead(lead) => Some(lead),
            Source::Alone => None,
        };
        let mut rng = Rng::from_seed(self.chance.next_u64());
        let mut count = 1 + lead.as_ref().map_or(0, |lead| lead.more);
        for _ in 0..ROUNDS_MAX {
            let positions = choose::positions(&shelves, filter, count, &mut rng);
            if positions.is_empty() {
                return Ok(Draw::Exhausted(Lack::of(&shelves, filter)));
            }
            let mut found = self.reads.call(positions).await?.into_iter();
            if let Some(puzzle) = found.next() {
                if let Some(lead) = lead {
                    lead.leave(found.collect());
                }
                return Ok(Draw::Puzzle(Box::new(puzzle)));
            }
            count = POSITIONS_PER_ROUND;
        }
        Ok(Draw::Unlucky)
    }

    /// Delivers a puzzle that the audience has not had, with the same probability for each that fits. If the name is
    /// known, returns the puzzle that was delivered under it.
    ///
    /// # Errors
    /// [`StoreError`]. The delivery may have been made; a retry under the same name is safe.
    pub async fn deliver(&self, order: Order<'_>) -> Result<Draw, StoreError> {
        let mut shelves = self.counts.recent().await?;
        let mut are_fresh = false;
        for _ in 0..WRITES_MAX {
            let request = NewDelivery {
                audience: order.audience.to_owned(),
                name: order.name.cloned(),
                shared_with: order.shared_with.map(str::to_owned),
                only_known: order.only_known,
                among: choose::among(&shelves, order.shelves),
                seed: self.chance.next_u64(),
            };
            match self.deliveries.call(request).await? {
                Delivered::New(puzzle) => {
                    self.counters.delivered.one(&puzzle.shelf.kind, None);
                    return Ok(Draw::Puzzle(puzzle));
                }
                Delivered::Same(puzzle) => return Ok(Draw::Puzzle(puzzle)),
                Delivered::OtherRequest { puzzle, differs } => return Ok(Draw::OtherRequest { puzzle, differs }),
                Delivered::Unknown => return Ok(Draw::Unknown),
                Delivered::Exhausted if are_fresh => return Ok(Draw::Exhausted(Lack::of(&shelves, order.shelves))),
                Delivered::Exhausted => {
                    // Old counts must not lead to the answer "exhausted".
                    shelves = self.counts.fresh().await?.drawn;
                    are_fresh = true;
                }
                Delivered::Unlucky => {}
            }
        }
        Ok(Draw::Unlucky)
    }

    /// Withdraws a puzzle; see `StockStore::withdraw`. Then waits for 50 ms, until no process has a cached draw from
    /// before the withdrawal.
    ///
    /// # Errors
    /// [`StoreError`] if the write fails.
    pub async fn withdraw(&self, id: PuzzleId, reason: &str, by: &Actor) -> Result<Option<Puzzle>, StoreError> {
        let Some(withdrawn) = self.store.withdraw(id, reason, by).await? else { return Ok(None) };
        self.ahead.drop_all();
        tokio::time::sleep(ahead::AGE_MAX).await;
        Ok(Some(withdrawn))
    }

    /// Returns the current number of positions on the shelves that fit. The number rises with each puzzle stored there,
    /// and never falls.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn positions(&self, filter: &ShelfFilter) -> Result<i64, StoreError> {
        let shelves = self.counts.fresh().await?.drawn;
        Ok(choose::among(&shelves, filter).iter().map(|(_, positions)| positions).sum())
    }

    /// Returns the shelves that fit, with current counts, in the order of their keys.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn shelves(&self, filter: &ShelfFilter) -> Result<Vec<Shelf>, StoreError> {
        let all = self.counts.fresh().await?.all;
        let mut shelves: Vec<_> = all.iter().filter(|shelf| filter.fits(&shelf.key)).cloned().collect();
        shelves.sort_by(|one, other| one.key.cmp(&other.key));
        Ok(shelves)
    }
}

/// Returns, for each draw, the puzzles in circulation at its positions, in their order.
async fn read_all(store: Arc<dyn Store>, draws: Vec<Vec<Position>>) -> Result<Vec<Vec<Puzzle>>, StoreError> {
    let mut found = store.puzzles_at(&draws.concat()).await?.into_iter();
    Ok(draws.iter().map(|positions| found.by_ref().take(positions.len()).flatten().collect()).collect())
}

/// The age at which counts are read again. New stock can be drawn after at most this time.
const COUNTS_AGE_MAX: Duration = Duration::from_millis(500);

/// Caches the list of all shelves with their numbers of puzzles. Shelves only grow, so old numbers still name valid
/// positions.
#[derive(Debug)]
struct Counts {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    known: RwLock<Option<KnownCounts>>,
    /// Held while counts are read, so that only one of many callers reads them.
    reading: Mutex<()>,
}

/// The shelves of one read, in the order in which the store lists them.
#[derive(Debug, Clone)]
struct KnownCounts {
    /// All shelves, also those of kinds and variants that only a newer version knows.
    all: Arc<[Shelf]>,
    /// Those from which this version draws, because it knows their kind and variant.
    drawn: Arc<[Shelf]>,
    read_at: Duration,
}

impl Counts {
    fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, known: RwLock::new(None), reading: Mutex::new(()) }
    }

    /// Returns the shelves to draw from, with counts that are at most [`COUNTS_AGE_MAX`] old. While another caller reads
    /// new counts, returns the older ones.
    async fn recent(&self) -> Result<Arc<[Shelf]>, StoreError> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            Some(known) if self.clock.elapsed().saturating_sub(known.read_at) < COUNTS_AGE_MAX => Ok(known.drawn),
            Some(known) => match self.reading.try_lock() {
                Ok(_guard) => Ok(self.read().await?.drawn),
                Err(_) => Ok(known.drawn),
            },
            None => Ok(self.fresh().await?.drawn),
        }
    }

    /// Returns the shelves with counts that were read after this call began.
    async fn fresh(&self) -> Result<KnownCounts, StoreError> {
        let asked_at = self.clock.elapsed();
        let _guard = self.reading.lock().await;
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            // Another caller began to read after this call began.
            Some(known) if known.read_at > asked_at => Ok(known),
            _ => self.read().await,
        }
    }

    async fn read(&self) -> Result<KnownCounts, StoreError> {
        // Take the time before the read, because the read may miss puzzles that are stored meanwhile.
        let read_at = self.clock.elapsed();
        let all: Arc<[Shelf]> = self.store.shelves().await?.into();
        let drawn = all.iter().filter(|shelf| shelf.key.is_known()).cloned().collect();
        let known = KnownCounts { all, drawn, read_at };
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(known.clone());
        Ok(known)
    }
}
