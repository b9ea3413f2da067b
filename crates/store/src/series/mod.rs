//! Daily series: their data, the days of their time zones, the terms that hold on a day, and what the planner does for the coming days.

pub mod calendar;
pub mod daily_series;
pub mod day;
pub(crate) mod day_criteria;
pub(crate) mod day_store;
pub mod plan;
pub(crate) mod series_rows;
pub(crate) mod series_store;
pub mod update;
