//! Checks steps independently of the ladder. The checker knows no technique and no table of sums. From the cells of a
//! step's pattern, the clues, and the candidates, it derives every placement and elimination again by trying the
//! opposite.

use crate::{
    csp::{Constraint, Domain, Model, Search, Var},
    kakuro::{
        board::{Digit, Puzzle},
        layout::Direction,
    },
    shared::{
        budget::Budget,
        step::{Cell, Step, Unproven},
    },
};

/// Replays the steps of a puzzle and derives each one from its pattern: from the pattern's cells alone, or else from
/// the sums on one side of them, or else, for a pattern of one cell, from the whole board. The searches use nodes of
/// the budget.
///
/// # Errors
/// [`Unproven`] names the first step that does not follow or changes nothing.
pub fn check_steps(puzzle: &Puzzle, steps: &[Step], budget: &mut Budget<'_>) -> Result<(), Unproven> {
    check_hint(puzzle, &[], &[], steps, budget)
}

/// Like [`check_steps`], for the steps of a hint: on a board with these digits, 0 for an empty cell, and with the pencil marks of
/// [`PlayerBoard`](crate::shared::text::board::PlayerBoard).
///
/// # Errors
/// [`Unproven`] as [`check_steps`].
pub fn check_hint(
    puzzle: &Puzzle,
    digits: &[Digit],
    candidates: &[u32],
    steps: &[Step],
    budget: &mut Budget<'_>,
) -> Result<(), Unproven> {
    let mut notes = Notes { puzzle, candidates: vec![(1..=9).collect(); puzzle.layout().cells().len()] };
    for (&cell, &digit) in puzzle.layout().cells().iter().zip(digits).filter(|(_, digit)| **digit != 0) {
        notes.place(cell, digit);
    }
    for (cell, &marks) in (0..).zip(candidates).filter(|(_, marks)| **marks != 0) {
        (1..=9).filter(|digit| marks & 1 << digit == 0).for_each(|digit| notes.remove(cell, digit));
    }
    for (number, step) in steps.iter().enumerate() {
        let unproven = |claim| Unproven { step: number, claim };
        if step.placed.is_empty() && step.removed.is_empty() {
            return Err(unproven("nothing".to_owned()));
        }
        let pattern: Vec<_> = step.cells.iter().map(|&cell| notes.white(cell)).collect();
        for &(cell, digit) in &step.removed {
            let white = notes.white(cell);
            if !notes.candidates[white].contains(&digit) || !notes.refutes(&pattern, (white, digit), budget) {
                return Err(unproven(format!("{} is not {digit}", puzzle.layout().name(white))));
            }
        }
        for &(cell, digit) in &step.placed {
            let white = notes.white(cell);
            let others: Vec<Digit> = notes.candidates[white].iter().copied().filter(|&other| other != digit).collect();
            let is_candidate = notes.candidates[white].contains(&digit);
            if !is_candidate || !others.iter().all(|&other| notes.refutes(&pattern, (white, other), budget)) {
                return Err(unproven(format!("{} is {digit}", puzzle.layout().name(white))));
            }
        }
        step.removed.iter().for_each(|&(cell, digit)| notes.remove(cell, digit));
        step.placed.iter().for_each(|&(cell, digit)| notes.place(cell, digit));
    }
    Ok(())
}

/// The candidates of each white cell.
struct Notes<'p> {
    puzzle: &'p Puzzle,
    candidates: Vec<Vec<Digit>>,
}

impl Notes<'_> {
    fn white(&self, cell: Cell) -> usize {
        self.puzzle.layout().cells().iter().position(|&other| other == cell).unwrap_or(usize::MAX)
    }

    fn remove(&mut self, cell: Cell, digit: Digit) {
        let white = self.white(cell);
        self.candidates[white].retain(|&other| other != digit);
    }

    fn place(&mut self, cell: Cell, digit: Digit) {
        let white = self.white(cell);
        for run in self.puzzle.layout().runs_of(white) {
            for &peer in self.puzzle.layout().runs()[run].whites() {
                self.candidates[usize::from(peer)].retain(|&other| other != digit);
            }
        }
        self.candidates[white] = vec![digit];
    }

    /// Whether the pattern rules out this digit in this cell.
    fn refutes(&self, pattern: &[usize], claim: (usize, Digit), budget: &mut Budget<'_>) -> bool {
        if !self.can_be_filled(pattern, claim, budget) || self.contradicts_sums(pattern, claim) {
            return true;
        }
        pattern == [claim.0] && self.has_no_solution(claim, budget)
    }

    /// Whether the constraint core finds a filling of the pattern's cells with the claim: no digit twice in a run, and
    /// the right sum in each run whose cells are all in the pattern. Also true if the budget ends first.
    fn can_be_filled(&self, pattern: &[usize], claim: (usize, Digit), budget: &mut Budget<'_>) -> bool {
        let mut cells = pattern.to_vec();
        if !cells.contains(&claim.0) {
            cells.push(claim.0);
        }
        let mut model = Model::new();
        let vars: Vec<Var> = cells.iter().map(|&white| model.variable(self.domain(white, claim))).collect();
        for (run, sum) in self.puzzle.clued_runs() {
            let in_run = |white: usize| run.whites().iter().any(|&other| usize::from(other) == white);
            let is_whole = run.whites().iter().all(|&white| pattern.contains(&white.into()));
            let of_run = cells.iter().zip(&vars).filter(|(white, _)| in_run(**white)).map(|(_, &var)| var).collect();
            model.post(if is_whole {
                Constraint::DifferentSum { vars: of_run, total: sum.into() }
            } else {
                Constraint::AllDifferent(of_run)
            });
        }
        !matches!(Search::new(&model).next_solution(budget), Ok(None))
    }

    /// The candidates of a cell under the claim.
    fn domain(&self, white: usize, claim: (usize, Digit)) -> Domain {
        if white == claim.0 { Domain::only(claim.1) } else { self.candidates[white].iter().copied().collect() }
    }

    fn share_run(&self, white: usize, other: usize) -> bool {
        let layout = self.puzzle.layout();
        layout.runs_of(white).into_iter().zip(layout.runs_of(other)).any(|(run, of_other)| run == of_other)
    }

    /// Whether the sums of all runs on one side of the pattern's cells require a total of these cells that the claim
    /// makes impossible.
    fn contradicts_sums(&self, pattern: &[usize], claim: (usize, Digit)) -> bool {
        let Some(&first) = pattern.first().filter(|_| pattern.contains(&claim.0)) else { return false };
        let layout = self.puzzle.layout();
        let Some(start) = layout.runs_of(first).into_iter().find(|&run| self.puzzle.has_clue(run)) else {
            return false;
        };
        let side = self.side(start, pattern);
        if (0..side.len()).any(|run| side[run] && !self.puzzle.has_clue(run)) {
            return false;
        }
        let mut total = 0;
        for ((run, &sum), _) in layout.runs().iter().zip(self.puzzle.sums()).zip(&side).filter(|(_, inside)| **inside) {
            let filled = run.whites().iter().filter(|white| self.is_filled(**white, pattern));
            let known: i32 = filled.map(|&white| i32::from(self.candidates[usize::from(white)][0])).sum();
            total += (i32::from(sum) - known) * if run.direction == Direction::Across { 1 } else { -1 };
        }
        // Each cell of the pattern counts for its runs on this side: it is added for a run across and subtracted for a
        // run down. All other cells cancel out.
        let weight = |white: usize| {
            let [across, down] = self.puzzle.layout().runs_of(white).map(|run| i32::from(side[run]));
            across - down
        };
        let terms: Vec<_> = pattern.iter().map(|&white| (white, weight(white))).collect();
        !self.totals(&terms, total, claim, &mut Vec::new())
    }

    fn is_filled(&self, white: u16, pattern: &[usize]) -> bool {
        self.candidates[usize::from(white)].len() == 1 && !pattern.contains(&white.into())
    }

    /// The runs that open cells outside the pattern connect to a run.
    fn side(&self, first: usize, pattern: &[usize]) -> Vec<bool> {
        let layout = self.puzzle.layout();
        let mut inside = vec![false; layout.runs().len()];
        inside[first] = true;
        let mut left = vec![first];
        while let Some(run) = left.pop() {
            let open = layout.runs()[run].whites().iter().filter(|white| !self.is_filled(**white, pattern));
            for white in open.map(|&white| usize::from(white)).filter(|white| !pattern.contains(white)) {
                for other in layout.runs_of(white) {
                    if !std::mem::replace(&mut inside[other], true) {
                        left.push(other);
                    }
                }
            }
        }
        inside
    }

    fn totals(
        &self,
        terms: &[(usize, i32)],
        left: i32,
        claim: (usize, Digit),
        chosen: &mut Vec<(usize, Digit)>,
    ) -> bool {
        let Some(&(white, weight)) = terms.get(chosen.len()) else { return left == 0 };
        let is_open = |digit: &Digit| white != claim.0 || *digit == claim.1;
        self.candidates[white].iter().filter(|digit| is_open(digit)).any(|&digit| {
            if chosen.iter().any(|&(other, of_other)| digit == of_other && self.share_run(white, other)) {
                return false;
            }
            chosen.push((white, digit));
            let found = self.totals(terms, left - weight * i32::from(digit), claim, chosen);
            chosen.pop();
            found
        })
    }

    /// Whether the constraint core finds no solution with the claim within the candidates.
    fn has_no_solution(&self, claim: (usize, Digit), budget: &mut Budget<'_>) -> bool {
        let mut model = Model::new();
        let vars: Vec<Var> =
            (0..self.candidates.len()).map(|white| model.variable(self.domain(white, claim))).collect();
        for (run, sum) in self.puzzle.clued_runs() {
            let vars = run.whites().iter().map(|&white| vars[usize::from(white)]).collect();
            model.post(Constraint::DifferentSum { vars, total: sum.into() });
        }
        matches!(Search::new(&model).next_solution(budget), Ok(None))
    }
}
