//! Rates Kakuro: levels, records, and explanations.

pub(super) mod explanation;
pub mod rating;
