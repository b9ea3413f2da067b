//! Golden files: the help texts, the list of jobs, and the tables of settings in `docs/configuration.md`.
//! `UPDATE_GOLDEN=1 cargo test --test cli` writes the files anew; read the diff.

use crate::{golden_file::check, prelude::*};

#[test]
fn help_of_each_command_is_its_golden_file() {
    let mut commands = vec![String::new()];
    while let Some(command) = commands.pop() {
        let shown = run(&format!("{command} --help"));
        assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{command}");
        let name = if command.is_empty() { "puzzled".to_owned() } else { command.trim_start().replace(' ', "-") };
        check(&format!("help/{name}.txt"), &shown.out);
        commands.extend(below(&shown.out).into_iter().map(|below| format!("{command} {below}")));
    }
}

/// The commands that a help text lists.
fn below(help: &str) -> Vec<&str> {
    let rows = help.lines().filter_map(|line| line.strip_prefix("  "));
    let names = rows.filter(|row| row.starts_with(|c: char| c.is_ascii_lowercase()));
    names.filter_map(|row| row.split(' ').next()).filter(|name| *name != "help").collect()
}

#[test]
fn short_help_of_serve_shows_the_usual_flags_alone() {
    let (short, long) = (run("serve -h").out, run("serve --help").out);
    let count = |help: &str| help.lines().filter(|line| line.trim().starts_with("--")).count();
    assert!(count(&short) == 16 && count(&long) > 60, "{short}");
    assert!(short.contains("--database <") && !short.contains("--lease-ms"), "{short}");
}

#[test]
fn configuration_page_lists_every_setting_as_the_help_does() {
    let page = "../../docs/configuration.md";
    let mut text = fs::read_to_string(root().join("tests/golden").join(page)).unwrap();
    for table in settings_tables(&run("serve --help").out) {
        let heading = table.lines().next().unwrap();
        let (before, rest) = text.split_once(&format!("{heading}\n\n|")).expect(heading);
        let (_, after) = rest.split_once("|\n\n").unwrap_or_default();
        text = format!("{before}{table}\n{after}");
    }
    check(page, &text);
}

/// The settings of the help as Markdown tables, one for each of its headings.
fn settings_tables(help: &str) -> Vec<String> {
    let (mut tables, mut heading) = (Vec::<(String, String)>::new(), "Options".to_owned());
    for option in help.split("\n      --") {
        if let Some(row) = row(option) {
            match tables.last_mut().filter(|(last, _)| *last == heading) {
                Some((_, rows)) => rows.push_str(&row),
                None => tables.push((heading.clone(), row)),
            }
        }
        // A heading precedes the option that follows it.
        let last = option.lines().rfind(|line| !line.is_empty()).unwrap_or_default();
        if let Some(next) = last.strip_suffix(':').filter(|next| !next.starts_with(' ')) {
            next.clone_into(&mut heading);
        }
    }
    let head = "| Flag | Variable | Key in the file | Default | Meaning |\n|---|---|---|---|---|\n";
    // Removed settings have no table.
    let tables = tables.into_iter().filter(|(heading, _)| heading != "Without effect");
    tables.map(|(heading, rows)| format!("### {heading}\n\n{head}{rows}")).collect()
}

/// A setting as a row; none if the flag is not a setting.
fn row(option: &str) -> Option<String> {
    // `[` begins a value that may be left out.
    let (flag, rest) = option.split_once([' ', '['])?;
    let (_, rest) = rest.split_once('\n')?;
    let text: Vec<_> = rest.split_whitespace().collect();
    let text = text.join(" ");
    let default = text.split_once("[default: ").map_or("", |(_, rest)| rest.split(']').next().unwrap_or_default());
    let meaning = text.split(" [").next()?.split(" Possible values:").next()?;
    let variable = rest.rsplit_once("[env: ")?.1.split_once(']')?.0;
    let key = if flag == "config" { String::new() } else { format!("`{}`", flag.replace('-', "_")) };
    Some(format!("| `--{flag}` | `{variable}` | {key} | {default} | {meaning} |\n"))
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
