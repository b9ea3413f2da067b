//! The handlers: they parse requests, call the queue and the stock, and render responses. `puzzles`, `jobs`, `stock`,
//! `series`, and `server` have the methods of one service of the API each.

pub(super) mod batch_get_puzzles;
pub(super) mod caller_puzzle;
pub(super) mod daily_puzzle;
pub(super) mod draw_request;
pub(super) mod find_puzzle;
pub(super) mod generate;
pub(super) mod get_puzzle;
pub(super) mod import_puzzles;
pub(super) mod jobs;
pub(super) mod listed;
pub(super) mod puzzles;
pub(super) mod ratings;
pub(super) mod record_deliveries;
pub(super) mod scramble;
pub(super) mod series;
pub(super) mod server;
pub(super) mod stock;
pub(super) mod wait;
pub(super) mod watch;

use crate::service::errors::ServiceError;

/// What a handler answers.
type Reply<T> = Result<T, ServiceError>;
