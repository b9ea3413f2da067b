//! The methods that answer about one puzzle, sent as text or named by its ID.

mod check_board;
mod find_puzzle;
mod hint;
mod rate;
mod render_puzzle;
mod solve;
mod validate;

mod asked;
mod caller_puzzle;

pub(super) use asked::PuzzleText;
pub(super) use caller_puzzle::CallerPuzzle;
