//! Checks of a database: it opens, this version can use its schema, its user has the privileges that a server needs,
//! and the clock of a PostgreSQL server agrees with that of this machine.

use std::{fs, path::Path};

use super::Finding;
use puzzled_base::{
    clock::{Millis, SystemClock},
    message::of_file,
};
use puzzled_store::{
    Store as _, StoreError,
    check_store::CheckStore as _,
    postgres::{
        PostgresSettings, PostgresStore, PostgresUrl,
        survey::{Survey, survey},
    },
    sqlite::{SqliteSettings, SqliteStore},
};

const DATABASE: &str = "database";
const SCHEMA: &str = "schema";
const PRIVILEGES: &str = "privileges";
const CLOCK: &str = "clock";

/// The maximum difference between the clocks, in milliseconds.
const SKEW_MAX_MS: i64 = 2_000;

/// Checks an SQLite file.
pub(super) async fn file(path: &Path) -> Vec<Finding> {
    let settings = SqliteSettings::of(path);
    if let Err(moved) = settings.must_not_be_moved() {
        return vec![Finding::error(DATABASE, moved.to_string())];
    }
    if let Err(error) = fs::metadata(path) {
        let is_new = error.kind() == std::io::ErrorKind::NotFound;
        if !is_new {
            return vec![Finding::error(DATABASE, format!("{}: {}", path.display(), of_file(&error)))];
        }
        let remedy = "if it should, check the name; otherwise `puzzled serve` creates it";
        let missing = Finding::warning(DATABASE, format!("{} does not exist; {remedy}", path.display()));
        return vec![missing, writable(&settings, "the folder is writable")];
    }
    let mut findings = match SqliteStore::open_to_read(&settings, SystemClock::shared()).await {
        Ok(store) => {
            let is_here = store.ping().await;
            store.close_read().await;
            usable(is_here)
        }
        Err(error) => usable(Err(error)),
    };
    // SQLite keeps the log of a file next to the file.
    findings.push(writable(&settings, "the file and its folder are writable"));
    findings
}

/// Checks whether this process may write the file and its folder. If so, the finding has the text `ok`.
fn writable(settings: &SqliteSettings, ok: &str) -> Finding {
    match settings.obstacle() {
        Some(obstacle) => Finding::error(PRIVILEGES, obstacle),
        None => Finding::ok(PRIVILEGES, ok),
    }
}

/// Checks a database on a PostgreSQL server.
pub(super) async fn on_server(url: &PostgresUrl) -> Vec<Finding> {
    let settings = PostgresSettings { connections: 2, ..PostgresSettings::of(url.clone()) };
    let clock = SystemClock::shared();
    let before = clock.now();
    let surveyed = survey(&settings).await;
    let after = clock.now();
    let survey = match surveyed {
        Ok(survey) => survey,
        Err(error) => return vec![Finding::error(DATABASE, format!("{url}: {error}"))],
    };
    if survey.is_standby {
        let remedy = "name the primary server in the URL";
        return vec![Finding::error(DATABASE, format!("{url}: a standby, which is read-only; {remedy}"))];
    }
    if survey.is_read_only {
        let remedy = "set default_transaction_read_only to off for this database and user";
        return vec![Finding::error(DATABASE, format!("{url}: read-only by default; {remedy}"))];
    }
    let mut findings = match PostgresStore::open_to_read(settings).await {
        Ok(store) => {
            let is_here = store.ping().await;
            store.close().await;
            usable(is_here)
        }
        Err(error) => usable(Err(error)),
    };
    findings.push(of_user(&survey));
    findings.push(skew(survey.now, before, after));
    findings
}

/// The findings about a database that was opened or could not be opened.
fn usable(opened: Result<(), StoreError>) -> Vec<Finding> {
    match opened {
        Ok(()) => vec![Finding::ok(DATABASE, "opened"), Finding::ok(SCHEMA, "this version can use it")],
        Err(error @ StoreError::Outdated(_)) => vec![
            Finding::ok(DATABASE, "opened"),
            Finding::warning(SCHEMA, format!("{error}, or start `serve`, which does the same")),
        ],
        Err(
            error @ (StoreError::OtherBuild(_)
            | StoreError::TooNew { .. }
            | StoreError::Migration(_)
            | StoreError::Foreign(_)),
        ) => {
            vec![Finding::ok(DATABASE, "opened"), Finding::error(SCHEMA, error.to_string())]
        }
        Err(error) => vec![Finding::error(DATABASE, error.to_string())],
    }
}

/// Checks whether the user of the database may do what a server does.
fn of_user(survey: &Survey) -> Finding {
    if !survey.missing.is_empty() {
        let missing = survey.missing.join(", ");
        let remedy = format!("grant them to {}, or use the owner of the tables", survey.user);
        return Finding::error(PRIVILEGES, format!("{} lacks {missing}; {remedy}", survey.user));
    }
    if !survey.can_create {
        let remedy = "grant it, or run `puzzled migrate` as the owner";
        return Finding::warning(PRIVILEGES, format!("{} lacks CREATE on the schema; {remedy}", survey.user));
    }
    Finding::ok(PRIVILEGES, format!("{} has those that a server needs", survey.user))
}

/// Compares the server's time with this machine's time before and after it was read.
fn skew(server: Millis, before: Millis, after: Millis) -> Finding {
    let (behind_ms, ahead_ms) = (server.ms_since(after), before.ms_since(server));
    let apart_ms = behind_ms.max(ahead_ms).max(0);
    if apart_ms <= SKEW_MAX_MS {
        return Finding::ok(CLOCK, "within 2 s of the clock of PostgreSQL");
    }
    let side = if behind_ms > 0 { "behind" } else { "ahead of" };
    let remedy = "synchronize both machines by NTP";
    Finding::warning(CLOCK, format!("{} s {side} the clock of PostgreSQL; {remedy}", apart_ms / 1_000))
}
