//! Reads what commands get: specs, puzzle files, databases, and the configuration file.

pub(super) mod criteria_flags;
pub(super) mod database;
pub(super) mod host;
mod json_lines;
pub(super) mod lines;
mod paragraph;
pub(super) mod puzzle_text;
pub(super) mod records;
mod role;
pub(super) mod series_table;
pub(super) mod settings_file;
pub(super) mod spec;
pub(super) mod stated;
mod table;
pub(super) mod target_table;
mod texts;
