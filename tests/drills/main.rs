//! Drills of operators with the real binary: the commands of the runbooks, a restore, a rolling restart under load, and the board and
//! the rules of `deploy/` on a Prometheus. Also checks that what the files of `deploy/` name exists.
#![cfg(test)]

mod board;
mod client;
#[path = "../support"]
mod databases {
    mod binaries;
    pub(crate) mod cluster;
}
mod load;
mod packages;
mod process;
mod restore;
mod rolling;
mod runbooks;
