//! Drills of operators with the real binary: the commands of the runbooks, a restore, a rolling restart under load, and
//! the dashboard and the alert rules of `deploy/` on a Prometheus. Also checks that settings and alerts in `deploy/`
//! exist and are documented.
#![cfg(test)]

mod board;
mod client;
#[path = "../support"]
mod databases {
    mod binaries;
    pub(crate) mod cluster;
    pub(crate) mod process;
}
mod load;
mod packages;
mod process;
mod restore;
mod rolling;
mod runbooks;
