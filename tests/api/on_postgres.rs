//! Runs the tests of this target again on PostgreSQL, in a second process of the test program. An environment variable
//! tells that process where to keep its databases. Files whose tests use no store are left out.

use std::process::Command;

use crate::databases::{
    home::Home,
    postgres::{Server, VARIABLE},
};

/// The variable that is set in the second run of this program.
const COPY: &str = "PUZZLED_TEST_API_ON_POSTGRES";

/// Files whose tests do not use a store.
const NEUTRAL: [&str; 6] = ["clients::", "contract::", "hints::", "kakuro::", "limits::", "texts::"];

/// A new database for a server under test.
pub(crate) fn home() -> Home {
    if std::env::var_os(COPY).is_some() { Home::on_server() } else { Home::File(tempfile::tempdir().unwrap()) }
}

#[test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
fn api_tests_pass_on_postgres() {
    let program = std::env::current_exe().unwrap();
    let mut copy = Command::new(program);
    copy.args(NEUTRAL.iter().flat_map(|file| ["--skip", file])).env(COPY, "1").env(VARIABLE, Server::shared().url());
    let ran = copy.output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(ran.status.success(), "{out}{err}");
}
