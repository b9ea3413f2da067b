//! The grid layer: the shared implementation of all kinds on a square grid. A kind describes its variants as data, and the layer reads,
//! makes, proves, rates, explains, and draws their puzzles. The layer depends on no kind.

pub(crate) mod canonical;
pub(crate) mod cells;
pub(crate) mod clues;
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
pub(crate) use techniques::{find, ladder};
