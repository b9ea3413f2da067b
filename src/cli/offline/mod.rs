//! The commands that need neither a server nor a database.

pub(super) mod bench;
pub(super) mod completions;
pub(super) mod generate;
mod openapi;
pub(super) mod ordered;
pub(super) mod protos;
pub(super) mod rate;
pub(super) mod token;
