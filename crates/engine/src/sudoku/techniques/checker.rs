//! Checks steps independently of the ladder. The checker knows no technique: from the cells of a step's pattern and the
//! candidates, it derives every placement and elimination again by trying the opposite.

use super::proofs;
use crate::{
    shared::step::{Cell, Statement, Step, Unproven},
    sudoku::board::{CELLS, Grid, HOUSES, PEERS, cell_name},
};

/// A cell, 0–80, and a digit, 1–9, which may or may not be a candidate of it.
pub(super) type Candidate = (usize, u8);

/// Candidates of which exactly one is true: those of a cell, or the places of a digit in a house.
pub(super) type Truth = Vec<Candidate>;

/// Replays the steps of a puzzle and derives each one from its pattern. Takes about 0.3 ms per puzzle. Only the size of the
/// patterns bounds the search, so use it for the ladder's own steps, not for untrusted ones.
///
/// # Errors
/// [`Unproven`] with the first step that does not follow from its pattern, or that changes nothing.
pub fn check_steps(puzzle: &Grid, steps: &[Step]) -> Result<(), Unproven> {
    check_hint(puzzle, &[], steps)
}

/// Like [`check_steps`], for the steps of a hint: on a board with the pencil marks of
/// [`PlayerBoard`](crate::shared::text::board::PlayerBoard).
///
/// # Errors
/// [`Unproven`] as [`check_steps`].
pub fn check_hint(board: &Grid, candidates: &[u32], steps: &[Step]) -> Result<(), Unproven> {
    let mut notes = Notes::of(board);
    for (left, &marks) in notes.0.iter_mut().zip(candidates).filter(|(_, marks)| **marks != 0) {
        (1..=9).filter(|digit| marks & 1 << digit == 0).for_each(|digit| *left &= !(1 << digit));
    }
    for (number, step) in steps.iter().enumerate() {
        let unproven = |claim| Unproven { step: number, claim };
        if step.placed.is_empty() && step.removed.is_empty() {
            return Err(unproven("nothing".to_owned()));
        }
        check(&notes, step).map_err(unproven)?;
        claims(&step.removed).for_each(|candidate| notes.remove(candidate));
        claims(&step.placed).for_each(|candidate| notes.place(candidate));
    }
    Ok(())
}

/// Derives everything that a step claims. The error is the claim that does not follow.
fn check(notes: &Notes, step: &Step) -> Result<(), String> {
    let branches =
        if step.chains.is_empty() { Vec::new() } else { proofs::branches(notes, &step.chains).unwrap_or_default() };
    let by_chains = |(cell, digit): (Cell, u8), holds| {
        !branches.is_empty() && proofs::agree(&branches, Statement { cell, digit, holds })
    };
    let truths = if step.chains.is_empty() { notes.truths(&step.cells) } else { Vec::new() };
    let follows =
        |candidate: Candidate| !is_possible(&truths, &[candidate]) || is_deadly(notes, step, &truths, candidate);
    for &(cell, digit) in &step.removed {
        let candidate = (usize::from(cell), digit);
        if !notes.has(candidate) || !by_chains((cell, digit), false) && !follows(candidate) {
            return Err(format!("{} is not {digit}", cell_name(usize::from(cell))));
        }
    }
    for &(cell, digit) in &step.placed {
        if !by_chains((cell, digit), true) && !notes.is_forced((usize::from(cell), digit), &truths) {
            return Err(format!("{} is {digit}", cell_name(usize::from(cell))));
        }
    }
    Ok(())
}

/// Whether a candidate can be removed because the puzzle would otherwise have two solutions, or none.
fn is_deadly(notes: &Notes, step: &Step, truths: &[Truth], candidate: Candidate) -> bool {
    let pattern: Vec<_> = step.cells.iter().map(|&cell| usize::from(cell)).collect();
    let mut deadly = proofs::deadly_truths(notes, &pattern).into_iter();
    step.chains.is_empty() && deadly.any(|truth| !is_possible(&[truths, &[truth]].concat(), &[candidate]))
}

fn claims(list: &[(Cell, u8)]) -> impl Iterator<Item = Candidate> {
    list.iter().map(|&(cell, digit)| (usize::from(cell), digit))
}

/// Whether each truth has a member that is compatible with all `chosen` and with the members chosen from the other truths.
pub(super) fn is_possible(truths: &[Truth], chosen: &[Candidate]) -> bool {
    let agrees = |candidate: &&Candidate| chosen.iter().all(|other| !excludes(**candidate, *other));
    let open = truths.iter().filter(|truth| !truth.iter().any(|candidate| chosen.contains(candidate)));
    let Some(tightest) = open.min_by_key(|truth| truth.iter().filter(agrees).count()) else { return true };
    tightest.iter().filter(agrees).any(|&candidate| is_possible(truths, &[chosen, &[candidate]].concat()))
}

pub(super) fn excludes((cell, digit): Candidate, (other_cell, other_digit): Candidate) -> bool {
    if cell == other_cell { digit != other_digit } else { digit == other_digit && sees(cell, other_cell) }
}

pub(super) fn sees(cell: usize, other: usize) -> bool {
    PEERS[cell].iter().any(|&peer| usize::from(peer) == other)
}

/// The candidates of each cell, bit n for digit n; 0 where a digit is placed.
#[derive(Clone)]
pub(super) struct Notes([u16; CELLS]);

impl Notes {
    fn of(puzzle: &Grid) -> Self {
        let mut notes = Self([0x3fe; CELLS]);
        for (cell, &digit) in puzzle.cells().iter().enumerate().filter(|(_, digit)| **digit != 0) {
            notes.place((cell, digit));
        }
        notes
    }

    pub(super) fn has(&self, (cell, digit): Candidate) -> bool {
        (1..=9).contains(&digit) && self.0.get(cell).is_some_and(|digits| digits & 1 << digit != 0)
    }

    pub(super) fn remove(&mut self, (cell, digit): Candidate) {
        self.0[cell] &= !(1 << digit);
    }

    fn place(&mut self, (cell, digit): Candidate) {
        self.0[cell] = 0;
        PEERS[cell].iter().for_each(|&peer| self.remove((usize::from(peer), digit)));
    }

    pub(super) fn digits_of(&self, cell: usize) -> Truth {
        (1..=9).map(|digit| (cell, digit)).filter(|&candidate| self.has(candidate)).collect()
    }

    pub(super) fn places_in(&self, house: &[u8; 9], digit: u8) -> Truth {
        house.iter().map(|&cell| (usize::from(cell), digit)).filter(|&candidate| self.has(candidate)).collect()
    }

    /// What is known about a pattern: each of its cells holds a digit, and if all places of a digit in a house belong to the
    /// pattern, the digit is at one of them. Filled cells and cells without candidates prove nothing.
    pub(super) fn truths(&self, pattern: &[Cell]) -> Vec<Truth> {
        let in_pattern = |&(cell, _): &Candidate| pattern.iter().any(|&member| usize::from(member) == cell);
        let of_cells = pattern.iter().map(|&cell| self.digits_of(usize::from(cell)));
        let of_houses = HOUSES.iter().flat_map(|house| (1..=9).map(|digit| self.places_in(house, digit)));
        let of_houses = of_houses.filter(|places| places.iter().all(in_pattern));
        of_cells.chain(of_houses).filter(|truth| !truth.is_empty()).collect()
    }

    /// Whether the truths force a digit into a cell: they leave the cell no other digit, or a house no other place for it.
    fn is_forced(&self, candidate: Candidate, truths: &[Truth]) -> bool {
        let (cell, digit) = candidate;
        let houses = HOUSES.iter().filter(|house| house.iter().any(|&member| usize::from(member) == cell));
        let mut rivals = houses.map(|house| self.places_in(house, digit)).chain([self.digits_of(cell)]);
        let is_out = |&rival: &Candidate| rival == candidate || !is_possible(truths, &[rival]);
        self.has(candidate) && rivals.any(|rivals| rivals.iter().all(is_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::level::Tenths;

    fn check(cells: &[Cell], removed: &[(Cell, u8)], expected: Option<&str>) {
        let puzzle = Grid::parse(&format!("{:.<81}", "1234567..")).unwrap();
        let step = Step {
            technique: "Naked Pair",
            rating: Tenths(30),
            columns: 9,
            cells: cells.to_vec(),
            secondary_cells: Vec::new(),
            digits: vec![8, 9],
            secondary_digits: Vec::new(),
            houses: Vec::new(),
            cover_houses: Vec::new(),
            number: None,
            placed: Vec::new(),
            removed: removed.to_vec(),
            chains: Vec::new(),
        };
        assert_eq!(check_steps(&puzzle, &[step]).err().map(|unproven| unproven.claim).as_deref(), expected);
    }

    #[test]
    fn a_pattern_proves_exactly_what_follows_from_its_cells() {
        // r1c8 and r1c9 hold 8 and 9.
        check(&[7, 8], &[(17, 8), (17, 9)], None);
        check(&[7], &[(17, 8)], Some("r2c9 is not 8"));
        check(&[7, 8], &[(20, 8)], Some("r3c3 is not 8"));
        check(&[7, 8], &[(17, 1)], Some("r2c9 is not 1"));
        check(&[7, 8], &[], Some("nothing"));
    }

    #[test]
    fn a_filled_cell_in_a_pattern_proves_nothing() {
        check(&[0, 1], &[(40, 5)], Some("r5c5 is not 5"));
    }

    #[test]
    fn a_candidate_that_is_not_there_cannot_be_removed() {
        check(&[7, 8], &[(16, 0)], Some("r2c8 is not 0"));
        check(&[7, 8], &[(0, 8)], Some("r1c1 is not 8"));
        check(&[7, 8], &[(81, 8)], Some("r10c1 is not 8"));
    }
}
