//! The methods of `StockService`, one in each file.

mod get_stock;
mod watch_stock;

mod create_stock_target;
mod delete_stock_target;
mod list_stock_targets;
mod update_stock_target;

mod refill;

mod stock_message;

use crate::{
    calls::ServiceError,
    wire::{Parser, required_id},
};
use puzzled_api::v1 as pb;
use puzzled_base::ids::TargetId;
use puzzled_store::stock::filter::ShelfFilter;

/// The part of the stock that a request is about.
fn part(stated: &pb::JobSpec) -> Result<ShelfFilter, ServiceError> {
    let mut parser = Parser::default();
    let part = parser.shelves(stated);
    parser.done_with(part)
}

fn target_id(id: &str) -> Result<TargetId, ServiceError> {
    required_id(id, "a stock target", ServiceError::TargetNotFound)
}

/// Whether a value differs from the one that means the default.
fn is_said<T: Default + PartialEq>(value: &T) -> bool {
    *value != T::default()
}
