//! The commands `stock`, `refill`, `jobs`, `queue`, and `watch` against a running server: output and exit codes. Also
//! the helpers with which other tests run commands against a server.

use crate::{golden_file, prelude::*, serve::connected};

/// A server without workers makes nothing, and one with two makes easy puzzles at once.
pub(crate) async fn start(args: &str) -> (Server, Channel, String) {
    let server = Server::start(args);
    let address = server.address();
    let channel = connected(&address).await;
    (server, channel, address)
}

/// Runs a command against a server, on a thread of its own.
pub(crate) async fn ask(address: &str, args: &str) -> Ran {
    let mut command = puzzled(&format!("{args} --address {address}"));
    spawn_blocking(move || ran(command.output().unwrap())).await.unwrap()
}

/// What a command prints that must end with this exit code.
pub(crate) async fn ended(address: &str, args: &str, code: i32) -> Ran {
    let ran = ask(address, args).await;
    assert_eq!(ran.code, Some(code), "{args}: {}{}", ran.out, ran.err);
    ran
}

/// What a command prints as JSON on one line.
pub(crate) async fn ask_json(address: &str, args: &str) -> Value {
    let ran = ask(address, args).await;
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{args}: {error}: {}{}", ran.out, ran.err))
}

/// The objects that a command prints, one a line.
pub(crate) async fn ask_lines(address: &str, args: &str) -> Vec<Value> {
    ask(address, args).await.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A job of easy puzzles.
pub(crate) fn easy(count: u32) -> GenerateRequest {
    let (kind, level) = (Kind::Sudoku.into(), Level::Easy.into());
    GenerateRequest { kind, level, count: Some(count), ..Default::default() }
}

/// Queues a job, and returns its ID.
pub(crate) async fn queue(channel: &Channel, request: GenerateRequest) -> String {
    PuzzleServiceClient::new(channel.clone()).generate(request).await.unwrap().into_inner().job.unwrap().id
}

/// A number of 64 bits.
fn number(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

pub(crate) async fn set(channel: &Channel, request: CreateStockTargetRequest) {
    StockServiceClient::new(channel.clone()).create_stock_target(request).await.unwrap();
}

/// A target that only a call fills: its window has just closed and opens in a year.
pub(crate) fn manual_target(level: Level, target: u32) -> CreateStockTargetRequest {
    CreateStockTargetRequest {
        kind: Kind::Sudoku.into(),
        level: level.into(),
        target,
        cron: "0 0 29 2 *".to_owned(),
        window_minutes: 1,
        ..CreateStockTargetRequest::default()
    }
}

/// A job of puzzles that are rated as no technique is.
fn hopeless(count: u32) -> GenerateRequest {
    GenerateRequest { min_rating: Some(1.3), max_rating: Some(1.4), ..request(count) }
}

/// No puzzle is rated so: no technique is.
fn out_of_reach() -> CreateStockTargetRequest {
    CreateStockTargetRequest { level: 0, min_rating: Some(1.3), max_rating: Some(1.4), ..manual_target(Level::Easy, 5) }
}

#[tokio::test]
async fn a_refill_fills_every_target_and_its_exit_code_says_so() {
    let (_server, channel, address) = start("--workers 2").await;
    let nothing = ended(&address, "refill", 0).await;
    assert_eq!(nothing.out, "No stock targets are set; create some with `puzzled target apply FILE`.\n");
    set(&channel, manual_target(Level::Easy, 30)).await;
    set(&channel, manual_target(Level::Medium, 20)).await;
    let before = ended(&address, "stock", 2).await;
    assert!(before.out.contains("target-1  sudoku 9x9 easy "), "{}", before.out);

    let one = ended(&address, "refill target-1 --json", 0).await;
    let told: Value = serde_json::from_str(&one.out).unwrap();
    let targets = told["targets"].as_array().unwrap().iter().map(|one| (&one["target"]["id"], &one["missing"]));
    assert_eq!(targets.collect::<Vec<_>>(), [(&"target-1".into(), &"0".into())]);

    let all = ended(&address, "refill", 0).await;
    assert!(all.out.lines().skip(1).all(|line| line.contains(" stocked ")), "{}", all.out);
    let told: Value = serde_json::from_str(&ended(&address, "stock --json", 0).await.out).unwrap();
    assert!(number(&told["targets"][1]["rate"]["hits"]) >= 1, "{told}");
    assert!(told["levels"].as_array().unwrap().iter().any(|level| level["level"] == "LEVEL_EASY"), "{told}");
}

#[tokio::test]
async fn a_target_that_cannot_be_reached_is_partly_done_and_says_why() {
    let (server, channel, address) = start("--workers 2 --max-tries 5").await;
    set(&channel, out_of_reach()).await;
    let failed = ended(&address, "refill target-1", 2).await;
    assert!(failed.out.contains(" resting "), "{}", failed.out);
    tamper(&server.folder.path().join("stock.db"), "update rates set work_ms = 277000").await;
    let remark = "target-1: unreachable: ";
    let stock = ended(&address, "stock", 2).await;
    assert!(stock.out.contains(remark), "{}", stock.out);
    // Left alone unless it is named; so there is nothing to wait for.
    let jobs = ask(&address, "jobs --json").await.out.lines().count();
    ended(&address, "refill", 2).await;
    assert_eq!(ask(&address, "jobs --json").await.out.lines().count(), jobs);
    ended(&address, "watch", 2).await;
}

#[tokio::test]
async fn stock_at_its_low_water_mark_is_enough_for_stock_and_watch() {
    let (_server, channel, address) = start("--workers 1").await;
    queue(&channel, easy(5)).await;
    ended(&address, "watch job-1", 0).await;
    set(&channel, CreateStockTargetRequest { low_water: 5, ..manual_target(Level::Easy, 30) }).await;
    for command in ["stock", "watch"] {
        let enough = ended(&address, command, 0).await;
        assert!(enough.out.contains(" stocked "), "{command}: {}", enough.out);
    }
    // Refilling is another matter, and whether a job is at it changes nothing.
    ended(&address, "queue pause x", 0).await;
    ended(&address, "refill --timeout 0", 2).await;
    let filling = ended(&address, "stock", 0).await;
    assert!(filling.out.contains(" filling "), "{}", filling.out);
    assert_eq!(ask(&address, "watch --timeout 1").await.code, Some(2), "it waits for the job");
    ended(&address, "queue resume", 0).await;
    ended(&address, "watch", 0).await;
    // One puzzle below the mark.
    set(&channel, CreateStockTargetRequest { low_water: 1, ..manual_target(Level::Evil, 3) }).await;
    ended(&address, "stock", 2).await;
}

#[tokio::test]
async fn table_of_targets_says_when_the_next_window_opens() {
    let (_server, channel, address) = start("--workers 0").await;
    set(&channel, manual_target(Level::Easy, 30)).await;
    let stock = ask(&address, "stock").await;
    let heads = stock.out.lines().find(|line| line.trim_start().starts_with("TARGET ")).unwrap();
    assert!(heads.contains(" HAVE ") && heads.contains(" STATE "), "{}", stock.out);
    let row = stock.out.lines().find(|line| line.contains("target-1")).unwrap();
    // Until the next 29 February.
    let (_, wait) = row.split_once(" waiting ").unwrap();
    let (days, hours) = wait.split_once("d ").unwrap();
    assert!(days.parse::<u32>().unwrap() < 8 * 366 && hours.trim().ends_with('h'), "{row}");
}

#[tokio::test]
async fn refill_returns_at_its_timeout_and_its_job_continues() {
    let (_server, channel, address) = start("--workers 0").await;
    set(&channel, manual_target(Level::Easy, 30)).await;
    let at_once = ask(&address, "refill --timeout 0").await;
    assert_eq!((at_once.code, at_once.err.as_str()), (Some(2), ""), "{}", at_once.out);
    let bounded = ended(&address, "refill --timeout 1", 2).await;
    assert!(bounded.err.contains("the wait ended after 1 s"), "{}", bounded.err);
    let jobs = ask_lines(&address, "jobs --state queued --json").await;
    assert_eq!(jobs.len(), 1, "one for both: {jobs:?}");
    assert_eq!((&jobs[0]["wanted"], &jobs[0]["targetId"]), (&30.into(), &"target-1".into()));
    ended(&address, "watch --timeout 1", 2).await;
    let unknown = ended(&address, "refill target-9", 1).await;
    assert_eq!(
        unknown.err,
        format!("error: {address}: there is no stock target \"target-9\"; `puzzled target list` lists all\n")
    );
}

#[tokio::test]
async fn a_job_is_watched_to_its_end_and_listed() {
    let (_server, channel, address) = start("--workers 1 --max-tries 3").await;
    let labels = [("team".to_owned(), "web".to_owned())].into();
    queue(&channel, GenerateRequest { labels, ..request(20) }).await;
    let watched = ended(&address, "watch job-1", 0).await;
    let last = watched.out.lines().last().unwrap();
    assert!(last.starts_with("job-1 succeeded: made 20 of 20 in 20 tries"), "{}", watched.out);
    queue(&channel, hopeless(20)).await;
    let watched = ended(&address, "watch job-2 --json", 2).await;
    let last: Value = serde_json::from_str(watched.out.lines().last().unwrap()).unwrap();
    assert_eq!((&last["state"], &last["made"]), (&"JOB_STATE_FAILED".into(), &0.into()), "{last}");

    let listed = ended(&address, "jobs", 0).await;
    let lines: Vec<_> = listed.out.lines().collect();
    assert!(lines[0].starts_with(" JOB ") && lines[1].starts_with(" job-2  sudoku 9x9 1.3-1.4"), "{}", listed.out);
    assert!(lines[2].starts_with(" job-1  sudoku 9x9 "), "{}", listed.out);
    let labelled = ask(&address, "jobs --label team=web").await;
    assert_eq!(labelled.out.lines().count(), 2, "{}", labelled.out);
    let failed = ask(&address, "jobs --state failed --state cancelled --limit 5").await;
    let lines: Vec<_> = failed.out.lines().collect();
    assert_eq!(lines.len(), 3, "{}", failed.out);
    assert!(lines[2].starts_with("job-2: no puzzle for index 0 within 3 tries"), "{}", failed.out);
    let unknown = ended(&address, "watch job-99", 1).await.err;
    assert_eq!(unknown, format!("error: {address}: there is no job \"job-99\"; `puzzled jobs` lists all\n"));
}

#[tokio::test]
async fn jobs_table_lists_every_part_of_a_spec() {
    let (_server, channel, address) = start("--workers 0").await;
    let any = GenerateRequest { kind: Kind::Sudoku.into(), count: Some(20), ..Default::default() };
    let symmetry = Symmetry::AntiDiagonal.into();
    for request in [
        any.clone(),
        GenerateRequest {
            level: Level::Hard.into(),
            min_givens: Some(25),
            max_givens: Some(25),
            symmetry,
            ..any.clone()
        },
        GenerateRequest { min_rating: Some(2.0), max_rating: Some(2.3), ..any.clone() },
        GenerateRequest { technique: "x-wing".to_owned(), ..any },
    ] {
        queue(&channel, request).await;
    }
    let listed = ask(&address, "jobs").await;
    // Without the last column, the age.
    let lines = listed.out.lines().map(|line| line.trim_end().rsplit_once(' ').unwrap().0.trim_end().to_owned() + "\n");
    golden_file::check("jobs.txt", &lines.collect::<String>());
    let jobs = ask_lines(&address, "jobs --json --limit 2").await;
    assert_eq!((&jobs[0]["spec"]["technique"], &jobs[1]["spec"]["technique"]), (&"X-Wing".into(), &"".into()));
}

#[tokio::test]
async fn paused_queue_is_shown_by_every_command_and_resumes() {
    let (_server, channel, address) = start("--workers 1").await;
    let runs = ended(&address, "queue show", 0).await;
    assert!(runs.out.starts_with("The queue runs.\nOpen jobs: 0 queued, 0 running\n"), "{}", runs.out);
    ended(&address, "queue pause night-shift", 0).await;
    set(&channel, CreateStockTargetRequest { cron: String::new(), window_minutes: 0, ..manual_target(Level::Easy, 5) })
        .await;
    for command in ["queue show", "jobs", "stock"] {
        let told = ask(&address, command).await;
        let line = told.out.lines().next().unwrap();
        assert!(line.starts_with("The queue is paused since 2"), "{command}: {line}");
        assert!(line.ends_with("Z: night-shift"), "{command}: {line}");
    }
    let refill = ended(&address, "refill --timeout 1", 2).await;
    assert!(refill.err.contains("Z: night-shift\n"), "{}", refill.err);
    let told = ask_json(&address, "stock --json").await;
    assert_eq!((&told["queue"]["paused"], &told["queue"]["queuedJobs"]), (&true.into(), &1.into()), "{told}");
    let told = ask_json(&address, "queue resume --json").await;
    assert_eq!((&told["paused"], &told["pauseReason"]), (&false.into(), &"".into()), "{told}");
    ended(&address, "watch", 0).await;
}

#[tokio::test]
async fn full_stock_is_shown_by_every_command_and_refuses_a_refill() {
    let (server, channel, address) = start("--workers 1 --max-puzzles 1").await;
    queue(&channel, request(1)).await;
    server.line_with("stock full");
    for command in ["queue show", "jobs", "stock"] {
        let told = ask(&address, command).await;
        let line = told.out.lines().next().unwrap();
        assert!(line.starts_with("The stock is full since 2"), "{command}: {line}");
        let way_out = "Z: 1 puzzle in circulation, max_puzzles is 1; withdraw puzzles until fewer than 1 are left, or raise \
                       max_puzzles";
        assert!(line.ends_with(way_out), "{command}: {line}");
    }
    let shown = ask(&address, "queue show").await.out;
    assert!(shown.contains("\nStock: 1 puzzle of at most 1; database: "), "{shown}");
    let told = ask_json(&address, "queue show --json").await;
    assert_eq!((&told["stockFull"], &told["puzzles"], &told["maxPuzzles"]), (&true.into(), &"1".into(), &"1".into()));
    set(&channel, manual_target(Level::Easy, 5)).await;
    let refill = ended(&address, "refill", 1).await;
    assert!(refill.err.contains("the stock is full: 1 puzzle in circulation"), "{}", refill.err);
}

#[test]
fn unreachable_server_is_named() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for command in [
        "health",
        "stock",
        "refill",
        "jobs",
        "queue show",
        "watch",
        "get",
        "solve x",
        "withdraw puzzle-1 --reason x",
        "cancel job-1",
        "retry job-1",
        "workers",
        "target list",
        "target delete target-1",
    ] {
        let shown = run(&format!("{command} --address {free}"));
        assert_eq!(shown.code, Some(1), "{command}");
        assert!(
            shown.err.starts_with(&format!("error: {free}: no server answers (Connection refused")),
            "{command}: {}",
            shown.err
        );
    }
}
