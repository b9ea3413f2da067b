//! Steers a puzzle with one solution: changes one digit at a time. A change is kept if the puzzle still has one
//! solution and its rating is no farther from the wanted ratings.

use std::ops::RangeInclusive;

use super::fill::{Fill, draw};
use crate::{
    kakuro::{
        board::Puzzle,
        digits::Digits,
        layout::Layout,
        rate::rating::{Quick, quick},
        reasoning::FILTERS,
        solver::{Filter, Propagation, another},
        techniques::SHORT_MAX,
    },
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        rng::Rng,
    },
};

/// The maximum number of nodes for testing whether a changed puzzle has one solution.
const NODES_PER_LOOK_MAX: u64 = 500;

/// The easiest rating that needs more than reasoning on single runs.
const HARDER_THAN_RUNS: Tenths = Tenths(50);

/// The easiest rating that needs a chain, and the easiest that needs a long one.
const CHAINS: Tenths = Tenths(60);
const LONG_CHAINS: Tenths = Tenths(70);

/// If a long chain is wanted, the distance of a puzzle that needs no chain. Larger than that of any puzzle with a
/// chain.
const DISTANCE_WITHOUT_CHAIN: u32 = 100;

/// Rates the fills of one layout.
#[derive(Debug)]
pub(super) struct Steering<'l> {
    layout: &'l Layout,
    propagation: Propagation,
    wanted: RangeInclusive<Tenths>,
}

impl<'l> Steering<'l> {
    pub(super) fn new(layout: &'l Layout, wanted: RangeInclusive<Tenths>) -> Self {
        Self { layout, propagation: Propagation::new(layout.runs().len()), wanted }
    }

    /// The rating of the fill's puzzle. `None` if the puzzle has several solutions, needs a search, or is harder than
    /// every wanted rating. To save time, the rating of a puzzle stops as soon as it is too hard.
    pub(super) fn rating(&mut self, fill: &Fill, budget: &mut Budget<'_>) -> Result<Option<Quick>, OutOfBudget> {
        let mut open_before = self.open(fill, FILTERS[0]);
        if open_before == 0 {
            return quick(&fill.puzzle(self.layout), budget);
        }
        for (filter, tier) in FILTERS.into_iter().zip(1..).skip(1) {
            let open = self.open(fill, filter);
            if open == 0 {
                let load = u8::try_from((10 * open_before / fill.digits().len()).min(9)).expect("at most 9");
                return Ok(Some(Quick { rating: Tenths(10 * tier + load), chain: 0 }));
            }
            open_before = open;
        }
        let puzzle = fill.puzzle(self.layout);
        if *self.wanted.end() < HARDER_THAN_RUNS || !is_unique(&puzzle, fill, budget)? {
            return Ok(None);
        }
        quick(&puzzle, budget)
    }

    /// The number of cells that reasoning on single runs leaves open.
    fn open(&mut self, fill: &Fill, filter: Filter) -> usize {
        let mut candidates = vec![Digits::ALL; fill.digits().len()];
        self.propagation.push_all(self.layout);
        let possible = self.propagation.run(self.layout, fill.sums(), &mut candidates, filter);
        debug_assert!(possible, "the fill is a solution");
        candidates.iter().filter(|digits| !digits.is_single()).count()
    }

    /// The distance of a rating from the wanted ones, in tenths. If a long chain is wanted, the distance is in links,
    /// because the share of open cells does not measure progress.
    fn distance(&self, of: Quick) -> u32 {
        let (min, max) = (*self.wanted.start(), *self.wanted.end());
        let tenths = u32::from(min.0.saturating_sub(of.rating.0).max(of.rating.0.saturating_sub(max.0)));
        if min < LONG_CHAINS || of.rating >= LONG_CHAINS {
            tenths
        } else if of.rating >= CHAINS {
            SHORT_MAX + 1 - of.chain.min(SHORT_MAX)
        } else {
            DISTANCE_WITHOUT_CHAIN + tenths
        }
    }

    /// Changes digits, at most `changes_max` times, until the rating is a wanted one. Returns the final rating.
    pub(super) fn run(
        &mut self,
        fill: &mut Fill,
        mut rating: Quick,
        changes_max: usize,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<Tenths, OutOfBudget> {
        for _ in 0..changes_max {
            if self.distance(rating) == 0 {
                break;
            }
            budget.check_cancelled()?;
            budget.take_node()?;
            let white = rng.index(fill.digits().len());
            let Some(digit) = draw(fill.free(self.layout, white), rng) else { continue };
            let old = fill.digits()[white];
            fill.set(self.layout, white, digit);
            match self.rating(fill, budget)? {
                Some(changed) if self.distance(changed) <= self.distance(rating) => rating = changed,
                _ => fill.set(self.layout, white, old),
            }
        }
        Ok(rating.rating)
    }
}

fn is_unique(puzzle: &Puzzle, fill: &Fill, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
    let other = budget.try_within(NODES_PER_LOOK_MAX, |budget| another(puzzle, fill.digits(), budget))?;
    Ok(other.is_some_and(|other| other.is_none()))
}
