//! Daily series: their data, the days of their time zones, the terms that hold on a day, and what the planner does for the
//! coming days. Pure functions.

pub mod calendar;
pub mod daily_series;
pub mod day;
pub mod day_criteria;
pub mod plan;
pub mod update;
