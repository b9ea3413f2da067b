//! Checks steps in tests, independently of the ladder. The checker knows no technique. From the houses and cells of a step and the
//! candidates before it, the constraint core derives every placement and elimination again by trying the opposite.

use crate::{
    csp::{
        Constraint::{AllDifferent, Exactly, Pair},
        Domain, Model, Search, Var,
    },
    grid::{
        cells::{Cells, Digits},
        puzzle::Puzzle,
        rules::{House, Houses, Rules},
    },
    shared::{
        budget::Budget,
        step::{Cell, Step, Unproven},
    },
};

/// Derives each step of a puzzle from its houses and cells alone. The searches use nodes of the budget.
///
/// # Errors
/// [`Unproven`] names the first step that does not follow or changes nothing.
pub(crate) fn check_steps(puzzle: &Puzzle, steps: &[Step], budget: &mut Budget<'_>) -> Result<(), Unproven> {
    check_hint(puzzle, &[], steps, budget)
}

/// Like [`check_steps`], for the steps of a hint: `puzzle` has the digits of the board, and `marks` the digits that the player still has
/// for each cell, as bits; 0 for a cell without marks.
///
/// # Errors
/// [`Unproven`] as [`check_steps`].
pub(crate) fn check_hint(
    puzzle: &Puzzle,
    marks: &[u32],
    steps: &[Step],
    budget: &mut Budget<'_>,
) -> Result<(), Unproven> {
    let rules = Rules::of(puzzle);
    let empty = if rules.fills { Digits::NONE } else { EMPTY };
    let mut notes = Notes { candidates: vec![rules.digits.or(empty); rules.peers.len()], rules: &rules };
    (0..).zip(&puzzle.digits).filter(|(_, digit)| **digit != 0).for_each(|(cell, &digit)| notes.place(cell, digit));
    for (candidates, &marks) in notes.candidates.iter_mut().zip(marks).filter(|(_, marks)| **marks != 0) {
        *candidates = candidates.and(Digits(marks).or(empty));
    }
    for (number, step) in steps.iter().enumerate() {
        notes.check(step, budget).map_err(|claim| Unproven { step: number, claim })?;
        step.removed.iter().for_each(|&(cell, digit)| notes.remove(cell, digit));
        step.placed.iter().for_each(|&(cell, digit)| notes.place(cell, digit));
    }
    Ok(())
}

/// No digit, for a cell that may stay empty: the value 0 of its variable.
const EMPTY: Digits = Digits(1);

/// The candidates of each cell, and [`EMPTY`].
struct Notes<'r> {
    rules: &'r Rules,
    candidates: Vec<Digits>,
}

impl Notes<'_> {
    fn of(&self, cell: Cell) -> Digits {
        self.candidates[usize::from(cell)]
    }

    fn remove(&mut self, cell: Cell, digit: u8) {
        self.candidates[usize::from(cell)] = self.of(cell).without(Digits::only(digit));
    }

    fn place(&mut self, cell: Cell, digit: u8) {
        self.rules.peers[usize::from(cell)].iter().for_each(|peer| self.remove(peer, digit));
        self.candidates[usize::from(cell)] = Digits::only(digit);
    }

    /// # Errors
    /// The claim of the step that does not follow.
    fn check(&self, step: &Step, budget: &mut Budget<'_>) -> Result<(), String> {
        let name = |cell: Cell| format!("r{}c{}", cell / step.columns + 1, cell % step.columns + 1);
        if step.placed.is_empty() && step.removed.is_empty() {
            return Err("nothing".to_owned());
        }
        for &(cell, digit) in &step.removed {
            if !self.of(cell).contains(digit) || !self.refutes(step, (cell, digit), budget) {
                return Err(format!("{} is not {digit}", name(cell)));
            }
        }
        for &(cell, digit) in &step.placed {
            let mut others = self.of(cell).without(Digits::only(digit)).iter();
            if !self.of(cell).contains(digit) || !others.all(|other| self.refutes(step, (cell, other), budget)) {
                return Err(format!("{} is {digit}", name(cell)));
            }
        }
        Ok(())
    }

    /// Whether the core proves that the cells of the step's pattern and houses cannot be filled with this digit in this cell, if no
    /// digit is twice in one of the step's houses or in cells that touch. A step without houses stands for all houses that its cells
    /// share.
    fn refutes(&self, step: &Step, (cell, digit): (Cell, u8), budget: &mut Budget<'_>) -> bool {
        let base: Vec<&House> = self.rules.houses.iter().filter(|house| is_in(house, &step.houses)).collect();
        let pattern: Cells = step.cells.iter().copied().chain([cell]).collect();
        let cells = base.iter().fold(pattern, |all, house| all.or(house.cells));
        let mut model = Model::new();
        let of_cell = |var: Cell| if var == cell { Digits::only(digit) } else { self.of(var) };
        let vars: Vec<(Cell, Var)> =
            cells.iter().map(|var| (var, model.variable(Domain::from_mask(of_cell(var).0.into())))).collect();
        let is_named = |house: &House| step.houses.is_empty() || is_in(house, &step.cover_houses);
        for house in self.rules.houses.iter().filter(|house| is_named(house) || is_in(house, &step.houses)) {
            let of_house: Vec<_> = vars.iter().filter(|(var, _)| house.cells.contains(*var)).copied().collect();
            let vars = of_house.iter().map(|(_, var)| *var).collect();
            if self.rules.fills {
                model.post(AllDifferent(vars));
            } else if is_in(house, &step.houses) {
                model.post(Exactly { vars, value: 1, count: 1 });
            } else {
                exclude(&mut model, &of_house, |_, _| true);
            }
        }
        let touch = |one: Cell, other: Cell| {
            self.rules.peers[usize::from(one)].contains(other) && self.rules.shared(one, other) == Houses::NONE
        };
        exclude(&mut model, &vars, touch);
        matches!(Search::new(&model).next_solution(budget), Ok(None))
    }
}

/// States that two such cells do not hold the same digit.
fn exclude(model: &mut Model, vars: &[(Cell, Var)], is_pair: impl Fn(Cell, Cell) -> bool) {
    let other_than = |value: u8| Digits(u32::MAX).without(Digits::only(value)).or(EMPTY);
    let allowed: Vec<_> = (0..32).map(|value| Domain::from_mask(other_than(value).0.into())).collect();
    for (at, &(one, var)) in vars.iter().enumerate() {
        for &(_, other) in vars[..at].iter().filter(|(other, _)| is_pair(one, *other)) {
            model.post(Pair { vars: [var, other], allowed: allowed.clone() });
        }
    }
}

/// Whether a step names this house.
fn is_in(house: &House, named: &[crate::shared::step::House]) -> bool {
    named.iter().any(|named| (named.house_type, named.number) == (house.house_type, house.number))
}
