//! Compares the filter of each constraint with brute force over small domains. Also counts solutions for the tests of this folder.

use std::sync::Arc;

use super::{
    Constraint::{self, AllDifferent, Count, DifferentSum, Pair, Product, Sum, Table, Unlike, Visible},
    Domain, Model, Search, State, Var,
};
use crate::shared::{budget::Budget, rng::Rng};

/// The number of random sets of domains for each shape of constraint.
const ROUNDS: u64 = 300;

/// Asserts that propagation leaves exactly the values that some satisfying assignment has.
fn check_exact(vars: u8, values: u8, constraint: impl Fn(Vec<Var>) -> Constraint) {
    check(vars, values, constraint, true);
}

/// Asserts that propagation leaves every value that some satisfying assignment has, and never accepts a wrong
/// assignment.
fn check_sound(vars: u8, values: u8, constraint: impl Fn(Vec<Var>) -> Constraint) {
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

#[test]
fn filters_remove_exactly_the_unsupported_values() {
    for count in 1..=5 {
        check_exact(count, 6, AllDifferent);
        for [min, max] in [[0, 0], [1, 1], [2, 2], [3, 4], [1, 2], [0, 2]] {
            check_exact(count, 3, |vars| Count { vars, value: 1, min, max });
        }
        for total in [0, 3, 10, 17, 24] {
            check_exact(count, 10, |vars| DifferentSum { vars, total });
        }
    }
    for (count, total) in (1..=4).flat_map(|count| [0, 1, 7, 11, 30].map(|total| (count, total))) {
        check_exact(count, 8, |vars| Sum { vars, total });
    }
    for (count, total) in (1..=4).flat_map(|count| [1, 6, 7, 12, 36].map(|total| (count, total))) {
        check_exact(count, 8, |vars| Product { vars, total });
    }
    for (vars, count) in (1..=5).flat_map(|vars| (0..=6).map(move |count| (vars, count))) {
        check_exact(vars, 6, |vars| Visible { vars, count });
    }
    for count in [2, 4, 6] {
        check_exact(count, 3, |vars| Unlike { vars });
    }
    let rows: Arc<[Vec<u8>]> = Arc::new([vec![0, 1, 2], vec![0, 2, 2], vec![1, 1, 0], vec![3, 0, 1]]);
    for rows in [rows, Arc::new([])] {
        check_exact(3, 4, |vars| Table { vars, rows: rows.clone() });
    }
    let less: Vec<_> = (0..6).map(|value| Domain::range(value + 1, 9)).collect();
    let not_both = vec![Domain::range(0, 9), Domain::only(0)];
    for allowed in [less, not_both, Vec::new()] {
        check_exact(2, 8, |vars| Pair { vars: [vars[0], vars[1]], allowed: allowed.clone() });
    }
}

#[test]
fn more_variables_than_values_cannot_differ() {
    check_exact(5, 4, AllDifferent);
    check_exact(6, 5, |vars| DifferentSum { vars, total: 10 });
}

#[test]
fn filters_of_large_values_keep_every_supported_value() {
    for total in [140, 170, 189] {
        check_sound(3, 64, |vars| Sum { vars, total });
    }
    check_sound(3, 6, |vars| Product { vars, total: 0 });
    for total in [20, 30, 60] {
        check_sound(3, 30, |vars| DifferentSum { vars, total });
    }
    for count in 1..=3 {
        check_sound(3, 30, |vars| Visible { vars, count });
    }
}

#[test]
fn sum_too_large_for_the_exact_filter_is_counted_correctly() {
    let mut model = Model::new();
    let vars = (0..3).map(|_| model.variable(Domain::range(0, 63))).collect();
    model.post(Sum { vars, total: 186 });
    // Three numbers of at most 63 with the sum 186 lack 3 of the maximum. There are ten ways to split 3 among three.
    assert_eq!(count(Search::new(&model)), 10);
}

/// Lists of values, one for each variable.
type Values = &'static [&'static [u8]];

#[test]
fn constraint_holds_for_the_values_that_it_allows() {
    let (vars, mut model) = (Vec::new, Model::new());
    let two = [(); 2].map(|()| model.variable(Domain::EMPTY));
    let count = |min, max| Count { vars: vars(), value: 1, min, max };
    let one_before_two = Pair { vars: two, allowed: vec![Domain::EMPTY, Domain::only(2)] };
    let cases: [(_, Values, Values); 14] = [
        (AllDifferent(vars()), &[&[4, 1, 3], &[]], &[&[4, 1, 4]]),
        (Sum { vars: vars(), total: 6 }, &[&[1, 2, 3]], &[&[1, 2, 4], &[]]),
        (Sum { vars: vars(), total: 0 }, &[&[]], &[]),
        (DifferentSum { vars: vars(), total: 7 }, &[&[1, 2, 4]], &[&[1, 3, 3], &[1, 2, 3]]),
        (Product { vars: vars(), total: 6 }, &[&[1, 6, 1], &[3, 2]], &[&[3, 3], &[]]),
        (Product { vars: vars(), total: 1 }, &[&[]], &[&[0]]),
        (Visible { vars: vars(), count: 2 }, &[&[0, 2, 1], &[2, 1, 3]], &[&[3, 2, 1], &[1, 2, 3], &[2, 2, 3], &[]]),
        (Visible { vars: vars(), count: 0 }, &[&[]], &[&[0]]),
        (count(2, 2), &[&[1, 0, 1]], &[&[1, 0, 2]]),
        (count(1, 2), &[&[1, 0, 2]], &[&[1, 1, 1]]),
        (count(2, 3), &[&[1, 1, 1]], &[&[1, 0, 2]]),
        (Unlike { vars: vars() }, &[&[1, 2, 1, 1]], &[&[1, 2, 1, 2]]),
        (Table { vars: vars(), rows: Arc::new([vec![1, 2], vec![2, 2]]) }, &[&[1, 2], &[2, 2]], &[&[2, 1], &[1]]),
        (one_before_two, &[&[1, 2]], &[&[2, 1]]),
    ];
    for (constraint, allowed, refused) in cases {
        assert!(allowed.iter().all(|values| constraint.holds(values)), "{constraint:?}");
        assert!(!refused.iter().any(|values| constraint.holds(values)), "{constraint:?}");
    }
}
