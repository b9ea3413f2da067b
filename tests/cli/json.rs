//! The form of the JSON that each command prints: the paths of all keys and the types of their values. A minor version may add
//! keys, and may neither change nor remove any. `docs/compatibility.md` says more.

use std::collections::BTreeSet;

use jiff::{Timestamp, ToSpan as _};

use crate::{actions::PUZZLE, frozen_list::check, prelude::*};

/// The configuration of the server: a daily series, and a stock target that only `refill` fills.
const CONFIG: &str = "
[[series]]
name = 'daily'
level = 'easy'

[[target]]
level = 'easy'
target = 2
cron = '0 0 29 2 *'
window_minutes = 1
";

/// Objects whose keys are data: names that a caller chose, or the fields of the method of an audit entry.
const OPEN: [&str; 2] = ["labels", "details"];

/// Inserts the path and the type of a value and of all values in it.
fn walk(entries: &mut BTreeSet<String>, path: &str, value: &Value) {
    let inner: Vec<_> = match value {
        Value::Object(fields) if OPEN.iter().all(|open| !path.ends_with(open)) => {
            fields.iter().map(|(key, value)| (format!("{path}.{key}"), value)).collect()
        }
        Value::Array(items) => items.iter().map(|item| (format!("{path}[]"), item)).collect(),
        _ => Vec::new(),
    };
    let of = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    entries.insert(format!("{path} {of}"));
    for (path, value) in inner {
        walk(entries, &path, value);
    }
}

/// Inserts what the lines of a command have, each a JSON object.
fn add(entries: &mut BTreeSet<String>, name: &str, ran: &Ran) {
    assert!(ran.code != Some(1) && !ran.out.is_empty(), "{name}: {}{}", ran.out, ran.err);
    for line in ran.out.lines() {
        walk(entries, name, &serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}")));
    }
}

/// What the commands print that call a server.
async fn add_calls(entries: &mut BTreeSet<String>, path: &Path, address: &str) {
    let write = |name: &str, text: &str| {
        fs::write(path.join(name), text).unwrap();
        path.join(name).display().to_string()
    };
    let book = write("book.txt", &format!("{PUZZLE}\n123\n"));
    let mut job = async |spec: &str| {
        let ran = ask(address, &format!("enqueue {spec} --json")).await;
        add(entries, "enqueue", &ran);
        let line: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
        line["id"].as_str().unwrap().to_owned()
    };
    let easy = job("--level easy --count 9 --seed 7 --label team=web --watch").await;
    let kakuro = job("--kind kakuro --size 6x6 --seed 7 --watch").await;
    job("--level easy --audience anna --watch").await;
    let late = job(&format!("--level easy --not-before {}", Timestamp::now() + 24.hours())).await;
    let commands = [
        ("jobs", "jobs --json"),
        ("refill", "refill target-1 --json"),
        ("watch", "watch --json"),
        ("stock", "stock --json"),
        ("target list", "target list --json"),
        ("list", "list --json"),
        ("get", "get --level easy --audience anna --solution --json"),
        ("daily", "daily --solution --json"),
        ("series", "series --json"),
        ("solve", "solve puzzle-1 --json"),
        ("hint", "hint puzzle-1 --json"),
        ("withdraw PUZZLE", "withdraw puzzle-2 --reason odd --json"),
        ("release", "release --audience anna --reason over --json"),
        ("queue show", "queue show --json"),
        ("queue pause", "queue pause odd --json"),
        ("queue resume", "queue resume --json"),
        ("workers", "workers --json"),
        ("audit", "audit --json"),
        ("info", "info --json"),
    ];
    let texts = [
        ("watch", format!("watch {easy} --json")),
        ("cancel", format!("cancel {late} --json")),
        ("retry", format!("retry {late} --json")),
        ("withdraw", format!("withdraw --job {kakuro} --dry-run --reason odd --json")),
        ("validate", format!("validate {PUZZLE} --json")),
        ("validate", format!("validate 55{} --json", &PUZZLE[2..])),
        ("import", format!("import {book} --json")),
        ("find", format!("find {book} --json")),
        ("export", "export --format json --solutions".to_owned()),
    ];
    let texts = texts.iter().map(|(name, args)| (*name, args.as_str()));
    for (name, args) in texts.chain(commands) {
        add(entries, name, &ask(address, args).await);
    }
}

#[tokio::test]
async fn json_of_each_command_keeps_its_keys_and_types() {
    let folder = Arc::new(tempdir().unwrap());
    fs::write(folder.path().join("puzzled.toml"), CONFIG).unwrap();
    let config = folder.path().join("puzzled.toml");
    let server = Server::start_in(Arc::clone(&folder), &format!("--workers 1 --config {}", config.display()));
    let mut entries = BTreeSet::new();
    add_calls(&mut entries, folder.path(), &server.address()).await;
    server.end();
    tamper(&folder.path().join("stock.db"), "update puzzles set rater_version = 0").await;
    for (name, args) in [
        ("export", "export --format json"),
        ("export --deliveries", "export --deliveries"),
        ("rerate", "rerate --format json"),
        ("export", "export --format json"),
        ("doctor", "doctor --format json"),
        ("generate", "generate --count 2 --seed 7 --format json"),
        ("generate", "generate --kind kakuro --size 6x6 --seed 7 --format json"),
        ("bench", "bench --kind sudoku --level easy --seconds 1 --json"),
    ] {
        add(&mut entries, name, &run_in(folder.path(), args));
    }
    add(&mut entries, "rate", &run_with_input("rate --format json", &format!("{PUZZLE}\n123\n")));
    tamper(&folder.path().join("stock.db"), "update puzzles set solution = text where id = 1").await;
    let found = run_in(folder.path(), "check --json");
    assert_eq!(found.code, Some(1), "{}", found.err);
    add(&mut entries, "check", &Ran { code: Some(2), ..found });
    check("json.txt", &entries);
}
