//! Solving as people do: techniques from the easiest to the hardest, and the steps they take.
//!
//! The ladder has seven tiers. Up to the fourth a step looks at one run; then come sums over regions, contradictions a few runs
//! away, and those beyond. What even these do not solve is left to a search. Each finished puzzle is solved by steps that
//! follow from the position, never from the known solution.

mod chains;
mod checker;
mod cuts;
mod find;
mod ladder;
mod position;
mod runs;
mod sentences;
mod sets;
mod trials;

pub use checker::{Unproven, check_steps};
pub use find::{TECHNIQUES, Technique, Tier};
pub use ladder::reason;

pub(crate) use chains::SHORT_MAX;
pub(crate) use find::Find;
pub(crate) use ladder::{Climb, climb, reason_to_digit};
pub(crate) use position::Position;
pub(crate) use sentences::write;
