//! Commands on a database with a newer schema: one that allows this binary, and one that does not.

use puzzled::store::sqlite::{SqliteSettings, schema::migrate_to};

use crate::{
    databases::{
        incompatible_schema::{INCOMPATIBLE, REFUSED},
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
    let nothing = "stock.db: nothing to do, schema 2 is newer than this version's 1 and allows it\n";
    assert_eq!(run_in(&folder, "migrate").out, nothing);
    server.kill();
    let copied = run_in(&folder, "copy --from sqlite:stock.db --to postgres://puzzled@127.0.0.1:1/puzzled");
    assert_eq!(
        (copied.code, copied.err.as_str()),
        (
            Some(1),
            "error: sqlite:stock.db has schema 2, and this puzzled knows 1: a copy would leave out what is newer; use the \
             newer binary\n"
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
        assert_eq!(refused.err.lines().last(), Some(format!("error: {begins}{REFUSED}").as_str()), "{command}");
        assert!(fs::read(&stock).unwrap() == before, "{command} changed the file");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "{command} left a file");
    }
}
