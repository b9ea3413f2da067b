//! The checker of steps: it knows no technique and no table of sums. From the cells of a step's pattern, the clues and the
//! candidates it derives again everything that the step places or removes, by trying the contrary.

use crate::engine::{
    budget::Budget,
    csp::{Config, Constraint, Domain, Model, Search, Var},
    kakuro::{
        board::{Digit, Puzzle},
        layout::Direction,
    },
    step::{Cell, Step},
};

/// A step that does not follow from its pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unproven {
    /// Which step, from 0.
    pub step: usize,
    /// What it claims without proof: `r2c3 is not 5`.
    pub claim: String,
}

/// Replays the steps of a puzzle and derives each from its pattern: from the pattern's cells alone, else from the sums on one
/// side of them, else, for a pattern of one cell, from the whole board. Only the last takes nodes of the budget.
///
/// # Errors
/// [`Unproven`] names the first step that does not follow, or that changes nothing.
pub fn check_steps(puzzle: &Puzzle, steps: &[Step], budget: &mut Budget<'_>) -> Result<(), Unproven> {
    let mut notes = Notes { puzzle, candidates: vec![(1..=9).collect(); puzzle.layout().cells().len()] };
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

    /// Whether the pattern leaves no way for this digit to stand in this cell.
    fn refutes(&self, pattern: &[usize], claim: (usize, Digit), budget: &mut Budget<'_>) -> bool {
        if !self.can_be_filled(pattern, claim) || self.contradicts_sums(pattern, claim) {
            return true;
        }
        pattern == [claim.0] && self.has_no_solution(claim, budget)
    }

    /// Whether the pattern's cells can be filled beside the claim: no digit twice in a run, and the sum of each run that the
    /// pattern has all cells of.
    fn can_be_filled(&self, pattern: &[usize], claim: (usize, Digit)) -> bool {
        let mut cells: Vec<usize> = pattern.iter().copied().filter(|&white| white != claim.0).collect();
        cells.sort_by_key(|&white| self.candidates[white].len());
        let layout = self.puzzle.layout();
        let is_whole = |run: &usize| layout.runs()[*run].whites().iter().all(|&white| pattern.contains(&white.into()));
        let whole: Vec<usize> = (0..layout.runs().len()).filter(is_whole).collect();
        self.fill(&cells, &whole, &mut vec![claim])
    }

    fn fill(&self, left: &[usize], whole: &[usize], filled: &mut Vec<(usize, Digit)>) -> bool {
        let Some((&white, rest)) = left.split_first() else { return self.sums_are_made(whole, filled) };
        self.candidates[white].iter().any(|&digit| {
            if filled.iter().any(|&(other, of_other)| digit == of_other && self.share_run(white, other)) {
                return false;
            }
            filled.push((white, digit));
            let found = self.fill(rest, whole, filled);
            filled.pop();
            found
        })
    }

    fn sums_are_made(&self, whole: &[usize], filled: &[(usize, Digit)]) -> bool {
        whole.iter().all(|&run| {
            let in_run = |white: usize| self.puzzle.layout().runs_of(white).contains(&run);
            let digits = filled.iter().filter(|(white, _)| in_run(*white)).map(|(_, digit)| digit);
            digits.sum::<Digit>() == self.puzzle.sums()[run]
        })
    }

    fn share_run(&self, white: usize, other: usize) -> bool {
        let layout = self.puzzle.layout();
        layout.runs_of(white).into_iter().zip(layout.runs_of(other)).any(|(run, of_other)| run == of_other)
    }

    /// Whether the sums of all runs on one side of the pattern's cells make a total of them that the claim leaves no way to.
    fn contradicts_sums(&self, pattern: &[usize], claim: (usize, Digit)) -> bool {
        let Some(&first) = pattern.first().filter(|_| pattern.contains(&claim.0)) else { return false };
        let layout = self.puzzle.layout();
        let side = self.side(layout.runs_of(first)[0], pattern);
        let mut total = 0;
        for ((run, &sum), _) in layout.runs().iter().zip(self.puzzle.sums()).zip(&side).filter(|(_, inside)| **inside) {
            let filled = run.whites().iter().filter(|white| self.is_filled(**white, pattern));
            let known: i32 = filled.map(|&white| i32::from(self.candidates[usize::from(white)][0])).sum();
            total += (i32::from(sum) - known) * if run.direction == Direction::Across { 1 } else { -1 };
        }
        // Each cell of the pattern counts for its runs on this side: across added, down taken away; all other cells cancel.
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

    /// The runs that hang together with a run by open cells that are not of the pattern.
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

    /// Whether the constraint core finds no solution with the claim among the candidates.
    fn has_no_solution(&self, (claimed, digit): (usize, Digit), budget: &mut Budget<'_>) -> bool {
        let mut model = Model::new();
        let domain = |(white, digits): (usize, &Vec<Digit>)| {
            if white == claimed { Domain::only(digit) } else { digits.iter().copied().collect() }
        };
        let vars: Vec<Var> = self.candidates.iter().enumerate().map(|at| model.variable(domain(at))).collect();
        for (run, &sum) in self.puzzle.layout().runs().iter().zip(self.puzzle.sums()) {
            let vars = run.whites().iter().map(|&white| vars[usize::from(white)]).collect();
            model.post(Constraint::DifferentSum { vars, total: sum.into() });
        }
        matches!(Search::new(&model, Config::COUNTING).next_solution(budget), Ok(None))
    }
}
