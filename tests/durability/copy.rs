//! `puzzled copy`, killed at each of its steps: at most one of the two databases can be used and has the puzzles, and a
//! repeat finishes.

use crate::{
    databases::postgres::Database,
    files::names,
    restore::{copy_of, die_at, killed, run, runs},
};

/// The steps in their order, whether the file has its new name at each, and whether the rows are committed.
const STEPS: [(&str, bool, bool); 4] =
    [("rename", false, false), ("renamed", true, false), ("commit", true, false), ("committed", true, true)];

#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn killed_copy_leaves_one_usable_database_and_a_repeat_finishes_it() {
    let _turn = crate::turn().await;
    let killed = killed().await;
    let stock = runs(killed.path(), "export").await;
    assert!(!stock.is_empty());
    for (step, is_renamed, is_committed) in STEPS {
        let (folder, database) = (copy_of(killed.path()), Database::new());
        let (path, url) = (folder.path(), database.url());
        let on_server = format!("export --database {url}");
        die_at(path, &format!("copy --from sqlite:stock.db --to {url}"), &format!("copy.{step}")).await;
        for command in ["export", "check", "migrate", "work"] {
            if is_renamed {
                let refused = run(path, command).await;
                assert!(!refused.status.success() && refused.stdout.is_empty(), "{step}: {refused:?}");
            } else if command == "export" {
                assert_eq!(runs(path, command).await, stock, "{step}");
            }
        }
        assert_eq!(runs(path, &on_server).await, if is_committed { &*stock } else { "" }, "{step}");
        let from = if is_renamed { "stock.db.moved" } else { "stock.db" };
        let copied = runs(path, &format!("copy --from sqlite:{from} --to {url}")).await;
        assert!(copied.ends_with(&format!("serve {}\n", database.settings().url)), "{step}: {copied}");
        assert_eq!(runs(path, &on_server).await, stock, "{step}");
        runs(path, &format!("check --database {url}")).await;
        assert_eq!(names(path), ["b.db", "stock.db.moved"], "{step}");
    }
}
