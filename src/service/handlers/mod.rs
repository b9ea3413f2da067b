//! The handlers: they parse requests, call the queue and the stock, and render responses. `puzzles`, `jobs`, `stock`,
//! `series`, and `server` have the methods of one service of the API each.

pub(crate) mod batch_get_puzzles;
pub(crate) mod caller_puzzle;
pub(crate) mod daily_puzzle;
pub(crate) mod draw_request;
pub(crate) mod find_puzzle;
pub(crate) mod generate;
pub(crate) mod get_puzzle;
pub(crate) mod import_puzzles;
pub(crate) mod jobs;
pub(crate) mod listed;
pub(crate) mod puzzles;
pub(crate) mod ratings;
pub(crate) mod record_deliveries;
pub(crate) mod scramble;
pub(crate) mod series;
pub(crate) mod server;
pub(crate) mod stock;
pub(crate) mod wait;
pub(crate) mod watch;

use crate::calls::errors::ServiceError;

/// What a handler answers.
type Reply<T> = Result<T, ServiceError>;
