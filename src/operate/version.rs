//! The version of the program, as `puzzled --version` prints it.

use std::sync::LazyLock;

use puzzled_engine::ENGINE_VERSION;
use puzzled_store::{schema::newest, sqlite::schema::MIGRATIONS};

/// The version of the program, of its engine, and of its schema, and the commit if the build got it from `PUZZLED_COMMIT`:
/// `0.1.0 (engine 17, schema 1, commit 1a2b3c4)`.
pub(super) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let (program, schema) = (env!("CARGO_PKG_VERSION"), newest(&MIGRATIONS));
    // If the build sets the variable to an empty text, there is no commit.
    let commit = option_env!("PUZZLED_COMMIT").filter(|commit| !commit.is_empty());
    let commit = commit.map(|commit| format!(", commit {commit}")).unwrap_or_default();
    format!("{program} (engine {ENGINE_VERSION}, schema {schema}{commit})")
});

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_store::postgres;

    #[test]
    fn both_databases_have_the_same_schema_version() {
        assert_eq!(newest(&MIGRATIONS), newest(&postgres::schema::MIGRATIONS));
    }
}
