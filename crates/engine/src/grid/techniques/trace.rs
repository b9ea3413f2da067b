//! The proof of a refutation: the houses that make the singles of its rounds, back from the contradiction to the candidate.

use super::refutation::trial;
use crate::{
    grid::{
        cells::{Cells, Houses},
        position::Position,
        rounds::{Failure, Single},
        rules::Rules,
    },
    shared::step::Cell,
};

/// The contradiction to which a candidate leads within so many rounds, and the houses that prove it. `None` if there is none.
pub(super) fn trace(before: &Position<'_>, candidate: (Cell, u8), rounds: u8) -> Option<(Failure, Houses)> {
    let mut trial = trial(before, candidate);
    let failure = (0..rounds).find_map(|_| trial.next().err())?;
    let placed = trial.singles;
    let mut proof = Proof { before, needed: vec![false; placed.len()], placed, houses: Houses::NONE };
    match failure {
        Failure::Cell(cell) => proof.cell_lacks(cell, 0),
        Failure::House(house, digit) => proof.house_lacks(house, digit, Cells::NONE),
    }
    // Each placement is caused by earlier ones only, so that the loop ends.
    while let Some(at) = proof.needed.iter().rposition(|needed| *needed) {
        proof.needed[at] = false;
        let Single { cell, digit, house } = proof.placed[at];
        match house {
            Some(house) => proof.house_lacks(house, digit, Cells::only(cell)),
            None if at > 0 => proof.cell_lacks(cell, digit),
            None => {}
        }
    }
    Some((failure, proof.houses))
}

struct Proof<'p, 'r> {
    before: &'p Position<'r>,
    /// The singles of all rounds, the candidate first.
    placed: Vec<Single>,
    /// For each placement, whether it is needed and not yet explained.
    needed: Vec<bool>,
    houses: Houses,
}

impl Proof<'_, '_> {
    fn rules(&self) -> &Rules {
        self.before.rules()
    }

    /// Explains why a cell has no candidate but this digit, 0 for none at all.
    fn cell_lacks(&mut self, cell: Cell, kept: u8) {
        self.before.candidates(cell).iter().filter(|digit| *digit != kept).for_each(|digit| self.lost(cell, digit));
    }

    /// Explains why a digit has no place in a house besides these cells.
    fn house_lacks(&mut self, house: usize, digit: u8, kept: Cells) {
        self.houses = self.houses.or(Houses::only(house));
        self.before.places_in(house, digit).without(kept).iter().for_each(|cell| self.lost(cell, digit));
    }

    /// Explains why a cell lost a candidate: by the first placement that excludes it.
    fn lost(&mut self, cell: Cell, digit: u8) {
        let fills = |single: &Single| single.cell == cell && single.digit != digit;
        let sees =
            |single: &Single| single.digit == digit && self.rules().peers[usize::from(single.cell)].contains(cell);
        let Some(at) = self.placed.iter().position(|single| fills(single) || sees(single)) else { return };
        if self.placed[at].cell != cell {
            // Cells that see each other only because they touch share no house.
            let shared = self.rules().shared(cell, self.placed[at].cell).iter().next();
            self.houses = shared.map_or(self.houses, |house| self.houses.or(Houses::only(house)));
        }
        self.needed[at] = true;
    }
}
