//! The constraint core: variables with small sets of values, constraints that remove values, and a search that counts
//! solutions. General for every kind; slower than a kernel, and the second opinion on each of them.
//!
//! A kind states itself as a [`Model`] and walks its solutions with a [`Search`]. Two things end a search without an
//! answer, and neither is ever taken for "none": the node budget and the cancel flag
//! ([`OutOfBudget`](super::budget::OutOfBudget)).

mod all_different;
mod compare;
mod different_sum;
mod domain;
mod model;
mod order;
mod product;
mod propagate;
mod search;
mod state;
mod sum;
#[cfg(test)]
mod testing;

pub use domain::Domain;
pub use model::{Constraint, Model, Var};
pub use order::{Values, Variables};
pub use propagate::Strength;
pub use search::{Config, Search};
