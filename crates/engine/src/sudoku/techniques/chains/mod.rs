//! Chains of implications: single chains and cycles, Nishio, and chains with several branches, which may contain
//! patterns and further chains. Each search collects every hint of its kind and takes the easiest: by rating, then by
//! length, then by kind.

mod advanced;
mod closures;
mod grow;
mod hint;
mod links;
mod multiple;
mod names;
mod nested;
mod net;
mod nodes;
mod paths;
mod proof;
mod reach;
mod single;
mod spread;

pub(super) use hint::{ChainHint, Rules};
pub(super) use names::CHAINS;
pub(super) use nodes::Notes;
pub(super) use proof::proof;

use super::{
    candidates::Candidates,
    find::{CandidateSet, Find, Outcome, Pattern},
    geometry::{Mask, one},
};
use crate::shared::budget::{Budget, OutOfBudget};
use hint::{Links, length_limit, length_tenths};
use links::TwoWays;
use multiple::{Search, Sink};
use nested::{Shop, with_nested};
use net::Net;
use paths::{Walks, redraw, walk_all, walk_shortest};
use single::Single;

/// A position in the form that chains use. Within a net, only the notes change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground {
    pub(super) notes: Notes,
    /// For each house, its empty places.
    pub(super) empty_in: [Mask; 27],
    /// For each digit, how often it is placed.
    pub(super) placed: [u8; 10],
}

impl Ground {
    pub(super) fn of(candidates: &Candidates) -> Self {
        let mut ground = Self { notes: candidates.notes(), empty_in: [0; 27], placed: [0; 10] };
        (0..27).for_each(|house| ground.empty_in[house] = candidates.empty_in(house));
        (1..10).for_each(|digit| ground.placed[digit] = candidates.placed(digit));
        ground
    }
}

/// The buffers of the chain searches of one climb, allocated when first needed.
#[derive(Debug, Default)]
pub(super) struct Searcher {
    memory: Option<Box<(Walks, Shop)>>,
    /// The strong links of the last position in which no single chain was found.
    fruitless: Option<TwoWays>,
}

impl Searcher {
    /// The easiest single chain or cycle.
    pub(super) fn single(
        &mut self,
        ground: &Ground,
        budget: &mut Budget<'_>,
    ) -> Result<Option<ChainHint>, OutOfBudget> {
        let two_ways = TwoWays::of(&ground.notes);
        // Positions only lose candidates, so a new chain needs a strong link that was not there before.
        if self.fruitless.is_some_and(|before| two_ways.are_among(&before)) {
            return Ok(None);
        }
        let (walks, _) = &mut **self.memory.get_or_insert_default();
        // If the last search found none, a chain is unlikely, and one search over both classes of links can rule it out.
        if self.fruitless.is_some() && walks.shortest(ground, Links::Xy, u16::MAX).is_none() {
            budget.take_nodes(ground.notes.count())?;
            self.fruitless = Some(two_ways);
            return Ok(None);
        }
        let mut best = Best::default();
        for links in [Links::X, Links::Y, Links::Xy] {
            let easiest = if links == Links::Xy { 70 } else { 65 };
            // The maximum number of nodes of a chain that is not harder than the best one.
            let limit = |best: ChainHint| best.rating.0.checked_sub(easiest).map_or(0, length_limit);
            let longest = best.best.map_or(u16::MAX, limit);
            budget.take_nodes(ground.notes.count())?;
            let Some(shortest) = walks.shortest(ground, links, longest.saturating_add(2)) else { continue };
            let keep = &mut |hint, _: &dyn Fn() -> Single| best.keep(hint);
            match links {
                // Cycles of one digit are a tenth easier than chains of the same length.
                Links::X => walk_all(ground, length_limit(length_tenths(shortest) + 1), walks, budget, keep)?,
                // The length of the shortest chain says nothing about cycles of cells alone.
                Links::Y => walk_all(ground, longest, walks, budget, keep)?,
                Links::Xy if shortest == u16::MAX => walk_all(ground, longest, walks, budget, keep)?,
                // A cycle has at least as many nodes as the shortest chain, minus two. Of equal hints, the first one is
                // taken.
                Links::Xy => {
                    if !walk_shortest(ground, shortest - 2, walks, budget, keep)? {
                        walk_shortest(ground, shortest, walks, budget, keep)?;
                    }
                }
            }
        }
        if best.best.is_none() {
            self.fruitless = Some(two_ways);
        }
        Ok(best.best)
    }

    /// The easiest hint of a search with several branches.
    pub(super) fn multiple(
        &mut self,
        ground: &Ground,
        rules: Rules,
        budget: &mut Budget<'_>,
    ) -> Result<Option<ChainHint>, OutOfBudget> {
        let (_, shop) = &mut **self.memory.get_or_insert_default();
        let mut best = Best::default();
        Search { ground, rules, shop, budget }.run(&mut best)?;
        Ok(best.best)
    }
}

/// The find for a hint: its name, and what it places or removes.
pub(super) fn find(ground: &Ground, hint: ChainHint) -> Find {
    let single = redraw(ground, &hint);
    let chain = single.as_ref().map_or_else(Vec::new, |single| single.forward.iter().map(|&(node, _)| node).collect());
    let end = hint.conclusion();
    let outcome = match single.filter(|single| !single.backward.is_empty()) {
        None if end.is_on() => Outcome::Place { cell: end.cell(), digit: end.digit() },
        None => Outcome::Remove(CandidateSet::digit_in(end.digit(), one(end.cell()))),
        Some(cycle) => {
            let removed = cycle.removed(ground).into_iter().map(|(cell, digit)| (digit, one(cell))).collect();
            Outcome::Remove(removed)
        }
    };
    Find { technique: names::technique(&hint, &chain), pattern: Pattern::Chain(hint), outcome }
}

/// The easiest hint so far.
#[derive(Debug, Default)]
struct Best {
    best: Option<ChainHint>,
}

impl Best {
    fn keep(&mut self, hint: ChainHint) {
        if self.best.is_none_or(|best| hint.order() < best.order()) {
            self.best = Some(hint);
        }
    }
}

impl Sink for Best {
    fn bound(&self) -> u16 {
        self.best.map_or(u16::MAX, |best| best.nodes)
    }

    fn offer(&mut self, hint: ChainHint, branches: &[&Net]) {
        let has_nested = branches.iter().any(|net| net.nested.iter().any(|nested| nested.nodes > 0));
        self.keep(if has_nested { with_nested(hint, branches) } else { hint });
    }
}
