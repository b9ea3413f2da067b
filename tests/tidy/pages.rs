//! Checks what the docs name: links, files, modules, commands, flags, defaults, and methods of the trait for kinds exist, and
//! the README is short. Commands are compared with `tests/golden/help`, which the tests of the command line compare
//! with the program.

use super::{assert_none, files, read, root};

/// The maximum number of lines of the README.
const README_LINES_MAX: usize = 150;

/// The maximum number of rows in its table of links.
const README_LINKS_MAX: usize = 15;

/// The maximum number of lines of an example of a kind on a square grid.
const KIND_LINES_MAX: usize = 40;

/// The folders of the files that the pages name. A page may name only the end of a path.
const FOLDERS: [&str; 10] =
    ["src", "crates", "tests", "proto", "migrations", "benches", "fuzz/fuzz_targets", "docs", "tools", ".ci"];

/// A word with one of these endings counts as the name of a project file.
const ENDINGS: [&str; 4] = [".rs", ".proto", ".sql", ".md"];

#[test]
fn links_between_pages_lead_to_files_and_headings() {
    let mut broken = Vec::new();
    for page in pages() {
        let (folder, text) = (page.rsplit_once('/').map_or("", |(folder, _)| folder), read(&page));
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
        for link in links.filter(|link| !link.starts_with("http")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = root().join(folder).join(file);
            let has_anchor = || {
                let text =
                    if file.is_empty() { text.clone() } else { std::fs::read_to_string(&target).unwrap_or_default() };
                anchor.is_empty() || headings(&text).any(|heading| heading == anchor)
            };
            if !target.exists() || !has_anchor() {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert_none(&broken);
}

#[test]
fn files_that_pages_name_exist() {
    let all: Vec<_> =
        FOLDERS.iter().flat_map(|folder| ENDINGS.map(|ending| files(folder, &ending[1..])).concat()).collect();
    let exists = |name: &str| {
        let name = name.trim_end_matches('/');
        let inner = ["engine/", "store/"].iter().find_map(|of| name.strip_prefix(of)).unwrap_or(name);
        let end = |name: &str| format!("/{name}");
        root().join(name).exists() || all.iter().any(|file| file.ends_with(&end(name)) || file.ends_with(&end(inner)))
    };
    let is_name = |code: &str| {
        let is_ours = ENDINGS.iter().any(|ending| code.ends_with(ending))
            || FOLDERS.iter().any(|folder| code.starts_with(&format!("{folder}/")));
        is_ours && code.chars().all(|c| c.is_alphanumeric() || "._-/*".contains(c))
    };
    let faults = pages().into_iter().flat_map(|page| {
        let text = read(&page);
        let named = code_spans(&text).filter(|code| is_name(code));
        // `*` stands for each database.
        let lost =
            named.filter(|name| !["sqlite", "postgres"].iter().all(|database| exists(&name.replace('*', database))));
        lost.map(|name| format!("{page}: there is no {name}")).collect::<Vec<_>>()
    });
    assert_none(&faults.collect::<Vec<_>>());
}

/// A filter of the log with the name of a module that is not there matches nothing.
#[test]
fn modules_that_pages_name_exist() {
    let is_module = |path: &str| {
        let file = path.replace("::", "/");
        [format!("src/{file}.rs"), format!("src/{file}/mod.rs")].iter().any(|file| root().join(file).exists())
    };
    let faults = pages().into_iter().flat_map(|page| {
        let text = read(&page);
        let named = text.split("puzzled::").skip(1).filter_map(|rest| {
            let path = rest.split(|c: char| !(c.is_alphanumeric() || "_:".contains(c))).next()?;
            Some(path.trim_end_matches(':'))
        });
        let lost = named.filter(|path| !is_module(path));
        lost.map(|path| format!("{page}: there is no module puzzled::{path}")).collect::<Vec<_>>()
    });
    assert_none(&faults.collect::<Vec<_>>());
}

#[test]
fn commands_and_flags_on_pages_are_in_the_help() {
    // A flag that is named without its command may be a setting, which the help need not show.
    let settings: String = ["crates/cli/src", "src/operate", "src/settings"]
        .iter()
        .flat_map(|folder| files(folder, "rs"))
        .map(|file| read(&file))
        .collect();
    let mut faults = Vec::new();
    for page in pages() {
        let text = read(&page);
        let in_text = code_spans(&text).flat_map(commands);
        let in_blocks = blocks(&text, "sh").flat_map(|block| commands(&block.replace("\\\n", " ")));
        for (command, flags) in in_text.chain(in_blocks.collect::<Vec<_>>()) {
            let Some(help) = help(&command) else {
                faults.push(format!("{page}: there is no command `puzzled {command}`"));
                continue;
            };
            let unknown = flags.iter().filter(|flag| !has_flag(&help, flag));
            faults.extend(unknown.map(|flag| format!("{page}: `puzzled {command}` has no {flag}")));
        }
        let any: String = files("tests/golden/help", "txt").iter().map(|file| read(file)).collect();
        let bare = code_spans(&text).filter_map(|code| code.split([' ', '=']).next().filter(|word| is_flag(word)));
        let is_setting = |flag: &str| settings.contains(&flag[2..].replace('-', "_"));
        let unknown = bare.filter(|flag| !has_flag(&any, flag) && !is_setting(flag));
        faults.extend(unknown.map(|flag| format!("{page}: no command has {flag}")));
    }
    assert_none(&faults);
}

#[test]
fn defaults_on_pages_are_those_of_the_help() {
    let serve = help("serve").unwrap();
    let default = |flag: &str| {
        let (_, option) = serve.split_once(&format!("\n      --{flag} "))?;
        let (_, rest) = option.split("\n      --").next()?.split_once("[default: ")?;
        Some(rest.split(']').next()?.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let mut faults = Vec::new();
    for page in pages() {
        let text = read(&page);
        // In examples of the configuration file: `key = value   # …; default: …`.
        for line in blocks(&text, "toml").flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>()) {
            let Some((setting, said)) = line.split_once("default: ") else { continue };
            let flag = setting.split(" = ").next().unwrap_or_default().trim().replace('_', "-");
            faults.extend(
                default(&flag).filter(|is| *is != said.trim_matches('"')).map(|is| format!("{page}: {line} ({is})")),
            );
        }
        // Addresses in calls.
        let listen = default("listen").unwrap();
        let blocks = blocks(&text, "sh").collect::<String>();
        let ports = blocks
            .split(" 127.0.0.1:")
            .skip(1)
            .map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default());
        let others = ports.map(|port| format!("127.0.0.1:{port}")).filter(|address| *address != listen);
        faults.extend(others.map(|address| format!("{page}: {address}, but the server listens on {listen}")));
    }
    assert_none(&faults);
}

#[test]
fn page_on_the_engine_names_every_method_of_the_trait() {
    let (page, source) = (read("docs/engine.md"), read("crates/engine/src/shared/kind.rs"));
    let (_, methods) = source.split_once("pub trait PuzzleKind").unwrap();
    let (methods, _) = methods.split_once("\n}\n").unwrap();
    let names = methods.split("\n    fn ").skip(1).filter_map(|rest| rest.split(['(', '<']).next());
    let lost = names.filter(|name| !page.contains(&format!("`{name}`")));
    assert_none(&lost.map(|name| format!("docs/engine.md does not name the method {name}")).collect::<Vec<_>>());
}

/// The first line of a block names its file.
#[test]
fn code_on_the_page_on_kinds_is_short_and_that_of_the_engine() {
    let page = read("docs/kinds.md");
    let parts = blocks(&page, "rust").map(|block| block.strip_prefix("// ").and_then(|named| named.split_once('\n')));
    let faults = parts.map(|part| match part {
        Some((file, code)) if code.lines().count() > KIND_LINES_MAX => Some(format!("the code of {file} is too long")),
        Some((file, code)) => (!read(file).contains(code)).then(|| format!("{file} has other code")),
        None => Some("a block does not name its file".to_owned()),
    });
    let faults: Vec<_> = faults.collect();
    assert!(faults.len() > 1, "no examples");
    assert_none(&faults.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= README_LINES_MAX, "README.md has {lines} lines; at most {README_LINES_MAX}");
    let rows = read("README.md").lines().filter(|line| line.starts_with("| ")).count() - 1;
    assert!(rows <= README_LINKS_MAX, "README.md has {rows} rows of links; at most {README_LINKS_MAX}");
}

fn pages() -> Vec<String> {
    let at_root = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].map(str::to_owned);
    files("docs", "md").into_iter().chain(at_root).collect()
}

/// The anchors of a page's headings.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let titles = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    titles.map(|title| {
        let kept = title.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
    })
}

/// The texts between backticks on one line, outside blocks of code.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    let outside = text.split("```").step_by(2);
    outside.flat_map(str::lines).flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// The blocks of code in a language.
fn blocks<'a>(text: &'a str, language: &'a str) -> impl Iterator<Item = &'a str> {
    text.split("```").skip(1).step_by(2).filter_map(move |block| block.strip_prefix(language)?.strip_prefix('\n'))
}

/// Each `puzzled COMMAND` of a text, with its flags.
fn commands(text: &str) -> Vec<(String, Vec<String>)> {
    let code = text.lines().map(|line| line.split(" #").next().unwrap_or_default());
    let parts = code.flat_map(|line| line.split(['|', ';', '&']).map(str::trim).collect::<Vec<_>>());
    let calls = parts.filter_map(|part| match part.split_once(" -- ") {
        Some((cargo, call)) if cargo.starts_with("cargo run") && !cargo.contains(" -p ") => Some(call),
        _ => part.strip_prefix("puzzled "),
    });
    let of_call = |call: &str| {
        let (command, rest) = call.split_once(' ').unwrap_or((call, ""));
        let words = rest.split_whitespace().filter_map(|word| word.split('=').next());
        (command.to_owned(), words.filter(|word| is_flag(word)).map(str::to_owned).collect())
    };
    calls.map(of_call).filter(|(command, _)| command.starts_with(char::is_lowercase)).collect()
}

fn is_flag(word: &str) -> bool {
    word.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// The help of a command, and of those below it.
fn help(command: &str) -> Option<String> {
    let own = std::fs::read_to_string(root().join(format!("tests/golden/help/{command}.txt"))).ok()?;
    let prefix = format!("tests/golden/help/{command}-");
    let below = files("tests/golden/help", "txt").into_iter().filter(|file| file.starts_with(&prefix));
    Some(below.fold(own, |help, file| help + &read(&file)))
}

fn has_flag(help: &str, flag: &str) -> bool {
    help.match_indices(flag).any(|(at, _)| {
        let rest = &help[at + flag.len()..];
        !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-')
    })
}
