//! A step: how a technique changes the position, and how the best of several steps is chosen.

use super::{position::Position, table::Technique};
use crate::sudoku::techniques::geometry::{Cells, cells};
use std::cmp::Reverse;

/// A cell, 0–80, and a digit, 1–9.
pub type Candidate = (usize, usize);

/// One step of the solution. Steps are in the order in which they change the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The technique.
    pub technique: &'static Technique,
    /// The digit that it places, if it places one.
    pub placed: Option<Candidate>,
    /// The candidates that it removes. Empty if it places a digit.
    pub removed: Vec<Candidate>,
}

/// The effect of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    Place(Candidate),
    /// Removes candidates, in this order.
    Remove(Vec<Candidate>),
}

impl Effect {
    /// Removes each of these candidates once; `None` if there are none.
    pub(super) fn remove(candidates: impl IntoIterator<Item = Candidate>) -> Option<Self> {
        let mut removed = Vec::new();
        for candidate in candidates {
            if !removed.contains(&candidate) {
                removed.push(candidate);
            }
        }
        (!removed.is_empty()).then_some(Self::Remove(removed))
    }

    /// Removes a digit from these cells, if there are any.
    pub(super) fn remove_digit(digit: usize, from: Cells) -> Option<Self> {
        (from != 0).then(|| Self::Remove(cells(from).map(|cell| (cell, digit)).collect()))
    }

    /// Applies the effect to a position.
    pub(super) fn apply(&self, position: &mut Position) {
        match self {
            Self::Place((cell, digit)) => position.place(*cell, *digit),
            Self::Remove(removed) => removed.iter().for_each(|&(cell, digit)| position.remove(cell, digit)),
        }
    }

    /// The step with this effect by a technique.
    pub(super) fn step(self, technique: &'static Technique) -> Step {
        match self {
            Self::Place(placed) => Step { technique, placed: Some(placed), removed: Vec::new() },
            Self::Remove(removed) => Step { technique, placed: None, removed },
        }
    }
}

/// A set of candidates to remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Removal([Cells; 10]);

impl Removal {
    /// The removal of one digit from these cells.
    pub(super) fn of(digit: usize, from: Cells) -> Self {
        let mut removal = Self::default();
        removal.add(digit, from);
        removal
    }

    /// Adds a digit in these cells.
    pub(super) fn add(&mut self, digit: usize, from: Cells) {
        self.0[digit] |= from;
    }

    /// Whether there is nothing to remove.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&from| from == 0)
    }

    /// The candidates, by digit and then by cell.
    pub(super) fn candidates(&self) -> impl Iterator<Item = Candidate> {
        (0..).zip(self.0).flat_map(|(digit, from)| cells(from).map(move |cell| (cell, digit)))
    }

    /// HoDoKu's sort key: removals of more candidates come first, then those with a lower weighted sum of cells and
    /// digits.
    fn rank(&self) -> Rank {
        let weigh = |(Reverse(count), sum, weight): (Reverse<usize>, usize, usize), (cell, digit): Candidate| {
            (Reverse(count + 1), sum + cell * weight + digit, weight + 80)
        };
        let (count, sum, _) = self.candidates().fold((Reverse(0), 0, 1), weigh);
        (count, sum)
    }
}

/// The number of candidates and the weighted sum. Lower is better.
type Rank = (Reverse<usize>, usize);

/// The best removal so far. Of equal removals, keeps the first one.
#[derive(Debug, Default)]
pub(super) struct Best(Option<(Rank, Removal)>);

impl Best {
    /// Adds a removal that is known to hold.
    pub(super) fn offer(&mut self, removal: Removal) {
        self.offer_if(removal, || true);
    }

    /// Adds a removal if `holds` returns true. `holds` is called only if the removal would be the best.
    pub(super) fn offer_if(&mut self, removal: Removal, holds: impl FnOnce() -> bool) {
        if removal.is_empty() {
            return;
        }
        let rank = removal.rank();
        if self.0.as_ref().is_none_or(|(best, _)| rank < *best) && holds() {
            self.0 = Some((rank, removal));
        }
    }

    /// The better of two. If they are equal, returns this one.
    pub(super) fn or(self, other: Self) -> Self {
        match (&self.0, &other.0) {
            (Some((rank, _)), Some((other_rank, _))) if other_rank < rank => other,
            (None, _) => other,
            _ => self,
        }
    }

    /// The effect of the best removal, if there is one.
    pub(super) fn effect(self) -> Option<Effect> {
        self.0.and_then(|(_, removal)| Effect::remove(removal.candidates()))
    }
}
