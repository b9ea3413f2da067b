//! The rules: the data of jobs, slices, shelves, targets, and deliveries, and all decisions about them. They read no clock
//! and do no input or output. The store calls most rules inside its transactions; the queue, the stock, and the service
//! call others.

pub mod access;
pub mod jobs;
pub mod series;
pub mod stock;
pub mod targets;
