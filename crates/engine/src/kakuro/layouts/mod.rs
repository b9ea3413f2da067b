//! Makes layouts that are symmetric, within the requested limits, biconnected, and varied.

mod grid;
mod joined;
mod make;
mod orbits;
mod variety;

pub use joined::{is_joined, never_unique};
pub use make::{Wanted, make};
pub use orbits::{has_symmetry, needs_square};
pub use variety::{VARIETY_MIN, variety};
