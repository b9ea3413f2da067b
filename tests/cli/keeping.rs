//! `puzzled export`, `backup`, and `check` while a server uses the database. Also databases that are corrupt, missing,
//! or incompatible.

use std::collections::BTreeSet;

use puzzled_api::v1::{GetPuzzleRequest, WithdrawPuzzleRequest};
use sqlx::AssertSqlSafe;

use crate::prelude::*;

/// Runs a command on `stock.db` in a folder.
pub(crate) fn run_in(folder: &Path, args: &str) -> Ran {
    ran(puzzled(args).env("PUZZLED_DATABASE_URL", "sqlite:stock.db").current_dir(folder).output().unwrap())
}

/// A server with eight puzzles, and the seven texts in circulation. An audience has had four puzzles, and one is withdrawn.
pub(crate) async fn stocked() -> (Server, Vec<String>) {
    let server = Server::start("--workers 1");
    let channel = server.channel().await;
    let mut texts = made_by_job(channel.clone(), request(8)).await;
    let withdrawn = deliver_and_withdraw(channel).await;
    texts.retain(|text| *text != withdrawn);
    assert_eq!(texts.len(), 7);
    (server, texts)
}

async fn deliver_and_withdraw(channel: Channel) -> String {
    let mut puzzles = PuzzleServiceClient::new(channel);
    let wanted = GetPuzzleRequest { kind: Kind::Sudoku.into(), audience: "anna".to_owned(), ..Default::default() };
    let mut last = None;
    for _ in 0..4 {
        last = puzzles.get_puzzle(wanted.clone()).await.unwrap().into_inner().puzzle;
    }
    let last = last.unwrap();
    let withdrawal = WithdrawPuzzleRequest { id: last.id, reason: "a misprint".to_owned(), ..Default::default() };
    puzzles.withdraw_puzzle(withdrawal).await.unwrap();
    last.text
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    items.into_iter().collect::<BTreeSet<_>>().into_iter().collect()
}

#[tokio::test]
async fn export_prints_the_stock_as_text_or_json() {
    let (server, texts) = stocked().await;
    let folder = server.folder.path();
    let shown = run_in(folder, "export");
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""));
    assert_eq!(shown.out.lines().count(), 7);
    assert_eq!(sorted(shown.out.lines().map(str::to_owned)), sorted(texts));
    let json = run_in(folder, "export --format json").out;
    let objects: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(objects.iter().map(|object| object["text"].as_str().unwrap()).eq(shown.out.lines()));
    let mut by_level = 0;
    for level in ["easy", "medium", "hard", "expert", "evil"] {
        let lines = run_in(folder, &format!("export --level {level}")).out;
        let name = format!("LEVEL_{}", level.to_ascii_uppercase());
        let expected = objects.iter().filter(|object| object["level"] == name);
        assert!(lines.lines().eq(expected.map(|object| object["text"].as_str().unwrap())), "{level}");
        by_level += lines.lines().count();
    }
    assert_eq!(by_level, 7);
    for object in &objects {
        assert!(object["id"].as_str().unwrap().starts_with("puzzle-"), "{object}");
        assert_eq!((object["solution"].as_str().unwrap().len(), object["seed"].as_str()), (81, Some("7")));
        assert_eq!(object["record"]["sudoku"]["er"].as_f64(), object["rating"].as_f64());
        let time = object["createTime"].as_str().unwrap();
        assert!(time.starts_with("20") && time.ends_with('Z'), "{time}");
    }
    assert_eq!(run_in(folder, "export --variant 4x4 --symmetry full").out, "");
    assert_eq!(run_in(folder, "export --job job-1").out, shown.out);
    assert_eq!(run_in(folder, "export --job job-2").out, "");
    let wrong = run_in(folder, "export --job 1");
    assert!(wrong.code == Some(1) && wrong.err.contains("not the ID of a job; use one such as job-3"), "{}", wrong.err);
    let reversed = run_in(folder, "export --min-rating 3.0 --max-rating 2.6");
    assert_eq!(reversed.err, "error: --min-rating: 3.0 is above 2.6, the highest rating\n");
}

#[tokio::test]
async fn backup_of_a_live_database_is_complete_and_overwrites_nothing() {
    let (server, _) = stocked().await;
    let folder = server.folder.path();
    let shown = run_in(folder, "backup copy.db");
    assert_eq!((shown.code, shown.out.as_str(), shown.err.as_str()), (Some(0), "copy.db: written\n", ""));
    let copy = fs::read(folder.join("copy.db")).unwrap();
    let again = run_in(folder, "backup copy.db");
    assert_eq!(
        (again.code, again.err.as_str()),
        (Some(1), "error: copy.db: the file exists; delete it or choose another name\n")
    );
    assert_eq!(fs::read(folder.join("copy.db")).unwrap(), copy);
    let of_copy = |command: &str| run_in(folder, &format!("{command} --database sqlite:copy.db"));
    assert_eq!(of_copy("export --format json").out, run_in(folder, "export --format json").out);
    let checked = of_copy("check");
    assert_eq!((checked.code, checked.out.as_str()), (Some(0), ""), "{}", checked.err);
    // A partial file of a killed backup is kept, and the error names it.
    fs::write(folder.join("next.db.partial"), "half").unwrap();
    let held_up = run_in(folder, "backup next.db");
    assert_eq!(held_up.err, "error: next.db.partial: the file exists; if no other backup is running, delete it\n");
    let names: BTreeSet<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(
        !names.contains("copy.db.partial".as_ref() as &std::ffi::OsStr)
            && !names.contains("next.db".as_ref() as &std::ffi::OsStr)
    );
    // The copy can be served.
    assert_eq!(of_copy("migrate").out, "copy.db: nothing to do, the schema is this version's\n");
}

#[tokio::test]
async fn check_finds_each_fault_of_a_corrupt_database_and_no_other() {
    let (server, _) = stocked().await;
    let folder = server.folder.path();
    let sound = run_in(folder, "check --threads 2");
    assert_eq!((sound.code, sound.out.as_str()), (Some(0), ""), "{}", sound.err);
    assert!(
        sound.err.starts_with("8 puzzles on ") && sound.err.ends_with(" shelves checked, 0 findings\n"),
        "{}",
        sound.err
    );
    let counts = run_in(folder, "check --json").out;
    assert!(counts.starts_with("{\"puzzles\":\"8\",") && counts.ends_with(",\"findings\":\"0\"}\n"), "{counts}");
    assert_eq!(run_in(folder, "backup copy.db").code, Some(0));
    let cases = [
        ("update puzzles set solution = text where id = 1", "puzzle-1: its solution is "),
        ("update puzzles set text = replace(text, '.', '0') where id = 2", "puzzle-2: "),
        ("update puzzles set text = replace(text, '5', '.') where id = 3", " has several solutions, such as "),
        ("update puzzles set text = '55' || substr(text, 3) where id = 3", "puzzle-3: "),
        (
            "update puzzles set text = 'w' where id = 4",
            "puzzle-4: row 1, column 1: 'w' is not allowed; use 1 to 9 for a given, and . or 0 for an empty cell",
        ),
        ("update puzzles set canonical = canonical || '1' where id = 5", "puzzle-5: its canonical form is "),
        (
            "update puzzles set record = '[' where id = 6",
            "puzzle-6: puzzles.record of row 6 is corrupt; run `puzzled check`, then restore a backup",
        ),
        ("update shelves set rating = rating + 100 where id = 1", ": it stands on a shelf of "),
        ("update shelves set positions = positions + 1 where id = 1", "shelf 1: "),
        ("update puzzles set position = 99 where id = 7", "a puzzle stands at 99"),
        ("update shelves set empty = 0", " and 0 of them empty, but "),
        ("update cursors set taken = 1000", ": the cursor stands at 1000 of "),
        ("insert into swaps values (1, 1, 1000, 0)", ": draw index 1000 holds position 0"),
        ("update deliveries set repeat_hash = x'00' where id = 1", "delivery 1: another repeat hash than puzzle-"),
        (
            "update puzzles set repeat_hash = (select repeat_hash from puzzles where id = 8)",
            ": both are in circulation, and have the same repeat hash",
        ),
        (
            "pragma foreign_keys = off; update puzzles set job_id = 77 where id = 1",
            "puzzles 1: refers to a missing row of jobs",
        ),
    ];
    for (statement, expected) in cases {
        let broken = tempdir().unwrap();
        fs::copy(folder.join("copy.db"), broken.path().join("stock.db")).unwrap();
        tamper(&broken.path().join("stock.db"), statement).await;
        let shown = run_in(broken.path(), "check");
        assert_eq!(shown.code, Some(1), "{statement}: {}{}", shown.out, shown.err);
        assert!(shown.out.lines().any(|line| line.contains(expected)), "{statement}: {}{}", shown.out, shown.err);
        let last = shown.err.lines().last().unwrap();
        assert_eq!(last, format!("error: {} findings", shown.out.lines().count()), "{statement}");
        let as_json = run_in(broken.path(), "check --json").out;
        let findings = as_json.lines().filter(|line| line.starts_with("{\"finding\":\"")).count();
        assert_eq!((findings, findings + 1), (shown.out.lines().count(), as_json.lines().count()), "{as_json}");
    }
}

/// Changes a database directly, without its server.
pub(crate) async fn tamper(file: &Path, statement: &'static str) {
    let mut db = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut db).await.unwrap();
    db.close().await.unwrap();
}

/// Old rows of each table that is pruned by age alone.
const OLD_ROWS: &str = "
    insert into processes (name, host, pid, role, version, workers, started_at, seen_at)
    values ('aaaa0001', 'a host', 7, 'serve', '0.1.0', 1, 0, 0);
    insert into audit (principal, address, method, call_id, created_at)
    values ('ann', '127.0.0.1:7', 'PauseQueue', 'c', (unixepoch() - 2 * 86400) * 1000)";

#[tokio::test]
async fn process_of_workers_prunes_by_its_settings() {
    let folder = Arc::new(tempdir().unwrap());
    assert_eq!(run_in(folder.path(), "migrate").code, Some(0));
    tamper(&folder.path().join("stock.db"), OLD_ROWS).await;
    let workers = Server::work_in(folder, "--workers 1 --retention-audit-days 1");
    let line = workers.line_with("rows pruned");
    assert!(line.contains("processes=1") && line.contains("audit_entries=1"), "{line}");
    workers.end();
}

#[tokio::test]
async fn missing_or_incompatible_database_is_refused_and_unchanged() {
    let folder = tempdir().unwrap();
    for command in ["export", "check", "backup copy.db", "rerate"] {
        let shown = run_in(folder.path(), command);
        assert_eq!(shown.code, Some(1));
        assert!(shown.err.starts_with("error: stock.db: the file does not exist; check its name"), "{}", shown.err);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    assert_eq!(run_in(folder.path(), "migrate").code, Some(0));
    let stock = folder.path().join("stock.db");
    tamper(
        &stock,
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         values (9999, 'from the future', true, x'00', 1)",
    )
    .await;
    let shown = run_in(folder.path(), "check");
    assert!(shown.err.starts_with("error: the migrations failed: migration 9999 "), "{}", shown.err);
    tamper(&stock, "update _sqlx_migrations set checksum = x'00' where version = 1").await;
    let shown = run_in(folder.path(), "check");
    assert!(shown.err.starts_with("error: another build of puzzled made the database stock.db; "), "{}", shown.err);
    tamper(&stock, "delete from _sqlx_migrations").await;
    let shown = run_in(folder.path(), "check");
    assert_eq!(shown.err, "error: schema: migration 1 is missing; run `puzzled migrate`\n");
}
