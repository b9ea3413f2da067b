//! `puzzled copy` while a server runs: it is refused, or with `--fence-now` fences the database at once. A refused copy
//! leaves no file.

use std::{fs, path::Path};

use crate::{
    keeping::{run_in, stocked},
    serve::{made_by_job, request},
};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn copy_of_a_served_database_is_refused_unless_it_is_fenced_now() {
    let (mut server, _) = stocked().await;
    let folder = server.folder.path().to_owned();
    let before = names(&folder);
    let refused = run_in(&folder, "copy --from sqlite:stock.db --to sqlite:new.db");
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    let pid = format!("process ID {}) was seen ", server.pid());
    let begin = "error: sqlite:stock.db is in use: process ";
    assert!(refused.err.starts_with(begin) && refused.err.contains("(puzzled serve, host "), "{}", refused.err);
    assert!(refused.err.contains(&pid) && refused.err.contains("set --fence-now"), "{}", refused.err);
    assert_eq!(names(&folder), before);
    // The server continues as if no copy had been requested.
    made_by_job(server.channel_again().await, request(2)).await;
    // A killed process counts until its row is old.
    server.kill();
    assert_eq!(run_in(&folder, "copy --from sqlite:stock.db --to sqlite:new.db").code, Some(1));
    assert!(!folder.join("new.db").exists());
    let copied = run_in(&folder, "copy --from sqlite:stock.db --to sqlite:new.db --fence-now");
    assert_eq!(copied.code, Some(0), "{}", copied.err);
    assert!(copied.out.ends_with("sqlite:stock.db is fenced; serve sqlite:new.db\n"), "{}", copied.out);
    // A repeat verifies the copy again, and needs no flag, because the old database is fenced.
    assert_eq!(run_in(&folder, "copy --from sqlite:stock.db --to sqlite:new.db").out, copied.out);
}

#[test]
fn refused_copy_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(run_in(folder, "migrate").code, Some(0));
    fs::write(folder.join("text.db"), "not a database, but long enough to have a header".repeat(99)).unwrap();
    assert_eq!(run_in(folder, "copy --from sqlite:stock.db --to sqlite:moved.db").code, Some(0));
    let before = names(folder);
    for (from, to, wanted) in [
        ("nothing.db", "new.db", "sqlite:nothing.db is not there; name the database to copy"),
        ("moved.db", "moved.db", "sqlite:moved.db is the database to copy; name a new database as the target"),
        ("text.db", "new.db", "sqlite:text.db: "),
        (
            "stock.db",
            "new.db",
            "sqlite:stock.db was moved to sqlite:moved.db, and cannot be part of another copy; name another database",
        ),
        (
            "moved.db",
            "stock.db",
            "sqlite:stock.db was moved to sqlite:moved.db, and cannot be part of another copy; name another database",
        ),
        ("moved.db", "no/new.db", "sqlite:no/new.db: "),
    ] {
        let refused = run_in(folder, &format!("copy --from sqlite:{from} --to sqlite:{to}"));
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{from} {to}");
        assert!(refused.err.starts_with(&format!("error: {wanted}")), "{from} {to}: {}", refused.err);
        assert_eq!(names(folder), before, "{from} {to}");
    }
}
