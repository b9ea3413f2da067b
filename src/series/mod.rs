//! The methods of `SeriesService`, one in each file.

mod create_daily_series;
mod end_daily_series;
mod list_daily_series;
mod update_daily_series;

mod series_message;
mod series_request;

// A configuration declares series with the same rules.
pub(crate) use create_daily_series::series_wish;
