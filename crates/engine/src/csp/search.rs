//! Depth-first search for solutions, with an explicit stack and a trail instead of copied states.

use super::{
    domain::Domain,
    model::{Model, Var},
    order::{ValueOrder, Values, Variables, next_var},
    propagate::{Propagation, Strength},
    state::State,
};
use crate::budget::{Budget, OutOfBudget};

/// How a search goes about it. It decides the number of nodes, never the solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Which variable is assigned next.
    pub variables: Variables,
    /// Which value is tried first.
    pub values: Values,
    /// How far consequences are followed.
    pub strength: Strength,
}

impl Config {
    /// The fewest nodes where all solutions are wanted, or a proof that there is no other.
    pub const COUNTING: Self =
        Self { variables: Variables::FewestValues, values: Values::Ascending, strength: Strength::Full };
}

/// A walk through the solutions of a model, in an order that depends on nothing but model and config.
#[derive(Debug)]
pub struct Search<'m> {
    model: &'m Model,
    config: Config,
    state: State,
    propagation: Propagation,
    stack: Vec<Choice>,
    started: bool,
}

/// A variable under decision, and how things stood before it.
#[derive(Debug)]
struct Choice {
    var: Var,
    values: ValueOrder,
    mark: usize,
}

impl<'m> Search<'m> {
    /// A search that has not begun.
    #[must_use]
    pub fn new(model: &'m Model, config: Config) -> Self {
        Self {
            model,
            config,
            state: State::new(model),
            propagation: Propagation::new(model, config.strength),
            stack: Vec::new(),
            started: false,
        }
    }

    /// The next solution, one value a variable, or `None` when there is no further one. Each is found once.
    ///
    /// # Errors
    /// [`OutOfBudget`]: whether there is a further one is unknown. With more budget the walk goes on where it stood.
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
            self.state.set_assigned(var, false);
            let Some(value) = choice.values.peek() else {
                self.stack.pop();
                continue;
            };
            budget.take_node()?;
            choice.values.advance();
            if self.assign(var, value) && !self.choose_next() {
                return Ok(Some(self.solution()));
            }
        }
        Ok(None)
    }

    /// Puts the next variable up for decision; false if there is none, which makes the state a solution.
    fn choose_next(&mut self) -> bool {
        let Some(var) = next_var(self.config.variables, self.model, &self.state, &self.propagation) else {
            return false;
        };
        let mark = self.state.mark();
        let values = ValueOrder::new(self.config.values, var, self.model, &mut self.state, &mut self.propagation);
        self.stack.push(Choice { var, values, mark });
        true
    }

    /// Whether the value can stand, as far as the strength looks.
    fn assign(&mut self, var: Var, value: u8) -> bool {
        self.state
            .keep(var, Domain::only(value))
            .and_then(|()| self.propagation.assigned(self.model, &mut self.state, var))
            .is_ok()
    }

    fn solution(&self) -> Vec<u8> {
        let values: Vec<_> = self.state.domains().iter().filter_map(|domain| domain.single()).collect();
        debug_assert!(self.model.holds(&values), "a propagator let a wrong assignment through: {values:?}");
        values
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::{
        super::{
            Constraint,
            testing::{configs, count},
        },
        *,
    };
    use crate::rng::Rng;

    fn queens(size: u8) -> Model {
        let mut model = Model::new();
        let rows: Vec<_> = (0..size).map(|_| model.variable(Domain::range(0, size - 1))).collect();
        // A queen's row plus and minus its column are variables of their own, tied to it by sums.
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

    /// A model of every kind of constraint, small enough to try all values.
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
        model.post(Constraint::Product { vars, total: total.into() });
        let (two, gap) = draw(2);
        model.post(Constraint::AtMost { vars: [two[0], two[1]], gap: i16::from(gap) / 4 - 1 });
        let (two, _) = draw(2);
        model.post(Constraint::Different([two[0], two[1]]));
        model
    }

    #[test]
    fn every_config_finds_all_solutions_once() {
        let mut rng = Rng::from_seed(4);
        for _ in 0..200 {
            let model = random_model(&mut rng);
            let all =
                (0..5_u32.pow(5)).map(|number| (0..5).map(move |at| u8::try_from(number / 5_u32.pow(at) % 5).unwrap()));
            let mut wanted: Vec<Vec<u8>> =
                all.map(Iterator::collect).filter(|values: &Vec<u8>| model.holds(values)).collect();
            wanted.sort();
            for config in configs() {
                let never = AtomicBool::new(false);
                let mut budget = Budget::new(1_000_000, &never);
                let mut search = Search::new(&model, config);
                let next = || search.next_solution(&mut budget).unwrap();
                let mut found: Vec<_> = std::iter::from_fn(next).collect();
                found.sort();
                assert_eq!(found, wanted, "{config:?} {model:?}");
            }
        }
    }

    #[test]
    fn six_queens_stand_in_four_ways() {
        for config in configs().into_iter().filter(|config| config.strength != Strength::Check) {
            assert_eq!(count(Search::new(&queens(6), config)), 4, "{config:?}");
        }
    }

    #[test]
    fn a_search_goes_on_where_its_budget_ended() {
        let model = queens(6);
        let never = AtomicBool::new(false);
        let mut search = Search::new(&model, Config::COUNTING);
        let (mut found, mut stops) = (0, 0);
        loop {
            match search.next_solution(&mut Budget::new(1, &never)) {
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
    fn a_raised_flag_ends_a_search() {
        let raised = AtomicBool::new(true);
        let outcome = Search::new(&queens(6), Config::COUNTING).next_solution(&mut Budget::new(100, &raised));
        assert_eq!(outcome, Err(OutOfBudget::Cancelled));
    }

    #[test]
    fn a_model_without_variables_has_the_empty_solution() {
        assert_eq!(count(Search::new(&Model::new(), Config::COUNTING)), 1);
    }

    #[test]
    fn a_variable_without_values_leaves_no_solution() {
        for config in configs() {
            let mut model = Model::new();
            model.variable(Domain::EMPTY);
            assert_eq!(count(Search::new(&model, config)), 0, "{config:?}");
        }
    }
}
