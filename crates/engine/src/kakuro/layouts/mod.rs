//! Makes layouts that are symmetric, within the requested limits, biconnected, and varied.

mod blocks;
mod grid;
mod joined;
mod make;
mod orbits;

pub use joined::{is_joined, never_unique};
pub use make::{VARIETY_MIN, Wanted, make, variety};
pub use orbits::{has_symmetry, needs_square};
