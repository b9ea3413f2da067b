//! A bad access file shows in the metrics as a failed reload, until the file is repaired.

use std::fs;

use rustix::process::Signal;

use crate::{metrics::scraped, on_postgres::folder, process::Process};

/// One principal, without a token.
const GOOD: &str = "[[principal]]\nname = 'newsroom'\nrole = 'reader'\n";

#[tokio::test]
async fn bad_access_file_shows_as_a_failed_reload_until_it_is_repaired() {
    let folder = folder();
    let file = folder.path().join("access.toml");
    fs::write(&file, GOOD).unwrap();
    let arguments = "serve --listen 127.0.0.1:0 --workers 0 --access access.toml --config-poll-ms 1000000000";
    let mut process = Process::start(folder, arguments).await;
    // Only from here on does the process follow its files.
    process.line(" listens on ").await;
    assert_eq!(scraped(&process).await.count("puzzled_reload_success"), 1);
    for (text, line, is_in_force) in [
        ("[[principal]]\nname = 'newsroom'\nrole = 'boss'\n", "access file not applied", 0),
        (GOOD, "access file applied", 1),
    ] {
        fs::write(&file, text).unwrap();
        process.signal(Signal::HUP);
        process.line(line).await;
        assert_eq!(scraped(&process).await.count("puzzled_reload_success"), is_in_force);
    }
    assert!(scraped(&process).await.value("puzzled_reload_timestamp_seconds") > 1e9);
}
