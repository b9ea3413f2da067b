//! Tests of the Connect protocol (JSON over HTTP), compared with gRPC: a real server on a loopback port, with a real
//! store.
#![cfg(test)]

mod bounds;
mod changing;
#[path = "../support/contract.rs"]
mod contract;
#[path = "../support"]
mod databases {
    mod binaries;
    mod cluster;
    pub(crate) mod home;
    pub(crate) mod postgres;
}
#[path = "../support/dynamic.rs"]
mod dynamic;
mod forms;
#[path = "../api/forwarding.rs"]
mod forwarding;
mod grpc;
mod hosts;
#[path = "../support/http.rs"]
mod http;
mod pages;
mod pictures;
mod reading;
mod refusals;
#[path = "../api/server.rs"]
#[expect(dead_code, reason = "the tests of the API by gRPC use the rest")]
mod server;
mod shutdown;
#[path = "../api/store.rs"]
#[expect(dead_code, reason = "the tests of the API by gRPC use the rest")]
mod store;

/// Where a server under test keeps its database.
mod on_postgres {
    use crate::databases::home::Home;

    /// Always a file: the database makes no difference to how calls arrive.
    pub(crate) fn home() -> Home {
        Home::in_file()
    }
}
