//! The stock: shelves, and fair draws from them. Policy, no SQL.

mod ahead;
pub mod counts;
pub mod targets;

use std::sync::Arc;

pub use crate::rules::{choose, shortage};

use crate::{
    batcher::Batcher,
    chance::Chance,
    clock::Clock,
    store::{
        Store, StoreError,
        delivery::{Delivered, DeliveryName, NewDelivery},
        puzzle::{Place, Puzzle, PuzzleId, Shelf, ShelfFilter},
        repeat::Difference,
        target::Rate,
    },
};
use ahead::{Ahead, Turn};
use counts::Counts;
use puzzled_engine::{rng::Rng, spec::Spec};
use targets::{Planner, RefillPolicy};

/// Rounds of a draw. The first reads one place, the others [`PLACES_PER_ROUND`]: a draw fails one time in a million
/// where nine of ten puzzles of a shelf are withdrawn.
const ROUNDS_MAX: usize = 9;

/// Writes for one delivery. Each unlucky one is done with the empty positions that it met, so the next meets others.
const WRITES_MAX: usize = 16;

/// Draws that one read serves.
const READS_MAX: usize = 64;

/// Deliveries that one write makes.
const DELIVERIES_MAX: usize = 256;

/// Places read at once after the first one turned out to be empty.
const PLACES_PER_ROUND: usize = 16;

/// The stock as one process sees it.
#[derive(Debug)]
pub struct Stock {
    store: Arc<dyn Store>,
    chance: Arc<Chance>,
    counts: Counts,
    ahead: Ahead<Puzzle>,
    reads: Batcher<Vec<Place>, Vec<Puzzle>>,
    planner: Planner,
    deliveries: Batcher<NewDelivery, Delivered>,
}

/// What came of a draw.
#[derive(Debug, Clone, PartialEq)]
pub enum Draw {
    /// A puzzle; each that fits had the same chance.
    Puzzle(Box<Puzzle>),
    /// Nothing fits that the audience has not had.
    Exhausted(Lack),
    /// The name is not known, and only a known one was to be answered.
    Unknown,
    /// Only withdrawn puzzles were met within the bound. Trying again may help.
    Unlucky,
    /// Another request was answered under the same name.
    OtherRequest {
        /// The puzzle that it was answered with.
        puzzle: PuzzleId,
        /// The fields that differ; at least one.
        differs: Vec<Difference>,
    },
}

/// What the stock holds where a draw finds nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    /// Puzzles in stock that fit, all of which the audience has had.
    pub had: u64,
    /// The filled shelves that come nearest, at most [`choose::NEAREST_MAX`].
    pub nearest: Vec<Shelf>,
}

impl Lack {
    fn of(shelves: &[Shelf], filter: &ShelfFilter) -> Self {
        Self { had: choose::total(shelves, filter), nearest: choose::nearest(shelves, filter) }
    }
}

/// A puzzle that is to be delivered.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    /// To whom. The shared puzzle of a day belongs to the audience called "".
    pub audience: &'a str,
    /// The name under which the same puzzle is delivered again.
    pub name: Option<&'a DeliveryName>,
    /// See [`NewDelivery::shared_with`].
    pub shared_with: Option<&'a str>,
    /// See [`NewDelivery::only_known`].
    pub only_known: bool,
    /// The shelves that fit.
    pub shelves: &'a ShelfFilter,
}

impl Stock {
    /// The stock in a store. Starts the tasks that read and hand out for all callers; they end with the stock.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, chance: Arc<Chance>, clock: Arc<dyn Clock>) -> Self {
        let reads = Batcher::start(Arc::clone(&store), READS_MAX, read_all);
        let deliveries =
            Batcher::start(Arc::clone(&store), DELIVERIES_MAX, |store, wanted: Vec<NewDelivery>| async move {
                store.deliver(&wanted).await
            });
        let counts = Counts::new(Arc::clone(&store), Arc::clone(&clock));
        let ahead = Ahead::new(clock);
        let planner = Planner::new(Arc::clone(&store), Arc::clone(&chance), RefillPolicy::default());
        Self { store, chance, counts, ahead, reads, planner, deliveries }
    }

    /// The same stock with other bounds on refills.
    #[must_use]
    pub fn with_refills(self, policy: RefillPolicy) -> Self {
        let planner = Planner::new(Arc::clone(&self.store), Arc::clone(&self.chance), policy);
        Self { planner, ..self }
    }

    /// The store that it stands on, for what the stock adds nothing to.
    #[must_use]
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// What fills it.
    #[must_use]
    pub fn planner(&self) -> &Planner {
        &self.planner
    }

    /// What came of all tries at a spec; none if there were none.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn rate(&self, spec: &Spec) -> Result<Option<Rate>, StoreError> {
        Ok(self.store.rates(&[spec.words()]).await?.pop())
    }

    /// Draws a puzzle from the shelves that fit: a shelf by its number of puzzles, then a position uniformly.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn draw(&self, filter: &ShelfFilter) -> Result<Draw, StoreError> {
        // Neither counts nor draws from before the move of a database are used after it was noticed.
        self.store.must_be_here()?;
        let mut shelves = self.counts.recent().await?;
        if !choose::has_any(&shelves, filter) {
            // Never say "empty" by counts that may be old.
            shelves = self.counts.fresh().await?;
        }
        let lead = match self.ahead.turn(filter, &shelves) {
            Turn::Take(puzzle) => return Ok(Draw::Puzzle(Box::new(puzzle))),
            Turn::Lead(lead) => Some(lead),
            Turn::Alone => None,
        };
        let mut rng = Rng::from_seed(self.chance.next_u64());
        let mut wanted = 1 + lead.as_ref().map_or(0, |lead| lead.more);
        for _ in 0..ROUNDS_MAX {
            let places = choose::places(&shelves, filter, wanted, &mut rng);
            if places.is_empty() {
                return Ok(Draw::Exhausted(Lack::of(&shelves, filter)));
            }
            let mut found = self.reads.call(places).await?.into_iter();
            if let Some(puzzle) = found.next() {
                if let Some(lead) = lead {
                    lead.leave(found.collect());
                }
                return Ok(Draw::Puzzle(Box::new(puzzle)));
            }
            wanted = PLACES_PER_ROUND;
        }
        Ok(Draw::Unlucky)
    }

    /// Hands out a puzzle that the audience has not had, each that fits with the same chance; under a known name the one
    /// that was handed out under it.
    ///
    /// # Errors
    /// [`StoreError`]. Whether a puzzle was handed out is then unknown; asking again under the same name is safe.
    pub async fn deliver(&self, order: Order<'_>) -> Result<Draw, StoreError> {
        let mut shelves = self.counts.recent().await?;
        let mut are_fresh = false;
        for _ in 0..WRITES_MAX {
            let wanted = NewDelivery {
                audience: order.audience.to_owned(),
                name: order.name.cloned(),
                shared_with: order.shared_with.map(str::to_owned),
                only_known: order.only_known,
                among: choose::among(&shelves, order.shelves),
                seed: self.chance.next_u64(),
            };
            match self.deliveries.call(wanted).await? {
                Delivered::New(puzzle) | Delivered::Same(puzzle) => return Ok(Draw::Puzzle(puzzle)),
                Delivered::OtherRequest { puzzle, differs } => return Ok(Draw::OtherRequest { puzzle, differs }),
                Delivered::Unknown => return Ok(Draw::Unknown),
                Delivered::Exhausted if are_fresh => return Ok(Draw::Exhausted(Lack::of(&shelves, order.shelves))),
                Delivered::Exhausted => {
                    // Never say "used up" by counts that may be old.
                    shelves = self.counts.fresh().await?;
                    are_fresh = true;
                }
                Delivered::Unlucky => {}
            }
        }
        Ok(Draw::Unlucky)
    }

    /// Takes a puzzle out of circulation, see `StockStore::withdraw`, and waits until the draws are gone that any process may
    /// have made before: a twentieth of a second.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn withdraw(&self, id: PuzzleId, reason: &str) -> Result<Option<Puzzle>, StoreError> {
        let Some(withdrawn) = self.store.withdraw(id, reason).await? else { return Ok(None) };
        self.ahead.drop_all();
        tokio::time::sleep(ahead::AGE_MAX).await;
        Ok(Some(withdrawn))
    }

    /// Positions on the shelves that fit, as they are now: the number rises with each puzzle that is shelved there.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn positions(&self, filter: &ShelfFilter) -> Result<i64, StoreError> {
        let shelves = self.counts.fresh().await?;
        Ok(choose::among(&shelves, filter).iter().map(|(_, positions)| positions).sum())
    }

    /// The shelves that fit, as they are now, in the order of their keys.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn shelves(&self, filter: &ShelfFilter) -> Result<Vec<Shelf>, StoreError> {
        let all = self.counts.fresh().await?;
        let mut shelves: Vec<_> = all.iter().filter(|shelf| filter.fits(&shelf.key)).cloned().collect();
        shelves.sort_by(|one, other| one.key.cmp(&other.key));
        Ok(shelves)
    }
}

/// The puzzles in circulation at the places of each draw, in their order.
async fn read_all(store: Arc<dyn Store>, draws: Vec<Vec<Place>>) -> Result<Vec<Vec<Puzzle>>, StoreError> {
    let mut found = store.puzzles_at(&draws.concat()).await?.into_iter();
    Ok(draws.iter().map(|places| found.by_ref().take(places.len()).flatten().collect()).collect())
}
