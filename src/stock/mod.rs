//! The stock: shelves, and fair draws from them. Policy, no SQL.

pub mod choose;
pub mod counts;
pub mod reader;
pub mod targets;

use std::sync::Arc;

use crate::{
    chance::Chance,
    clock::Clock,
    store::{
        Store, StoreError,
        puzzle::{Puzzle, PuzzleId, Shelf, ShelfFilter},
    },
};
use counts::Counts;
use reader::Reader;
use targets::{Planner, RefillPolicy};

/// Rounds of a draw. The first reads one place, the others [`PLACES_PER_ROUND`]: a draw fails one time in a million
/// where nine of ten puzzles of a shelf are withdrawn.
const ROUNDS_MAX: usize = 9;

/// Places read at once after the first one turned out to be empty.
const PLACES_PER_ROUND: usize = 16;

/// The stock as one process sees it.
#[derive(Debug)]
pub struct Stock {
    store: Arc<dyn Store>,
    chance: Arc<Chance>,
    counts: Counts,
    reader: Reader,
    planner: Planner,
}

/// What came of a draw.
#[derive(Debug, Clone, PartialEq)]
pub enum Draw {
    /// A puzzle; each that fits had the same chance.
    Puzzle(Box<Puzzle>),
    /// Nothing fits. The filled shelves that come nearest, at most [`choose::NEAREST_MAX`].
    Exhausted(Vec<Shelf>),
    /// Only withdrawn puzzles were met within the bound. Trying again may help.
    Unlucky,
}

impl Stock {
    /// The stock in a store. Starts the task that reads for all draws; it ends with the stock.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, chance: Arc<Chance>, clock: Arc<dyn Clock>) -> Self {
        let reader = Reader::start(Arc::clone(&store));
        let counts = Counts::new(Arc::clone(&store), clock);
        let planner = Planner::new(Arc::clone(&store), Arc::clone(&chance), RefillPolicy::default());
        Self { store, chance, counts, reader, planner }
    }

    /// The same stock with other bounds on refills.
    #[must_use]
    pub fn with_refills(self, policy: RefillPolicy) -> Self {
        let planner = Planner::new(Arc::clone(&self.store), Arc::clone(&self.chance), policy);
        Self { planner, ..self }
    }

    /// What fills it.
    #[must_use]
    pub fn planner(&self) -> &Planner {
        &self.planner
    }

    /// Draws a puzzle from the shelves that fit: a shelf by its number of puzzles, then a position uniformly.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn draw(&self, filter: &ShelfFilter) -> Result<Draw, StoreError> {
        let mut shelves = self.counts.recent().await?;
        if choose::total(&shelves, filter) == 0 {
            // Never say "empty" by counts that may be old.
            shelves = self.counts.fresh().await?;
        }
        for round in 0..ROUNDS_MAX {
            let wanted = if round == 0 { 1 } else { PLACES_PER_ROUND };
            let places = choose::places(&shelves, filter, wanted, &self.chance);
            if places.is_empty() {
                return Ok(Draw::Exhausted(choose::nearest(&shelves, filter)));
            }
            if let Some(puzzle) = self.reader.first_of(places).await? {
                return Ok(Draw::Puzzle(Box::new(puzzle)));
            }
        }
        Ok(Draw::Unlucky)
    }

    /// The puzzle with an id, withdrawn or not.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn puzzle(&self, id: PuzzleId) -> Result<Option<Puzzle>, StoreError> {
        self.store.puzzle(id).await
    }

    /// A page of puzzles, see [`Store::puzzles`].
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn puzzles(
        &self,
        filter: &ShelfFilter,
        after: Option<PuzzleId>,
        limit: u32,
    ) -> Result<Vec<Puzzle>, StoreError> {
        self.store.puzzles(filter, after, limit).await
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
