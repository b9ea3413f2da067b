//! `puzzled restore`: a refusal changes no file; a success leaves a sound database, and keeps the old one. Also the
//! messages about a malformed database.

use std::{
    collections::BTreeMap,
    fs::{self, OpenOptions},
    io::{Seek as _, SeekFrom, Write as _},
};

use sqlx::sqlite::SqliteConnectOptions;

use crate::{
    files::{COME_AND_GO, names},
    prelude::*,
};

/// Every file of a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| {
            let bytes = if entry.path().is_file() { fs::read(entry.path()).unwrap() } else { Vec::new() };
            (entry.file_name().into_string().unwrap(), bytes)
        })
        .collect()
}

/// Puzzles in circulation of a database in a folder.
fn puzzles(folder: &Path, database: &str) -> usize {
    let shown = run_in(folder, &format!("export --database sqlite:{database}"));
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""));
    shown.out.lines().count()
}

fn is_sound(folder: &Path, database: &str) {
    let checked = run_in(folder, &format!("check --database sqlite:{database}"));
    assert_eq!((checked.code, checked.out.as_str()), (Some(0), ""), "{}", checked.err);
}

/// A folder with a database of 10 puzzles in circulation whose server was killed, and with `b.db`, its backup with 7.
async fn killed() -> Arc<TempDir> {
    let (server, _) = stocked().await;
    server.kill();
    let folder = Arc::clone(&server.folder);
    tamper(&folder.path().join("stock.db"), COME_AND_GO).await;
    assert_eq!(run_in(folder.path(), "backup b.db").code, Some(0));
    let server = Server::start_in(folder, "--workers 1");
    let before = puzzles(server.folder.path(), "stock.db");
    made_by_job(server.channel().await, request(3)).await;
    server.kill();
    let folder = Arc::clone(&server.folder);
    assert!(folder.path().join("stock.db-wal").exists());
    assert_eq!((before, puzzles(folder.path(), "b.db")), (7, 7));
    folder
}

/// A folder with a database that was closed in order and its backup.
fn closed() -> TempDir {
    let folder = tempdir().unwrap();
    assert_eq!(run_in(folder.path(), "migrate").code, Some(0));
    assert_eq!(run_in(folder.path(), "backup b.db").code, Some(0));
    folder
}

#[tokio::test]
async fn restore_puts_a_backup_in_place_and_keeps_the_old_database() {
    let folder = killed().await;
    let folder = folder.path();
    let backup = fs::read(folder.join("b.db")).unwrap();
    let restored = run_in(folder, "restore b.db");
    assert_eq!((restored.code, restored.err.as_str()), (Some(0), ""));
    assert_eq!(restored.out, "stock.db: restored from b.db\nthe old database is stock.db.old-1\n");
    // The log of the killed server is part of the old database, which is one file now.
    assert_eq!(names(folder), ["b.db", "stock.db", "stock.db.old-1"]);
    assert_eq!([puzzles(folder, "stock.db"), puzzles(folder, "stock.db.old-1")], [7, 10]);
    is_sound(folder, "stock.db");
    is_sound(folder, "stock.db.old-1");
    assert_eq!(fs::read(folder.join("b.db")).unwrap(), backup);
    // No old database takes the place of another.
    let again = run_in(folder, "restore stock.db.old-1");
    assert_eq!(again.out, "stock.db: restored from stock.db.old-1\nthe old database is stock.db.old-2\n");
    assert_eq!([puzzles(folder, "stock.db"), puzzles(folder, "stock.db.old-2")], [10, 7]);
}

#[tokio::test]
async fn restore_refuses_while_a_process_has_the_database_open() {
    let (server, _) = stocked().await;
    let folder = server.folder.path().to_owned();
    assert_eq!(run_in(&folder, "backup b.db").code, Some(0));
    let before = names(&folder);
    let refused = run_in(&folder, "restore b.db");
    assert_eq!(refused.code, Some(1));
    let end = "stock.db: another process has the database open; end that process and run the command again\n";
    assert!(refused.err.starts_with("error: ") && refused.err.ends_with(end), "{}", refused.err);
    assert_eq!(names(&folder), before);
    // The server has lost nothing, and writes on.
    made_by_job(server.channel().await, request(2)).await;
    server.kill();
    assert_eq!(run_in(&folder, "restore b.db").code, Some(0));
    assert_eq!([puzzles(&folder, "stock.db"), puzzles(&folder, "stock.db.old-1")], [7, 9]);
}

#[tokio::test]
async fn a_backup_copied_over_a_database_is_explained_and_restore_repairs_it() {
    let folder = killed().await;
    let folder = folder.path();
    let log = fs::read(folder.join("stock.db-wal")).unwrap();
    fs::copy(folder.join("b.db"), folder.join("stock.db")).unwrap();
    is_explained(&run_in(folder, "check"));
    let restored = run_in(folder, "restore b.db");
    assert_eq!((restored.code, restored.err.as_str()), (Some(0), ""));
    is_sound(folder, "stock.db");
    assert_eq!(puzzles(folder, "stock.db"), 7);
    // The log was not applied to the file that it does not belong to.
    assert!(fs::read(folder.join("stock.db.old-1-wal")).unwrap() == log);
    assert!(fs::read(folder.join("stock.db.old-1")).unwrap() == fs::read(folder.join("b.db")).unwrap());
}

#[track_caller]
fn is_explained(ran: &Ran) {
    let said = format!("{}{}", ran.out, ran.err);
    assert_eq!(ran.code, Some(1), "{said}");
    let (log, way) = ("stock.db-wal may belong to another file", "with `puzzled restore BACKUP`");
    assert!(said.contains(log) && said.contains(way), "{said}");
}

#[test]
fn every_command_that_opens_a_malformed_database_names_its_log() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    for command in [
        "serve --listen 127.0.0.1:0",
        "work",
        "check",
        "export",
        "rerate",
        "migrate",
        "backup c.db",
        "copy --from sqlite:stock.db --to postgres://puzzled@127.0.0.1:1/puzzled",
    ] {
        // SQLite removes such a log.
        for name in ["stock.db", "stock.db-wal"] {
            fs::write(folder.join(name), "no database, but long enough to be taken for one. ".repeat(99)).unwrap();
        }
        is_explained(&run_in(folder, command));
    }
    assert!(!folder.join("c.db").exists());
    // Without one there is nothing to explain.
    let _ = fs::remove_file(folder.join("stock.db-wal"));
    let alone = run_in(folder, "check");
    assert!(alone.code == Some(1) && !alone.err.contains("-wal"), "{}", alone.err);
}

#[test]
fn restore_without_a_database_puts_the_backup_in_place() {
    let folder = closed();
    let folder = folder.path();
    let restored = run_in(folder, "restore b.db --database sqlite:new.db");
    assert_eq!((restored.code, restored.out.as_str()), (Some(0), "new.db: restored from b.db\n"), "{}", restored.err);
    is_sound(folder, "new.db");
    // A log without its file is not left to the new one.
    fs::write(folder.join("other.db-wal"), "left over").unwrap();
    let restored = run_in(folder, "restore b.db --database sqlite:other.db");
    assert_eq!(restored.code, Some(0), "{}", restored.err);
    is_sound(folder, "other.db");
    assert_eq!(fs::read(folder.join("other.db.old-1-wal")).unwrap(), b"left over");
}

#[test]
fn restore_replaces_what_a_killed_one_left_and_a_database_that_is_none() {
    let folder = closed();
    let folder = folder.path();
    for left in ["stock.db.restoring", "stock.db.restoring-journal", "stock.db.restore-lock", "stock.db"] {
        fs::write(folder.join(left), "no database, but long enough to be taken for one. ".repeat(99)).unwrap();
    }
    let restored = run_in(folder, "restore b.db");
    assert_eq!(restored.code, Some(0), "{}", restored.err);
    assert_eq!(names(folder), ["b.db", "stock.db", "stock.db.old-1"]);
    is_sound(folder, "stock.db");
}

#[tokio::test]
async fn a_backup_that_cannot_be_restored_is_refused_and_nothing_touched() {
    let folder = closed();
    let folder = folder.path();
    fs::write(folder.join("text.db"), "not a database, but long enough to have a header".repeat(99)).unwrap();
    fs::write(folder.join("empty.db"), "").unwrap();
    fs::create_dir(folder.join("folder.db")).unwrap();
    for copy in ["build.db", "damaged.db"] {
        fs::copy(folder.join("b.db"), folder.join(copy)).unwrap();
    }
    tamper(&folder.join("build.db"), "update _sqlx_migrations set checksum = x'00' where version = 1").await;
    damage(&folder.join("damaged.db"));
    let foreign = SqliteConnectOptions::new().filename(folder.join("foreign.db")).create_if_missing(true);
    let mut db = SqliteConnection::connect_with(&foreign).await.unwrap();
    sqlx::raw_sql("create table jobs (title text)").execute(&mut db).await.unwrap();
    db.close().await.unwrap();
    let before = files(folder);
    let not_ours =
        |name: &str| format!("{name}: not a puzzled database of this version; name a backup that this version wrote");
    let [empty, foreign] = ["empty.db", "foreign.db"].map(not_ours);
    for (backup, expected) in [
        ("nothing.db", "nothing.db: the file does not exist; check its name"),
        ("folder.db", "folder.db: not a file; name a backup that `puzzled backup` wrote"),
        ("stock.db", "stock.db: this is the database itself; name a backup of it"),
        ("text.db", "text.db: not a sound database: "),
        ("damaged.db", "damaged.db: not a sound database: "),
        ("empty.db", empty.as_str()),
        ("foreign.db", foreign.as_str()),
        ("build.db", "build.db: another build of puzzled made the database build.db; "),
    ] {
        let refused = run_in(folder, &format!("restore {backup}"));
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{backup}");
        assert!(refused.err.starts_with(&format!("error: {expected}")), "{backup}: {}", refused.err);
        assert!(files(folder) == before, "{backup}: {:?}", names(folder));
    }
    let on_server = run_in(folder, "restore b.db --database postgres://puzzled:secret@db/stock");
    assert_eq!(on_server.code, Some(1));
    assert_eq!(on_server.err, "error: postgres://puzzled@db:5432/stock is not a file; use pg_restore\n");
}

/// Overwrites a page in the middle of a file.
fn damage(file: &Path) {
    let mut file = OpenOptions::new().write(true).open(file).unwrap();
    file.seek(SeekFrom::Start(5 * 4_096)).unwrap();
    file.write_all(&[0xa5; 4_096]).unwrap();
}

#[test]
fn check_leaves_no_file_next_to_a_closed_database() {
    let folder = closed();
    let folder = folder.path();
    // As a copy of a served file is: in the mode that keeps a log.
    fs::copy(folder.join("stock.db"), folder.join("c.db")).unwrap();
    let before = files(folder);
    for command in ["check --database sqlite:c.db", "check --database sqlite:b.db", "backup d.db"] {
        assert_eq!(run_in(folder, command).code, Some(0), "{command}");
        let mut after = files(folder);
        after.remove("d.db");
        assert!(after == before, "{command}: {:?}", names(folder));
    }
    let failed = run_in(folder, "check --database sqlite:b.db --threads 0");
    assert_eq!((failed.code, names(folder).len()), (Some(1), before.len() + 1));
}
