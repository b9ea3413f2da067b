//! The proof of a refutation: the houses and signs that it needs. A search finds them, backward from the contradiction to the candidate:
//! it explains why the last cell or house lacks what it must have, then the events that caused this, and so on. Signs are kept as a set of
//! cells, in which a sign has the place of its number.

use super::refutation::{ROUNDS_MAX, trial};
use crate::{
    grid::{
        cells::{Cells, Houses},
        clues::{By, Exclusion},
        position::Position,
        rounds::{Failure, Single},
        rules::{Holds, Rules},
    },
    shared::step::Cell,
};

/// The number of rounds in which a candidate leads to a contradiction, the contradiction, and the houses and signs that prove it. `None` if
/// the candidate leads to no contradiction.
pub(super) fn trace(before: &Position<'_>, candidate: (Cell, u8)) -> Option<(u8, Failure, Houses, Cells)> {
    let mut trial = trial(before, candidate);
    let (rounds, failure) = (1..=ROUNDS_MAX).find_map(|round| Some((round, trial.next().err()?)))?;
    let mut events: Vec<_> = trial.singles.into_iter().map(Event::Placed).collect();
    for (at, (placed, exclusion)) in trial.exclusions.into_iter().enumerate() {
        events.insert(placed + at, Event::Exclusion(exclusion));
    }
    let (houses, signs) = (Houses::NONE, Cells::NONE);
    let mut proof = Proof { before, needed: vec![false; events.len()], events, houses, signs };
    match failure {
        Failure::Cell(cell) => proof.cell_lacks(cell, 0),
        Failure::House(house, digit) => proof.house_lacks(house, digit, Cells::NONE, proof.events.len()),
        Failure::Rule(by) => proof.by(by, proof.events.len()),
    }
    // Only earlier events cause an event, so the loop ends.
    while let Some(at) = proof.needed.iter().rposition(|needed| *needed) {
        proof.needed[at] = false;
        match proof.events[at] {
            Event::Placed(Single { cell, digit, house: Some(house) }) => {
                proof.house_lacks(house, digit, Cells::only(cell), at);
            }
            Event::Placed(Single { cell, digit, house: None }) if at > 0 => proof.cell_lacks(cell, digit),
            Event::Placed(_) => {}
            Event::Exclusion(exclusion) => proof.by(exclusion.by, at),
        }
    }
    Some((rounds, failure, proof.houses, proof.signs))
}

/// What a round does.
#[derive(Clone, Copy)]
enum Event {
    Placed(Single),
    Exclusion(Exclusion),
}

struct Proof<'p, 'r> {
    before: &'p Position<'r>,
    /// The events of all rounds, the candidate first.
    events: Vec<Event>,
    /// For each event, whether the proof still has to explain it.
    needed: Vec<bool>,
    houses: Houses,
    signs: Cells,
}

impl Proof<'_, '_> {
    fn rules(&self) -> &Rules {
        self.before.rules()
    }

    /// Explains why a cell has no candidate except `kept`. If `kept` is 0, it has none at all.
    fn cell_lacks(&mut self, cell: Cell, kept: u8) {
        let end = self.events.len();
        self.before
            .candidates(cell)
            .iter()
            .filter(|digit| *digit != kept)
            .for_each(|digit| self.lost(cell, digit, end));
    }

    /// Explains why a digit has no place in a house except the cells `kept`, by events before the one at `end`. A house that lacks several stars
    /// may still have other places, which all touch each other; these need no explanation.
    fn house_lacks(&mut self, house: usize, digit: u8, kept: Cells, end: usize) {
        self.houses = self.houses.or(Houses::only(house));
        self.before.places_in(house, digit).without(kept).iter().for_each(|cell| self.lost(cell, digit, end));
    }

    /// Explains what an extra rule excludes: marks the events before `end` that removed candidates from its cells.
    fn by(&mut self, by: By, end: usize) {
        let houses: Houses = match by {
            By::House(house) => Houses::only(house),
            By::Lines(lines) => lines.into_iter().collect(),
            By::Sign(sign) => {
                self.signs.insert(Cell::try_from(sign).expect("a board has at most 256 signs"));
                Houses::NONE
            }
        };
        self.houses = self.houses.or(houses);
        let cells = match by {
            By::Sign(sign) => self.rules().signs[sign].cells.into_iter().collect(),
            By::House(_) | By::Lines(_) => self.rules().cells_of(houses),
        };
        for cell in cells.and(self.before.open()).iter() {
            self.before.candidates(cell).iter().for_each(|digit| self.lost(cell, digit, end));
        }
    }

    /// Explains why a cell lost a candidate, by the first event before `end` that excludes it. Does nothing if the cell still has it.
    fn lost(&mut self, cell: Cell, digit: u8, end: usize) {
        let excludes = |event: &Event| match event {
            Event::Placed(single) if single.cell == cell => single.digit != digit,
            Event::Placed(single) => {
                single.digit == digit && self.rules().peers[usize::from(single.cell)].contains(cell)
            }
            Event::Exclusion(exclusion) => exclusion.digit == digit && exclusion.cells.contains(cell),
        };
        let first = self.events[..end].iter().position(excludes);
        if let Some((house, events)) = self.filled(cell, first.unwrap_or(end)) {
            self.houses = self.houses.or(Houses::only(house));
            for at in events {
                self.needed[at] = true;
            }
            return;
        }
        let Some(at) = first else { return };
        if let Event::Placed(single) = self.events[at]
            && single.cell != cell
        {
            let rules = self.rules();
            let house = match rules.excluding(cell, single.cell) {
                // Cells that see each other only because they touch share no house. If every cell holds a digit, the placed
                // digit may be the last one of its cell, so the proof names the houses of that cell.
                None if rules.fills => rules.houses_of[usize::from(single.cell)],
                shared => shared.map_or(Houses::NONE, Houses::only),
            };
            self.houses = self.houses.or(house);
        }
        self.needed[at] = true;
    }

    /// The first events before `end` that put all stars of a house with several stars into other cells than this one.
    fn filled(&self, cell: Cell, end: usize) -> Option<(usize, Vec<usize>)> {
        let rules = self.rules();
        let houses = rules.houses_of[usize::from(cell)].iter();
        let filled = houses.filter(|house| matches!(rules.houses[*house].holds, Holds::Stars(_))).map(|house| {
            let (mut cells, mut events) = (Cells::NONE, Vec::new());
            for (at, event) in self.events[..end].iter().enumerate() {
                if let Event::Placed(Single { cell: star, .. }) = event
                    && rules.houses[house].cells.without(cells).contains(*star)
                    && events.len() < self.before.missing(house)
                {
                    cells.insert(*star);
                    events.push(at);
                }
            }
            (house, events, cells)
        });
        let filled = filled
            .filter(|(house, events, cells)| events.len() == self.before.missing(*house) && !cells.contains(cell));
        filled.map(|(house, events, _)| (house, events)).min_by_key(|(_, events)| events.last().copied())
    }
}
