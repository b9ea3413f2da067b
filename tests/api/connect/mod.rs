//! The Connect protocol (JSON over HTTP), compared with gRPC.

mod bounds;
mod changing;
#[path = "../../support/contract.rs"]
mod contract;
mod forms;
mod grpc;
mod hosts;
#[path = "../../support/http.rs"]
mod http;
mod pages;
mod pictures;
mod reading;
mod refusals;
mod shutdown;
mod web_page;
