//! The log of a server: one line for each job, each action of a person, and each target that becomes unreachable; the
//! setting `--log`; and the list of messages in `docs/operations/logs.md`.

use puzzled_api::v1::{ForgetAudienceRequest, UpdateStockTargetRequest};

use crate::{
    ops::{manual_target, set},
    prelude::*,
};

/// The line of a log with this message, which must occur `times` times.
fn line<'a>(log: &'a str, message: &str, times: usize) -> &'a str {
    let lines: Vec<_> = log.lines().filter(|line| line.contains(message)).collect();
    assert_eq!(lines.len(), times, "{message:?} in:\n{log}");
    lines[0]
}

fn has(line: &str, words: &[&str]) {
    assert!(words.iter().all(|words| line.contains(words)), "{words:?} in: {line}");
}

#[test]
fn configuration_file_that_no_setting_names_is_reported() {
    let folder = Arc::new(tempdir().unwrap());
    fs::write(folder.path().join("puzzled.toml"), "workers = 3\n").unwrap();
    let line = Server::work_in(folder, "").line_with("configuration file not read; pass it with --config");
    has(&line, &["WARN", "file=\"puzzled.toml\""]);
}

#[tokio::test]
async fn jobs_and_actions_of_people_are_logged_once() {
    let (server, channel, address) = start("--workers 1 --max-tries 3").await;
    let mut puzzles = PuzzleServiceClient::new(channel.clone());
    queue(&channel, easy(2)).await;
    assert_eq!(ask(&address, "watch job-1").await.code, Some(0));
    queue(&channel, GenerateRequest { level: 0, min_rating: Some(1.3), max_rating: Some(1.4), ..easy(2) }).await;
    assert_eq!(ask(&address, "watch job-2").await.code, Some(2));
    assert_eq!(ask(&address, "queue pause night").await.code, Some(0));
    assert_eq!(ask(&address, "retry job-2").await.code, Some(0));
    assert_eq!(ask(&address, "cancel job-2").await.code, Some(0));
    assert_eq!(ask(&address, "withdraw puzzle-1 --reason misprint").await.code, Some(0));
    puzzles.forget_audience(ForgetAudienceRequest { audience: "anna".to_owned() }).await.unwrap();
    set(&channel, manual_target(Level::Easy, 5)).await;
    let update = UpdateStockTargetRequest { id: "target-1".to_owned(), target: Some(6), ..Default::default() };
    StockServiceClient::new(channel.clone()).update_stock_target(update).await.unwrap();
    assert_eq!(ask(&address, "refill --timeout 0").await.code, Some(2));
    assert_eq!(ask(&address, "target delete target-1").await.code, Some(0));
    assert_eq!(ask(&address, "queue resume").await.code, Some(0));
    let log = server.end();
    let ended = log.lines().find(|line| line.contains("job ended")).unwrap();
    has(ended, &["INFO", "job=job-1", "state=\"succeeded\"", "made=2", "of=2", "duration="]);
    let failed = log.lines().find(|line| line.contains("job failed")).unwrap();
    has(failed, &["WARN", "job=job-2", "made=0", "error=\"no puzzle for index 0"]);
    for (message, words) in [
        ("queue paused", &["INFO", "reason=\"night\""][..]),
        ("queue resumed", &["INFO"]),
        ("job retried", &["INFO", "job=job-2"]),
        ("job cancelled", &["INFO", "job=job-2"]),
        ("puzzle withdrawn", &["INFO", "puzzle=puzzle-1", "reason=\"misprint\""]),
        ("audience forgotten", &["INFO", "deliveries=0"]),
        ("stock target created", &["INFO", "stock_target=target-1", "count=5"]),
        ("stock target updated", &["INFO", "stock_target=target-1", "count=6"]),
        ("stock target deleted", &["INFO", "stock_target=target-1"]),
        ("refill queued", &["INFO", "stock_target=target-1", "count="]),
    ] {
        has(line(&log, message, 1), words);
    }
    let queued: Vec<_> = log.lines().filter(|line| line.contains("job queued")).collect();
    has(queued[0], &["INFO", "job=job-1", "spec=\"", "count=2"]);
    assert!(!log.contains("anna"), "the name of an audience may identify a person:\n{log}");
}

#[tokio::test]
async fn target_that_becomes_unreachable_is_one_warning() {
    let (server, channel, address) = start("--workers 2 --max-tries 5").await;
    let out_of_reach = CreateStockTargetRequest {
        level: 0,
        min_rating: Some(1.3),
        max_rating: Some(1.4),
        ..manual_target(Level::Easy, 5)
    };
    set(&channel, out_of_reach).await;
    ended(&address, "refill target-1", 2).await;
    tamper(&server.folder.path().join("stock.db"), "update rates set work_ms = 277000").await;
    let warning = server.line_with("stock target became unreachable");
    has(&warning, &["WARN", "stock_target=target-1", "widen its criteria"]);
    let rest = server.end();
    assert!(!rest.contains("became unreachable"), "{rest}");
}

#[tokio::test]
async fn bare_level_applies_to_puzzled_alone() {
    let (server, _channel, address) = start("--workers 0 --log debug").await;
    assert_eq!(ask(&address, "get --level easy").await.code, Some(1));
    let log = server.end();
    has(line(&log, "call refused", 1), &["DEBUG", "puzzled::calls"]);
    assert!(!log.contains("h2::") && !log.contains("sqlx::"), "{log}");
}

#[test]
fn log_page_lists_every_message_of_the_source_with_its_fields() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let page = fs::read_to_string(format!("{root}docs/operations/logs.md")).unwrap();
    let mut missing = Vec::new();
    let mut folders = vec![format!("{root}src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.display().to_string();
            if path.is_dir() {
                folders.push(name);
            } else if path.extension().is_some_and(|found| found == "rs") {
                let source = fs::read_to_string(&path).unwrap();
                for (message, fields) in messages(&source) {
                    let rows: String = page.lines().filter(|line| line.contains(&message)).collect();
                    // The page has a table with a row for each field of the call log.
                    let has = |field: &String| rows.contains(field) || page.contains(&format!("\n| `{field}` |"));
                    let lost: Vec<_> = fields.into_iter().filter(|field| !has(field)).collect();
                    if rows.is_empty() || !lost.is_empty() {
                        missing.push(format!("{name}: {message} {lost:?}"));
                    }
                }
            }
        }
    }
    missing.sort();
    assert!(missing.is_empty(), "docs/operations/logs.md should list:\n{}", missing.join("\n"));
}

/// The messages of INFO, WARN, and ERROR lines, with their fields. The message is the last string of each call that contains no `{}`.
fn messages(source: &str) -> Vec<(String, Vec<String>)> {
    let mut messages = Vec::new();
    for level in ["info", "warn", "error"] {
        for call in source.split(&format!("tracing::{level}!(")).skip(1) {
            let (mut depth, mut is_text) = (1, false);
            let is_end = |c| {
                match c {
                    '"' => is_text = !is_text,
                    '(' if !is_text => depth += 1,
                    ')' if !is_text => depth -= 1,
                    _ => {}
                }
                depth == 0
            };
            let end = call.find(is_end).unwrap_or(call.len());
            let strings: Vec<_> = call[..end].split('"').collect();
            if let [before @ .., message, _] = &strings[..]
                && !message.contains('{')
            {
                let before = before.join("\"");
                let names =
                    before.split(',').filter_map(|field| field.split('=').next()?.trim().split('.').next_back());
                let names = names.map(|name| name.trim_start_matches(['%', '?']));
                let is_name =
                    |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
                messages.push(((*message).to_owned(), names.filter(is_name).map(str::to_owned).collect()));
            }
        }
    }
    messages
}
