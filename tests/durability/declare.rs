//! If a server is killed while it declares the stock targets of its configuration, all old targets or all new ones are
//! in force, never a mixture.

use std::{fs, path::Path};

use puzzled::proto::v1::{self as pb, stock_service_client::StockServiceClient};

use crate::{Site, server::Server};

/// From the old targets to the new ones, one is removed, one changes, one stays, and two are added.
const OLD: &str = "[[target]]\nlevel = 'easy'\ntarget = 5\n
    [[target]]\nlevel = 'medium'\ntarget = 5\n
    [[target]]\nlevel = 'hard'\ntarget = 5\n";
const NEW: &str = "[[target]]\nlevel = 'medium'\ntarget = 6\n
    [[target]]\nlevel = 'hard'\ntarget = 5\n
    [[target]]\nlevel = 'expert'\ntarget = 5\n
    [[target]]\nlevel = 'evil'\ntarget = 5\n";

/// The points at which the server is killed, and whether the new set is then in force.
const DEATHS: [(&str, bool); 7] = [
    ("declare_targets.begin:1", false),
    ("declare_targets.delete:1", false),
    ("declare_targets.update:1", false),
    ("declare_targets.insert:1", false),
    ("declare_targets.insert:2", false),
    ("declare_targets.commit:1", false),
    ("declare_targets.committed:1", true),
];

/// The targets, read by a server that has no configuration and so changes none.
async fn targets(database: &Path) -> Vec<(pb::Level, u32, String)> {
    let server = Server::start(database, &["--workers", "0"]).await;
    let request = pb::ListStockTargetsRequest::default();
    let listed = StockServiceClient::new(server.client.channel()).list_stock_targets(request).await.unwrap();
    let targets = listed.into_inner().targets;
    server.kill().await;
    let mut rows: Vec<_> =
        targets.into_iter().map(|target| (target.level(), target.target, target.declared_by)).collect();
    rows.sort_unstable();
    rows
}

#[tokio::test]
async fn kill_while_targets_are_declared_leaves_the_old_set_or_the_new_one() {
    let site = Site::new().await;
    let database = &site.database;
    let [old, new] = ["old.toml", "new.toml"].map(|name| site.folder.path().join(name));
    fs::write(&old, OLD).unwrap();
    fs::write(&new, NEW).unwrap();
    let declares =
        |file: &Path| ["--workers".to_owned(), "0".to_owned(), "--config".to_owned(), file.display().to_string()];
    let [old, new] = [declares(&old), declares(&new)];
    let [old, new] = [&old, &new].map(|arguments| arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let mut known = Vec::new();
    for arguments in [&old, &new] {
        Server::start(database, arguments).await.kill().await;
        known.push(targets(database).await);
    }
    assert_eq!((known[0].len(), known[1].len()), (3, 4));
    for (point, is_new) in DEATHS {
        Server::start(database, &old).await.kill().await;
        Server::die_at_start(database, &new, point).await;
        assert_eq!(targets(database).await, known[usize::from(is_new)], "killed at {point}");
        // The next start with the new configuration completes the change.
        Server::start(database, &new).await.kill().await;
        assert_eq!(targets(database).await, known[1], "started again after {point}");
    }
}
