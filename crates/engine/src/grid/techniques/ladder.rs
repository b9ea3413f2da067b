//! Climbs a ladder: takes the easiest technique that finds something, again and again, until the board is solved.
//!
//! [`climb`] applies all finds of a technique at once, so its result is the same for all isomorphs of a puzzle.
//! [`Walk`] takes one find at a time, as people do. A find stays true when candidates are removed, so both reach the
//! same hardest step.

use super::refutation::rounds_of;
use crate::{
    grid::{
        find::{Find, Technique},
        position::Position,
    },
    shared::level::Tenths,
};

/// The result of a climb.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Climb {
    /// The rating of the hardest step; 0 without a step.
    pub(crate) rating: Tenths,
    /// The technique of that step; empty without a step.
    pub(crate) technique: &'static str,
    /// The number of rounds of the longest refutation; 0 without one.
    pub(crate) rounds: u8,
    /// Whether the board is solved.
    pub(crate) solved: bool,
}

impl Climb {
    /// Counts a step. Of steps with the same rating, the first names the technique.
    pub(crate) fn add(&mut self, find: &Find) {
        if find.rating > self.rating {
            (self.rating, self.technique) = (find.rating, find.technique);
        }
        self.rounds = self.rounds.max(rounds_of(find));
    }
}

/// Solves a position as far as steps rated at most `upto` reach. Always ends, because each step fills a cell or removes a
/// candidate.
pub(crate) fn climb(position: &mut Position<'_>, ladder: &[Technique], upto: Tenths) -> Climb {
    let mut climb = Climb::default();
    while !position.is_solved() {
        let mut within = ladder.iter().take_while(|technique| technique.rating <= upto);
        let Some(finds) = within.find_map(|technique| finds(technique, position, upto, usize::MAX)) else { break };
        for find in &finds {
            climb.add(find);
            position.apply(find);
        }
    }
    climb.solved = position.is_solved();
    climb
}

/// The first finds of a technique that are rated at most `upto`. `None` if there are none.
fn finds(technique: &Technique, position: &Position<'_>, upto: Tenths, count_max: usize) -> Option<Vec<Find>> {
    let limited = Technique { rating_max: technique.rating_max.min(upto), ..*technique };
    let mut finds = Vec::new();
    (technique.find)(&limited, position, &mut |find| {
        finds.push(find);
        finds.len() == count_max
    });
    (!finds.is_empty()).then_some(finds)
}

/// Solves a position find by find, always by the easiest technique. Yields each find with the position before it.
#[derive(Debug)]
pub(crate) struct Walk<'r> {
    /// The position after the finds so far.
    pub(crate) position: Position<'r>,
    ladder: &'static [Technique],
    /// The finds of the ladder's last technique that are not taken yet, the last one first. The technique is a search, and its finds
    /// stay true, so they are taken before it searches again, unless an easier step comes first.
    left: Vec<Find>,
}

impl<'r> Walk<'r> {
    pub(crate) fn new(start: &Position<'r>, ladder: &'static [Technique]) -> Self {
        Self { position: *start, ladder, left: Vec::new() }
    }

    /// The next find in the current position.
    fn find(&mut self) -> Option<Find> {
        let (last, easier) = self.ladder.split_last().filter(|_| !self.position.is_solved())?;
        let first = |technique| finds(technique, &self.position, Tenths::MAX, 1)?.pop();
        if let Some(find) = easier.iter().find_map(first) {
            self.left.clear();
            return Some(find);
        }
        let left = std::iter::from_fn(|| self.left.pop()).find_map(|find| find.still(&self.position));
        left.or_else(|| {
            self.left = finds(last, &self.position, Tenths::MAX, usize::MAX)?;
            self.left.reverse();
            self.left.pop()
        })
    }
}

impl<'r> Iterator for Walk<'r> {
    type Item = (Position<'r>, Find);

    fn next(&mut self) -> Option<Self::Item> {
        let (find, before) = (self.find()?, self.position);
        self.position.apply(&find);
        Some((before, find))
    }
}
