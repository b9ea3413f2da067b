//! Daily series: their data, the days of their time zones, the terms that hold on a day, and what the planner does for the coming days.

pub mod calendar;
pub mod daily_series;
pub mod day;
pub mod day_criteria;
pub mod days;
pub mod plan;
pub mod series_store;
pub mod update;
