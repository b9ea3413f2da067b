//! The commands that call a running server, in folders by topic.

pub(crate) mod jobs;
pub(crate) mod puzzles;
pub(crate) mod service;
pub(crate) mod stock;
