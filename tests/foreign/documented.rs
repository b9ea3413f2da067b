//! Checks files of the documentation with other programs: runs the Python program of `docs/quickstart.md` against a real server and the
//! commands of `docs/datasets.md`, and reads the pictures of `docs/images`. Without Python, `grpcio`, `grpcio-tools`, or `jq`, a test is
//! reported as ignored, which only shows at run time.

use std::{fs, path::Path, process::Command};

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

use crate::running::{Running, puzzled};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Lines of the program at most: it is the first one that a reader types.
const LINES_MAX: usize = 20;

pub(crate) fn trials() -> Vec<Trial> {
    let [python, reader] = [Python::find(), Python::find()];
    let (has_packages, has_reader) = (python.has("grpc, grpc_tools"), reader.has("xml.etree.ElementTree"));
    let has_jq = Command::new("jq").arg("--version").output().is_ok();
    vec![
        Trial::test("python_program_gets_a_puzzle", move || get_a_puzzle(&python)).with_ignored_flag(!has_packages),
        Trial::test("data_set_page_makes_a_split_data_set", make_a_data_set).with_ignored_flag(!has_jq),
        Trial::test("another_reader_of_xml_reads_the_pictures", move || read_pictures(&reader))
            .with_ignored_flag(!has_reader),
    ]
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

/// Runs all commands of the page in an empty folder. Their files must be labelled, right, and split without a rest.
fn make_a_data_set() -> Result<(), Failed> {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/datasets.md")).unwrap();
    let commands: String = page.split("```sh\n").skip(1).map(|block| block.split_once("```").unwrap().0).collect();
    let folder = tempfile::tempdir().unwrap();
    let script = format!("puzzled() {{ '{}' \"$@\"; }}\n{commands}", env!("CARGO_BIN_EXE_puzzled"));
    let ran = Command::new("sh").current_dir(&folder).args(["-e", "-c", &script]).output().unwrap();
    if !ran.status.success() || !ran.stdout.is_empty() || !ran.stderr.is_empty() {
        return Err(format!("{}: {}", ran.status, String::from_utf8_lossy(&ran.stderr)).into());
    }
    let read = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap();
    let texts = |file: &str| -> Vec<String> {
        let of = |line| serde_json::from_str::<Value>(line).unwrap()["text"].as_str().unwrap().to_owned();
        read(file).lines().map(of).collect()
    };
    let mut puzzles = texts("puzzles.jsonl");
    let verdicts = read("verdicts.txt");
    assert!(verdicts.lines().count() == puzzles.len() && verdicts.lines().all(|verdict| verdict.ends_with(": right")));
    assert!(read("puzzles.jsonl").lines().all(|puzzle| puzzle.contains(r#""level":"LEVEL_"#)));
    assert!(read("steps.jsonl").lines().all(|puzzle| puzzle.contains(r#""sentence":""#)));
    let sides = ["train.jsonl", "validation.jsonl", "test.jsonl"].map(texts);
    let lengths = sides.each_ref().map(Vec::len);
    assert!(lengths.iter().all(|length| length * 20 > puzzles.len()), "{lengths:?} of {}", puzzles.len());
    let mut of_sides = sides.concat();
    of_sides.sort();
    puzzles.sort();
    assert!(of_sides == puzzles, "the three sides are not the whole");
    Ok(())
}

/// Checks that each file named by an argument is an SVG picture with a title and a description for screen readers, and that it has
/// nothing which could run or load anything. Prints the number of digits, lines, and shapes in each.
const READER: &str = "
import sys, xml.etree.ElementTree as tree
svg = '{http://www.w3.org/2000/svg}'
for name in sys.argv[1:]:
    root = tree.parse(name).getroot()
    assert root.tag == svg + 'svg' and root.get('role') == 'img', name
    texts = {element.get('id'): element.text for element in root if element.tag in (svg + 'title', svg + 'desc')}
    assert root.get('aria-labelledby').split() == list(texts) and all(texts.values()), (name, texts)
    tags = {element.tag.removeprefix(svg) for element in root.iter()}
    assert tags <= {'svg', 'title', 'desc', 'rect', 'path', 'g', 'text'}, (name, tags)
    attributes = {attribute for element in root.iter() for attribute in element.keys()}
    assert not any(name.endswith('href') or name == 'style' or name.startswith('on') for name in attributes), attributes
    digits = sum(element.text.isdigit() for element in root.iter(svg + 'text'))
    print(digits + sum(element.get('d').count('M') for element in root.iter(svg + 'path')))
";

fn read_pictures(python: &Python) -> Result<(), Failed> {
    let mut files: Vec<_> =
        fs::read_dir(Path::new(ROOT).join("docs/images")).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "svg"));
    let ran = Command::new(&python.command).args(["-c", READER]).args(&files).output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let marks: Vec<usize> = out.lines().filter_map(|line| line.parse().ok()).collect();
    let is_read = !files.is_empty() && marks.len() == files.len() && marks.iter().all(|marks| *marks > 20);
    if ran.status.success() && is_read { Ok(()) } else { Err(format!("{files:?}: {out}{err}").into()) }
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

    /// Whether programs that import these packages can run here. An interpreter that is named must be able to run them.
    fn has(&self, packages: &str) -> bool {
        let import = || Command::new(&self.command).args(["-c", &format!("import {packages}")]).output();
        self.is_named || import().is_ok_and(|ran| ran.status.success())
    }
}
