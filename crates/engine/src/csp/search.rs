//! [`Search`]: a depth-first search for solutions. It uses an explicit stack, and a trail of changes instead of copies
//! of the state.
//!
//! The search next assigns the variable with the fewest values left (MRV, "fail first"). Ties go to the one with the most
//! constraints on other open variables (degree), then to the first.

use super::{Domain, Model, State, Var, state::Propagation};
use crate::shared::budget::{Budget, OutOfBudget};

/// Iterates over the solutions of a model, in an order that depends only on the model.
#[derive(Debug)]
pub struct Search<'m> {
    model: &'m Model,
    state: State,
    propagation: Propagation,
    stack: Vec<Choice>,
    started: bool,
}

/// A variable being assigned, and the state to return to.
#[derive(Debug)]
struct Choice {
    var: Var,
    /// The values that are still to be tried, smallest first.
    left: Domain,
    mark: usize,
}

impl<'m> Search<'m> {
    /// Prepares a search. No work is done before the first [`Self::next_solution`].
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        let (state, propagation) = (State::new(model), Propagation::new(model));
        Self { model, state, propagation, stack: Vec::new(), started: false }
    }

    /// The next solutions, at most `limit` of them.
    ///
    /// # Errors
    /// [`OutOfBudget`] if fewer than `limit` were found and more may exist.
    pub fn solutions(mut self, limit: usize, budget: &mut Budget<'_>) -> Result<Vec<Vec<u8>>, OutOfBudget> {
        let mut found = Vec::new();
        while found.len() < limit
            && let Some(values) = self.next_solution(budget)?
        {
            found.push(values);
        }
        Ok(found)
    }

    /// The next solution, one value for each variable, or `None` if there is no other. Each solution is returned once.
    ///
    /// # Errors
    /// [`OutOfBudget`] if it is unknown whether there is another solution. A call with more budget resumes the search.
    pub fn next_solution(&mut self, budget: &mut Budget<'_>) -> Result<Option<Vec<u8>>, OutOfBudget> {
        if !self.started {
            budget.check_cancelled()?;
            self.started = true;
            if self.propagation.start(self.model, &mut self.state).is_err() {
                return Ok(None);
            }
            if !self.choose_next() {
                return Ok(Some(self.solution()));
            }
        }
        while let Some(choice) = self.stack.last_mut() {
            let var = choice.var;
            self.state.undo(choice.mark);
            let Some(value) = choice.left.min() else {
                self.stack.pop();
                continue;
            };
            budget.take_node()?;
            choice.left = choice.left.without(Domain::only(value));
            if self.assign(var, value) && !self.choose_next() {
                return Ok(Some(self.solution()));
            }
        }
        Ok(None)
    }

    /// Pushes the next variable to assign. Returns false if there is none, so that the state is a solution.
    fn choose_next(&mut self) -> bool {
        let Some(var) = next_var(self.model, &self.state) else { return false };
        self.stack.push(Choice { var, left: self.state.domain(var), mark: self.state.mark() });
        true
    }

    /// Assigns a value. Returns false if propagation refutes the assignment.
    fn assign(&mut self, var: Var, value: u8) -> bool {
        let kept = self.state.keep(var, Domain::only(value));
        kept.and_then(|()| self.propagation.run(self.model, &mut self.state)).is_ok()
    }

    fn solution(&self) -> Vec<u8> {
        let values: Vec<_> = self.state.domains().iter().filter_map(|domain| domain.single()).collect();
        debug_assert!(self.model.holds(&values), "a propagator let a wrong assignment through: {values:?}");
        values
    }
}

/// The next variable to assign, or `None` if all are decided.
fn next_var(model: &Model, state: &State) -> Option<Var> {
    let mut open = model.vars().filter(|&var| !state.domain(var).is_single());
    let mut best = open.next()?;
    let mut best_degree = None;
    for var in open {
        let [size, best_size] = [var, best].map(|var| state.domain(var).len());
        if size > best_size {
            continue;
        }
        let degree = (size == best_size).then(|| degree(model, state, var));
        if size == best_size {
            let held = *best_degree.get_or_insert_with(|| self::degree(model, state, best));
            if degree <= Some(held) {
                continue;
            }
        }
        (best, best_degree) = (var, degree);
    }
    Some(best)
}

/// Number of constraints between a variable and others that are open.
fn degree(model: &Model, state: &State, var: Var) -> usize {
    let has_open = |&&index: &&usize| {
        let vars = model.constraints()[index].vars();
        vars.iter().any(|&other| other != var && !state.domain(other).is_single())
    };
    model.constraints_of(var).iter().filter(has_open).count()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::csp::{Constraint, testing::count};
    use crate::shared::rng::Rng;

    fn queens(size: u8) -> Model {
        let mut model = Model::new();
        let rows: Vec<_> = (0..size).map(|_| model.variable(Domain::range(0, size - 1))).collect();
        // A queen's row plus its column, and its row minus its column, are separate variables, which sums define.
        let mut tied = |rising: bool| -> Vec<_> {
            let ties = rows.iter().zip(0..size).map(|(&row, column)| {
                let column = if rising { column } else { size - column };
                let known = model.variable(Domain::only(63 - column));
                let diagonal = model.variable(Domain::range(0, 63));
                model.post(Constraint::Sum { vars: vec![row, known, diagonal], total: 63 + u32::from(size) });
                diagonal
            });
            ties.collect()
        };
        let diagonals = [tied(true), tied(false)];
        for line in diagonals.into_iter().chain([rows]) {
            model.post(Constraint::AllDifferent(line));
        }
        model
    }

    /// A model with every kind of constraint, small enough to try all values.
    fn random_model(rng: &mut Rng) -> Model {
        let mut model = Model::new();
        let mut vars: Vec<_> = (0..5).map(|_| model.variable(Domain::range(0, 4))).collect();
        let mut draw = |count: usize| {
            rng.shuffle(&mut vars);
            (vars[..count].to_vec(), u8::try_from(rng.below(12)).unwrap())
        };
        let (three, _) = draw(3);
        model.post(Constraint::AllDifferent(three));
        let (vars, total) = draw(4);
        model.post(Constraint::Sum { vars, total: total.into() });
        let (vars, total) = draw(2);
        model.post(Constraint::DifferentSum { vars, total: total.into() });
        let (vars, total) = draw(2);
        model.post(Constraint::Product { vars, total: total.into() });
        let (vars, total) = draw(4);
        let count = usize::from(total % 4);
        model.post(Constraint::Count { vars, value: 1, min: count, max: count });
        let (vars, _) = draw(4);
        model.post(Constraint::Unlike { vars });
        let (vars, total) = draw(2);
        let rows = (0..=total).map(|value| vec![value % 5, value / 3]).collect();
        model.post(Constraint::Table { vars, rows });
        let (vars, _) = draw(2);
        let allowed = (0..4).map(|value| Domain::range(value, 3)).collect();
        model.post(Constraint::Pair { vars: [vars[0], vars[1]], allowed });
        let (vars, total) = draw(4);
        model.post(Constraint::Visible { vars, count: usize::from(1 + total % 3) });
        model
    }

    #[test]
    fn search_finds_all_solutions_once() {
        let mut rng = Rng::from_seed(4);
        for _ in 0..200 {
            let model = random_model(&mut rng);
            let all =
                (0..5_u32.pow(5)).map(|number| (0..5).map(move |at| u8::try_from(number / 5_u32.pow(at) % 5).unwrap()));
            let mut expected: Vec<Vec<u8>> =
                all.map(Iterator::collect).filter(|values: &Vec<u8>| model.holds(values)).collect();
            expected.sort();
            let mut budget = Budget::of_nodes(1_000_000);
            let mut search = Search::new(&model);
            let next = || search.next_solution(&mut budget).unwrap();
            let mut found: Vec<_> = std::iter::from_fn(next).collect();
            found.sort();
            assert_eq!(found, expected, "{model:?}");
        }
    }

    #[test]
    fn six_queens_have_four_solutions() {
        assert_eq!(count(Search::new(&queens(6))), 4);
    }

    #[test]
    fn search_resumes_after_its_budget_ended() {
        let model = queens(6);
        let mut search = Search::new(&model);
        let (mut found, mut stops) = (0, 0);
        loop {
            match search.next_solution(&mut Budget::of_nodes(1)) {
                Ok(Some(_)) => found += 1,
                Ok(None) => break,
                Err(OutOfBudget::Nodes) => stops += 1,
                Err(OutOfBudget::Cancelled) => unreachable!("nobody cancels"),
            }
        }
        assert_eq!(found, 4);
        assert!(stops > 0);
    }

    #[test]
    fn cancel_flag_ends_the_search() {
        let raised = AtomicBool::new(true);
        let outcome = Search::new(&queens(6)).next_solution(&mut Budget::new(100, &raised));
        assert_eq!(outcome, Err(OutOfBudget::Cancelled));
    }

    #[test]
    fn model_without_variables_has_the_empty_solution() {
        assert_eq!(count(Search::new(&Model::new())), 1);
    }

    #[test]
    fn variable_without_values_leaves_no_solution() {
        let mut model = Model::new();
        model.variable(Domain::EMPTY);
        assert_eq!(count(Search::new(&model)), 0);
    }
}
