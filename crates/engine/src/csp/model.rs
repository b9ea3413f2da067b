//! [`Model`]: a problem as variables and constraints. [`Constraint`] lists the types of constraints.

use std::sync::Arc;

use super::{Domain, State, Wiped, all_different, different_sum, product, simple, sum, visible};

/// A variable of one [`Model`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(usize);

impl Var {
    /// The variable's place in the model and in each solution, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// A rule between variables. Each variant says whether propagation removes all values that no assignment supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constraint {
    /// No two values are equal. Removes every unsupported value.
    AllDifferent(Vec<Var>),
    /// The values add up to `total`. Removes every unsupported value if there are at most 64 variables and `total`
    /// exceeds the sum of the smallest values by at most 127. Otherwise it only checks that the total is between the sums
    /// of the smallest and of the largest values.
    Sum {
        /// Each at most once.
        vars: Vec<Var>,
        /// The required sum.
        total: u32,
    },
    /// The values differ and add up to `total`. Removes every unsupported value if all values are below 10. Otherwise
    /// it applies the two rules in turn.
    DifferentSum {
        /// Each at most once.
        vars: Vec<Var>,
        /// The required sum.
        total: u32,
    },
    /// The product of the values is `total`. Removes every unsupported value unless `total` is 0.
    Product {
        /// Each at most once.
        vars: Vec<Var>,
        /// The required product.
        total: u32,
    },
    /// At least `min` and at most `max` variables have a value. Removes every unsupported value.
    Count {
        /// Each at most once.
        vars: Vec<Var>,
        /// The value.
        value: u8,
        /// The least number.
        min: usize,
        /// The largest number.
        max: usize,
    },
    /// The values differ, and exactly `count` are visible: larger than all values before them. Removes every unsupported value if all
    /// values are below 10. Otherwise, it counts the visible values once all are known.
    Visible {
        /// In the order in which they are seen, each at most once.
        vars: Vec<Var>,
        /// The required number.
        count: usize,
    },
    /// Two lists of values are not the same. Removes every unsupported value.
    Unlike {
        /// The variables of one list, then as many of the other; each at most once.
        vars: Vec<Var>,
    },
    /// The values, in the order of the variables, are one of the rows. Removes every unsupported value.
    Table {
        /// Each at most once.
        vars: Vec<Var>,
        /// Each as long as the list of the variables.
        rows: Arc<[Vec<u8>]>,
    },
    /// The values of two variables stand in a relation. Removes every unsupported value.
    Pair {
        /// Two different variables.
        vars: [Var; 2],
        /// For each value of the first variable, counted from 0, the values that the second may have. A value beyond the end has
        /// none.
        allowed: Vec<Domain>,
    },
}

impl Constraint {
    /// The variables of the constraint.
    #[must_use]
    pub fn vars(&self) -> &[Var] {
        match self {
            Self::AllDifferent(vars)
            | Self::Sum { vars, .. }
            | Self::DifferentSum { vars, .. }
            | Self::Product { vars, .. }
            | Self::Count { vars, .. }
            | Self::Visible { vars, .. }
            | Self::Table { vars, .. }
            | Self::Unlike { vars } => vars,
            Self::Pair { vars, .. } => vars,
        }
    }

    /// Whether these values, in the order of the constraint's variables, satisfy it. Independent of propagation.
    #[must_use]
    pub fn holds(&self, values: &[u8]) -> bool {
        match self {
            Self::AllDifferent(_) => all_different::holds(values),
            Self::Sum { total, .. } => sum::holds(values, *total),
            Self::DifferentSum { total, .. } => different_sum::holds(values, *total),
            Self::Product { total, .. } => product::holds(values, *total),
            Self::Count { value, min, max, .. } => simple::counts(values, *value, [*min, *max]),
            Self::Visible { count, .. } => visible::holds(values, *count),
            Self::Unlike { .. } => simple::are_unlike(values),
            Self::Table { rows, .. } => rows.iter().any(|row| row == values),
            Self::Pair { allowed, .. } => simple::is_pair(values, allowed),
        }
    }

    /// Removes values that occur in no solution of this constraint. An immediate second call changes nothing.
    pub(super) fn propagate(&self, state: &mut State) -> Result<(), Wiped> {
        match self {
            Self::AllDifferent(vars) => all_different::propagate(vars, state),
            Self::Sum { vars, total } => sum::propagate(vars, *total, state),
            Self::DifferentSum { vars, total } => different_sum::propagate(vars, *total, state),
            Self::Product { vars, total } => product::propagate(vars, *total, state),
            Self::Count { vars, value, min, max } => simple::count(vars, *value, [*min, *max], state),
            Self::Visible { vars, count } => visible::propagate(vars, *count, state),
            Self::Unlike { vars } => simple::unlike(vars, state),
            Self::Table { vars, rows } => simple::table(vars, rows, state),
            Self::Pair { vars, allowed } => simple::pair(*vars, allowed, state),
        }
    }
}

/// Variables with their values, and the constraints between them.
#[derive(Debug, Clone, Default)]
pub struct Model {
    domains: Vec<Domain>,
    constraints: Vec<Constraint>,
    constraints_of: Vec<Vec<usize>>,
}

impl Model {
    /// A problem without variables. Its only solution is empty.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a variable that may take these values.
    pub fn variable(&mut self, domain: Domain) -> Var {
        self.domains.push(domain);
        self.constraints_of.push(Vec::new());
        Var(self.domains.len() - 1)
    }

    /// Adds a constraint that every solution satisfies.
    ///
    /// # Panics
    /// If a variable of the constraint belongs to a larger model or occurs twice.
    pub fn post(&mut self, constraint: Constraint) {
        let index = self.constraints.len();
        for var in constraint.vars() {
            let of_var = &mut self.constraints_of[var.0];
            assert!(of_var.last() != Some(&index), "{var:?} occurs twice in {constraint:?}");
            of_var.push(index);
        }
        self.constraints.push(constraint);
    }

    /// Whether these values, one for each variable, satisfy every constraint and lie in the domains.
    #[must_use]
    pub fn holds(&self, values: &[u8]) -> bool {
        let in_domains = self.domains.len() == values.len()
            && self.domains.iter().zip(values).all(|(domain, &value)| domain.contains(value));
        in_domains
            && self.constraints.iter().all(|constraint| {
                let of_constraint: Vec<_> = constraint.vars().iter().map(|var| values[var.0]).collect();
                constraint.holds(&of_constraint)
            })
    }

    /// The initial domain of each variable.
    pub(super) fn domains(&self) -> &[Domain] {
        &self.domains
    }

    pub(crate) fn vars(&self) -> impl Iterator<Item = Var> {
        (0..self.domains.len()).map(Var)
    }

    /// The constraints, in the order in which they were posted.
    pub(crate) fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The indices in [`Self::constraints`] of the constraints on a variable.
    pub(super) fn constraints_of(&self, var: Var) -> &[usize] {
        &self.constraints_of[var.0]
    }
}
