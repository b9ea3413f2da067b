//! Runs the Python program of `docs/quickstart.md` against a real server. Without `grpcio` and `grpcio-tools`, the test is
//! reported as ignored, which only shows at run time.
#![expect(clippy::unwrap_used, reason = "a test without the usual harness is not known as one")]

#[path = "../support/running.rs"]
#[expect(dead_code, reason = "the tests of the command line use the rest")]
mod running;

use std::{
    fs,
    path::Path,
    process::{Command, ExitCode},
};

use libtest_mimic::{Arguments, Failed, Trial};
use running::{Running, puzzled};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Lines of the program at most: it is the first one that a reader types.
const LINES_MAX: usize = 20;

fn main() -> ExitCode {
    let python = Python::find();
    let is_ignored = !python.is_expected();
    let trial = Trial::test("python_program_gets_a_puzzle", move || get_a_puzzle(&python));
    libtest_mimic::run(&Arguments::from_args(), vec![trial.with_ignored_flag(is_ignored)]).exit_code()
}

fn get_a_puzzle(python: &Python) -> Result<(), Failed> {
    let program = program();
    let lines = program.lines().count();
    if lines > LINES_MAX {
        return Err(format!("the program has {lines} lines; at most {LINES_MAX}").into());
    }
    let folder = tempfile::tempdir().unwrap();
    let server = Running::spawn(puzzled("serve --listen 127.0.0.1:0 --workers 1").current_dir(&folder));
    let file = folder.path().join("first.py");
    fs::write(&file, program).unwrap();
    let ran = Command::new(&python.command).current_dir(ROOT).arg(&file).arg(server.address()).output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let is_puzzle = out.starts_with("puzzle-") && out.contains("+-------+");
    if ran.status.success() && is_puzzle { Ok(()) } else { Err(format!("{out}{err}").into()) }
}

/// The only Python block of the page.
fn program() -> String {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/quickstart.md")).unwrap();
    let (_, program) = page.split_once("```python\n").unwrap();
    program.split_once("```").unwrap().0.to_owned()
}

/// The interpreter that runs the program.
struct Python {
    command: String,
    is_named: bool,
}

impl Python {
    /// The interpreter that `PUZZLED_TEST_PYTHON` names, else `python3`.
    #[expect(clippy::disallowed_methods, reason = "a person or a script names the interpreter")]
    fn find() -> Self {
        let named = std::env::var("PUZZLED_TEST_PYTHON").ok();
        Self { is_named: named.is_some(), command: named.unwrap_or_else(|| "python3".to_owned()) }
    }

    /// Whether the program can run here. An interpreter that is named must be able to.
    fn is_expected(&self) -> bool {
        let has_packages = || {
            let import = Command::new(&self.command).args(["-c", "import grpc, grpc_tools"]).output();
            import.is_ok_and(|ran| ran.status.success())
        };
        self.is_named || has_packages()
    }
}
