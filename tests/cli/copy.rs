//! `puzzled copy` is refused while a server uses the file, and a refused copy changes no file. Nothing uses a file that was
//! moved.

use std::os::unix::fs::symlink;

use crate::{files::names, prelude::*};

/// A server that does not exist.
const NOWHERE: &str = "postgres://puzzled@127.0.0.1:1/puzzled";

#[tokio::test]
async fn copy_of_a_served_file_is_refused_and_names_the_server() {
    let (server, _) = stocked().await;
    let folder = server.folder.path().to_owned();
    let before = names(&folder);
    let refused = run_in(&folder, &format!("copy --from sqlite:stock.db --to {NOWHERE}"));
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    let begin = "error: sqlite:stock.db is in use; end what uses the file and repeat the command: process ";
    let pid = format!("process ID {})", server.pid());
    assert!(refused.err.starts_with(begin) && refused.err.contains("(puzzled serve, host "), "{}", refused.err);
    assert!(refused.err.contains(&pid), "{}", refused.err);
    assert_eq!(names(&folder), before);
    // The server continues as if no copy had been requested.
    made_by_job(server.channel().await, request(2)).await;
    // A killed server does not use the file, and this copy only lacks its target.
    server.kill();
    let unreachable = run_in(&folder, &format!("copy --from sqlite:stock.db --to {NOWHERE}"));
    let expected = format!("error: {NOWHERE}: the database is unavailable: ");
    assert!(unreachable.code == Some(1) && unreachable.err.starts_with(&expected), "{}", unreachable.err);
    // The log was applied to the file.
    assert_eq!(names(&folder), ["stock.db"]);
    assert_eq!(run_in(&folder, "check").code, Some(0));
}

#[test]
fn refused_copy_leaves_the_files_as_they_are() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    for name in ["stock.db", "linked.db"] {
        assert_eq!(run_in(folder, &format!("migrate --database sqlite:{name}")).code, Some(0));
    }
    fs::hard_link(folder.join("linked.db"), folder.join("other.db")).unwrap();
    fs::write(folder.join("text.db"), "not a database, but long enough to have a header".repeat(99)).unwrap();
    let before = names(folder);
    for (from, to, expected) in [
        ("sqlite:none.db", NOWHERE, "none.db: the file does not exist; check its name"),
        ("sqlite:text.db", NOWHERE, "sqlite:text.db: "),
        ("sqlite:linked.db", NOWHERE, "linked.db: the file has another name (a hard link); delete that one"),
        ("sqlite:stock.db", "sqlite:new.db", "--to: new.db is a file; name a database on PostgreSQL"),
        (NOWHERE, "sqlite:new.db", "postgres://puzzled@127.0.0.1:1/puzzled is not a file; use pg_dump"),
        ("sqlite:stock.db", NOWHERE, "postgres://puzzled@127.0.0.1:1/puzzled: the database is unavailable: "),
    ] {
        let refused = run_in(folder, &format!("copy --from {from} --to {to}"));
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{from} {to}");
        assert!(refused.err.starts_with(&format!("error: {expected}")), "{from} {to}: {}", refused.err);
        assert_eq!(names(folder), before, "{from} {to}");
    }
}

#[test]
fn no_command_uses_or_creates_a_database_that_was_moved() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    for name in ["stock.db", "both.db", "other.db"] {
        assert_eq!(run_in(folder, &format!("migrate --database sqlite:{name}")).code, Some(0));
    }
    fs::copy(folder.join("both.db"), folder.join("both.db.moved")).unwrap();
    fs::rename(folder.join("stock.db"), folder.join("stock.db.moved")).unwrap();
    symlink("stock.db", folder.join("link.db")).unwrap();
    let before = names(folder);
    let refuses = |command: &str, name: &str| {
        let refused = run_in(folder, command);
        let expected = format!("`puzzled copy` renamed this database to {name}.moved; use the database on PostgreSQL");
        let told = format!("{}{}", refused.out, refused.err);
        assert!(refused.code == Some(1) && told.contains(&expected), "{command}: {told}");
        assert_eq!(names(folder), before, "{command}");
    };
    for command in [
        "serve --listen 127.0.0.1:0",
        "work",
        "migrate",
        "check",
        "export",
        "rerate",
        "backup c.db",
        "restore other.db",
    ] {
        for name in ["stock.db", "both.db", "link.db", "stock.db.moved"] {
            let file = if name == "both.db" { name } else { "stock.db" };
            refuses(&format!("{command} --database sqlite:{name}"), file);
        }
    }
    refuses("doctor", "stock.db");
    refuses("backup stock.db --database sqlite:other.db", "stock.db");
    refuses("restore stock.db.moved --database sqlite:new.db", "stock.db");
    refuses(&format!("copy --from sqlite:stock.db --to {NOWHERE}"), "stock.db");
}
