//! Commands about stored puzzles, and about puzzles that the user brings.

pub(crate) mod daily;
pub(crate) mod find;
pub(crate) mod get;
pub(crate) mod hint;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod release;
pub(crate) mod solve;
pub(crate) mod validate;
pub(crate) mod withdraw;
