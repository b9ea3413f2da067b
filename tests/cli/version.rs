//! `puzzled --version` through the real binary.

use puzzled_engine::ENGINE_VERSION;
use puzzled_store::{schema::newest, sqlite::schema::MIGRATIONS};

use crate::run;

#[test]
fn version_names_engine_schema_and_the_commit_of_the_build() {
    let schema = newest(&MIGRATIONS);
    let commit = option_env!("PUZZLED_COMMIT").filter(|commit| !commit.is_empty());
    let commit = commit.map(|commit| format!(", commit {commit}")).unwrap_or_default();
    let (version, engine) = (env!("CARGO_PKG_VERSION"), ENGINE_VERSION);
    let expected = format!("puzzled {version} (engine {engine}, schema {schema}{commit})\n");
    for flag in ["--version", "-V"] {
        let shown = run(flag);
        assert_eq!((shown.code, shown.out.as_str(), shown.err.as_str()), (Some(0), expected.as_str(), ""));
    }
}
