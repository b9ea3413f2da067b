//! `puzzled doctor`: each test provokes a finding, and checks its severity, its remedy, and the exit code.

use std::{
    fmt::Write as _,
    os::unix::{fs::PermissionsExt as _, process::CommandExt as _},
    process::Command,
};

use jiff::{Timestamp, tz::TimeZone};
use puzzled::access::token;
use puzzled_base::clock::SystemClock;
use puzzled_store::sqlite::{SqliteSettings, schema::migrate_to};
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rustix::process::geteuid;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _};

use crate::{
    databases::{incompatible_schema::INCOMPATIBLE, next_schema::on_sqlite, postgres::Database},
    prelude::*,
};

/// The user that owns nothing.
const NOBODY: u32 = 65_534;

/// A folder with a migrated database.
fn migrated() -> TempDir {
    let folder = tempdir().unwrap();
    assert_eq!(run_in(folder.path(), "migrate").code, Some(0));
    folder
}

/// Asserts that a run has one finding that is not ok, and the exit code of its severity.
fn assert_found(ran: &Ran, severity: &str, check: &str, part: &str) {
    let found: Vec<_> = ran.out.lines().filter(|line| !line.starts_with("ok ")).collect();
    assert_eq!(found.len(), 1, "{}{}", ran.out, ran.err);
    let begin = format!("{severity:<7}  {check}: ");
    assert!(found[0].starts_with(&begin) && found[0].contains(part), "{begin}{part}\n{}", found[0]);
    let (code, err) = if severity == "error" { (1, "error: 1 findings\n") } else { (2, "") };
    assert_eq!((ran.code, ran.err.as_str()), (Some(code), err));
}

/// Asserts that a run found nothing, and returns its checks, of which the last depends on the database.
fn assert_sound<'a>(ran: &Ran, last: &'a str) -> [&'a str; 8] {
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let checks = ran.out.lines().map(|line| line.strip_prefix("ok       ").unwrap().split(": ").next().unwrap());
    let expected = ["settings", "certificate", "access", "open files", "database", "schema", "privileges", last];
    assert_eq!(checks.collect::<Vec<_>>(), expected);
    expected
}

#[test]
fn sound_server_has_no_findings() {
    let folder = migrated();
    let expected = assert_sound(&run_in(folder.path(), "doctor"), "disk");
    let as_json = run_in(folder.path(), "doctor --format json").out;
    let findings: Vec<Value> = as_json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(findings.iter().all(|finding| finding["severity"] == "ok" && finding["message"].is_string()), "{as_json}");
    assert!(findings.iter().map(|finding| &finding["check"]).eq(&expected));
    // It leaves no file behind.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn wrong_setting_is_the_only_finding_of_doctor() {
    let folder = migrated();
    fs::write(folder.path().join("puzzled.toml"), "workers = 2\nmax_conections = 5\n").unwrap();
    let file = run_in(folder.path(), "doctor --config puzzled.toml");
    assert_found(&file, "error", "settings", "puzzled.toml: line 2: max_conections: unknown field");
    fs::write(folder.path().join("puzzled.toml"), "workers = 2\n").unwrap();
    let unread = run_in(folder.path(), "doctor");
    assert_found(&unread, "warning", "settings", "puzzled.toml in this folder was not read; pass it with --config");
    let missing = run_in(folder.path(), "doctor --config other.toml");
    assert_found(&missing, "error", "settings", "other.toml: the file does not exist");
    let url = run_in(folder.path(), "doctor --database mysql://db");
    assert_found(&url, "error", "settings", "unknown kind of database");
    let variable = ran(puzzled("doctor").env("PUZZLED_WORKERS", "many").output().unwrap());
    assert_found(&variable, "error", "settings", "PUZZLED_WORKERS: \"many\" is not allowed");
}

#[test]
fn address_that_a_server_may_not_listen_on_is_found() {
    let folder = migrated();
    fs::write(folder.path().join("puzzled.toml"), "listen = '0.0.0.0:50051'\n").unwrap();
    let open = run_in(folder.path(), "doctor --config puzzled.toml");
    assert_found(&open, "error", "settings", "listen: 0.0.0.0:50051 is not a loopback address");
    fs::write(folder.path().join("puzzled.toml"), "listen = '0.0.0.0:50051'\ninsecure = true\n").unwrap();
    assert_eq!(run_in(folder.path(), "doctor --config puzzled.toml").code, Some(0));
}

/// Writes a certificate that ends in so many days, and its key.
fn write_certificate(folder: &Path, days: i64) {
    let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let end = SystemClock::shared().now().plus_ms(days * 24 * 3_600 * 1_000);
    let end = Timestamp::from_millisecond(end.0).unwrap().to_zoned(TimeZone::UTC).date();
    let part = |part: i8| u8::try_from(part).unwrap();
    params.not_after = date_time_ymd(end.year().into(), part(end.month()), part(end.day()));
    let key = KeyPair::generate().unwrap();
    fs::write(folder.join("server.pem"), params.self_signed(&key).unwrap().pem()).unwrap();
    fs::write(folder.join("server.key"), key.serialize_pem()).unwrap();
}

#[test]
fn certificate_that_ends_soon_or_cannot_be_used_is_found() {
    let folder = migrated();
    let settings = |text: &str| fs::write(folder.path().join("puzzled.toml"), text).unwrap();
    let doctor = || run_in(folder.path(), "doctor --config puzzled.toml");
    settings("tls_cert = 'server.pem'\ntls_key = 'server.key'\n");
    assert_found(&doctor(), "error", "certificate", "server.pem: the file does not exist");
    write_certificate(folder.path(), 100);
    let sound = doctor();
    assert_eq!(sound.code, Some(0), "{}", sound.out);
    write_certificate(folder.path(), 10);
    assert_found(&doctor(), "warning", "certificate", " days; renew it and replace its files");
    write_certificate(folder.path(), -10);
    assert_found(&doctor(), "error", "certificate", "the certificate expired at ");
    settings("tls_cert = 'server.pem'\n");
    assert_found(&doctor(), "error", "certificate", "tls_cert: needs tls_key");
}

/// An access file with the entries of three tokens, of which two expire.
fn write_access_file(folder: &Path, days: [i64; 2]) {
    let ends = days.map(|days| SystemClock::shared().now().plus_ms(days * 24 * 3_600 * 1_000 + 3_600_000));
    let mut text = "[[principal]]\nname = 'newsroom'\nrole = 'reader'\n".to_owned();
    for (id, end) in [("lasting", None), ("first", Some(ends[0])), ("second", Some(ends[1]))] {
        let digest = token::hex(&token::digest(id));
        writeln!(text, "[[token]]\nid = '{id}'\nsha256 = '{digest}'\nprincipal = 'newsroom'").unwrap();
        if let Some(end) = end {
            writeln!(text, "expires_at = {}", Timestamp::from_millisecond(end.0).unwrap()).unwrap();
        }
    }
    fs::write(folder.join("access.toml"), text).unwrap();
}

#[test]
fn access_file_that_cannot_be_used_or_whose_tokens_end_soon_is_found() {
    let folder = migrated();
    fs::write(folder.path().join("puzzled.toml"), "access = 'access.toml'\n").unwrap();
    let doctor = || run_in(folder.path(), "doctor --config puzzled.toml");
    assert_found(&doctor(), "error", "access", "access.toml: the file does not exist");
    write_access_file(folder.path(), [15, 100]);
    let sound = doctor();
    assert!(sound.code == Some(0) && sound.out.contains("access: principals 1, tokens 3\n"), "{}", sound.out);
    write_access_file(folder.path(), [100, 3]);
    let remedy = "; make a new one with `puzzled token new`, and remove the old entry";
    let one = format!("the token \"second\" of \"newsroom\" expires in 3 days{remedy}");
    assert_found(&doctor(), "warning", "access", &one);
    write_access_file(folder.path(), [-1, 3]);
    let two = format!("the token \"first\" of \"newsroom\" has expired (and 1 more within 14 days){remedy}");
    assert_found(&doctor(), "warning", "access", &two);
    fs::write(folder.path().join("access.toml"), "[[principal]]\nname = 'newsroom'\nrole = 'boss'\n").unwrap();
    assert_found(&doctor(), "error", "access", "access.toml: line 3: role: unknown variant `boss`");
}

#[test]
fn limit_of_open_files_below_the_settings_is_found() {
    let folder = migrated();
    let mut command = Command::new("sh");
    let limited = format!("ulimit -n 256; exec '{}' doctor", env!("CARGO_BIN_EXE_puzzled"));
    command.args(["-c", &limited]).env_clear().env("PUZZLED_DATABASE_URL", "sqlite:stock.db");
    let few = ran(command.current_dir(folder.path()).output().unwrap());
    assert_found(&few, "warning", "open files", "the limit is 256; the settings need 1610; raise the hard limit");
}

#[test]
fn missing_or_malformed_file_is_found() {
    let folder = tempdir().unwrap();
    let missing = run_in(folder.path(), "doctor");
    assert_found(&missing, "warning", "database", "stock.db does not exist; if it should, check the name");
    assert!(missing.out.contains("privileges: the folder is writable\n"), "{}", missing.out);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::write(folder.path().join("stock.db"), "puzzles ".repeat(1_000)).unwrap();
    let malformed = run_in(folder.path(), "doctor");
    assert_found(&malformed, "error", "database", "file is not a database");
    let lost = run_in(folder.path(), "doctor --database sqlite:none/stock.db");
    let lines: Vec<_> = lost.out.lines().filter(|line| line.starts_with("error ")).collect();
    assert!(lines.iter().any(|line| line.starts_with("error    disk: none: No such file")), "{}", lost.out);
}

#[tokio::test]
async fn schema_of_another_version_is_found() {
    let folder = migrated();
    let stock = folder.path().join("stock.db");
    tamper(&stock, "update _sqlx_migrations set checksum = x'00' where version = 1").await;
    let other = run_in(folder.path(), "doctor");
    assert_found(&other, "error", "schema", "another build of puzzled made the database stock.db");
    tamper(&stock, "delete from _sqlx_migrations").await;
    let outdated = run_in(folder.path(), "doctor");
    assert_found(&outdated, "warning", "schema", "migration 1 is missing; run `puzzled migrate`, or start `serve`");
    let folder = tempdir().unwrap();
    let newer = on_sqlite(&[INCOMPATIBLE]);
    migrate_to(&newer, &SqliteSettings::of(folder.path().join("stock.db"))).await.unwrap();
    assert_found(&run_in(folder.path(), "doctor"), "error", "schema", "use the newer binary or restore a backup");
}

#[test]
fn file_that_is_not_writable_is_found() {
    let folder = migrated();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(&folder.path().join("stock.db"), 0o444);
    mode(folder.path(), 0o777);
    // The superuser may write everything, and others may not be able to enter the folder of the binary.
    let binary = folder.path().join("puzzled");
    // By another process: a child that another test starts meanwhile would hold our open copy, and nobody could run it.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_puzzled")).arg(&binary).status().unwrap();
    assert!(copied.success());
    let run = |arg: &str| {
        let mut command = Command::new(&binary);
        command.arg(arg).env_clear().env("PUZZLED_DATABASE_URL", "sqlite:stock.db").current_dir(folder.path());
        if geteuid().is_root() {
            command.uid(NOBODY);
        }
        ran(command.output().unwrap())
    };
    let words = "stock.db is not writable: it belongs to user ";
    assert_found(&run("doctor"), "error", "privileges", words);
    mode(&folder.path().join("stock.db"), 0o000);
    let refused = run("check");
    assert!(refused.code == Some(1) && refused.err.contains(words), "{}", refused.err);
}

#[test]
fn disk_without_room_for_a_backup_is_found() {
    let folder = migrated();
    let disk = rustix::fs::statvfs(folder.path()).unwrap();
    // The file grows beyond the free space without using any.
    let stock = fs::OpenOptions::new().write(true).open(folder.path().join("stock.db")).unwrap();
    stock.set_len(2 * disk.f_bavail * disk.f_frsize).unwrap();
    assert_found(&run_in(folder.path(), "doctor"), "warning", "disk", "free space: a backup or a restore needs");
}

#[test]
fn log_that_a_long_reader_keeps_is_found() {
    let folder = migrated();
    // The file grows without using any space.
    fs::File::create(folder.path().join("stock.db-wal")).unwrap().set_len(65 << 20).unwrap();
    let words = "the log stock.db-wal has 65 MiB; end the program that reads it for so long";
    assert_found(&run_in(folder.path(), "doctor"), "warning", "disk", words);
}

/// Runs a statement on a database.
async fn execute(database: &Database, statement: String) {
    let mut db = database.settings().url.options().connect().await.unwrap();
    db.execute(AssertSqlSafe(statement)).await.unwrap();
}

/// A migrated database on PostgreSQL.
fn migrated_database() -> Database {
    let database = Database::new();
    assert_eq!(run(&format!("migrate --database {}", database.url())).code, Some(0));
    database
}

/// The URL of a database with a server option.
fn with_option(database: &Database, name: &str, value: &str) -> String {
    let url = database.url();
    let join = if url.contains('?') { '&' } else { '?' };
    format!("{url}{join}options[{name}]={value}")
}

fn examined(url: &str) -> Ran {
    run(&format!("doctor --database {url}"))
}

#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn doctor_distinguishes_sound_and_unreachable_postgres() {
    let database = migrated_database();
    assert_sound(&examined(&database.url()), "clock");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let unreachable = examined(&format!("postgres://puzzled:secret@{free}/puzzled"));
    assert_found(&unreachable, "error", "database", "the database is unavailable: ");
    assert!(!unreachable.out.contains("secret"), "{}", unreachable.out);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn missing_privileges_on_postgres_are_found() {
    let database = migrated_database();
    let role = format!("puzzled_doctor_{}", std::process::id());
    let grants = format!(
        "create role {role};
         grant all on all tables in schema public to {role};
         revoke update, delete on jobs from {role};
         revoke create on schema public from public;"
    );
    execute(&database, grants).await;
    let url = with_option(&database, "role", &role);
    let reader = examined(&url);
    assert_found(&reader, "error", "privileges", &format!("{role} lacks UPDATE on jobs, DELETE on jobs; grant them"));
    execute(&database, format!("grant all on jobs to {role}")).await;
    let lacks = format!("{role} lacks CREATE on the schema; grant it, or run `puzzled migrate`");
    assert_found(&examined(&url), "warning", "privileges", &lacks);
    execute(&database, format!("drop owned by {role}; drop role {role}")).await;
}

/// A function in the schema `public` replaces the one of the server if the search path names `public` first.
#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn wrong_clock_and_standby_on_postgres_are_found() {
    let database = migrated_database();
    let url = with_option(&database, "search_path", "public,pg_catalog");
    let clock = |by: &str| {
        format!(
            "create or replace function public.clock_timestamp() returns timestamptz language sql
             as $$ select pg_catalog.clock_timestamp() {by} interval '1 minute' $$"
        )
    };
    execute(&database, clock("+")).await;
    assert_found(&examined(&url), "warning", "clock", " s behind the clock of PostgreSQL; synchronize both");
    execute(&database, clock("-")).await;
    assert_found(&examined(&url), "warning", "clock", " s ahead of the clock of PostgreSQL; synchronize both");
    let standby = "create function public.pg_is_in_recovery() returns bool language sql as 'select true'";
    execute(&database, standby.to_owned()).await;
    assert_found(&examined(&url), "error", "database", "a standby, which is read-only; name the primary server");
}
