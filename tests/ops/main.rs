//! What a process shows to the tools of operators: the ops port, the metrics, and the call log. Each test runs the real
//! binary.
#![cfg(test)]

mod access;
#[path = "../support"]
mod databases {
    mod binaries;
    mod cluster;
    pub(crate) mod postgres;
    pub(crate) mod process;
    pub(crate) mod second_run;
}
mod folder;
#[path = "../support/frozen_list.rs"]
mod frozen_list;
mod hosts;
mod logs;
mod metrics;
mod on_postgres;
mod page;
mod ports;
mod process;
mod read_only;
mod traces;
mod unread;
