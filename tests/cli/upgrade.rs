//! Commands on a database with a newer schema: one that allows this binary, and one that does not.

use puzzled_store::sqlite::{SqliteSettings, schema::migrate_to};

use crate::{
    databases::{
        incompatible_schema::{INCOMPATIBLE, known, refused as refusal},
        next_schema::{COMPATIBLE, on_sqlite},
    },
    prelude::*,
};

async fn migrate(file: &Path, next: &'static str) {
    migrate_to(&on_sqlite(&[next]), &SqliteSettings::of(file)).await.unwrap();
}

async fn note(file: &Path) -> String {
    let mut db = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    let note = sqlx::query_scalar("select note from notes").fetch_one(&mut db).await.unwrap();
    db.close().await.unwrap();
    note
}

#[tokio::test]
async fn newer_schema_that_allows_this_version_is_used_by_every_command() {
    let (server, _) = stocked().await;
    let folder = server.folder.path().to_owned();
    let exported = run_in(&folder, "export --format json").out;
    // While the server works on it.
    migrate(&folder.join("stock.db"), COMPATIBLE).await;
    made_by_job(server.channel().await, request(2)).await;
    let checked = run_in(&folder, "check");
    assert_eq!((checked.code, checked.out.as_str()), (Some(0), ""), "{}", checked.err);
    assert!(run_in(&folder, "export --format json").out.starts_with(&exported));
    assert_eq!(run_in(&folder, "backup copy.db").out, "copy.db: written\n");
    assert_eq!(run_in(&folder, "rerate").code, Some(0));
    let (known, next) = (known(), known() + 1);
    let nothing =
        format!("stock.db: nothing to do, schema {next} is newer than this version's {known} and allows it\n");
    assert_eq!(run_in(&folder, "migrate").out, nothing);
    server.kill();
    let copied = run_in(&folder, "copy --from sqlite:stock.db --to postgres://puzzled@127.0.0.1:1/puzzled");
    assert_eq!(
        (copied.code, copied.err),
        (
            Some(1),
            format!(
                "error: sqlite:stock.db has schema {next}, and this puzzled knows {known}: a copy would leave out what is newer; use \
                 the newer binary\n"
            )
        )
    );
    let restored = run_in(&folder, "restore copy.db");
    assert_eq!(restored.code, Some(0), "{}", restored.err);
    // All of it is there, what this version does not know too.
    assert_eq!(note(&folder.join("stock.db")).await, "made by a newer binary");
    let server = Server::start_in(server.folder.clone(), "--workers 1");
    made_by_job(server.channel().await, request(2)).await;
}

#[tokio::test]
async fn incompatible_newer_schema_is_refused_with_one_sentence() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let stock = folder.join("stock.db");
    migrate(&stock, INCOMPATIBLE).await;
    let before = fs::read(&stock).unwrap();
    for (command, begins) in [
        ("serve --listen 127.0.0.1:0", "cannot open sqlite:stock.db: stock.db"),
        ("work", "cannot open sqlite:stock.db: stock.db"),
        ("migrate", "stock.db"),
        ("check", "stock.db"),
        ("export", "stock.db"),
        ("rerate", "stock.db"),
        ("backup copy.db", "stock.db"),
        ("restore stock.db --database sqlite:other.db", "stock.db"),
        ("copy --from sqlite:stock.db --to postgres://puzzled@127.0.0.1:1/puzzled", "stock.db"),
    ] {
        let refused = run_in(folder, command);
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{command}");
        assert_eq!(refused.err.lines().last(), Some(format!("error: {begins}{}", refusal()).as_str()), "{command}");
        assert!(fs::read(&stock).unwrap() == before, "{command} changed the file");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "{command} left a file");
    }
}

/// Makes the puzzles of one shelf those of a kind that only a newer version knows, and adds a stock target of this kind.
const LATER: &str = "
    update puzzles set canonical = 'later/' || canonical, engine_version = engine_version + 1 where shelf_id = 1;
    update shelves set kind = 'later' where id = 1;
    insert into targets (spec, kind, variant, symmetry, target, priority, created_at, updated_at)
    values ('later|9x9|none|any|any', 'later', '9x9', 'none', 50, 9, 0, 0)";

#[tokio::test]
async fn puzzles_and_targets_of_a_newer_version_are_left_alone() {
    let (server, _) = stocked().await;
    let (folder, stock) = (server.folder.clone(), server.folder.path().join("stock.db"));
    server.end();
    tamper(&stock, LATER).await;
    let checked = run_in(folder.path(), "check");
    assert_eq!((checked.code, checked.out.as_str()), (Some(0), ""), "{}", checked.err);
    assert!(checked.err.contains(" of a kind or variant of a newer version, and are not checked\n"), "{}", checked.err);
    assert_eq!(run_in(folder.path(), "export --format json").out.lines().count(), 7);
    // The planner takes the target of the newer version first, because of its priority.
    fs::write(folder.path().join("puzzled.toml"), "[[target]]\nlevel = 'evil'\ntarget = 5\n").unwrap();
    let config = folder.path().join("puzzled.toml");
    let server = Server::start_in(Arc::clone(&folder), &format!("--workers 0 --config {}", config.display()));
    let address = server.address();
    let planned = server.line_with("refill planned");
    assert!(planned.contains("sudoku|9x9|rotation180|evil"), "{planned}");
    assert_eq!(ask(&address, "jobs").await.out.lines().count(), 3, "a header, the first job, and this one");
    server.end();
    // A row of this version, or of an older one, is corrupt.
    tamper(&stock, "update puzzles set engine_version = 1").await;
    let wrong = run_in(folder.path(), "check");
    assert!(wrong.code == Some(1) && wrong.out.contains("this version has no kind \"later\""), "{}", wrong.out);
}
