//! The methods that list, export, import, withdraw, and release stored puzzles.

mod export_puzzles;
mod list_puzzles;

mod import_puzzles;

mod release_puzzles;
mod withdraw_puzzle;
mod withdraw_puzzles;

mod listed;
