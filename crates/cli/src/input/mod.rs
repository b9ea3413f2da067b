//! Reads what commands get: specs, and files of puzzles.

pub(crate) mod boards;
pub mod criteria_flags;
pub(crate) mod curve;
mod json_lines;
pub(crate) mod lines;
mod paragraph;
pub(crate) mod puzzle_text;
pub(crate) mod records;
mod role;
pub mod spec;
pub(crate) mod stated;
mod table;
mod texts;
