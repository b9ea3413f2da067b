//! `puzzled restore`, killed at each of its steps: the database is the old one or the new one, and a repeat finishes.

use std::{
    fs,
    path::Path,
    process::{Output, Stdio},
};

use sqlx::{Connection as _, SqliteConnection};
use tokio::process::Command;

use crate::{
    databases::process::Process,
    files::{COME_AND_GO, names},
    in_memory,
    results::request,
    server::Server,
};

/// The steps in their order, and whether the new database is in place at each.
const STEPS: [(&str, bool); 9] = [
    ("begin", false),
    ("copy", false),
    ("check", false),
    ("fold", false),
    ("link", false),
    ("unlog", false),
    ("rename", false),
    ("sync", true),
    ("done", true),
];

fn puzzled(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puzzled"));
    command.env_clear().env("PUZZLED_DATABASE_URL", "sqlite:stock.db").current_dir(folder);
    command.args(arguments.split_whitespace()).stdin(Stdio::null()).kill_on_drop(true);
    command
}

pub(crate) async fn run(folder: &Path, arguments: &str) -> Output {
    puzzled(folder, arguments).output().await.unwrap()
}

pub(crate) async fn runs(folder: &Path, arguments: &str) -> String {
    let ran = run(folder, arguments).await;
    assert!(ran.status.success(), "{arguments}: {ran:?}");
    String::from_utf8(ran.stdout).unwrap()
}

/// A folder with the database that a killed server left, and a backup with 5 fewer puzzles.
pub(crate) async fn killed() -> tempfile::TempDir {
    let folder = in_memory::folder();
    let path = folder.path();
    let file = path.join("stock.db");
    let server = Server::start(&file, &["--workers", "1"]).await;
    let job = server.client.generate(request(5)).await;
    server.client.job_at_its_end(&job.id).await;
    server.kill().await;
    let mut db = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    sqlx::raw_sql(COME_AND_GO).execute(&mut db).await.unwrap();
    db.close().await.unwrap();
    runs(path, "backup b.db").await;
    let server = Server::start(&file, &["--workers", "1"]).await;
    let job = server.client.generate(request(5)).await;
    server.client.job_at_its_end(&job.id).await;
    server.kill().await;
    assert!(path.join("stock.db-wal").exists());
    folder
}

pub(crate) fn copy_of(folder: &Path) -> tempfile::TempDir {
    let copy = in_memory::folder();
    for file in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    copy
}

/// Kills a command at one of its steps.
pub(crate) async fn die_at(folder: &Path, command: &str, step: &str) {
    let mut halting = puzzled(folder, &format!("{command} --halt-at {step}:1"));
    let mut process = Process::spawn(&mut halting);
    process.line(&[&format!("halted at {step}")]).await;
    process.child.kill().await.unwrap();
}

#[tokio::test]
async fn killed_restore_leaves_old_or_new_and_a_repeat_finishes_it() {
    let _turn = crate::turn().await;
    let killed = killed().await;
    let old = runs(killed.path(), "export").await;
    let new = runs(killed.path(), "export --database sqlite:b.db").await;
    assert_ne!(old, new);
    for (step, is_in_place) in STEPS {
        let folder = copy_of(killed.path());
        let path = folder.path();
        die_at(path, "restore b.db", &format!("restore.{step}")).await;
        runs(path, "check").await;
        assert_eq!(runs(path, "export").await, if is_in_place { &*new } else { &*old }, "{step}");
        let restored = runs(path, "restore b.db").await;
        assert!(restored.starts_with("stock.db: restored from b.db\n"), "{step}: {restored}");
        runs(path, "check").await;
        assert_eq!(runs(path, "export").await, new, "{step}");
        // The old database is kept, and no other files are left.
        assert_eq!(runs(path, "export --database sqlite:stock.db.old-1").await, old, "{step}");
        let kept = ["b.db", "stock.db", "stock.db.old-1", "stock.db.old-2"];
        assert_eq!(names(path), kept[..if is_in_place { 4 } else { 3 }], "{step}");
    }
}

#[tokio::test]
async fn killed_restore_over_a_foreign_log_is_finished_by_a_repeat() {
    let _turn = crate::turn().await;
    let killed = killed().await;
    let new = runs(killed.path(), "export --database sqlite:b.db").await;
    fs::copy(killed.path().join("b.db"), killed.path().join("stock.db")).unwrap();
    assert!(!run(killed.path(), "check").await.status.success());
    for (step, _) in STEPS {
        let folder = copy_of(killed.path());
        let path = folder.path();
        die_at(path, "restore b.db", &format!("restore.{step}")).await;
        runs(path, "restore b.db").await;
        runs(path, "check").await;
        assert_eq!(runs(path, "export").await, new, "{step}");
        let log = fs::read(path.join("stock.db.old-1-wal")).unwrap();
        assert_eq!(log, fs::read(killed.path().join("stock.db-wal")).unwrap(), "{step}");
    }
}
