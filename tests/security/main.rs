//! Who can reach the server, and what each of them may do: the real binary, with real certificates and clients.
#![cfg(test)]

mod access_file;
#[path = "../support/authority.rs"]
mod authority;
mod canaries;
mod lost_access;
mod methods;
mod passwords;
mod process;
mod rates;
mod revocations;
mod server;
mod solutions;
mod tls;
mod tls_commands;
mod tls_reload;
mod tokens;
