//! Who can reach the server, and what each of them may do: the real binary, with real certificates and clients.
#![cfg(test)]

#[path = "../support/authority.rs"]
mod authority;
mod passwords;
mod process;
mod revocations;
mod tls;
mod tls_commands;
mod tls_reload;
