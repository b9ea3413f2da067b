//! The layer of all kinds on a square grid: what a kind states as data becomes a kind that is read, made, proved, rated, explained,
//! and drawn. The layer knows no kind.

pub(crate) mod canonical;
pub(crate) mod cells;
pub(crate) mod find;
pub(crate) mod kind;
pub(crate) mod make;
pub(crate) mod model;
pub(crate) mod orbits;
pub(crate) mod position;
pub(crate) mod proof;
pub(crate) mod puzzle;
pub(crate) mod rate;
pub(crate) mod rounds;
pub(crate) mod rules;
#[cfg(test)]
mod samples;
pub(crate) mod solve;
pub(crate) mod techniques;
pub(crate) mod text;
pub(crate) mod variant;
pub(crate) mod views;

pub use rate::GridMetrics;
pub(crate) use techniques::ladder;
