//! Runs the tests of this target again on PostgreSQL. Files whose tests use no store are left out.

use crate::databases::{home::Home, second_run};

/// Files whose tests do not use a store.
const NEUTRAL: [&str; 6] = ["connect::", "contract::", "hints::", "kakuro::", "limits::", "texts::"];

/// A new database for a server under test.
pub(crate) fn home() -> Home {
    if second_run::is_second() { Home::on_server() } else { Home::in_file() }
}

#[test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
fn api_tests_pass_on_postgres() {
    second_run::must_pass_without(&NEUTRAL);
}
