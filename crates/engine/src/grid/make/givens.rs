//! The shape of kinds whose clues are digits: thins a full board, one orbit of the symmetry after the other.
//!
//! For low ratings, the ladder steers the thinning: a digit is taken away only if techniques up to the highest wanted
//! rating still solve the puzzle. For higher ratings, the ladder rates only the result, because fully thinned puzzles
//! are hard often enough.

use super::{Draft, Goal, Shape, loose_clues};
use crate::{
    grid::{
        cells::Cells,
        clues::Loose,
        ladder::climb,
        orbits::{orbits, reach, reachable_within, sizes},
        position::Position,
        puzzle::Puzzle,
        rules::Rules,
        solve::{self, NODES_PER_FILL_MAX},
        variant::{Areas, GridVariant},
    },
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        rng::Rng,
    },
};

/// The highest wanted rating for which the ladder steers the thinning. Up to this rating, 9x9-x takes a fifth of the
/// time with the ladder, and 8x8 takes twice the time. Above it, both take longer with the ladder.
const STEERED_MAX: Tenths = Tenths(40);

/// The same for boards with clues that thinning takes away, and with small regions.
const STEERED_MAX_WITH_CLUES: Tenths = Tenths(54);

/// The same for boards with at least [`LARGE`] rows, on which thinning without the ladder mostly makes harder puzzles.
/// Up to this rating, the ladder halves the time for 16x16. It would double the time for 12x12, so 12x12 is not large.
const STEERED_MAX_OF_LARGE: Tenths = Tenths(69);
const LARGE: u8 = 16;

/// The maximum number of times that digits are put back and others taken away.
const NEIGHBORS_MAX: usize = 11;

/// To make a neighbor of a puzzle, a try puts back one orbit, and one more for each group of this many orbits of the
/// board.
const ORBITS_PER_PUT_BACK: usize = 12;

/// The maximum number of nodes to decide whether a candidate belongs to a second solution. If they do not suffice, the digit stays.
pub(super) const NODES_PER_REFUTATION_MAX: u64 = 30;

/// The maximum number of nodes to decide whether many digits or clues can go at once.
const NODES_AT_ONCE_MAX: u64 = 100;

/// The shape of kinds whose clues are digits of the solution.
pub(crate) struct DigitClues {
    /// Makes random regions: the number of the region of each cell. Empty for boards with boxes. `None` if it found no regions.
    pub(crate) regions: fn(&GridVariant, &mut Rng) -> Option<Vec<u8>>,
    /// The maximum number of times that a try makes regions, until they have a solution.
    pub(crate) regions_max: usize,
    /// The maximum number of nodes to find a solution.
    pub(crate) nodes_per_fill_max: u64,
    /// The number of clues at which thinning stops.
    pub(crate) clues_min: fn(&Goal) -> usize,
    /// Whether thinning begins with as many digits, and then clues, as can go at once. It is quicker for kinds that need few of them.
    pub(crate) at_once: bool,
}

impl DigitClues {
    /// Boards without regions.
    pub(crate) const WITHOUT_REGIONS: Self = Self::with_regions(|_, _| Some(Vec::new()));

    /// Boards with regions that mostly have a solution.
    pub(crate) const fn with_regions(regions: fn(&GridVariant, &mut Rng) -> Option<Vec<u8>>) -> Self {
        let clues_min = |goal: &Goal| goal.variant.size as usize;
        Self { regions, regions_max: 1, nodes_per_fill_max: NODES_PER_FILL_MAX, clues_min, at_once: false }
    }

    /// A full board with random regions. `None` if none is found.
    fn filled(
        &self,
        variant: &'static GridVariant,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Puzzle>, OutOfBudget> {
        for _ in 0..self.regions_max {
            let Some(regions) = (self.regions)(variant, rng) else { continue };
            let filled = solve::fill(&Rules::with(variant, &regions), self.nodes_per_fill_max, rng, budget)?;
            if let Some(solution) = filled {
                return Ok(Some(Puzzle::new(variant, solution, regions)));
            }
        }
        Ok(None)
    }
}

impl DigitClues {
    fn thinning<'a>(&self, goal: &'a Goal, puzzle: &Puzzle, solution: &'a [u8], floor: usize) -> Thinning<'a> {
        let clues_min = (self.clues_min)(goal);
        Thinning { goal, rules: Rules::of(puzzle), solution, floor, clues_min, at_once: self.at_once }
    }
}

impl Shape for DigitClues {
    fn start(&self, goal: &Goal, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<Draft>, OutOfBudget> {
        let Some(mut full) = self.filled(goal.variant, rng, budget)? else { return Ok(None) };
        let solution = full.digits.clone();
        let mut order = orbits(goal.variant.size, goal.symmetry);
        rng.shuffle(&mut order);
        let floor = floor(goal, rng);
        order_for(&mut order, solution.len() - floor);
        let mut clues = goal.variant.clues.loose(goal.variant, &solution);
        rng.shuffle(&mut clues);
        clues.truncate(loose_clues::count_max(goal.variant));
        full.clues = clues.iter().copied().collect();
        let mut thinning = self.thinning(goal, &full, &solution, floor);
        thinning.run(full, (&order, &clues), budget).map(Some)
    }

    /// Puts some orbits and clues back, and then takes others away. Those that were put back are tried last.
    fn neighbor(
        &self,
        draft: &Draft,
        goal: &Goal,
        rng: &mut Rng,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Draft>, OutOfBudget> {
        let mut orbits = orbits(goal.variant.size, goal.symmetry);
        let count = 1 + orbits.len() / ORBITS_PER_PUT_BACK;
        rng.shuffle(&mut orbits);
        let is_given = |orbit: &Cells| orbit.first().is_some_and(|cell| draft.puzzle.digits[usize::from(cell)] != 0);
        let (mut order, mut back): (Vec<_>, Vec<_>) = orbits.into_iter().partition(is_given);
        back.truncate(count);
        let mut fuller = draft.puzzle.clone();
        for cell in back.iter().flat_map(|orbit| orbit.iter()).map(usize::from) {
            fuller.digits[cell] = draft.solution[cell];
        }
        order.append(&mut back);
        let floor = floor(goal, rng);
        let clues = loose_clues::put_back(&mut fuller, &draft.solution, rng);
        let mut thinning = self.thinning(goal, &fuller, &draft.solution, floor);
        thinning.run(fuller, (&order, &clues), budget).map(Some)
    }

    fn neighbors_max(&self, goal: &Goal) -> usize {
        if is_steered(goal) || self.regions_max > 1 { NEIGHBORS_MAX } else { 0 }
    }
}

pub(super) fn is_steered(goal: &Goal) -> bool {
    let GridVariant { clues, areas, size, .. } = goal.variant;
    let steered_max = if clues.form().loose.is_some() || *areas == Areas::SmallRegions {
        STEERED_MAX_WITH_CLUES
    } else if *size < LARGE {
        STEERED_MAX
    } else {
        STEERED_MAX_OF_LARGE
    };
    *goal.ratings.end() <= steered_max
}

/// The largest number up to `most` that fits, if 0 fits and all numbers below one that fits do.
pub(super) fn longest(
    most: usize,
    mut fits: impl FnMut(usize) -> Result<bool, OutOfBudget>,
) -> Result<usize, OutOfBudget> {
    let (mut least, mut most, mut next) = (0, most, most);
    while least < most {
        if fits(next)? {
            least = next;
        } else {
            most = next - 1;
        }
        next = (least + most).div_ceil(2);
    }
    Ok(least)
}

/// The number of digits at which thinning stops: one of the goal's numbers that the symmetry allows. If the ladder
/// steers, it is a random one, otherwise the smallest.
fn floor(goal: &Goal, rng: &mut Rng) -> usize {
    let Some(range) = goal.givens else { return 0 };
    let numbers = reachable_within(range, goal.variant.size, goal.symmetry);
    match numbers.len() {
        0 => range.min.into(),
        _ if !is_steered(goal) => numbers[0].into(),
        count => numbers[rng.index(count)].into(),
    }
}

/// Some sets of orbits have exactly `removed` cells together. Sorts the orbits so that thinning can take away such a
/// set: orbits that are in all these sets come first, and orbits that are in none come last.
fn order_for(order: &mut [Cells], removed: usize) {
    let sizes = sizes(order);
    let reaches = |sizes, number: usize| u16::try_from(number).is_ok_and(|number| reach(sizes, number));
    let rank = |size: usize| {
        let mut others = sizes;
        others[size.ilog2() as usize] -= 1;
        match (reaches(others, removed), removed.checked_sub(size).is_some_and(|rest| reaches(others, rest))) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => 2,
        }
    };
    order.sort_by_cached_key(|orbit| rank(orbit.len()));
}

/// Takes digits away from one board, and then clues.
pub(super) struct Thinning<'a> {
    pub(super) goal: &'a Goal,
    /// The rules of the puzzle with its present clues.
    pub(super) rules: Rules,
    solution: &'a [u8],
    /// The least number of digits that stay.
    floor: usize,
    /// The number of clues at which taking them away stops.
    pub(super) clues_min: usize,
    /// Whether as many digits and clues as possible go at once first.
    pub(super) at_once: bool,
}

impl Thinning<'_> {
    /// Takes away orbits and then clues, in the given order. Takes one away only if the puzzle keeps its one solution. If the ladder steers,
    /// the wanted techniques must also still find the solution.
    fn run(
        &mut self,
        mut puzzle: Puzzle,
        (order, clues): (&[Cells], &[Loose]),
        budget: &mut Budget<'_>,
    ) -> Result<Draft, OutOfBudget> {
        let mut rating = None;
        if self.at_once {
            let cells = |count: usize| order[..count].iter().fold(Cells::NONE, |all, orbit| all.or(*orbit));
            let spare = usize::from(puzzle.givens()).saturating_sub(self.floor);
            let most = (0..=order.len()).rfind(|count| cells(*count).len() <= spare).unwrap_or(0);
            let thinner = |count: usize| {
                let digits = (0..).zip(&puzzle.digits);
                puzzle.with(digits.map(|(cell, digit)| if cells(count).contains(cell) { 0 } else { *digit }).collect())
            };
            let count = longest(most, |count| self.is_solved(&thinner(count), &mut rating, budget))?;
            puzzle.digits = thinner(count).digits;
        }
        let mut left = usize::from(puzzle.givens());
        for &orbit in order {
            let is_gone = orbit.iter().all(|cell| puzzle.digits[usize::from(cell)] == 0);
            if is_gone || left < self.floor + orbit.len() {
                continue;
            }
            budget.check_cancelled()?;
            let mut thinner = puzzle.digits.clone();
            orbit.iter().for_each(|cell| thinner[usize::from(cell)] = 0);
            let is_kept = if is_steered(self.goal) {
                let rated = self.rating(&thinner);
                rating = rated.or(rating);
                rated.is_some()
            } else {
                self.is_unique_without(orbit, &thinner, budget)?
            };
            if is_kept {
                puzzle.digits = thinner;
                left -= orbit.len();
            }
        }
        let rating = self.take_clues(&mut puzzle, clues, budget)?.or(rating).or_else(|| self.rating(&puzzle.digits));
        Ok(Draft { puzzle, solution: self.solution.to_vec(), rating })
    }

    /// Whether a puzzle with the present clues is still one: the wanted techniques solve it if the ladder steers, or it has one solution.
    /// False if the nodes do not suffice. Notes the rating if it is known.
    pub(super) fn is_solved(
        &self,
        puzzle: &Puzzle,
        rating: &mut Option<Tenths>,
        budget: &mut Budget<'_>,
    ) -> Result<bool, OutOfBudget> {
        budget.check_cancelled()?;
        if is_steered(self.goal) {
            let rated = self.rating(&puzzle.digits);
            *rating = rated.or(*rating);
            return Ok(rated.is_some());
        }
        let found = budget.try_within(NODES_AT_ONCE_MAX, |budget| solve::solutions(puzzle, 2, budget))?;
        Ok(found.is_some_and(|found| found.len() == 1))
    }

    /// The rating of a puzzle up to the upper border of the goal; `None` if it is harder.
    pub(super) fn rating(&self, digits: &[u8]) -> Option<Tenths> {
        let mut position = Position::of(&self.rules, digits)?;
        let climb = climb(&mut position, self.goal.variant.ladder, *self.goal.ratings.end());
        climb.solved.then_some(climb.rating)
    }

    /// Whether the cells of an orbit that was just emptied have the same digits in all solutions. False if the nodes do not suffice.
    fn is_unique_without(&self, orbit: Cells, digits: &[u8], budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        let position = Position::of(&self.rules, digits).and_then(|position| solve::propagate(&position));
        let Some(position) = position else { return Ok(false) };
        for cell in orbit.and(position.open()).iter() {
            for digit in position.candidates(cell).iter().filter(|&digit| digit != self.solution[usize::from(cell)]) {
                let ask = |budget: &mut Budget<'_>| solve::is_refuted(&position, (cell, digit), budget);
                if budget.try_within(NODES_PER_REFUTATION_MAX, ask)? != Some(true) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
