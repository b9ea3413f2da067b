//! Commands on one thing of a server: get, solve, withdraw, cancel, retry, workers, and stock targets.

use std::{fs, io::Read as _, process::Stdio};

use puzzled::proto::v1::{GenerateRequest, Kind, Level, puzzle_service_client::PuzzleServiceClient};
use rustix::{
    fs::{Mode, OFlags, open},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
};
use serde_json::Value;
use tonic::transport::Channel;

use crate::{
    ops::{ask, start},
    puzzled,
};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLVED: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

async fn queue(channel: Channel, count: u32) {
    let request = GenerateRequest {
        kind: Kind::Sudoku.into(),
        level: Level::Easy.into(),
        count: Some(count),
        ..GenerateRequest::default()
    };
    PuzzleServiceClient::new(channel).generate(request).await.unwrap();
}

#[tokio::test]
async fn get_prints_a_puzzle_that_solve_and_withdraw_take() {
    let (_server, channel, address) = start("--workers 1").await;
    queue(channel, 1).await;
    assert_eq!(ask(&address, "watch job-1").await.code, Some(0));
    let text = ask(&address, "get --level easy").await;
    assert_eq!((text.code, text.out.len()), (Some(0), 82), "{}{}", text.out, text.err);
    let whole: Value = serde_json::from_str(&ask(&address, "get puzzle-1 --solution --json").await.out).unwrap();
    assert_eq!(whole["text"].as_str(), Some(text.out.trim_end()));
    let solved = ask(&address, &format!("solve {}", text.out.trim_end())).await;
    assert_eq!((solved.code, Some(solved.out.trim_end())), (Some(0), whole["solution"].as_str()), "{}", solved.err);

    let withdrawn = ask(&address, "withdraw puzzle-1 --reason misprint").await;
    assert_eq!(withdrawn.code, Some(0), "{}", withdrawn.err);
    assert!(withdrawn.out.starts_with("puzzle-1 withdrawn at 2"), "{}", withdrawn.out);
    assert!(withdrawn.out.ends_with("Z: misprint\n"), "{}", withdrawn.out);
    // The only one: whether the shelf or the draw shows it, none is left.
    let none = ask(&address, "get --level easy").await;
    assert_eq!(none.code, Some(1));
    assert!(none.err.starts_with(&format!("error: {address}: ")), "{}", none.err);
}

#[tokio::test]
async fn get_makes_a_puzzle_where_none_fits() {
    let (_server, _channel, address) = start("--workers 1").await;
    let made = ask(&address, "get --level easy --make --audience anna --request-id one").await;
    assert_eq!((made.code, made.out.len()), (Some(0), 82), "{}{}", made.out, made.err);
    let again = ask(&address, "get --level easy --make --audience anna --request-id one").await;
    assert_eq!(again.out, made.out);
}

#[tokio::test]
async fn solve_reads_standard_input_and_refuses_what_has_no_solution() {
    let (_server, _channel, address) = start("--workers 0").await;
    let mut child = puzzled(&format!("solve --address {address}"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("puzzle.txt");
    fs::write(&file, PUZZLE).unwrap();
    let output = child.stdin(fs::File::open(&file).unwrap()).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), SOLVED);
    let bad = ask(&address, &format!("solve 55{}", &PUZZLE[2..])).await;
    assert_eq!(bad.code, Some(1), "{}", bad.out);
}

#[tokio::test]
async fn cancelled_job_resumes_when_it_is_retried() {
    let (_server, channel, address) = start("--workers 0").await;
    queue(channel, 5).await;
    let cancelled = ask(&address, "cancel job-1").await;
    let line = "job-1 cancelled: made 0 of 5, 0 surplus, in 0 tries\n";
    assert_eq!((cancelled.code, cancelled.out.as_str()), (Some(0), line), "{}", cancelled.err);
    let retried = ask(&address, "retry job-1 --json").await;
    let job: Value = serde_json::from_str(&retried.out).unwrap();
    assert_eq!((retried.code, &job["state"]), (Some(0), &"JOB_STATE_QUEUED".into()));
    for command in ["cancel", "retry"] {
        let unknown = ask(&address, &format!("{command} job-9")).await;
        assert_eq!((unknown.code, unknown.err), (Some(1), format!("error: {address}: there is no job \"job-9\"\n")));
    }
}

#[tokio::test]
async fn workers_lists_the_processes_of_the_database() {
    let (_server, _channel, address) = start("--workers 3").await;
    let shown = ask(&address, "workers").await;
    let lines: Vec<_> = shown.out.lines().collect();
    assert_eq!((shown.code, lines.len()), (Some(0), 2), "{}{}", shown.out, shown.err);
    assert!(lines[0].contains(" WORKERS ") && lines[1].contains(" serve "), "{}", shown.out);
    let json: Value = serde_json::from_str(&ask(&address, "workers --json").await.out).unwrap();
    assert_eq!(json["workers"], 3);
}

#[tokio::test]
async fn target_apply_creates_and_updates_and_deletes_nothing() {
    let (_server, _channel, address) = start("--workers 0").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("targets.toml");
    let apply = format!("target apply {}", file.display());
    let both = "[[target]]\nlevel = 'easy'\ntarget = 2000\n[[target]]\nmax_rating = 1.5\ntarget = 9\nlow_water = 3\n";
    fs::write(&file, both).unwrap();
    let created = ask(&address, &apply).await;
    let lines = "target-1 created: 2,000 sudoku 9x9 easy\ntarget-2 created: 9 sudoku 9x9 1.0-1.5\n";
    assert_eq!((created.code, created.out.as_str()), (Some(0), lines), "{}", created.err);
    fs::write(&file, "[[target]]\nmax_rating = 1.5\ntarget = 12\n").unwrap();
    let updated = ask(&address, &apply).await;
    assert_eq!(updated.out, "target-2 updated: 12 sudoku 9x9 1.0-1.5\n", "{}", updated.err);
    let listed = ask(&address, "target list --json").await;
    let listed: Vec<Value> = listed.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (&listed[1]["target"], &listed[1]["lowWater"], &listed[1]["declaredBy"]),
        (&12.into(), &12.into(), &"".into())
    );
    let deleted = ask(&address, "target delete target-1").await;
    assert_eq!(deleted.out, "target-1 deleted: sudoku 9x9 easy\n", "{}", deleted.err);
    assert_eq!(ask(&address, "target list").await.out.lines().count(), 2);
    fs::write(&file, "[[target]]\nlevel = 'easy'\ntarget = 0\n").unwrap();
    let bad = ask(&address, &apply).await;
    assert_eq!(bad.code, Some(1));
    assert!(bad.err.contains("[[target]] 1: target: "), "{}", bad.err);
}

#[test]
fn generate_shows_the_grid_on_a_terminal() {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let other_end = ptsname(&terminal, Vec::new()).unwrap();
    let output = open(other_end.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    let mut command = puzzled("generate --seed 7");
    let mut child = command.stdout(output).stderr(Stdio::null()).spawn().unwrap();
    // Its copy of the other end has to be closed, or reading never ends.
    drop(command);
    let mut shown = Vec::new();
    // A terminal whose other end is closed gives an error after its last byte.
    let _ = fs::File::from(terminal).read_to_end(&mut shown);
    assert!(child.wait().unwrap().success());
    let shown = String::from_utf8(shown).unwrap();
    let grid: Vec<_> = shown.lines().filter(|line| line.contains('|')).collect();
    assert_eq!(grid.len(), 9, "{shown}");
}
