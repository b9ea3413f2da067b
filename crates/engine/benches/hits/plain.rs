//! The baseline of the bench `hits`: estimates the tries and processor seconds per hit of each goal, from one sample of plain
//! tries. Does so for complete ratings, and for ratings that stop as soon as a puzzle is known to be too hard.

use std::{cell::RefCell, collections::BTreeMap, sync::atomic::AtomicBool};

use puzzled_engine::{
    shared::{budget::Budget, level::Tenths, rng::Rng, symmetry::Symmetry},
    sudoku::{
        board::Grid,
        make::{grids::random_grid, need::needed, thin::thin_fully},
        orbits::orbits,
        rate::rating::{NODES_PER_RATING_MAX, Outcome, outcome_up_to},
        techniques::TECHNIQUES,
    },
};

use super::{cpu_seconds, goals::Goal};

/// Nodes for one rating: a tenth of a second. A puzzle that needs more is rated after the clock has stopped, so that no hit of
/// the hardest goals is missed.
const NODES_PER_TRY_MAX: u64 = 1_000_000;

/// Tries with at least this ER are so few that the bench finds the needed techniques of all of them. For a technique with such
/// a rating, it counts only these tries.
const HARDEST_FROM: Tenths = Tenths(95);

/// Number of tries that are rated again for the highest rating of each goal, to measure ratings that stop above it.
const TIMED: usize = 400;

/// With no hit in n tries, a hit takes more than n / 4.6 tries, with 99 % confidence.
const CONFIDENCE: f64 = 4.6;

/// The sample of plain tries with their ratings, needed techniques, and times.
pub(crate) struct Plain {
    tries: Vec<Grid>,
    /// ER of each try; `None` if even [`NODES_PER_RATING_MAX`] nodes did not suffice.
    ratings: Vec<Option<Tenths>>,
    /// The techniques that each try needs, for as many of the first tries as the time allowed.
    needs: Vec<Vec<&'static str>>,
    /// The techniques that each of the hardest tries needs, by the index of the try.
    hardest: BTreeMap<usize, Vec<&'static str>>,
    seconds_to_thin: f64,
    seconds_to_rate: f64,
    /// Seconds per rating, by the rating where it stops.
    seconds_up_to: RefCell<BTreeMap<Tenths, f64>>,
}

/// The cost of a hit of one goal by plain tries.
pub(crate) struct PlainHits {
    /// Whether there was no hit, so that the numbers are lower bounds.
    pub(crate) is_bound: bool,
    pub(crate) tries: f64,
    /// Seconds per hit, with complete ratings.
    pub(crate) seconds: f64,
    /// Seconds per hit, with ratings that stop above the hardest wanted rating.
    pub(crate) seconds_stopping: f64,
}

impl Plain {
    pub(crate) fn sample(seconds: f64) -> Self {
        let (never, mut rng, orbits) = (AtomicBool::new(false), Rng::from_seed(7), orbits(Symmetry::None));
        let (mut tries, mut ratings) = (Vec::new(), Vec::new());
        let (mut seconds_to_thin, mut seconds_to_rate) = (0.0, 0.0);
        while seconds_to_thin + seconds_to_rate < seconds {
            let start = cpu_seconds();
            let solution = random_grid(&mut rng);
            let puzzle = thin_fully(&solution, &orbits, &mut rng, &mut Budget::new(NODES_PER_TRY_MAX, &never));
            let thinned = cpu_seconds();
            seconds_to_thin += thinned - start;
            let puzzle = puzzle.expect("thinning takes some ten nodes");
            ratings.push(rating_up_to(&puzzle, Tenths::MAX));
            tries.push(puzzle);
            seconds_to_rate += cpu_seconds() - thinned;
        }
        for (puzzle, rating) in tries.iter().zip(&mut ratings).filter(|(_, rating)| rating.is_none()) {
            *rating = rating_within(puzzle, Tenths::MAX, NODES_PER_RATING_MAX);
        }
        let (start, mut needs) = (cpu_seconds(), Vec::new());
        for puzzle in &tries {
            if cpu_seconds() - start >= seconds {
                break;
            }
            needs.push(needed(puzzle, Tenths(0), &mut Budget::new(NODES_PER_TRY_MAX, &never)).expect("nobody cancels"));
        }
        let (hardest, seconds_up_to) = (BTreeMap::new(), RefCell::default());
        let mut plain = Self { tries, ratings, needs, hardest, seconds_to_thin, seconds_to_rate, seconds_up_to };
        plain.hardest = plain.hardest();
        plain
    }

    /// The techniques that the tries rated [`HARDEST_FROM`] or harder need, by the index of the try.
    fn hardest(&self) -> BTreeMap<usize, Vec<&'static str>> {
        let (never, ratings) = (AtomicBool::new(false), self.ratings.iter().enumerate());
        let hardest = ratings.filter(|(_, rating)| rating.is_none_or(|er| er >= HARDEST_FROM));
        let needs = |at: usize| needed(&self.tries[at], Tenths(0), &mut Budget::new(2 * NODES_PER_RATING_MAX, &never));
        hardest.map(|(at, _)| (at, needs(at).expect("nobody cancels"))).collect()
    }

    pub(crate) fn tries(&self) -> usize {
        self.tries.len()
    }

    pub(crate) fn tries_with_needs(&self) -> usize {
        self.needs.len()
    }

    pub(crate) fn hits(&self, goal: &Goal) -> PlainHits {
        let is_of_hardest = goal.technique.is_some_and(|name| easiest_rating(name) >= HARDEST_FROM);
        let is_hit = |at: usize| match goal.technique {
            Some(technique) if is_of_hardest => self.hardest.get(&at).is_some_and(|needs| needs.contains(&technique)),
            Some(technique) => self.needs[at].contains(&technique),
            None => self.ratings[at].is_some_and(|er| (goal.ratings.0..=goal.ratings.1).contains(&er)),
        };
        let has_prefix = goal.technique.is_some() && !is_of_hardest;
        let tries = if has_prefix { self.needs.len() } else { self.tries.len() };
        let hits = (0..tries).filter(|&at| is_hit(at)).count();
        let is_bound = hits == 0;
        let tries = float(tries) / if is_bound { CONFIDENCE } else { float(hits) };
        let seconds_to_thin = self.seconds_to_thin / float(self.tries.len());
        let seconds_after = |hardest| tries * (seconds_to_thin + self.seconds_up_to(hardest));
        let (seconds, seconds_stopping) = (seconds_after(Tenths::MAX), seconds_after(goal.ratings.1));
        PlainHits { is_bound, tries, seconds, seconds_stopping }
    }

    /// Mean seconds to rate a try up to `hardest`.
    fn seconds_up_to(&self, hardest: Tenths) -> f64 {
        if hardest == Tenths::MAX {
            return self.seconds_to_rate / float(self.tries.len());
        }
        *self.seconds_up_to.borrow_mut().entry(hardest).or_insert_with(|| {
            let start = cpu_seconds();
            let timed = &self.tries[..TIMED.min(self.tries.len())];
            for puzzle in timed {
                rating_up_to(puzzle, hardest);
            }
            (cpu_seconds() - start) / float(timed.len())
        })
    }
}

/// The rating of a technique's easiest form.
fn easiest_rating(name: &str) -> Tenths {
    TECHNIQUES.iter().find(|known| known.name == name).map_or(Tenths::MAX, |known| known.rating)
}

/// ER of a puzzle text; `None` if the rating needs too many nodes.
pub(crate) fn rating(text: &str) -> Option<Tenths> {
    rating_within(&Grid::parse(text).expect("a puzzle"), Tenths::MAX, NODES_PER_RATING_MAX)
}

fn rating_up_to(puzzle: &Grid, hardest: Tenths) -> Option<Tenths> {
    rating_within(puzzle, hardest, NODES_PER_TRY_MAX)
}

fn rating_within(puzzle: &Grid, hardest: Tenths, nodes_max: u64) -> Option<Tenths> {
    let never = AtomicBool::new(false);
    match outcome_up_to(puzzle, hardest, &mut Budget::new(nodes_max, &never)) {
        Outcome::Rated(ratings) => Some(ratings.er),
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "some thousands")]
fn float(number: usize) -> f64 {
    number as f64
}
