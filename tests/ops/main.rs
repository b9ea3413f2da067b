//! What a process shows to operators, as their tools see it: the ops port, metrics, the log of calls, and traces. Each test runs
//! the real binary.
#![cfg(test)]

mod access;
mod logs;
mod metrics;
mod page;
mod ports;
mod process;
