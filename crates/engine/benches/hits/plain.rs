//! The baseline of the bench `hits`: estimates the tries and processor seconds per hit of each goal, from one sample of plain
//! tries. A plain try thins a random grid, without a symmetry, and rates the puzzle. A hit may have any number of
//! givens.

use std::sync::atomic::AtomicBool;

use puzzled_engine::{
    shared::{budget::Budget, rng::Rng, symmetry::Symmetry},
    sudoku::{
        board::Grid,
        make::{grids::random_grid, thin::thin_fully},
        orbits::orbits,
        rate::rating::NODES_PER_RATING_MAX,
        techniques::Technique,
        tools::hardest,
    },
};

use super::{cpu_seconds, goals::Goal};

/// Nodes for one rating, which take about 0.1 s. A puzzle that needs more is rated after the clock has stopped, so that
/// no hit of the hardest goals is missed.
const NODES_PER_TRY_MAX: u64 = 1_000_000;

/// With no hit in n tries, a hit takes more than n / 4.6 tries, with 99 % confidence.
const CONFIDENCE: f64 = 4.6;

/// The sample of plain tries with their times.
pub(crate) struct Plain {
    /// The hardest technique of each try with its rating; `None` if even [`NODES_PER_RATING_MAX`] nodes did not suffice.
    hardest: Vec<Option<Technique>>,
    seconds: f64,
}

/// The cost of a hit of one goal by plain tries.
pub(crate) struct PlainHits {
    /// Whether there was no hit, so that the numbers are lower bounds.
    pub(crate) is_bound: bool,
    pub(crate) tries: f64,
    pub(crate) seconds: f64,
}

impl Plain {
    pub(crate) fn sample(seconds_max: f64) -> Self {
        let (never, mut rng, orbits) = (AtomicBool::new(false), Rng::from_seed(7), orbits(Symmetry::None));
        let (mut tries, mut rated, mut seconds) = (Vec::new(), Vec::new(), 0.0);
        while seconds < seconds_max {
            let start = cpu_seconds();
            let solution = random_grid(&mut rng);
            let puzzle = thin_fully(&solution, &orbits, &mut rng, &mut Budget::new(NODES_PER_TRY_MAX, &never));
            let puzzle = puzzle.expect("thinning takes some ten nodes");
            rated.push(hardest_within(&puzzle, NODES_PER_TRY_MAX));
            tries.push(puzzle);
            seconds += cpu_seconds() - start;
        }
        for (puzzle, rated) in tries.iter().zip(&mut rated).filter(|(_, rated)| rated.is_none()) {
            *rated = hardest_within(puzzle, NODES_PER_RATING_MAX);
        }
        Self { hardest: rated, seconds }
    }

    pub(crate) fn tries(&self) -> usize {
        self.hardest.len()
    }

    pub(crate) fn hits(&self, goal: &Goal) -> PlainHits {
        let is_hit = |hardest: &&Technique| {
            (goal.ratings.0..=goal.ratings.1).contains(&hardest.rating)
                && goal.technique.is_none_or(|name| name == hardest.name)
        };
        let hits = self.hardest.iter().flatten().filter(is_hit).count();
        let is_bound = hits == 0;
        let tries = float(self.tries()) / if is_bound { CONFIDENCE } else { float(hits) };
        PlainHits { is_bound, tries, seconds: tries * self.seconds / float(self.tries()) }
    }
}

/// Rates a puzzle text as a plain try does.
pub(crate) fn rate(text: &str) -> Option<Technique> {
    hardest_within(&Grid::parse(text).expect("a puzzle"), NODES_PER_RATING_MAX)
}

fn hardest_within(puzzle: &Grid, nodes_max: u64) -> Option<Technique> {
    hardest(puzzle, &mut Budget::new(nodes_max, &AtomicBool::new(false)))
}

#[expect(clippy::cast_precision_loss, reason = "some thousands")]
fn float(number: usize) -> f64 {
    number as f64
}
