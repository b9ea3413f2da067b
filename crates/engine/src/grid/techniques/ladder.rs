//! Climbs a ladder: takes the easiest technique that finds something, again and again, until the board is solved.
//!
//! [`climb`] applies all finds of a technique at once, so its result is the same for all isomorphs of a puzzle. [`Walk`] takes one find
//! at a time, as people do. A find never needs a candidate to be there, so both reach the same hardest step.

use super::rounds::rounds_of;
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
    /// The most rounds of a refutation; 0 without one.
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

/// Solves a position as far as steps rated at most `upto` reach. Always ends, because each round fills a cell or removes a candidate.
pub(crate) fn climb(position: &mut Position<'_>, ladder: &[Technique], upto: Tenths) -> Climb {
    let mut climb = Climb::default();
    while !position.is_solved() {
        let within = ladder.iter().take_while(|technique| technique.rating <= upto);
        let Some(finds) = within.map(|technique| finds(technique, position, upto)).find(|finds| !finds.is_empty())
        else {
            break;
        };
        for find in &finds {
            climb.add(find);
            position.apply(find);
        }
    }
    climb.solved = position.is_solved();
    climb
}

/// All finds of a technique that are rated at most `upto`.
fn finds(technique: &Technique, position: &Position<'_>, upto: Tenths) -> Vec<Find> {
    let limited = Technique { rating_max: technique.rating_max.min(upto), ..*technique };
    let mut finds = Vec::new();
    (technique.find)(&limited, position, &mut |find| {
        finds.push(find);
        false
    });
    finds
}

/// A solution that takes one find after another, always one of the easiest technique.
#[derive(Debug)]
pub(crate) struct Walk<'r> {
    position: Position<'r>,
    ladder: &'static [Technique],
    /// The finds of the ladder's last technique that are not taken yet, the last one first. The technique is a search, and its finds
    /// stay true, so they are taken before it searches again, unless an easier step comes first.
    left: Vec<Find>,
}

impl<'r> Walk<'r> {
    pub(crate) fn new(start: &Position<'r>, ladder: &'static [Technique]) -> Self {
        Self { position: *start, ladder, left: Vec::new() }
    }

    pub(crate) fn position(&self) -> &Position<'r> {
        &self.position
    }

    /// The next find in the current position.
    pub(crate) fn next(&mut self) -> Option<Find> {
        let (last, easier) = self.ladder.split_last().filter(|_| !self.position.is_solved())?;
        if let Some(find) = easier.iter().find_map(|technique| first(technique, &self.position)) {
            self.left.clear();
            return Some(find);
        }
        self.take_left().or_else(|| {
            self.left = finds(last, &self.position, Tenths::MAX);
            self.left.reverse();
            self.left.pop()
        })
    }

    fn take_left(&mut self) -> Option<Find> {
        while let Some(find) = self.left.pop() {
            let find = find.still(&self.position);
            if find.is_some() {
                return find;
            }
        }
        None
    }

    /// Goes to the position after a find.
    pub(crate) fn apply(&mut self, find: &Find) {
        self.position.apply(find);
    }
}

/// The first find of a technique.
fn first(technique: &Technique, position: &Position<'_>) -> Option<Find> {
    let mut found = None;
    (technique.find)(technique, position, &mut |find| {
        found = Some(find);
        true
    });
    found
}
