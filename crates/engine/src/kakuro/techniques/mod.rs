//! Solves Kakuro as people do: techniques from the easiest to the hardest, and the steps that they take.
//!
//! The ladder has the tiers 0 to 8. Up to tier 4, a step uses one run. Tier 5 has sums over areas of the board, tier 6
//! short contradictions, and tier 7 long ones. If these do not solve a puzzle, tier 8, a search, does. Steps follow
//! from the position alone, never from the known solution.

mod chains;
mod checker;
mod cuts;
mod find;
mod ladder;
mod position;
mod runs;
mod sentences;
mod steps;

pub use checker::{check_hint, check_steps};
pub use find::{TECHNIQUES, Technique, Tier};
pub use ladder::reason;
pub use sentences::sentence;

pub(crate) use chains::SHORT_MAX;
pub(crate) use find::Find;
pub(crate) use ladder::{Climb, climb, reason_to_digit};
pub(crate) use position::Position;
pub(crate) use steps::write;
