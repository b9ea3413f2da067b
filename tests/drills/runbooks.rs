//! Runs the commands of the runbooks in `docs/operations`: the `sh` blocks of a page in order, on a machine with a running server.
//! `console` blocks start, stop, or reload the service by systemd; the test does this itself.

use std::{fs, path::Path};

use rustix::process::Signal;
use tokio::time::timeout;

use crate::{
    databases::cluster::Cluster,
    process::{Machine, PATIENCE, Server, free_address},
};

/// The pages, in groups that share a machine. A section is named by its heading.
const RUNBOOKS: [&[(&str, Option<&str>)]; 5] = [
    &[("doctor", None), ("backup", None), ("restore", None)],
    &[("upgrade", None)],
    &[("queue", None), ("processes", Some("Scale out"))],
    &[("disk-full", None)],
    &[("rotate", None)],
];

/// A step of a page.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// Commands for `sh`.
    Run(String),
    Stop,
    Start,
    Restart,
    Reload,
}

/// The steps of a page, or of one of its sections, for one database. Sections whose headings name only the other
/// database are left out.
fn steps(page: &str, section: Option<&str>, database: &str) -> Vec<Step> {
    let other = if database == "SQLite" { "PostgreSQL" } else { "SQLite" };
    let (mut steps, mut block, mut is_wanted, mut is_section) = (Vec::new(), None, true, section.is_none());
    for line in page.lines() {
        match (&mut block, line.trim()) {
            (None, "```sh" | "```console") => block = Some((line.trim() == "```sh", String::new())),
            (None, heading) if heading.starts_with('#') => {
                is_wanted = !heading.contains(other) || heading.contains(database);
                is_section = section.is_none_or(|section| heading.trim_start_matches('#').trim() == section);
            }
            (Some((is_sh, text)), "```") => {
                if is_wanted && is_section {
                    steps.extend(if *is_sh { vec![Step::Run(text.clone())] } else { of_console(text) });
                }
                block = None;
            }
            (Some((_, text)), _) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, _) => {}
        }
    }
    steps
}

fn of_console(text: &str) -> Vec<Step> {
    let step = |line: &str| {
        Some(match line.strip_prefix("# systemctl ")? {
            "stop puzzled" => Step::Stop,
            "start puzzled" => Step::Start,
            "restart puzzled" => Step::Restart,
            "reload puzzled" => Step::Reload,
            _ => return None,
        })
    };
    text.lines().filter_map(step).collect()
}

/// A machine with a server, and a puzzle in its stock that was delivered.
struct Drill {
    machine: Machine,
    address: String,
    server: Option<Server>,
}

impl Drill {
    async fn begin(machine: Machine) -> Self {
        let address = free_address();
        fs::create_dir(machine.folder.path().join("backups")).unwrap();
        let server = Some(machine.serve(&address, "--workers 1").await);
        let drill = Self { machine, address, server };
        drill.run("puzzled get --level easy --make --audience anna").await;
        drill
    }

    async fn take(&mut self, step: &Step) {
        match step {
            Step::Run(commands) => self.run(commands).await,
            Step::Stop => self.server.take().unwrap().stop().await,
            Step::Start => self.server = Some(self.machine.serve(&self.address, "--workers 1").await),
            Step::Restart => {
                self.server.take().unwrap().stop().await;
                self.server = Some(self.machine.serve(&self.address, "--workers 1").await);
            }
            Step::Reload => self.server.as_ref().unwrap().signal(Signal::HUP),
        }
    }

    /// Runs commands. An exit code of 2 means that the last command is done in part, or warns.
    async fn run(&self, commands: &str) {
        let mut sh = self.machine.program("sh", &self.address);
        let ran = timeout(PATIENCE, sh.args(["-euc", commands]).output()).await.unwrap().unwrap();
        let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(matches!(ran.status.code(), Some(0 | 2)), "{commands}{out}{err}");
    }

    async fn end(self) {
        self.server.unwrap().stop().await;
        self.machine.puzzled("check").await;
    }
}

fn page(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/operations/{name}.md"));
    fs::read_to_string(file).unwrap()
}

async fn run_all(pages: &[(&str, Option<&str>)], database: &str, machine: Machine) {
    let mut drill = Drill::begin(machine).await;
    for (name, section) in pages {
        let steps = steps(&page(name), *section, database);
        assert!(!steps.is_empty(), "{name}");
        for step in &steps {
            println!("{name}: {step:?}");
            drill.take(step).await;
        }
    }
    drill.end().await;
}

#[tokio::test]
async fn commands_of_the_runbooks_work_on_sqlite() {
    for pages in RUNBOOKS {
        run_all(pages, "SQLite", Machine::with_file()).await;
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn commands_of_the_runbooks_work_on_postgres() {
    for pages in RUNBOOKS {
        let cluster = Cluster::start(false);
        run_all(pages, "PostgreSQL", Machine::on(&cluster.url("postgres"))).await;
    }
}

#[test]
fn page_on_restores_first_says_what_is_lost() {
    let page = page("restore");
    let (loss, first_block) = (page.find("## What a restore loses").unwrap(), page.find("```").unwrap());
    assert!(loss < first_block);
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Puzzles that an audience got before the restore point are not repeated."));
    assert!(words.contains("Puzzles that it got afterwards may be."));
}

#[test]
fn steps_of_a_page_are_those_of_its_database() {
    let page = "# A\n```sh\none\n```\n## On SQLite\n```console\n# systemctl stop puzzled\n$ ls\n```\n## On PostgreSQL\n```sh\ntwo\n\
                ```\n## Both\n```sh\nthree\n```\n";
    let run = |commands: &str| Step::Run(format!("{commands}\n"));
    assert_eq!(steps(page, None, "SQLite"), [run("one"), Step::Stop, run("three")]);
    assert_eq!(steps(page, None, "PostgreSQL"), [run("one"), run("two"), run("three")]);
    assert_eq!(steps(page, Some("Both"), "SQLite"), [run("three")]);
}
