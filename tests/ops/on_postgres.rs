//! Runs the tests of this target again on PostgreSQL, in a second process of the test program. An environment variable
//! tells that process where to keep its databases. Tests that are about a SQLite file or about labels alone are left out.

use std::{process::Command, sync::Arc};

use crate::{
    databases::postgres::{Database, Server, VARIABLE},
    folder::Folder,
};

/// The variable that is set in the second run of this program.
const COPY: &str = "PUZZLED_TEST_OPS_ON_POSTGRES";

/// A beginning of each name of a test that is left out.
const NEUTRAL: [&str; 3] =
    ["metrics::random_calls", "ports::process_that_waits_for_a_migration", "ports::taken_ops_port"];

/// A new folder, and a new database.
pub(crate) fn folder() -> Arc<Folder> {
    Arc::new(Folder::new(std::env::var_os(COPY).map(|_| Database::new())))
}

#[test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
fn ops_tests_pass_on_postgres() {
    let program = std::env::current_exe().unwrap();
    let mut copy = Command::new(program);
    copy.args(NEUTRAL.iter().flat_map(|test| ["--skip", test])).env(COPY, "1").env(VARIABLE, Server::shared().url());
    let ran = copy.output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(ran.status.success(), "{out}{err}");
}
