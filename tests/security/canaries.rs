//! Plants canaries (tokens, a key, the password of a database, and solutions), calls every method while everything is
//! logged, and searches for the canaries in logs, errors, arguments, and outputs of commands.

use std::fs;

use serde_json::{Value, json};
use tonic::Status;

use crate::{
    contract::methods,
    passwords::{PASSWORD, asks_for_password},
    process::{Server, puzzled},
    server::{Client, access_file, entry, token_of},
    tls::{MUTUAL, World},
};

/// A puzzle with one solution.
const TEXT: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Its solution.
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Everything of the program and its libraries is logged.
const ALL: &str = "--log trace,puzzled=trace --log-calls all --access access.toml";

/// Requests with content; other methods are called with empty ones. `JOB` and `PUZZLE` stand for IDs.
fn requests() -> Vec<(&'static str, Value)> {
    let text = json!({"kind": "KIND_SUDOKU", "text": TEXT});
    vec![
        ("Solve", json!({"kind": "KIND_SUDOKU", "text": TEXT, "include_steps": true})),
        ("Validate", text.clone()),
        ("Rate", text.clone()),
        ("Hint", json!({"kind": "KIND_SUDOKU", "text": TEXT, "board": SOLUTION})),
        ("CheckBoard", json!({"kind": "KIND_SUDOKU", "text": TEXT, "board": SOLUTION})),
        (
            "RenderPuzzle",
            json!({"kind": "KIND_SUDOKU", "text": TEXT, "format": "PICTURE_FORMAT_SVG", "solution": true}),
        ),
        ("GetPuzzle", json!({"kind": "KIND_SUDOKU", "include_solution": true, "audience": "anna"})),
        ("GetPuzzle", json!({"kind": "KIND_SUDOKU", "include_solution": true, "scramble_seed": 7})),
        ("CreateDailySeries", json!({"name": "daily", "kind": "KIND_SUDOKU"})),
        ("GetDailyPuzzle", json!({"include_solution": true})),
        ("BatchGetPuzzles", json!({"requests": [{"kind": "KIND_SUDOKU", "include_solution": true}]})),
        ("ListPuzzles", json!({"include_solutions": true})),
        ("ExportPuzzles", json!({"include_solutions": true})),
        (
            "ImportPuzzles",
            json!({"import_id": "canary", "records": [{"line": 1, "kind": "KIND_SUDOKU", "text": TEXT, "note": SOLUTION}]}),
        ),
        ("WithdrawPuzzle", json!({"id": "puzzle-1", "reason": "canary"})),
        ("RecordDeliveries", json!({"audience": "anna", "puzzles": [{"kind": "KIND_SUDOKU", "text": TEXT}]})),
        ("FindPuzzle", json!({"kind": "KIND_SUDOKU", "text": TEXT, "audience": "anna"})),
    ]
}

/// The files of a server with two principals, and what must be seen nowhere.
fn world_and_secrets() -> (World, Vec<String>) {
    let world = World::new();
    let entries = [entry("canary", "admin"), entry("sparrow", "reader")];
    fs::write(world.path().join("access.toml"), access_file(&entries, 2)).unwrap();
    fs::write(world.path().join("password"), PASSWORD).unwrap();
    let key = fs::read_to_string(world.path().join("server.key")).unwrap();
    // A line of the key's text.
    let key = key.lines().nth(1).unwrap().to_owned();
    let mut secrets = vec![key, PASSWORD.to_owned(), SOLUTION.to_owned()];
    for token in ["canary", "sparrow"].map(token_of) {
        secrets.push(token.rsplit('_').next().unwrap().to_owned());
    }
    (world, secrets)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_logs_errors_arguments_or_shown_settings() {
    let (world, mut secrets) = world_and_secrets();
    let server = Server::run(world.path(), &format!("--workers 1 {MUTUAL} {ALL}").replace(" --log debug", ""));
    let channel = world.connect(&server, Some(&world.authority.issue("spiffe://corp/canary"))).await.unwrap();
    let stranger = Client::over(channel);
    let [client, reader] =
        ["canary", "sparrow"].map(|name| stranger.clone().with(&format!("Bearer {}", token_of(name))));
    let mut errors = Vec::new();
    secrets.extend(stored_solutions(&client).await);
    for method in methods() {
        let known = requests();
        let mut requests: Vec<_> = known.iter().filter(|(name, _)| *name == method.name()).collect();
        let empty = (method.name(), json!({}));
        requests.push(&empty);
        for (name, request) in requests {
            errors.extend(call(&client, name, request).await.err());
            errors.extend(call(&reader, name, request).await.err());
            errors.extend(call(&stranger, name, request).await.err());
        }
    }
    // Tokens that are nearly right.
    let token = token_of("canary");
    for wrong in [&token[1..], &token.to_uppercase(), &format!("{token}0"), &token.replace("canary", "other")] {
        errors
            .extend(call(&stranger.clone().with(&format!("Bearer {wrong}")), "GetServerInfo", &json!({})).await.err());
    }
    assert!(errors.len() > 20, "{errors:?}");
    assert!(server.log().iter().any(|line| line.contains("TRACE")), "the log is not whole");
    let shown = errors.iter().map(|status| format!("{status:?}")).collect();
    let settings = printed(&world, &format!("serve --show-config {MUTUAL} --access access.toml"));
    for (place, lines) in
        [("log", server.log()), ("error", shown), ("arguments", vec![server.arguments()]), ("settings", settings)]
    {
        assert_hidden(&secrets, place, &lines);
    }
}

#[test]
fn password_of_a_database_is_in_no_output_of_a_command() {
    let (world, secrets) = world_and_secrets();
    let serve = format!("serve --listen 127.0.0.1:0 {ALL}");
    for command in [serve.as_str(), "work --log trace,puzzled=trace", "doctor", "migrate"] {
        let (address, asked) = asks_for_password();
        let args = format!("{command} --database postgres://puzzled@{address}/stock?sslmode=disable");
        assert_hidden(&secrets, command, &printed(&world, &args));
        assert_eq!(asked.join().unwrap(), PASSWORD, "{command}");
        // Now the port refuses connections.
        assert_hidden(&secrets, command, &printed(&world, &args));
    }
}

/// What a command prints, with the password of the database in a file.
fn printed(world: &World, args: &str) -> Vec<String> {
    let mut command = puzzled(world.path(), args);
    let ran = command.env("PUZZLED_DATABASE_PASSWORD_FILE", "password").output().unwrap();
    [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap()).concat().lines().map(str::to_owned).collect()
}

fn assert_hidden(secrets: &[String], place: &str, lines: &[String]) {
    for line in lines {
        let found = secrets.iter().position(|secret| line.contains(secret.as_str()));
        assert!(found.is_none(), "secret {found:?} in {place}: {line}");
    }
    assert!(!lines.is_empty(), "{place}");
}

async fn call(client: &Client, name: &str, request: &Value) -> Result<(), Status> {
    let mut messages = client.open(name, request.clone()).await?;
    // A stream that watches does not end; its first message is enough.
    if name.starts_with("Watch") {
        return messages.message().await.map(drop);
    }
    while messages.message().await?.is_some() {}
    Ok(())
}

/// Makes a few puzzles, and returns their solutions.
async fn stored_solutions(client: &Client) -> Vec<String> {
    let made = client.call("Generate", json!({"kind": "KIND_SUDOKU", "count": 3, "seed": "7"})).await.unwrap().unwrap();
    let mut watched = client.open("WatchJob", json!({"id": made["job"]["id"]})).await.unwrap();
    while watched.message().await.unwrap().is_some() {}
    let listed = client.call("ListPuzzles", json!({"include_solutions": true})).await.unwrap().unwrap();
    let puzzles = listed["puzzles"].as_array().unwrap();
    let solutions: Vec<_> = puzzles.iter().map(|puzzle| puzzle["solution"].as_str().unwrap().to_owned()).collect();
    assert!(solutions.len() >= 3 && solutions.iter().all(|solution| solution.len() == 81), "{solutions:?}");
    solutions
}
