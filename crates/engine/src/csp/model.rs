//! A problem stated in variables and constraints.

use super::{
    all_different, compare, different_sum,
    domain::Domain,
    product,
    state::{State, Wiped},
    sum,
};

/// A variable of one [`Model`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(usize);

impl Var {
    /// Its place in the model and in each solution: the first variable is 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// A rule between variables. Sums and products are of natural numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constraint {
    /// No two of them are equal. Every unsupported value is removed.
    AllDifferent(Vec<Var>),
    /// Together they make `total`. Every unsupported value is removed while `total` is at most 127 above the sum of the
    /// smallest values, for at most 64 variables; beyond that the bounds are kept.
    Sum {
        /// The addends.
        vars: Vec<Var>,
        /// What they make.
        total: u32,
    },
    /// Together they make `total`, and no two of them are equal. Every unsupported value is removed while all values are below
    /// 10; beyond that, what the two rules remove one after the other.
    DifferentSum {
        /// The addends.
        vars: Vec<Var>,
        /// What they make.
        total: u32,
    },
    /// Multiplied they make `total`. Keeps divisors and bounds, which may leave unsupported values.
    Product {
        /// The factors.
        vars: Vec<Var>,
        /// What they make.
        total: u32,
    },
    /// The two are not equal. Every unsupported value is removed.
    Different([Var; 2]),
    /// The first plus `gap` is at most the second: gap 1 is "less than". Every unsupported value is removed.
    AtMost {
        /// The lower and the upper variable.
        vars: [Var; 2],
        /// The distance that they keep at least; may be negative.
        gap: i16,
    },
}

impl Constraint {
    /// Its variables.
    #[must_use]
    pub fn vars(&self) -> &[Var] {
        match self {
            Self::AllDifferent(vars)
            | Self::Sum { vars, .. }
            | Self::DifferentSum { vars, .. }
            | Self::Product { vars, .. } => vars,
            Self::Different(vars) | Self::AtMost { vars, .. } => vars,
        }
    }

    /// Whether these values of its variables, in their order, satisfy it. Knows nothing of propagation.
    #[must_use]
    pub fn holds(&self, values: &[u8]) -> bool {
        match self {
            Self::AllDifferent(_) | Self::Different(_) => all_different::holds(values),
            Self::Sum { total, .. } => sum::holds(values, *total),
            Self::DifferentSum { total, .. } => different_sum::holds(values, *total),
            Self::Product { total, .. } => product::holds(values, *total),
            Self::AtMost { gap, .. } => compare::at_most_holds(values, *gap),
        }
    }

    /// Removes values that no solution of this constraint has. A second call at once changes nothing more.
    pub(super) fn propagate(&self, state: &mut State) -> Result<(), Wiped> {
        match self {
            Self::AllDifferent(vars) => all_different::propagate(vars, state),
            Self::Sum { vars, total } => sum::propagate(vars, *total, state),
            Self::DifferentSum { vars, total } => different_sum::propagate(vars, *total, state),
            Self::Product { vars, total } => product::propagate(vars, *total, state),
            Self::Different(vars) => compare::different(*vars, state),
            Self::AtMost { vars, gap } => compare::at_most(*vars, *gap, state),
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
    /// A problem without variables; it has one solution, the empty one.
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

    /// Adds a constraint.
    ///
    /// # Panics
    /// If one of its variables belongs to a larger model, or stands in it twice.
    pub fn post(&mut self, constraint: Constraint) {
        let index = self.constraints.len();
        for var in constraint.vars() {
            let of_var = &mut self.constraints_of[var.0];
            assert!(of_var.last() != Some(&index), "{var:?} stands twice in {constraint:?}");
            of_var.push(index);
        }
        self.constraints.push(constraint);
    }

    /// Whether a value for each variable, in their order, satisfies every constraint and lies in each domain.
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

    /// The domains at the start, one a variable.
    pub(super) fn domains(&self) -> &[Domain] {
        &self.domains
    }

    /// All variables, in their order.
    pub(super) fn vars(&self) -> impl Iterator<Item = Var> {
        (0..self.domains.len()).map(Var)
    }

    /// All constraints, in the order in which they were posted.
    pub(super) fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The constraints on a variable, as indices into [`Self::constraints`].
    pub(super) fn constraints_of(&self, var: Var) -> &[usize] {
        &self.constraints_of[var.0]
    }
}
