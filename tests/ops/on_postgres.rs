//! Runs the tests of this target again on PostgreSQL. Tests that are about a SQLite file or about labels alone are left
//! out.

use std::sync::Arc;

use crate::{
    databases::{postgres::Database, second_run},
    folder::Folder,
};

/// A beginning of each name of a test that is left out.
const NEUTRAL: [&str; 3] =
    ["metrics::random_calls", "ports::process_that_waits_for_a_migration", "ports::taken_ops_port"];

/// A new folder, and a new database.
pub(crate) fn folder() -> Arc<Folder> {
    Arc::new(Folder::new(second_run::is_second().then(Database::new)))
}

#[test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
fn ops_tests_pass_on_postgres() {
    second_run::must_pass_without(&NEUTRAL);
}
