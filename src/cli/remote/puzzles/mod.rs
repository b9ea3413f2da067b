//! Commands about stored puzzles, and about puzzles that the user brings.

pub(in crate::cli) mod daily;
pub(in crate::cli) mod find;
pub(in crate::cli) mod get;
pub(in crate::cli) mod hint;
pub(in crate::cli) mod import;
pub(in crate::cli) mod list;
pub(in crate::cli) mod release;
pub(in crate::cli) mod solve;
pub(in crate::cli) mod validate;
pub(in crate::cli) mod withdraw;
