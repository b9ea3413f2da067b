//! Commands on a database that cannot be used: damaged, a folder, or made by another build. Each says so in one sentence, ends with
//! exit code 1, and changes nothing.

use sqlx::AssertSqlSafe;

use crate::{files::names, prelude::*};

const BUILD: &str = "another build of puzzled made the database";
const DAMAGED: &str = "the file is damaged or not a database";
const FOLDER: &str = "not a file; name a ";
const UNSOUND: &str = "not a sound database";

/// Commands that open the database in this place, and that find every damage.
const COMMANDS: [&str; 9] = [
    "serve --listen 127.0.0.1:0",
    "work",
    "migrate",
    "check",
    "export",
    "rerate",
    "backup copy.db",
    "restore stock.db --database sqlite:other.db",
    "copy --from sqlite:stock.db --to postgres://puzzled@127.0.0.1:1/puzzled",
];

/// Asserts that a command fails with a sentence that has these words, and that `stock.db` stays the only file, as it is.
#[track_caller]
fn is_refused(folder: &Path, command: &str, words: &str) {
    let stock = folder.join("stock.db");
    let before = stock.is_file().then(|| fs::read(&stock).unwrap());
    let refused = run_in(folder, command);
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{command}: {}", refused.err);
    assert!(refused.err.starts_with("error: ") && refused.err.contains(words), "{command}: {}", refused.err);
    assert!(refused.err.contains("stock.db") && refused.err.lines().count() == 1, "{command}: {}", refused.err);
    assert_eq!(names(folder), ["stock.db"], "{command}");
    assert!(stock.is_file().then(|| fs::read(&stock).unwrap()) == before, "{command} changed the file");
}

#[tokio::test]
async fn database_of_another_program_is_refused_and_left_as_it_is() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    for (log, sql) in [("delete", "create table jobs (a)"), ("wal", "create table other (a)")] {
        let database = format!("sqlite:{}?mode=rwc", folder.join("stock.db").display());
        let mut db = SqliteConnection::connect(&database).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(format!("pragma journal_mode = {log}; {sql}"))).execute(&mut db).await.unwrap();
        db.close().await.unwrap();
        for command in ["serve --listen 127.0.0.1:0", "work", "migrate", "check", "export", "rerate", "backup copy.db"]
        {
            is_refused(folder, command, "the database of another program, which was left as it is");
        }
        let doctor = run_in(folder, "doctor");
        assert!(doctor.out.contains("the database of another program"), "{}", doctor.out);
        fs::remove_file(folder.join("stock.db")).unwrap();
    }
}

#[test]
fn missing_folder_is_named_by_each_command_and_by_doctor() {
    let folder = tempdir().unwrap();
    let words = "the folder sub does not exist; create it, or name another path with --database";
    for command in ["serve --listen 127.0.0.1:0", "work", "migrate", "doctor"] {
        let refused = run_in(folder.path(), &format!("{command} --database sqlite:sub/stock.db"));
        assert_eq!(refused.code, Some(1), "{command}");
        assert!([refused.out, refused.err].concat().contains(words), "{command}");
    }
    assert!(names(folder.path()).is_empty());
}

#[test]
fn damaged_file_is_refused_with_one_sentence_and_unchanged() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let stock = folder.join("stock.db");
    assert_eq!(run_in(folder, "migrate").code, Some(0));
    let sound = fs::read(&stock).unwrap();
    let half = sound[..sound.len() / 2].to_vec();
    let begin = sound[..50].to_vec();
    let other = |from: usize, to: usize| {
        let mut bytes = sound.clone();
        bytes[from..to].fill(0xa5);
        bytes
    };
    for (damage, bytes) in [
        ("the second half is missing", half),
        ("the header is cut", begin),
        ("another header", other(0, 100)),
        ("another first page", other(100, 4_096)),
        ("other pages", other(4_096, sound.len())),
    ] {
        fs::write(&stock, bytes).unwrap();
        for command in COMMANDS {
            let words = if command.starts_with("restore") { UNSOUND } else { DAMAGED };
            is_refused(folder, command, words);
        }
        assert_eq!(run_in(folder, "doctor").code, Some(1), "{damage}");
    }
}

#[test]
fn damage_that_no_start_notices_is_found_by_check_and_backup() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let stock = folder.join("stock.db");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/released/0.1.0/stock.db"), &stock).unwrap();
    assert_eq!(run_in(folder, "migrate").code, Some(0));
    let mut bytes = fs::read(&stock).unwrap();
    let middle = bytes.len() / 2 / 4_096 * 4_096;
    bytes[middle..middle + 4_096].fill(0xa5);
    fs::write(&stock, bytes).unwrap();
    let checked = run_in(folder, "check");
    assert_eq!(checked.code, Some(1), "{}{}", checked.out, checked.err);
    is_refused(folder, "backup copy.db", DAMAGED);
}

#[test]
fn folder_in_the_place_of_a_file_is_refused_with_one_sentence() {
    let folder = tempdir().unwrap();
    fs::create_dir(folder.path().join("stock.db")).unwrap();
    for command in COMMANDS {
        is_refused(folder.path(), command, FOLDER);
        assert!(names(&folder.path().join("stock.db")).is_empty(), "{command}");
    }
}

#[tokio::test]
async fn database_of_another_build_is_refused_with_one_sentence() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(run_in(folder, "migrate").code, Some(0));
    tamper(&folder.join("stock.db"), "update _sqlx_migrations set checksum = x'00' where version = 1").await;
    for command in COMMANDS {
        is_refused(folder, command, BUILD);
    }
}
