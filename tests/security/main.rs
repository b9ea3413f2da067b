//! Who can reach the server, and what each of them may do: TLS, access tokens, roles, quotas, and the right to
//! solutions, with real certificates and clients.
#![cfg(test)]

mod access_file;
#[path = "../support/authority.rs"]
mod authority;
mod canaries;
mod coming_days;
#[path = "../support/contract.rs"]
mod contract;
mod denials;
#[path = "../support/dynamic.rs"]
mod dynamic;
#[path = "../support/golden_file.rs"]
mod golden_file;
#[path = "../support/http.rs"]
#[expect(dead_code, reason = "the tests of the API by JSON use the rest")]
mod http;
mod lost_access;
mod methods;
mod open_quotas;
mod passwords;
mod pictures;
mod process;
mod protocols;
mod protocols_by_tls;
mod rates;
mod revocations;
#[path = "../support/running.rs"]
#[expect(dead_code, reason = "the tests of the command line use the rest")]
mod running;
mod server;
mod solutions;
mod tls;
mod tls_commands;
mod tls_reload;
mod tokens;
