//! Decides whether the tests on PostgreSQL run on this machine.

use super::binaries::binaries;

/// Whether a variable names a server (`postgres.rs`), these tests can start one, or a variable requires one. If a
/// required server is missing, the tests fail.
#[expect(clippy::disallowed_methods, reason = "a person or a script names the server")]
pub(crate) fn is_expected() -> bool {
    std::env::var("PUZZLED_TEST_DATABASE_URL").is_ok()
        || std::env::var("PUZZLED_TEST_POSTGRES").is_ok_and(|value| value == "required")
        || binaries().is_some()
}
