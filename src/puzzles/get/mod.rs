//! The methods that get a puzzle: by ID, at random, for an audience, or of a day. `draw` draws it; if no puzzle fits, `lack` queues a job or
//! builds the error, and `wait` waits.

mod batch_get_puzzles;
mod get_daily_puzzle;
mod get_puzzle;

mod draw;
mod lack;
mod view;
mod wait;
