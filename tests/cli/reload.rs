//! Settings that are read again while a process runs, at SIGHUP and when the configuration file changes: limits, the
//! log filter, and stock targets. A bad file changes nothing, and no call fails.

use std::{
    os::unix::fs::symlink,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
};

use puzzled_api::v1::{
    GetServerInfoRequest, Limits, ListStockTargetsRequest, server_service_client::ServerServiceClient,
};
use tonic::Code;

use crate::prelude::*;

/// The server reads the file again only at a signal.
const BY_SIGNAL: &str = "--config-poll-ms 1000000000";

/// A server with a configuration file.
struct Configured {
    server: Server,
    channel: Channel,
    file: PathBuf,
}

impl Configured {
    async fn start(text: &str, args: &str) -> Self {
        Self::start_in(Arc::new(tempdir().unwrap()), text, args).await
    }

    async fn start_in(folder: Arc<TempDir>, text: &str, args: &str) -> Self {
        let file = folder.path().join("puzzled.toml");
        fs::write(&file, text).unwrap();
        let server = Server::start_in(folder, &format!("--workers 0 --config {} {args}", file.display()));
        let channel = server.channel().await;
        Self { server, channel, file }
    }

    /// Writes the file anew, asks for a reload, and returns the next line with these words.
    fn reload(&self, text: &str, words: &str) -> String {
        fs::write(&self.file, text).unwrap();
        self.server.signal(Signal::HUP);
        self.server.line_with(words)
    }

    async fn limits(&self) -> Limits {
        let mut info = ServerServiceClient::new(self.channel.clone());
        info.get_server_info(GetServerInfoRequest {}).await.unwrap().into_inner().limits.unwrap()
    }

    /// Queues a job for `count` puzzles, and returns the status code.
    async fn generate(&self, count: u32) -> Code {
        let answer = PuzzleServiceClient::new(self.channel.clone()).generate(request(count)).await;
        answer.map_or_else(|status| status.code(), |_| Code::Ok)
    }

    /// Numbers of puzzles of the stock targets.
    async fn targets(&self) -> Vec<u32> {
        let mut stock = StockServiceClient::new(self.channel.clone());
        let listed = stock.list_stock_targets(ListStockTargetsRequest::default()).await.unwrap();
        listed.into_inner().targets.iter().map(|target| target.target).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bounds_change_at_sighup_and_open_connections_stay() {
    let one = Configured::start("max_count = 5", BY_SIGNAL).await;
    assert_eq!((one.generate(5).await, one.generate(6).await), (Code::Ok, Code::InvalidArgument));
    let line = one.reload("max_count = 4\nmax_open_jobs = 2\nmax_text_bytes = 81", "settings reloaded");
    assert!(line.ends_with("changed=\"max_open_jobs max_count max_text_bytes\""), "{line}");
    assert_eq!((one.generate(5).await, one.generate(4).await), (Code::InvalidArgument, Code::Ok));
    assert_eq!(one.generate(4).await, Code::ResourceExhausted);
    let limits = one.limits().await;
    assert_eq!((limits.max_count, limits.max_open_jobs, limits.max_text_bytes), (4, 2, 81));
    // A setting that the file no longer has is the default again.
    one.reload("", "settings reloaded");
    assert_eq!((one.generate(7).await, one.limits().await.max_count), (Code::Ok, 100_000));
    one.reload("", "settings reloaded; none changed");
    one.server.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn size_of_messages_changes_at_reload() {
    let one = Configured::start("", BY_SIGNAL).await;
    let mut large = request(1);
    large.labels = (0..16).map(|index| (format!("{index:063}"), "v".repeat(63))).collect();
    let mut puzzles = PuzzleServiceClient::new(one.channel.clone());
    puzzles.generate(large.clone()).await.unwrap();
    one.reload("max_request_bytes = 1024\n", "settings reloaded");
    assert_eq!(puzzles.generate(large.clone()).await.unwrap_err().code(), Code::OutOfRange);
    one.reload("max_request_bytes = 4096\n", "settings reloaded");
    puzzles.generate(large).await.unwrap();
    one.server.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_content_is_taken_when_a_symbolic_link_is_replaced() {
    let folder = Arc::new(tempdir().unwrap());
    let [first, second, third, file, other] =
        ["first", "second", "third", "puzzled.toml", "next"].map(|name| folder.path().join(name));
    fs::write(&first, "max_count = 5\n").unwrap();
    fs::write(&second, "max_count = 5\n").unwrap();
    fs::write(&third, "max_count = 6\n").unwrap();
    symlink(&first, &file).unwrap();
    let args = format!("--workers 0 --config-poll-ms 5 --config {}", file.display());
    let server = Server::start_in(Arc::clone(&folder), &args);
    let channel = server.channel().await;
    // The second file has the same content, so only the third one is a change.
    for target in [&second, &third] {
        symlink(target, &other).unwrap();
        fs::rename(&other, &file).unwrap();
    }
    let line = server.line_with("settings reloaded");
    assert!(line.contains("max_count") && !line.contains("none changed"), "{line}");
    let mut info = ServerServiceClient::new(channel);
    let limits = info.get_server_info(GetServerInfoRequest {}).await.unwrap().into_inner().limits.unwrap();
    assert_eq!(limits.max_count, 6);
    // A missing file changes nothing, and is logged once.
    fs::remove_file(&file).unwrap();
    server.line_with("configuration file unreadable; the old settings stay in force");
    symlink(&first, &file).unwrap();
    assert!(server.line_with("settings reloaded").contains("max_count"));
    let rest = server.end();
    assert!(!rest.contains("unreadable"), "{rest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_file_logs_one_error_and_changes_nothing() {
    let one = Configured::start("max_count = 5", BY_SIGNAL).await;
    let cases = [
        ("max_count = 4\nmax_tries = 0", "max_tries: 0 is not allowed; use a number from 1 to 1000000"),
        ("max_count = 4\nmax_cuont = 3", "max_cuont: unknown field; did you mean max_count"),
        ("max_count = 4\nlog = '='", "which is not a filter"),
        ("max_count = 4\n[[target]]\nlevel = 'hard'", "missing field `target`"),
        ("max_count = ", "line 1: "),
    ];
    for (text, expected) in cases {
        let line = one.reload(text, "settings not reloaded; the old ones stay in force");
        assert!(line.contains("ERROR") && line.contains(expected), "{text:?}: {line}");
        assert!(line.contains("puzzled.toml") || expected.contains("filter"), "{text:?}: {line}");
        assert_eq!((one.limits().await.max_count, one.targets().await), (5, vec![]), "{text:?}");
    }
    let rest = one.server.end();
    assert!(!rest.contains("reloaded"), "{rest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn setting_that_needs_a_restart_is_one_warning_that_names_it() {
    let one = Configured::start("", BY_SIGNAL).await;
    let text = "max_streams = 7\ncompute_threads = 5\nmax_count = 4\n";
    let first = one.reload(text, "setting not reloaded; it needs a restart");
    let second = one.server.line_with("setting not reloaded; it needs a restart");
    assert!(first.contains("WARN") && first.contains("max_streams"), "{first}");
    assert!(second.contains("WARN") && second.contains("compute_threads"), "{second}");
    let line = one.server.line_with("settings reloaded");
    assert!(line.ends_with("changed=\"max_count\""), "{line}");
    let limits = one.limits().await;
    assert_eq!((limits.max_streams, limits.compute_threads, limits.max_count), (200, 3, 4));
    one.server.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn flag_keeps_overriding_the_file() {
    let one = Configured::start("max_count = 5", &format!("--max-count 9 {BY_SIGNAL}")).await;
    one.reload("max_count = 4", "settings reloaded; none changed");
    assert_eq!(one.limits().await.max_count, 9);
    one.server.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn log_filter_changes_at_reload() {
    let one = Configured::start("log = 'info'", BY_SIGNAL).await;
    one.reload("log = 'debug'", "settings reloaded");
    // The filter changes after that line, and before the next reload.
    one.reload("log = 'debug'", "settings reloaded; none changed");
    assert_eq!(one.generate(0).await, Code::InvalidArgument);
    assert!(one.server.line_with("call refused").contains("DEBUG"));
    one.reload("log = 'error'", "settings reloaded");
    // Once the filter has changed, the refused call leaves no line before the error.
    let mut lines = Vec::new();
    while !lines.last().is_some_and(|line: &String| line.contains("ERROR")) {
        assert!(lines.len() < 1_000, "no filter of errors: {lines:?}");
        assert_eq!(one.generate(0).await, Code::InvalidArgument);
        lines.push(one.reload("log = '='", " "));
    }
    assert!(lines.last().unwrap().contains("settings not reloaded"), "{lines:?}");
    one.server.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn stock_targets_are_declared_again_or_the_file_is_not_taken() {
    let target = |level: &str, target: u32| format!("[[target]]\nlevel = '{level}'\ntarget = {target}\n");
    let folder = Arc::new(tempdir().unwrap());
    // Targets of another configuration.
    let night = format!("config_name = 'night'\n{}", target("evil", 3));
    Configured::start_in(Arc::clone(&folder), &night, BY_SIGNAL).await.server.end();
    let one = Configured::start_in(folder, &target("easy", 5), BY_SIGNAL).await;
    assert_eq!(one.targets().await, [3, 5]);
    let line = one.reload(&(target("hard", 6) + &target("medium", 7)), "stock target removed");
    assert!(line.contains("easy"), "{line}");
    one.server.line_with("stock target added");
    one.server.line_with("stock target added");
    one.server.line_with("settings reloaded");
    assert_eq!(one.targets().await, [3, 6, 7]);
    let clash = format!("max_count = 4\n{}{}", target("hard", 8), target("evil", 9));
    let line = one.reload(&clash, "settings not reloaded; the old ones stay in force");
    assert!(line.contains("which the configuration `night` has declared"), "{line}");
    assert_eq!((one.targets().await, one.limits().await.max_count), (vec![3, 6, 7], 100_000));
    let line = one.reload(&format!("max_targets = 2\n{}", target("easy", 1) + &target("hard", 6)), "not reloaded");
    assert!(line.contains("the limit is 2"), "{line}");
    assert_eq!(one.targets().await, [3, 6, 7]);
    one.server.end();
}

#[test]
fn sighup_without_a_configuration_file_is_logged_and_harmless() {
    let server = Server::start("--workers 0");
    server.line_with(" listens on ");
    server.signal(Signal::HUP);
    let line = server.line_with("SIGHUP");
    assert!(line.contains("INFO") && line.contains("there is no configuration file"), "{line}");
    server.end();
}

#[test]
fn workers_reload_too() {
    let folder = Arc::new(tempdir().unwrap());
    let file = folder.path().join("puzzled.toml");
    // `work` checks the settings of a server, but does not use them.
    fs::write(&file, "workers = 1\nmax_count = 5\n").unwrap();
    let workers = Server::work_in(folder, &format!("--config {} {BY_SIGNAL}", file.display()));
    workers.line_with(" works on ");
    fs::write(&file, "workers = 2\nmax_attempts = 3\nmax_count = 6\n").unwrap();
    workers.signal(Signal::HUP);
    assert!(workers.line_with("needs a restart").contains("workers"));
    let line = workers.line_with("settings reloaded");
    assert!(line.ends_with("changed=\"max_attempts\""), "{line}");
    workers.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn hundred_reloads_under_load_fail_no_call() {
    let one = Configured::start("", BY_SIGNAL).await;
    let (stop, calls) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let load = (0..4).map(|_| {
        let (channel, stop, calls) = (one.channel.clone(), Arc::clone(&stop), Arc::clone(&calls));
        tokio::spawn(async move {
            let mut info = ServerServiceClient::new(channel.clone());
            let mut puzzles = PuzzleServiceClient::new(channel);
            while !stop.load(Ordering::Relaxed) {
                info.get_server_info(GetServerInfoRequest {}).await?;
                // A repeat of the same request queues no second job, so the queue does not fill.
                let named = GenerateRequest { request_id: "one".to_owned(), ..request(1) };
                puzzles.generate(named).await?;
                calls.fetch_add(2, Ordering::Relaxed);
            }
            Ok::<_, tonic::Status>(())
        })
    });
    let load: Vec<_> = load.collect();
    let mut before = 0;
    for turn in 0..100 {
        let target = 5 + turn % 2;
        let text = format!(
            "max_count = {}\nmax_calls = {}\nlog = '{}'\n[[target]]\nlevel = 'hard'\ntarget = {target}\n",
            10 + turn,
            1_000 + turn,
            if turn % 2 == 0 { "info" } else { "info,puzzled_store=debug" },
        );
        one.reload(&text, "settings reloaded");
        // Some calls follow each reload, so that not all of them come before the first.
        while calls.load(Ordering::Relaxed) <= before {
            tokio::task::yield_now().await;
            assert!(load.iter().all(|task| !task.is_finished()), "call failed");
        }
        before = calls.load(Ordering::Relaxed);
    }
    stop.store(true, Ordering::Relaxed);
    for task in load {
        task.await.unwrap().unwrap();
    }
    assert!(before >= 100, "{before} calls");
    assert_eq!(one.limits().await.max_count, 109);
    one.server.end();
}
