//! Steering: digits of a puzzle with one solution are changed one at a time, and a change stays if the puzzle still has one
//! solution and is no farther from the wanted ratings.

use std::ops::RangeInclusive;

use super::fill::{Fill, draw};
use crate::engine::{
    budget::{Budget, OutOfBudget},
    kakuro::{
        board::Puzzle,
        digits::Digits,
        layout::Layout,
        rating::quick,
        reasoning::FILTERS,
        solver::{Filter, Propagation, another},
    },
    level::Tenths,
    rng::Rng,
};

/// Nodes for one look at whether a changed puzzle has one solution.
const NODES_PER_LOOK_MAX: u64 = 500;

/// Nodes for one rating by the whole ladder.
const NODES_PER_RATING_MAX: u64 = 5_000;

/// The first rating that reasoning on single runs does not reach.
const HARDER_THAN_RUNS: Tenths = Tenths(50);

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

    /// The rating of the fill's puzzle; none if it has several solutions, is beyond the rater's budget, or, to save the
    /// look, if it is harder than any that is wanted.
    pub(super) fn rating(&mut self, fill: &Fill, budget: &mut Budget<'_>) -> Result<Option<Tenths>, OutOfBudget> {
        let mut open_before = self.open(fill, FILTERS[0]);
        if open_before == 0 {
            return rated_by_ladder(&fill.puzzle(self.layout), budget);
        }
        for (filter, tier) in FILTERS.into_iter().zip(1..).skip(1) {
            let open = self.open(fill, filter);
            if open == 0 {
                let load = u8::try_from((10 * open_before / fill.digits().len()).min(9)).unwrap_or(9);
                return Ok(Some(Tenths(10 * tier + load)));
            }
            open_before = open;
        }
        let puzzle = fill.puzzle(self.layout);
        if *self.wanted.end() < HARDER_THAN_RUNS || !is_unique(&puzzle, fill, budget)? {
            return Ok(None);
        }
        rated_by_ladder(&puzzle, budget)
    }

    /// Cells that reasoning on single runs leaves open.
    fn open(&mut self, fill: &Fill, filter: Filter) -> usize {
        let mut candidates = vec![Digits::ALL; fill.digits().len()];
        self.propagation.push_all(self.layout);
        let possible = self.propagation.run(self.layout, fill.sums(), &mut candidates, filter);
        debug_assert!(possible, "the fill is a solution");
        candidates.iter().filter(|digits| !digits.is_single()).count()
    }

    /// How far a rating is from the wanted ones, in tenths.
    pub(super) fn distance(&self, rating: Tenths) -> u8 {
        let (min, max) = (self.wanted.start().0, self.wanted.end().0);
        min.saturating_sub(rating.0).max(rating.0.saturating_sub(max))
    }

    /// Changes digits, at most so many times, until the rating is a wanted one. The rating in the end.
    pub(super) fn run(
        &mut self,
        fill: &mut Fill,
        mut rating: Tenths,
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
        Ok(rating)
    }
}

fn is_unique(puzzle: &Puzzle, fill: &Fill, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
    match budget.within(NODES_PER_LOOK_MAX, |budget| another(puzzle, fill.digits(), budget)) {
        Ok(other) => Ok(other.is_none()),
        Err(OutOfBudget::Nodes) => Ok(false),
        Err(OutOfBudget::Cancelled) => Err(OutOfBudget::Cancelled),
    }
}

fn rated_by_ladder(puzzle: &Puzzle, budget: &mut Budget<'_>) -> Result<Option<Tenths>, OutOfBudget> {
    match budget.within(NODES_PER_RATING_MAX, |budget| quick(puzzle, budget)) {
        Err(OutOfBudget::Nodes) => Ok(None),
        rated => rated,
    }
}
