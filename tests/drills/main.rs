//! Drills of operators with the real binary: the commands of the runbooks, a restore, and a rolling restart under load. Also checks
//! that whatever the files of `deploy/` name exists.
#![cfg(test)]

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
