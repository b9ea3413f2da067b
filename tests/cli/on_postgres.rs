//! Commands without a server on PostgreSQL: on a database that was copied from SQLite, and on databases with a newer
//! schema.

use puzzled_store::{
    fault_points::NoFaults,
    postgres::{migrating::Waits, schema::migrate_to},
};
use sqlx::{ConnectOptions as _, Executor as _};

use crate::{
    databases::{
        incompatible_schema::{INCOMPATIBLE, known, refused as refusal},
        next_schema::{COMPATIBLE, on_postgres as next_on_postgres},
        postgres::Database,
    },
    keeping::{run_in, stocked, tamper},
};

#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn commands_work_on_a_database_moved_to_postgres() {
    let database = Database::new();
    let (server, _) = stocked().await;
    let folder = &*server.folder.path().to_owned();
    tamper(&folder.join("stock.db"), "update puzzles set rater_version = 0").await;
    let exported = run_in(folder, "export --format json").out;
    let url = database.url();
    let on_postgres = |command: &str| run_in(folder, &format!("{command} --database {url}"));
    server.kill();
    let copied = run_in(folder, &format!("copy --from sqlite:stock.db --to {url}"));
    assert_eq!(copied.code, Some(0), "{}", copied.err);
    assert!(
        copied.out.contains("\npuzzles: 8 rows\n") && copied.out.contains("\ndeliveries: 4 rows\n"),
        "{}",
        copied.out
    );
    assert_eq!(on_postgres("export --format json").out, exported);
    let rated = on_postgres("rerate");
    assert_eq!((rated.code, rated.out.lines().count()), (Some(0), 7), "{}", rated.err);
    let sound = on_postgres("check");
    assert_eq!((sound.code, sound.out.as_str()), (Some(0), ""), "{}", sound.err);
    assert!(sound.err.contains("8 puzzles on") && sound.err.contains("0 findings"), "{}", sound.err);
    let refused = on_postgres("backup copy.db");
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.err.starts_with("error: postgres://puzzled@") && refused.err.ends_with("is not a file; use pg_dump\n")
    );

    let mut db = database.settings().url.options().connect().await.unwrap();
    db.execute("update shelves set positions = positions + 1 where id = 1").await.unwrap();
    let broken = on_postgres("check");
    assert_eq!((broken.code, broken.out.lines().count()), (Some(1), 1), "{}{}", broken.out, broken.err);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn newer_schema_on_postgres_is_used_if_allowed_or_refused() {
    let (server, _) = stocked().await;
    let folder = &*server.folder.path().to_owned();
    let exported = run_in(folder, "export --format json").out;
    let [newer, too_new] = [Database::new(), Database::new()];
    server.kill();
    let copied = run_in(folder, &format!("copy --from sqlite:stock.db --to {}", newer.url()));
    assert_eq!(copied.code, Some(0), "{}", copied.err);
    for (database, next) in [(&newer, COMPATIBLE), (&too_new, INCOMPATIBLE)] {
        migrate_to(&next_on_postgres(&[next]), &database.settings(), &Waits::default(), &NoFaults).await.unwrap();
    }
    let on = |database: &Database, command: &str| run_in(folder, &format!("{command} --database {}", database.url()));
    assert_eq!(on(&newer, "export --format json").out, exported);
    let sound = on(&newer, "check");
    assert_eq!((sound.code, sound.out.as_str()), (Some(0), ""), "{}", sound.err);
    assert_eq!(on(&newer, "rerate").code, Some(0));
    let migrated = on(&newer, "migrate").out;
    assert!(
        migrated.ends_with(&format!(
            ": nothing to do, schema {} is newer than this version's {} and allows it\n",
            known() + 1,
            known()
        )),
        "{migrated}"
    );
    let name = too_new.settings().url;
    for command in ["check", "export", "rerate", "migrate", "serve --listen 127.0.0.1:0", "work"] {
        let refused = on(&too_new, command);
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{command}");
        assert!(refused.err.ends_with(&format!("{name}{}\n", refusal())), "{command}: {}", refused.err);
    }
}
