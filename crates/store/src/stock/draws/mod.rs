//! The stock as one process sees it: draws puzzles from shelves at random, delivers them to audiences, withdraws them,
//! and counts the puzzles that fit. Concurrent callers share reads and writes.

mod counts;
pub mod days;

use std::sync::Arc;

use crate::{
    Store, StoreError,
    access::actor::Actor,
    bounds::CurrentBounds,
    deliveries::{
        choose::{self, Nearest},
        delivery::{Delivered, DrawFrom, NewDelivery},
        holder::{Holder, Release, Released},
    },
    jobs::{job::NamedRequest, repeat::Difference},
    series::day::DayDelivery,
    sql::batcher::{Batcher, Batches},
    stock::{
        filter::ShelfFilter,
        puzzle::{Position, Puzzle, Shelf},
        puzzle_counts::PuzzleCounters,
        withdrawal::{IDS_MAX, Matching, WITHDRAWN_AT_ONCE, WITHDRAWN_MAX, Withdrawal, WithdrawnMany},
    },
    targets::{planner::Planner, target::MakingRate},
};
use counts::Counts;
use puzzled_base::{chance::Chance, clock::Clock, ids::PuzzleId};
use puzzled_engine::shared::{rng::Rng, spec::Spec};

/// The positions that each round of a draw reads. If nine of ten positions are empty, one draw in five thousand needs
/// [`Stock::draw_of_few`].
const ROUNDS: [usize; 3] = [1, 16, 64];

/// The maximum number of times that [`Stock::draw_of_few`] looks for a puzzle. It finds none if other calls have withdrawn
/// puzzles since the counts were read.
const FEW_READS_MAX: usize = 16;

/// The maximum number of writes per delivery. After an unlucky write, the next one draws other positions, because the
/// empty positions that the write drew are skipped.
const WRITES_MAX: usize = 16;

/// How many draws one read makes.
const READS: Batches = Batches { calls_max: 64, turns: 1, outlive_callers: true };

/// How many deliveries one write makes.
const DELIVERIES: Batches = Batches { calls_max: 256, turns: 1, outlive_callers: true };

/// The stock as one process sees it.
#[derive(Debug)]
pub struct Stock {
    store: Arc<dyn Store>,
    chance: Arc<Chance>,
    counts: Counts,
    reads: Batcher<Positions, Vec<Puzzle>>,
    planner: Planner,
    deliveries: Batcher<NewDelivery, Delivered>,
    days: Batcher<DayDelivery, bool>,
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
    /// The number of puzzles that fit, in stock or, for an exclusive draw, held by the audience. The audience has had all of
    /// them.
    pub had: u64,
    /// The nearest puzzles in stock, at most `choose::NEAREST_MAX`; none for an exclusive draw.
    pub nearest: Vec<Nearest>,
}

impl Lack {
    fn of(shelves: &[Shelf], filter: &ShelfFilter) -> Self {
        Self { had: choose::total(shelves, filter), nearest: choose::nearest(shelves, filter) }
    }
}

/// A request to deliver a puzzle.
#[derive(Debug, Clone, Copy)]
pub struct DeliveryRequest<'a> {
    /// The audience that gets the puzzle.
    pub audience: &'a str,
    /// A request with the same name gets the same puzzle.
    pub name: Option<&'a NamedRequest>,
    /// The shelves that fit.
    pub shelves: &'a ShelfFilter,
    /// Whether to draw only from the puzzles that the audience holds.
    pub exclusive: bool,
    /// Whether the puzzle comes with its record.
    pub with_record: bool,
}

impl Stock {
    /// Creates the stock of a store, and starts the tasks that read and deliver for all callers. The tasks end when the
    /// stock is dropped.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        chance: Arc<Chance>,
        clock: Arc<dyn Clock>,
        bounds: Arc<impl CurrentBounds + 'static>,
    ) -> Self {
        let reads = Batcher::start(Arc::clone(&store), READS, read_all);
        let deliveries =
            Batcher::start(Arc::clone(&store), DELIVERIES, |store, requests: Vec<NewDelivery>| async move {
                store.deliver(&requests).await
            });
        let days = Batcher::start(Arc::clone(&store), DELIVERIES, |store, deliveries: Vec<DayDelivery>| async move {
            store.deliver_days(&deliveries).await
        });
        let counts = Counts::new(Arc::clone(&store), clock);
        let planner = Planner::new(Arc::clone(&store), Arc::clone(&chance), bounds);
        Self { store, chance, counts, reads, planner, deliveries, days, counters: StockCounters::default() }
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
    pub async fn rate(&self, spec: &Spec) -> Result<Option<MakingRate>, StoreError> {
        Ok(self.store.rates(&[spec.words()]).await?.pop())
    }

    /// Draws a puzzle from the shelves that fit and whose kind and variant this version knows, each with the same
    /// probability.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn draw(&self, filter: &ShelfFilter, with_record: bool) -> Result<Draw, StoreError> {
        let mut counts = self.counts.recent().await?;
        let mut choice = counts.choice(filter);
        if choice.live() == 0 {
            // Old counts must not lead to the answer "exhausted".
            counts = self.counts.fresh().await?;
            choice = counts.choice(filter);
        }
        let mut rng = Rng::from_seed(self.chance.next_u64());
        for count in ROUNDS {
            let positions = choice.draw(count, &mut rng);
            if positions.is_empty() {
                return Ok(Draw::Exhausted(Lack::of(&counts.drawn, filter)));
            }
            let found = self.reads.call(Positions { positions, with_record }).await?;
            if let Some(puzzle) = found.into_iter().next() {
                return Ok(Draw::Puzzle(Box::new(puzzle)));
            }
        }
        self.draw_of_few(filter, with_record, &mut rng).await
    }

    /// Draws a puzzle if nearly all positions are empty: chooses it by its number among those in circulation, with counts
    /// that are current.
    async fn draw_of_few(&self, filter: &ShelfFilter, with_record: bool, rng: &mut Rng) -> Result<Draw, StoreError> {
        for _ in 0..FEW_READS_MAX {
            let counts = self.counts.fresh().await?;
            let Some((shelf_id, number)) = counts.choice(filter).draw_live(rng) else {
                return Ok(Draw::Exhausted(Lack::of(&counts.drawn, filter)));
            };
            let Some(position) = self.store.live_position(shelf_id, number).await? else { continue };
            let found = self.reads.call(Positions { positions: vec![position], with_record }).await?;
            if let Some(puzzle) = found.into_iter().next() {
                return Ok(Draw::Puzzle(Box::new(puzzle)));
            }
        }
        Ok(Draw::Unlucky)
    }

    /// Delivers a puzzle that the audience has not had, with the same probability for each that fits. If the name is
    /// known, returns the puzzle that was delivered under it.
    ///
    /// # Errors
    /// [`StoreError`]. The delivery may have been made; a retry under the same name is safe.
    pub async fn deliver(&self, order: DeliveryRequest<'_>) -> Result<Draw, StoreError> {
        let mut counts = self.counts.recent().await?;
        let mut are_fresh = false;
        for _ in 0..WRITES_MAX {
            let request = NewDelivery {
                audience: order.audience.to_owned(),
                name: order.name.cloned(),
                from: if order.exclusive {
                    DrawFrom::Held(order.shelves.clone())
                } else {
                    DrawFrom::Shelves(counts.choice(order.shelves))
                },
                with_record: order.with_record,
                seed: self.chance.next_u64(),
            };
            match self.deliveries.call(request).await? {
                Delivered::New(puzzle) => {
                    self.counters.delivered.one(&puzzle.shelf.kind, None);
                    return Ok(Draw::Puzzle(puzzle));
                }
                Delivered::Same(puzzle) => return Ok(Draw::Puzzle(puzzle)),
                Delivered::OtherRequest { puzzle, differs } => return Ok(Draw::OtherRequest { puzzle, differs }),
                Delivered::Exhausted if order.exclusive => {
                    let holder = Holder::Audience(order.audience.to_owned());
                    let had = self.store.count_held(Some(&holder), order.shelves).await?;
                    return Ok(Draw::Exhausted(Lack { had, nearest: Vec::new() }));
                }
                Delivered::Exhausted if are_fresh => {
                    return Ok(Draw::Exhausted(Lack::of(&counts.drawn, order.shelves)));
                }
                Delivered::Exhausted => {
                    // Old counts must not lead to the answer "exhausted".
                    counts = self.counts.fresh().await?;
                    are_fresh = true;
                }
                Delivered::Unlucky => {}
            }
        }
        Ok(Draw::Unlucky)
    }

    /// Withdraws or deletes up to [`WITHDRAWN_MAX`] puzzles that meet the criteria, and counts those that are left; see
    /// `WithdrawalStore::withdraw_many`. A dry run only counts.
    ///
    /// # Errors
    /// [`StoreError`] if a write fails. Puzzles that were changed before stay so.
    pub async fn withdraw_many(
        &self,
        withdrawal: &Withdrawal,
        dry_run: bool,
        by: &Actor,
    ) -> Result<WithdrawnMany, StoreError> {
        if dry_run {
            let ids = self.store.withdrawable(withdrawal, None, IDS_MAX).await?;
            let Matching { left, forgettable, of_open_jobs } = self.store.count_withdrawable(withdrawal).await?;
            return Ok(WithdrawnMany { changed: left, forgotten: forgettable, ids, left: 0, of_open_jobs });
        }
        let (mut all, mut after) = (WithdrawnMany::default(), None);
        while let Some(room) = u64::from(WITHDRAWN_MAX).checked_sub(all.changed).filter(|room| *room > 0) {
            let limit = u32::try_from(room).unwrap_or(WITHDRAWN_MAX).min(WITHDRAWN_AT_ONCE);
            let part = self.store.withdraw_many(withdrawal, after, limit, by).await?;
            after = part.last;
            all.add(part);
            if after.is_none() {
                break;
            }
        }
        let Matching { left, of_open_jobs, .. } = self.store.count_withdrawable(withdrawal).await?;
        Ok(WithdrawnMany { left, of_open_jobs, ..all })
    }

    /// Releases up to [`WITHDRAWN_MAX`] held puzzles, and counts those that are left; see `ReleaseStore::release`. A dry run
    /// only counts.
    ///
    /// # Errors
    /// [`StoreError`] if a write fails. Puzzles that were released before stay so.
    pub async fn release(&self, release: &Release, dry_run: bool, by: &Actor) -> Result<Released, StoreError> {
        if dry_run {
            let ids = self.store.releasable(&release.of, IDS_MAX).await?;
            let released = self.store.count_releasable(&release.of).await?;
            return Ok(Released { released, ids, left: 0, kept: self.store.count_kept(&release.of).await? });
        }
        let mut all = Released::default();
        while all.released < u64::from(WITHDRAWN_MAX) {
            let part = self.store.release(release, WITHDRAWN_AT_ONCE, by).await?;
            if part.is_empty() {
                break;
            }
            all.released += part.len() as u64;
            let room = IDS_MAX as usize - all.ids.len();
            all.ids.extend(part.into_iter().take(room));
        }
        let left = self.store.count_releasable(&release.of).await?;
        Ok(Released { left, kept: self.store.count_kept(&release.of).await?, ..all })
    }

    /// Returns the current number of positions on the shelves that fit. The number rises with each puzzle stored there,
    /// and never falls.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn positions(&self, filter: &ShelfFilter) -> Result<i64, StoreError> {
        Ok(self.counts.fresh().await?.choice(filter).positions())
    }

    /// Returns the shelves that fit, with current counts, in the order of their keys.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn shelves(&self, filter: &ShelfFilter) -> Result<Vec<Shelf>, StoreError> {
        let counts = self.counts.fresh().await?;
        let mut shelves: Vec<_> = counts.all.iter().filter(|shelf| filter.fits(&shelf.key)).cloned().collect();
        shelves.sort_by(|one, other| one.key.cmp(&other.key));
        Ok(shelves)
    }
}

/// The positions of one draw.
#[derive(Debug)]
struct Positions {
    positions: Vec<Position>,
    with_record: bool,
}

/// Returns, for each draw, the puzzles in circulation at its positions, in their order. If one draw needs the records, the
/// others get them too, and do not show them.
async fn read_all(store: Arc<dyn Store>, draws: Vec<Positions>) -> Result<Vec<Vec<Puzzle>>, StoreError> {
    let with_record = draws.iter().any(|draw| draw.with_record);
    let positions: Vec<_> = draws.iter().flat_map(|draw| draw.positions.iter().copied()).collect();
    let mut found = store.puzzles_at(&positions, with_record).await?.into_iter();
    let of_draw = |draw: &Positions| {
        let puzzles = found.by_ref().take(draw.positions.len()).flatten();
        puzzles.map(|puzzle| Puzzle { record: puzzle.record.filter(|_| draw.with_record), ..puzzle }).collect()
    };
    Ok(draws.iter().map(of_draw).collect())
}
