//! The commands that call a running server, in folders by topic.

pub(super) mod jobs;
pub(super) mod puzzles;
pub(super) mod service;
pub(super) mod stock;
