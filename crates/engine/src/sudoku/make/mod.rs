//! Makes Sudoku: complete grids, removal of givens, steering to a rating, and starters.

pub(super) mod generate;
pub(super) mod goal;
pub mod grids;
pub(super) mod offer;
pub(super) mod starters;
pub(super) mod steer;
pub(super) mod steering;
pub mod thin;
pub(super) mod wanted;
