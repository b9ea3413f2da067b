//! Runs the tests of a target again on PostgreSQL, in a second process of the test program. An environment variable
//! tells that process to keep its databases there.

use std::process::Command;

/// The variable that is set in the second run.
const SECOND: &str = "PUZZLED_TEST_SECOND_RUN";

/// Whether this process is the second run.
pub(crate) fn is_second() -> bool {
    std::env::var_os(SECOND).is_some()
}

/// Makes the second run, without the tests whose names contain one of these texts, and panics if a test fails.
pub(crate) fn must_pass_without(left_out: &[&str]) {
    let mut second = Command::new(std::env::current_exe().unwrap());
    second.args(left_out.iter().flat_map(|test| ["--skip", test]));
    // The second run starts a server. Only on such a server can each test get a copy of a migrated database.
    let ran = second.env(SECOND, "1").output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(ran.status.success(), "{out}{err}");
}
