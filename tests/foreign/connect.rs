//! Runs clients of the Connect protocol against the real binary: the curl commands of the documentation, `buf curl`,
//! connect-es, and a validator of OpenAPI. The test of a client that is not installed here is reported as ignored.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use libtest_mimic::{Failed, Trial};
use puzzled_api::DESCRIPTORS;
use serde_json::Value;

use crate::running::{Running, puzzled};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The address in the documentation.
const DOCUMENTED: &str = "localhost:50051";

pub(crate) fn trials() -> Vec<Trial> {
    let has_curl = Command::new("curl").arg("--version").output().is_ok_and(|ran| ran.status.success());
    let packages = Packages::find();
    let (for_buf, for_es) = (packages.clone(), packages.clone());
    let python = Python::find();
    let has_validator = python.has_validator();
    vec![
        Trial::test("line_of_the_readme_gets_a_puzzle_by_curl", line_of_the_readme).with_ignored_flag(!has_curl),
        Trial::test("page_of_the_server_suggests_a_line_that_works", line_of_the_page).with_ignored_flag(!has_curl),
        Trial::test("buf_curl_calls_by_connect", move || buf_curl(&for_buf)).with_ignored_flag(packages.0.is_none()),
        Trial::test("connect_es_calls_by_connect", move || connect_es(&for_es)).with_ignored_flag(packages.0.is_none()),
        Trial::test("openapi_fits_requests_and_answers", move || openapi(&python)).with_ignored_flag(!has_validator),
    ]
}

fn line_of_the_readme() -> Result<(), Failed> {
    let server = Server::start();
    for page in ["README.md", "docs/quickstart.md", "docs/json.md"] {
        let text = fs::read_to_string(Path::new(ROOT).join(page)).unwrap().replace("\\\n", "");
        let line = text.lines().find(|line| line.starts_with("curl ") && line.contains("PuzzleService/GetPuzzle"));
        let line = line.ok_or_else(|| format!("{page} has no line for curl"))?;
        gets_a_puzzle(&line.replace(DOCUMENTED, &server.address))?;
    }
    Ok(())
}

fn line_of_the_page() -> Result<(), Failed> {
    let server = Server::start();
    let page = run(Command::new("curl").args(["-sS", "-f", &format!("http://{}/", server.address)]))?;
    gets_a_puzzle(page.lines().last().unwrap())
}

/// Runs a line of a shell, which must print a puzzle.
fn gets_a_puzzle(line: &str) -> Result<(), Failed> {
    let answer = run(Command::new("sh").args(["-c", line]))?;
    let answer: Value = serde_json::from_str(&answer).map_err(|error| format!("{line}: {error}: {answer}"))?;
    let is_puzzle = answer["puzzle"]["text"].as_str().is_some_and(|text| text.len() == 81);
    if is_puzzle { Ok(()) } else { Err(format!("{line}: {answer}").into()) }
}

fn buf_curl(packages: &Packages) -> Result<(), Failed> {
    let server = Server::start();
    let schema = server.folder.path().join("puzzled.binpb");
    fs::write(&schema, DESCRIPTORS).unwrap();
    let call = |method: &str, data: &str| {
        let mut buf = Command::new(packages.folder().join("node_modules/.bin/buf"));
        buf.args(["curl", "--protocol", "connect", "--schema"]).arg(&schema).args(["-d", data]);
        buf.arg(format!("http://{}/puzzled.v1.{method}", server.address));
        buf
    };
    let request = r#"{"kind":"KIND_SUDOKU","wait":true,"enqueueIfShort":true,"includeRecord":true}"#;
    let puzzle: Value = serde_json::from_str(&run(&mut call("PuzzleService/GetPuzzle", request))?)?;
    let id = puzzle["puzzle"]["jobId"].as_str().ok_or("no puzzle")?;
    let watched = run(&mut call("JobService/WatchJob", &format!(r#"{{"id":"{id}"}}"#)))?;
    if !watched.contains("JOB_STATE_SUCCEEDED") {
        return Err(watched.into());
    }
    let refused = call("JobService/GetJob", r#"{"id":"job-999"}"#).output().unwrap();
    let error: Value = serde_json::from_slice(&refused.stderr)?;
    if error["code"] == "not_found" { Ok(()) } else { Err(error.to_string().into()) }
}

fn connect_es(packages: &Packages) -> Result<(), Failed> {
    let server = Server::start();
    let descriptors = server.folder.path().join("puzzled.binpb");
    fs::write(&descriptors, DESCRIPTORS).unwrap();
    let mut node = Command::new("node");
    node.arg(Path::new(ROOT).join("tests/foreign/walk.cjs"));
    let printed = run(node.arg(packages.folder()).arg(&descriptors).arg(&server.address))?;
    let forms = ["HTTP/1.1 json", "HTTP/1.1 proto", "HTTP/2 json", "HTTP/2 proto"];
    let lines = ["watched 2 of 2", "got a board of 81 cells, and its solution", "5 google.rpc.ErrorInfo JOB_NOT_FOUND"];
    let expected: Vec<_> = forms.iter().flat_map(|form| lines.map(|line| format!("{form}: {line}"))).collect();
    if printed.lines().eq(&expected) { Ok(()) } else { Err(printed.into()) }
}

/// Answers of all types that the script prints, each with its status.
const ANSWERED: [&str; 6] = [
    "200 OK /puzzled.v1.PuzzleService/Solve",
    "400 STOCK_EXHAUSTED /puzzled.v1.PuzzleService/GetPuzzle",
    "400 INVALID_FIELD /puzzled.v1.PuzzleService/WithdrawPuzzle",
    "404 JOB_NOT_FOUND /puzzled.v1.JobService/GetJob",
    "409 TARGET_EXISTS /puzzled.v1.StockService/CreateStockTarget",
    "200 OK /puzzles/puzzle-1.svg?step=1",
];

fn openapi(python: &Python) -> Result<(), Failed> {
    let server = Server::start();
    run(puzzled("protos api --openapi").current_dir(&server.folder))?;
    let mut script = Command::new(&python.0);
    script.arg(Path::new(ROOT).join("tests/foreign/openapi.py"));
    let printed = run(script.arg(server.folder.path().join("api/openapi.json")).arg(&server.address))?;
    let missing: Vec<_> = ANSWERED.iter().filter(|answer| !printed.lines().any(|line| line == **answer)).collect();
    let refused = printed.lines().find(|line| line.contains('?') && !line.starts_with("200"));
    if missing.is_empty() && refused.is_none() { Ok(()) } else { Err(format!("{missing:?}\n{printed}").into()) }
}

/// What the command prints.
fn run(command: &mut Command) -> Result<String, Failed> {
    let ran = command.output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    if ran.status.success() { Ok(out) } else { Err(format!("{out}{err}").into()) }
}

/// The folder with the packages of npm, which `PUZZLED_TEST_NODE` names.
#[derive(Debug, Clone)]
struct Packages(Option<PathBuf>);

impl Packages {
    fn find() -> Self {
        let folder = std::env::var_os("PUZZLED_TEST_NODE").map(PathBuf::from);
        Self(folder.filter(|folder| folder.join("node_modules/@connectrpc/connect-node").is_dir()))
    }

    fn folder(&self) -> &Path {
        self.0.as_deref().unwrap()
    }
}

/// The interpreter that `PUZZLED_TEST_PYTHON` names, else `python3`.
struct Python(String);

impl Python {
    #[expect(clippy::disallowed_methods, reason = "a person or a script names the interpreter")]
    fn find() -> Self {
        Self(std::env::var("PUZZLED_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned()))
    }

    fn has_validator(&self) -> bool {
        let import = Command::new(&self.0).args(["-c", "import openapi_spec_validator"]).output();
        import.is_ok_and(|ran| ran.status.success())
    }
}

/// A server on a free port, which ends with this value.
struct Server {
    address: String,
    folder: tempfile::TempDir,
    _running: Running,
}

impl Server {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let running = Running::spawn(puzzled("serve --listen 127.0.0.1:0 --workers 1").current_dir(&folder));
        Self { address: running.address(), folder, _running: running }
    }
}
