//! The constraint core: variables with small sets of values, constraints that remove values, and a search that counts
//! solutions. It works for every kind. It is slower than a kernel, and confirms the result of each kernel
//! independently.
//!
//! A kind describes its puzzle as a [`Model`] and runs a [`Search`] over it. Two things end a search without an answer: the node
//! budget and the cancel flag ([`OutOfBudget`](crate::shared::budget::OutOfBudget)). Neither counts as "no solution".

mod all_different;
mod derived;
mod different_sum;
mod domain;
mod model;
mod product;
mod search;
mod simple;
mod state;
mod sum;
#[cfg(test)]
mod testing;
mod visible;

pub use domain::Domain;
pub use model::{Constraint, Model, Var};
pub use search::Search;
use state::{State, Wiped};
