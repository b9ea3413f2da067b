//! The Grafana dashboard and the alert rules of `deploy/` on a Prometheus that scrapes two servers of one database:
//! each query of the dashboard returns rows, and the maximum over the servers counts shared workers once. Skipped, with
//! a message, if Prometheus is not installed.

use std::{fs, path::Path, time::Duration};

use serde_json::Value;
use tokio::{
    process::{Child, Command},
    time::{interval, timeout},
};

use crate::process::{Machine, PATIENCE, free_address};

const BOARD: &str = "deploy/grafana/board.json";
const PANELS: usize = 13;

/// Time between two scrapes, and between two attempts at a query.
const SCRAPE_SECONDS: u64 = 1;

fn path(file: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file).display().to_string()
}

/// The queries of the board by their panel, as Grafana would send them.
fn queries() -> Vec<(String, String)> {
    let board: Value = serde_json::from_str(&fs::read_to_string(path(BOARD)).unwrap()).unwrap();
    let panels: Vec<_> = board["panels"].as_array().unwrap().iter().filter(|panel| panel["type"] != "row").collect();
    assert_eq!(panels.len(), PANELS);
    let of_panel = |panel: &&Value| {
        let title = panel["title"].as_str().unwrap().to_owned();
        let targets = panel["targets"].as_array().unwrap().clone();
        targets.into_iter().map(move |target| {
            let query = target["expr"].as_str().unwrap().replace("$job", "puzzled").replace("$__rate_interval", "30s");
            (title.clone(), query)
        })
    };
    panels.iter().flat_map(of_panel).collect()
}

/// A running Prometheus.
struct Prometheus {
    address: String,
    _process: Child,
}

impl Prometheus {
    /// Starts Prometheus with the rules. It scrapes these addresses.
    fn start(folder: &Path, targets: &[String]) -> Self {
        let (file, rules, address) =
            (folder.join("prometheus.yaml"), path("deploy/prometheus/rules.yaml"), free_address());
        let config = format!(
            "global: {{scrape_interval: {SCRAPE_SECONDS}s, evaluation_interval: {SCRAPE_SECONDS}s}}\n\
             rule_files: ['{rules}']\n\
             scrape_configs: [{{job_name: puzzled, static_configs: [{{targets: {targets:?}}}]}}]\n"
        );
        fs::write(&file, config).unwrap();
        let mut command = Command::new("prometheus");
        command.arg(format!("--config.file={}", file.display()));
        command.arg(format!("--storage.tsdb.path={}", folder.join("prometheus").display()));
        command.arg(format!("--web.listen-address={address}")).arg("--log.level=error").kill_on_drop(true);
        Self { address, _process: command.spawn().unwrap() }
    }

    /// The rows of a query, once there are any.
    async fn rows(&self, query: &str) -> String {
        let mut attempts = interval(Duration::from_secs(SCRAPE_SECONDS));
        let asked = async {
            loop {
                attempts.tick().await;
                let mut promtool = Command::new("promtool");
                promtool.args(["query", "instant", &format!("http://{}", self.address), query]);
                let answer = promtool.output().await.unwrap();
                let rows = String::from_utf8(answer.stdout).unwrap().trim().to_owned();
                // Without rows, promtool prints an empty line.
                if answer.status.success() && !rows.is_empty() {
                    return rows;
                }
            }
        };
        timeout(PATIENCE, asked).await.unwrap_or_else(|_| panic!("no rows: {query}"))
    }
}

#[tokio::test]
async fn each_query_of_the_board_returns_rows() {
    let version = Command::new("prometheus").arg("--version").output().await;
    if version.is_err() {
        eprintln!("skipped: there is no Prometheus here (Debian: prometheus)");
        return;
    }
    let machine = Machine::with_file();
    let folder = machine.folder.path();
    let config = "max_puzzles = 1000\n[[target]]\nlevel = 'easy'\ntarget = 5\n[[series]]\nname = 'daily'\n";
    fs::write(folder.join("puzzled.toml"), config).unwrap();
    let (mut ops, mut servers) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        let (address, at) = (free_address(), free_address());
        servers.push(machine.serve(&address, &format!("--workers 1 --ops-listen {at}")).await);
        ops.push(at);
    }
    let prometheus = Prometheus::start(folder, &ops);
    let mut get = machine.program(env!("CARGO_BIN_EXE_puzzled"), &servers[0].address);
    let got = get.args(["get", "--level", "easy", "--make", "--audience", "anna"]).output().await.unwrap();
    assert!(got.status.success(), "{got:?}");
    for (panel, query) in queries() {
        let rows = prometheus.rows(&query).await;
        println!("{panel}: {} rows", rows.lines().count());
    }
    // Each server reports the workers of both.
    prometheus.rows("count(puzzled_workers == 2) == 2").await;
    prometheus.rows("max by (job) (puzzled_workers) == 2").await;
    for server in servers {
        server.stop().await;
    }
}
