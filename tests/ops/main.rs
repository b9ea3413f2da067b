//! What a process shows to the tools of operators: the ops port, the metrics, and the call log. Each test runs the real
//! binary.
#![cfg(test)]

mod access;
mod logs;
mod metrics;
mod page;
mod ports;
mod process;
mod traces;
