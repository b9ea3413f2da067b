//! Decides whether the tests on PostgreSQL run on this machine.

use super::binaries::binaries;

/// Whether there is a server: one that the first variable names (`postgres.rs`), or one that these tests can start; or whether
/// there has to be one, so that it is a failure that there is none.
#[expect(clippy::disallowed_methods, reason = "a person or a script names the server")]
pub(crate) fn is_expected() -> bool {
    std::env::var("PUZZLED_TEST_DATABASE_URL").is_ok()
        || std::env::var("PUZZLED_TEST_POSTGRES").is_ok_and(|value| value == "required")
        || binaries().is_some()
}
