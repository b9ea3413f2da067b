//! `puzzled enqueue` and `puzzled info` against a real server: what is queued, what `--watch` ends with, and what a server says
//! about itself.

use crate::{
    ops::{ask_json, ask_lines},
    prelude::*,
};

#[tokio::test]
async fn enqueue_sends_every_flag_to_the_server() {
    let (_server, _channel, address) = start("--workers 0").await;
    let plain = ended(&address, "enqueue --level expert --count 1500", 0).await;
    assert_eq!(plain.out, "queued job-1: 1,500 sudoku 9x9 expert rotation180, 24–30 givens\n");
    let flags = "enqueue --level hard --max-rating 3.0 --symmetry none --givens 24-26 --count 3 --seed 7 --priority -5 \
                 --label book=7 --label page=1 --audience book-7 --request-id one --not-before 2026-11-25T09:00:00Z --json";
    let job = ask_json(&address, flags).await;
    let spec = &job["spec"];
    assert_eq!((&job["id"], &job["wanted"], &job["seed"]), (&"job-2".into(), &3.into(), &"7".into()), "{job}");
    assert_eq!((&job["priority"], &job["audience"]), (&(-5).into(), &"book-7".into()), "{job}");
    assert_eq!(job["labels"], serde_json::json!({ "book": "7", "page": "1" }));
    assert_eq!((&spec["minRating"], &spec["maxRating"]), (&2.6.into(), &3.0.into()), "{spec}");
    assert_eq!((&spec["symmetry"], &spec["minGivens"]), (&"SYMMETRY_NONE".into(), &24.into()), "{spec}");
    assert_eq!(ask_lines(&address, "jobs --label book=7 --json").await.len(), 1);
    let technique = ask_json(&address, "enqueue --technique x-wing --json").await;
    assert_eq!(technique["spec"]["technique"], "X-Wing");
    let kakuro = ended(&address, "enqueue --kind kakuro --size 6x6 --audience book-7", 0).await;
    assert_eq!(kakuro.out, "queued job-4: 1 kakuro 6x6 rotation180\n");
}

#[tokio::test]
async fn enqueue_repeated_by_its_name_queues_no_other_job() {
    let (_server, _channel, address) = start("--workers 1").await;
    let command = "enqueue --level easy --count 2 --request-id monday";
    assert!(ended(&address, command, 0).await.out.starts_with("queued job-1: 2 sudoku "));
    ended(&address, "watch job-1", 0).await;
    let again = ended(&address, command, 0).await.out;
    assert!(again.starts_with("job-1 succeeded: made 2 of 2 "), "{again}");
    let other = ended(&address, "enqueue --level hard --count 2 --request-id monday", 1).await.err;
    assert!(other.contains("request_id: \"monday\" was used before"), "{other}");
}

#[tokio::test]
async fn enqueue_with_watch_ends_as_the_job_does() {
    let (_server, _channel, address) = start("--workers 1 --max-tries 3").await;
    let made = ended(&address, "enqueue --count 2 --seed 7 --watch", 0).await;
    let lines: Vec<_> = made.out.lines().collect();
    assert!(lines[0].starts_with("queued job-1: 2 sudoku 9x9"), "{}", made.out);
    assert!(lines.last().unwrap().starts_with("job-1 succeeded: made 2 of 2 "), "{}", made.out);
    let failed = ended(&address, "enqueue --min-rating 1.3 --max-rating 1.4 --watch", 2).await;
    assert!(failed.out.lines().last().unwrap().starts_with("job-2 failed: made 0 of 1 "), "{}", failed.out);
    let changes = ask_lines(&address, "enqueue --count 2 --seed 8 --watch --json").await;
    assert_eq!(changes.last().unwrap()["state"], "JOB_STATE_SUCCEEDED");
    ended(&address, "queue pause tea", 0).await;
    let mut watch = puzzled(&format!("enqueue --watch --address {address}"));
    let mut watch = watch.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let first = BufReader::new(watch.stderr.take().unwrap()).lines().next().unwrap().unwrap();
    assert!(first.starts_with("The queue is paused ") && first.contains("tea"), "{first}");
    watch.kill().unwrap();
    watch.wait().unwrap();
}

#[tokio::test]
async fn refused_job_is_explained_with_a_command_that_lists_what_there_is() {
    let (_server, _channel, address) = start("--workers 0").await;
    for (args, expected) in [
        (
            "--technique xwnig",
            "--technique: \"xwnig\" is unknown; did you mean X-Wing? GetServerInfo lists all (`puzzled info --kind sudoku`)",
        ),
        ("--count 0", "--count: 0 is below 1"),
        (
            "--variant 5x5",
            "--variant: unknown variant \"5x5\" of sudoku; use 9x9, 4x4, 6x6, 8x8, 9x9-x, 9x9-windoku, 10x10, 12x12, 16x16",
        ),
    ] {
        let refused = ended(&address, &format!("enqueue {args}"), 1).await;
        assert_eq!(refused.err, format!("error: {address}: {expected}\n"));
    }
    for args in ["--priority 101", "--label book", "--not-before monday", "--count many"] {
        let refused = ended(&address, &format!("enqueue {args}"), 1).await;
        assert!(refused.err.starts_with("error: invalid value '"), "{args}: {}", refused.err);
    }
}

#[tokio::test]
async fn info_shows_kinds_levels_and_limits_and_on_request_techniques() {
    let (_server, _channel, address) = start("--workers 0 --max-open-jobs 7").await;
    let all = ended(&address, "info", 0).await.out;
    let version = env!("CARGO_PKG_VERSION");
    assert!(all.starts_with(&format!("puzzled {version}, engine version ")), "{all}");
    assert_eq!(all.lines().nth(1), Some("caller anonymous, role admin, right to solutions"));
    let row =
        |words: &str| all.lines().any(|line| line.split_whitespace().collect::<Vec<_>>().join(" ").contains(words));
    for words in ["sudoku: 9x9", "kakuro: width x height", "easy 1.0–1.5 32–38 rotation180", "max_open_jobs 7"] {
        assert!(row(words), "{words}: {all}");
    }
    assert!(!row("XYZ-Wing") && row("techniques: 70"), "{all}");
    let sudoku = ended(&address, "info --kind sudoku", 0).await.out;
    assert!(sudoku.lines().any(|line| line.starts_with(" XYZ-Wing ") && line.ends_with(" yes")), "{sudoku}");
    assert!(!sudoku.contains("kakuro") && !sudoku.contains("max_open_jobs"), "{sudoku}");
    // A request for killers cannot name a technique, so none is said to be made on request.
    let killer = ended(&address, "info --kind killer", 0).await.out;
    assert!(killer.contains("TECHNIQUE") && sudoku.contains(" MADE") && !killer.contains(" MADE"), "{killer}");
    let json = ask_json(&address, "info --kind kakuro --json").await;
    assert_eq!((&json["kinds"][0]["kind"], &json["kinds"][1]), (&"KIND_KAKURO".into(), &Value::Null));
    assert_eq!(json["limits"]["maxOpenJobs"], 7);
}
