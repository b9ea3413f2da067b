//! The commands that need neither a server nor a database.

pub(crate) mod batch;
pub(crate) mod bench;
pub mod completions;
pub(crate) mod generate;
mod openapi;
pub mod ordered;
pub(crate) mod protos;
pub(crate) mod rate;
pub(crate) mod verify;
