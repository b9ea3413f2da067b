//! Who may call what: a server with an access file, real clients with tokens, and what each of them is refused or shown.
#![cfg(test)]

mod methods;
mod rates;
mod revoked;
mod server;
mod solutions;
mod tokens;
