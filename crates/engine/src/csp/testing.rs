//! Helpers for the tests of this folder: compare the filters of constraints with brute force over small domains, and count
//! solutions.

use super::{Constraint, Domain, Model, Search, Var, state::State};
use crate::shared::{budget::Budget, rng::Rng};

/// The number of random sets of domains for each shape of constraint.
const ROUNDS: u64 = 300;

/// Asserts that propagation leaves exactly the values that some satisfying assignment has.
pub(super) fn check_exact(vars: u8, values: u8, constraint: impl Fn(Vec<Var>) -> Constraint) {
    check(vars, values, constraint, true);
}

/// Asserts that propagation leaves every value that some satisfying assignment has, and never accepts a wrong
/// assignment.
pub(super) fn check_sound(vars: u8, values: u8, constraint: impl Fn(Vec<Var>) -> Constraint) {
    check(vars, values, constraint, false);
}

fn check(vars: u8, values: u8, constraint: impl Fn(Vec<Var>) -> Constraint, exact: bool) {
    let mut rng = Rng::from_seed(u64::from(vars) << 8 | u64::from(values));
    for _ in 0..ROUNDS {
        let mut model = Model::new();
        let domains: Vec<_> = (0..vars).map(|_| random_domain(values, &mut rng)).collect();
        let of_model = domains.iter().map(|&domain| model.variable(domain)).collect();
        model.post(constraint(of_model));
        let constraint = &model.constraints()[0];
        let supported = supported(constraint, &domains);
        let mut state = State::new(&model);
        let outcome = constraint.propagate(&mut state);
        if supported.iter().any(|domain| domain.is_empty()) {
            let decided = domains.iter().all(|domain| domain.is_single());
            assert!(outcome.is_err() || !(exact || decided), "{constraint:?} over {domains:?} has no solution");
            continue;
        }
        assert!(outcome.is_ok(), "{constraint:?} over {domains:?} has a solution");
        for (left, wanted) in state.domains().iter().zip(&supported) {
            assert!(wanted.without(*left).is_empty(), "{constraint:?} over {domains:?}: {left:?} misses {wanted:?}");
            assert!(!exact || left == wanted, "{constraint:?} over {domains:?}: {left:?} is not {wanted:?}");
        }
        let mark = state.mark();
        assert!(constraint.propagate(&mut state).is_ok() && state.mark() == mark, "{constraint:?} was not finished");
    }
}

/// The domains are mostly small, so that single values and clashes are common. A limit of five values per domain keeps
/// brute force short.
fn random_domain(values: u8, rng: &mut Rng) -> Domain {
    let size = 1 + rng.below(5);
    (0..size).filter_map(|_| u8::try_from(rng.below(u64::from(values))).ok()).collect()
}

/// The values of each variable that some satisfying assignment has, found by trying all.
fn supported(constraint: &Constraint, domains: &[Domain]) -> Vec<Domain> {
    let mut supported = vec![Domain::EMPTY; domains.len()];
    let mut assignments = vec![Vec::new()];
    for domain in domains {
        let longer =
            |values: &Vec<u8>| domain.values().map(|value| [&values[..], &[value]].concat()).collect::<Vec<_>>();
        assignments = assignments.iter().flat_map(longer).collect();
    }
    for values in assignments.iter().filter(|values| constraint.holds(values)) {
        for (domain, &value) in supported.iter_mut().zip(values) {
            *domain = domain.union(Domain::only(value));
        }
    }
    supported
}

/// Number of solutions, without any bound.
pub(super) fn count(mut search: Search<'_>) -> usize {
    let mut budget = Budget::of_nodes(u64::MAX);
    let mut found = 0;
    while search.next_solution(&mut budget).unwrap().is_some() {
        found += 1;
    }
    found
}
