//! Everything that is the same for all kinds: their trait, specs, levels, steps, random numbers, budgets, and tries.

pub mod budget;
pub mod criteria;
pub mod givens;
pub mod job_index;
pub mod kind;
pub mod level;
pub mod metrics;
pub mod names;
pub(crate) mod phrases;
pub mod record;
mod resolve;
pub mod rng;
pub mod solvers;
pub mod spec;
pub mod step;
pub mod symmetry;
pub mod text;
pub mod tries;
pub mod variant;
