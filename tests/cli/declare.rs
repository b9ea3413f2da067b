//! Stock targets in configuration files: what a start changes, logs, and refuses.

use crate::prelude::*;

const EASY: &str = "[[target]]\nlevel = 'easy'\ntarget = 5\n";
const HARD: &str = "[[target]]\nlevel = 'hard'\ntarget = 5\n";
const MORE: &str = "[[target]]\nlevel = 'hard'\ntarget = 6\n";

/// Writes a configuration, and returns the arguments of a server with it.
fn configured(folder: &TempDir, name: &str, targets: &str) -> String {
    let file = folder.path().join(format!("{name}.toml"));
    fs::write(&file, format!("config_name = '{name}'\nworkers = 0\n{targets}")).unwrap();
    format!("--config {}", file.display())
}

/// The log lines about stock targets of a server that starts with these targets and ends.
fn lines(folder: &Arc<TempDir>, name: &str, targets: &str) -> Vec<String> {
    let args = configured(folder, name, targets);
    let server = Server::start_in(Arc::clone(folder), &format!("{args} --log-format json"));
    let log = server.log_of_the_start();
    server.end();
    let lines = log.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told = lines.filter(|line| line["message"].as_str().unwrap().starts_with("stock target "));
    told.map(|line| {
        assert_eq!((&line["level"], &line["configuration"]), (&"INFO".into(), &name.into()), "{line}");
        let [message, target, spec] = ["message", "stock_target", "spec"].map(|field| line[field].as_str().unwrap());
        format!("{message}: {target} {spec}")
    })
    .collect()
}

/// Runs a server that is expected not to start.
fn refused(folder: &TempDir, name: &str, targets: &str) -> Ran {
    let args = configured(folder, name, targets);
    let mut command = puzzled(&format!("serve --listen 127.0.0.1:0 --database sqlite:stock.db {args}"));
    ran(command.current_dir(folder.path()).output().unwrap())
}

#[test]
fn each_declared_target_that_changes_is_one_log_line() {
    let folder = Arc::new(tempdir().unwrap());
    let both = format!("{EASY}{HARD}");
    let added = [
        "stock target added: target-1 sudoku|9x9|rotation180|easy|32-38",
        "stock target added: target-2 sudoku|9x9|rotation180|hard|26-32",
    ];
    assert_eq!(lines(&folder, "day", &both), added);
    assert_eq!(lines(&folder, "day", &both), [""; 0]);
    let changed = [
        "stock target removed: target-1 sudoku|9x9|rotation180|easy|32-38",
        "stock target changed: target-2 sudoku|9x9|rotation180|hard|26-32",
    ];
    assert_eq!(lines(&folder, "day", MORE), changed);
    // Neither a configuration without targets nor one of another name removes what this one has declared.
    assert_eq!(lines(&folder, "day", ""), [""; 0]);
    assert_eq!(lines(&folder, "night", EASY), ["stock target added: target-3 sudoku|9x9|rotation180|easy|32-38"]);
    assert_eq!(lines(&folder, "day", MORE), [""; 0]);
}

/// The levels of Kakuro have the half turn since 0.3. The data of 0.2.0 has no such target, so the test writes that of a table
/// without a symmetry, as 0.2.0 did.
#[tokio::test]
async fn kakuro_target_of_0_2_gets_the_half_turn_once_no_older_process_runs() {
    const KAKURO: &str = "[[target]]\nkind = 'kakuro'\nvariant = '8x10'\nlevel = 'hard'\ntarget = 5\n";
    let folder = Arc::new(tempdir().unwrap());
    let stock = folder.path().join("stock.db");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/released/0.2.0/stock.db"), &stock).unwrap();
    let mut db = SqliteConnection::connect(&format!("sqlite:{}", stock.display())).await.unwrap();
    let rows = "insert into targets (spec, kind, variant, symmetry, level, target, priority, declared_by, created_at, updated_at)
                values ('kakuro|8x10|none|hard|any', 'kakuro', '8x10', 'none', 'hard', 5, -50, 'day', 1, 1);
                insert into processes (name, host, pid, role, version, workers, started_at, seen_at)
                values ('00000001', 'old', 7, 'serve', '0.1.0', 1, 1, unixepoch() * 1000)";
    sqlx::raw_sql(rows).execute(&mut db).await.unwrap();
    let kept = "stock target kept until older processes have stopped: target-3 kakuro|8x10|none|hard|any";
    assert_eq!(lines(&folder, "day", KAKURO), [kept]);
    // A running server notices that the process has stopped.
    let server = Server::start_in(Arc::clone(&folder), &configured(&folder, "day", KAKURO));
    server.address();
    sqlx::raw_sql("delete from processes where name = '00000001'").execute(&mut db).await.unwrap();
    let line = server.line_with("stock target changed");
    assert!(line.contains("target-3") && line.contains("kakuro|8x10|rotation180|hard|any"), "{line}");
    server.end();
    let target: (i64, String, i64) = sqlx::query_as("select id, symmetry, target from targets where kind = 'kakuro'")
        .fetch_one(&mut db)
        .await
        .unwrap();
    assert_eq!(target, (3, "rotation180".to_owned(), 5));
    assert_eq!(lines(&folder, "day", KAKURO), [""; 0]);
}

#[test]
fn spec_declared_twice_stops_the_start_and_names_both_places() {
    let folder = Arc::new(tempdir().unwrap());
    lines(&folder, "day", HARD);
    let shown = refused(&folder, "night", &format!("{EASY}{MORE}"));
    assert_eq!(shown.code, Some(1), "{}", shown.err);
    let error = "error: [[target]] 2 of the configuration `night` is for sudoku 9x9 hard symmetry rotation180 26–32 givens, which the configuration `day` has \
                 declared, too; delete one of the two tables; if the configuration `day` is no longer used, delete target-1";
    assert!(shown.err.contains(error), "{}", shown.err);
    // Nothing of it was written.
    assert_eq!(lines(&folder, "night", EASY), ["stock target added: target-2 sudoku|9x9|rotation180|easy|32-38"]);
}

#[test]
fn repeated_spec_in_a_file_stops_the_start() {
    let folder = tempdir().unwrap();
    let shown = refused(&folder, "day", &format!("{HARD}{EASY}{MORE}"));
    assert_eq!(shown.code, Some(1), "{}", shown.err);
    let error = "error: configuration file: [[target]] 1 and [[target]] 3 are both for sudoku 9x9 hard symmetry rotation180 26–32 givens; delete one of them\n";
    assert_eq!(shown.err, error);
    assert!(!folder.path().join("stock.db").exists());
}

#[test]
fn each_declared_series_that_changes_is_one_log_line() {
    const DAILY: &str = "[[series]]\nname = 'daily'\ntime_zone = 'Asia/Tokyo'\n";
    const WEEK: &str = "[[series]]\nname = 'daily'\n\
                        levels = ['easy', 'easy', 'medium', 'medium', 'hard', 'expert', 'evil']\n";
    const MINI: &str = "[[series]]\nname = 'mini'\nkind = 'kakuro'\nvariant = '6x6'\n";
    let folder = Arc::new(tempdir().unwrap());
    let lines = |tables: &str| {
        let args = configured(&folder, "day", tables);
        let server = Server::start_in(Arc::clone(&folder), &format!("{args} --log-format json"));
        let log = server.log_of_the_start();
        server.end();
        let lines = log.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let told = lines.filter(|line| line["message"].as_str().unwrap().starts_with("daily series "));
        told.map(|line| format!("{} {}", line["message"].as_str().unwrap(), line["series"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&format!("{DAILY}{MINI}")), ["daily series added daily", "daily series added mini"]);
    assert_eq!(lines(&format!("{DAILY}{MINI}")), [""; 0]);
    assert_eq!(lines(WEEK), ["daily series ended mini", "daily series changed daily"]);
    assert_eq!(lines(&format!("{WEEK}{MINI}")), ["daily series declared mini"]);
    let clash = refused(&folder, "day", "[[series]]\nname = 'mini'\nkind = 'sudoku'\n");
    let said = "[[series]] 1: the series `mini` is of kakuro 6x6 and cannot become one of sudoku 9x9; give the new one \
                another name";
    assert!(clash.err.contains(said), "{}", clash.err);
}
