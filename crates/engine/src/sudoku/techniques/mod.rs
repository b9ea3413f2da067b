//! Solves Sudoku as people do: techniques from the easiest to the hardest, and the steps that they take.
//!
//! The order of techniques, the ratings, and the scan order are those of Sudoku Explainer 1.2.1 in its classic
//! configuration, so that ER, EP, and ED agree with it.

mod aligned;
mod bug;
mod candidates;
mod chains;
mod checker;
mod direct;
mod find;
mod fish;
pub(super) mod geometry;
mod hardest_form;
mod ladder;
mod locked;
mod looks;
mod loop_types;
mod loops;
mod open;
mod proofs;
mod rough;
mod sentences;
mod singles;
mod steps;
mod subsets;
mod wings;

pub use checker::{check_hint, check_steps};
pub use find::Technique;
pub use ladder::{TECHNIQUES, reason};
pub use open::open_besides;
pub use rough::{Class, class};
pub use sentences::sentence;

pub(super) use aligned::ALIGNED_TRIPLET;
pub(crate) use candidates::Candidates;
pub(crate) use find::Find;
pub(in crate::sudoku) use hardest_form::max_rating;
pub(crate) use ladder::{Climb, climb, to_next_digit};
pub(crate) use looks::{Looks, play};
pub(crate) use rough::fill_singles;
#[cfg(feature = "tools")]
pub(super) use rough::{lock, refute_each, remove};
pub(crate) use singles::{SINGLES, openings};
pub(crate) use steps::write;
