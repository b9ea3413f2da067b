//! Opens the web page of the real binary in Chromium, as an operator, a maker, and a reader would. Each trial is a scenario of
//! `scenarios.cjs`, with a server and a browser profile of its own. Without Chromium or the packages, all are reported as ignored.
#![expect(clippy::unwrap_used, reason = "a test without the usual harness is not known as one")]

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use libtest_mimic::{Arguments, Failed, Trial};
use sqlx::{Connection as _, SqliteConnection};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page");

/// The functions of `scenarios.cjs`.
const SCENARIOS: [&str; 11] = [
    "operator_spends_a_morning",
    "looking_at_each_view_changes_nothing",
    "reader_maker_and_caller_without_solutions_see_what_they_lack",
    "keyboard_alone_reaches_everything",
    "narrow_window_shows_a_long_reason_in_both_schemes",
    "text_of_others_is_shown_as_text",
    "pasted_puzzle_is_rated_or_explained",
    "server_that_stops_is_missed_until_it_returns",
    "busy_server_is_waited_for",
    FULL_AND_MANY,
    "page_works_below_a_path",
];

/// The scenario whose database lists 120 other processes.
const FULL_AND_MANY: &str = "full_stock_and_all_processes_are_shown";

fn main() -> ExitCode {
    let packages = std::env::var_os("PUZZLED_TEST_NODE").map(PathBuf::from).filter(|folder| has_packages(folder));
    let has_browser = Command::new("chromium").arg("--version").output().is_ok_and(|ran| ran.status.success());
    let trials = SCENARIOS.map(|scenario| {
        let packages = packages.clone();
        let is_ignored = packages.is_none() || !has_browser;
        Trial::test(scenario, move || run(scenario, &packages.unwrap())).with_ignored_flag(is_ignored)
    });
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit_code()
}

fn has_packages(folder: &Path) -> bool {
    ["puppeteer-core", "axe-core"].iter().all(|name| folder.join("node_modules").join(name).is_dir())
}

fn run(scenario: &str, packages: &Path) -> Result<(), Failed> {
    let folder = tempfile::tempdir().unwrap();
    if scenario == FULL_AND_MANY {
        add_processes(folder.path());
    }
    let mut node = Command::new("node");
    node.arg(Path::new(FOLDER).join("scenarios.cjs")).arg(scenario).arg(env!("CARGO_BIN_EXE_puzzled"));
    let ran = node.arg(folder.path()).env("NODE_PATH", packages.join("node_modules")).output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    if ran.status.success() { Ok(()) } else { Err(format!("{out}{err}").into()) }
}

/// Makes a database with 120 processes, more than are on a page. The first one was last seen an hour ago.
fn add_processes(folder: &Path) {
    let migrated = Command::new(env!("CARGO_BIN_EXE_puzzled")).arg("migrate").current_dir(folder).env_clear().output();
    assert!(migrated.unwrap().status.success());
    let rows = "with recursive n (i) as (values (1) union all select i + 1 from n where i < 120)
                insert into processes (name, host, pid, role, version, workers, started_at, seen_at)
                select printf('%08d', i), 'host-' || i, i, 'work', '0.1.0', 4, 1, (unixepoch() - iif(i = 1, 3600, 0)) * 1000 from n";
    let insert = async {
        let mut db = SqliteConnection::connect(&format!("sqlite:{}/puzzled.db", folder.display())).await?;
        sqlx::raw_sql(rows).execute(&mut db).await?;
        db.close().await
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(insert).unwrap();
}
