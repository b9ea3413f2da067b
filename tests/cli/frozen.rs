//! What a minor version may extend: released migrations, reasons of errors, and repeat hashes, which never change; and names on
//! the command line and keys of the configuration and access files, which go one minor version after the changelog announces
//! it. `docs/compatibility.md` has the whole list.

use std::collections::BTreeSet;

use puzzled::access::token;
use puzzled_base::repeat_hash::RepeatHash;
use puzzled_engine::{LAST_MINOR_VERSION, registry};
use puzzled_store::{
    jobs::slice::Likeness,
    postgres,
    schema::newest,
    sqlite::{self, SqliteSettings},
};
use toml::{Table, Value};

use crate::{
    actions::{PUZZLE, SOLVED},
    frozen_list::{check, may_go},
    prelude::*,
};

/// The released minor versions of 0.x, oldest first, each with its schema. The release of a minor version adds its row.
const RELEASED: [(u64, i64); 3] = [(1, 1), (2, 1), (3, 2)];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn released_migrations_never_change() {
    let both = [("sqlite", &*sqlite::schema::MIGRATIONS), ("postgres", &*postgres::schema::MIGRATIONS)];
    let entries = both.into_iter().flat_map(|(database, migrator)| {
        migrator.iter().map(move |migration| {
            let checksum = token::hex(&migration.checksum);
            format!("{database} {:04} {} {checksum}", migration.version, migration.description)
        })
    });
    check("migrations.txt", &entries.collect());
    assert_eq!(newest(&sqlite::schema::MIGRATIONS), newest(&postgres::schema::MIGRATIONS));
}

#[tokio::test]
async fn last_minor_version_may_use_the_newest_schema() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("stock.db");
    sqlite::schema::migrate_to(&sqlite::schema::MIGRATIONS, &SqliteSettings::of(&file)).await.unwrap();
    let mut db = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    let oldest: i64 = sqlx::query_scalar("select oldest_compatible from schema").fetch_one(&mut db).await.unwrap();
    db.close().await.unwrap();
    let (minor, newest) = (env!("CARGO_PKG_VERSION_MINOR").parse().unwrap(), newest(&sqlite::schema::MIGRATIONS));
    let schema = |of: u64| RELEASED.iter().find(|(released, _)| *released == of).map(|(_, schema)| *schema);
    assert!(
        schema(minor).is_none_or(|schema| schema == newest),
        "0.{minor} is released; a migration needs 0.{}",
        minor + 1
    );
    let known = if minor == 1 { newest } else { schema(minor - 1).expect("RELEASED lacks the last minor version") };
    assert!(oldest <= known, "0.{} knows schema {known}, and must be able to serve this one", minor - 1);
}

/// Before the release of a minor version, the last one is the newest release; then, the one before it.
#[test]
fn imports_are_readable_for_the_engine_of_the_last_minor_version() {
    let engine = |(minor, _): &(u64, i64)| {
        let commit = fs::read_to_string(root().join(format!("tests/released/0.{minor}.0/commit"))).unwrap();
        let (engine, _) = commit.split_once("(engine ").unwrap().1.split_once(',').unwrap();
        engine.parse::<u32>().unwrap()
    };
    let engines: Vec<_> = RELEASED.iter().rev().take(2).map(engine).collect();
    assert!(engines.contains(&LAST_MINOR_VERSION), "{LAST_MINOR_VERSION} is none of {engines:?}");
}

#[test]
fn reasons_of_errors_keep_their_names_and_status_codes() {
    let proto = fs::read_to_string(root().join("proto/puzzled/v1/errors.proto")).unwrap();
    let (mut entries, mut code) = (BTreeSet::new(), "");
    for line in proto.lines().map(str::trim) {
        if let Some(stated) = line.strip_prefix("// Status code: ") {
            code = stated.trim_end_matches('.');
        } else if let Some((name, number)) = line.strip_prefix("ERROR_REASON_").and_then(|rest| rest.split_once(" = "))
        {
            entries.insert(format!("{name} {} {code}", number.trim_end_matches(';')));
        }
    }
    assert!(entries.len() > 40, "{entries:#?}");
    check("reasons.txt", &entries);
}

#[test]
fn commands_keep_their_flags_values_variables_and_exit_codes() {
    let mut entries = BTreeSet::new();
    for file in fs::read_dir(root().join("tests/golden/help")).unwrap() {
        let file = file.unwrap().path();
        let command = file.file_stem().unwrap().to_str().unwrap().replacen('-', " ", 1);
        entries.extend(names(&fs::read_to_string(&file).unwrap()).map(|name| format!("{command}: {name}")));
    }
    check("command-line.txt", &entries);
}

/// The arguments and flags that a help text has, with their values and variables, and the exit codes.
fn names(help: &str) -> impl Iterator<Item = String> {
    let mut blocks = vec![String::new()];
    for line in help.lines() {
        let text = line.trim_start();
        if (2..=6).contains(&(line.len() - text.len())) && text.starts_with(['-', '[', '<']) {
            blocks.push(String::new());
        }
        blocks.last_mut().unwrap().extend([text, "\n"]);
    }
    blocks.into_iter().flat_map(|block| {
        let name = block.lines().next().unwrap_or_default().split("  ").next().unwrap_or_default();
        // The name of the value after a flag is for people.
        let (name, value) =
            name.split_once([' ', '[']).filter(|(flag, _)| flag.starts_with("--")).unwrap_or((name, ""));
        let words = block.split_whitespace().collect::<Vec<_>>().join(" ");
        let between = |start, end| words.split_once(start).and_then(|(_, rest)| rest.split(end).next());
        let values = between("[possible values: ", ']').into_iter().flat_map(|values| values.split(", "));
        let explained = block.lines().filter_map(|line| line.strip_prefix("- ")?.split(':').next());
        let mut found: Vec<_> = values.chain(explained).map(|value| format!("{name} {value}")).collect();
        found.extend(between("[env: ", ']').map(|variable| format!("{name} from {variable}")));
        found.extend(between("Exit code: ", '.').map(|codes| format!("exit code: {codes}")));
        if name.starts_with(['-', '[', '<']) {
            found.push(if value.is_empty() { name.to_owned() } else { format!("{name} with a value") });
        }
        found
    })
}

#[test]
fn configuration_file_of_the_first_release_is_read() {
    let file = root().join("tests/golden/frozen/puzzled.toml");
    let shown = run(&format!("serve --show-config --config {}", file.display()));
    assert_eq!(shown.code, Some(0), "{}: frozen, see docs/compatibility.md: {}", file.display(), shown.err);
    let [frozen, now] = [fs::read_to_string(&file).unwrap(), shown.out].map(|text| text.parse::<Table>().unwrap());
    let new: Vec<_> = now.keys().filter(|key| !frozen.contains_key(*key)).collect();
    assert!(new.is_empty(), "{}: add the new settings {new:?}", file.display());
}

#[test]
fn keys_of_the_configuration_and_access_files_are_kept() {
    let mut entries = BTreeSet::new();
    for file in ["puzzled.toml", "access.toml"] {
        let text = fs::read_to_string(root().join("tests/golden/frozen").join(file)).unwrap();
        add_keys(&mut entries, &format!("{file}:"), &Value::Table(text.parse().unwrap()));
    }
    check("configuration.txt", &entries);
}

/// The keys of all tables in a value, as paths.
fn add_keys(entries: &mut BTreeSet<String>, path: &str, value: &Value) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                let path = format!("{path} {key}");
                entries.insert(path.clone());
                add_keys(entries, &path, value);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| add_keys(entries, path, value)),
        _ => {}
    }
}

#[test]
fn retired_name_goes_only_after_a_release_announced_it() {
    let flag = "serve: --old with a value";
    let retired = "# A comment.\n0.4 `--old` command-line.txt serve: --old with a value\n";
    let released = "\n## [0.4.0] - 2027-01-01\n\n- `--old` is `--new`.\n";
    assert!(may_go("command-line.txt", flag, retired, released));
    for (list, entry, retired, changelog) in [
        ("command-line.txt", flag, "", released),
        ("command-line.txt", flag, retired, "\n## [Unreleased]\n\n- `--old` is `--new`.\n"),
        ("command-line.txt", flag, retired, "\n## [0.4.0] - 2027-01-01\n\n- Faster.\n"),
        ("command-line.txt", "serve: --older with a value", retired, released),
        ("json.txt", flag, retired, released),
        ("reasons.txt", "OLD", "0.4 `OLD` reasons.txt OLD", "\n## [0.4.0]\n\n- `OLD` is gone.\n"),
    ] {
        assert!(!may_go(list, entry, retired, changelog), "{list} {entry} {changelog}");
    }
}

#[test]
fn exit_codes_go_only_with_their_command() {
    let (codes, changelog) =
        ("old: exit code: 0 done", "\n## [0.4.1]\n\n- `old` is `new`, and the exit code is not `0`.\n");
    let command = "0.4 `old` command-line.txt old:";
    assert!(may_go("command-line.txt", codes, command, changelog));
    assert!(may_go("command-line.txt", "old: --flag", command, changelog));
    assert!(!may_go("command-line.txt", "older: --flag", command, changelog));
    let alone = format!("0.4 `0` command-line.txt {codes}");
    assert!(!may_go("command-line.txt", codes, &alone, changelog));
}

#[test]
fn access_file_of_the_first_release_is_read() {
    let file = root().join("tests/golden/frozen/access.toml");
    let folder = tempdir().unwrap();
    assert_eq!(run_in(folder.path(), "migrate").code, Some(0));
    fs::write(folder.path().join("puzzled.toml"), format!("access = {:?}\n", file.display().to_string())).unwrap();
    let checked = run_in(folder.path(), "doctor --config puzzled.toml");
    let is_read = checked.out.contains("principals 4, tokens 1");
    assert!(is_read, "{}: frozen, see docs/compatibility.md: {}{}", file.display(), checked.out, checked.err);
}

#[test]
fn repeat_hash_of_a_puzzle_never_changes() {
    let puzzles = [
        ("sudoku", "9x9", PUZZLE, SOLVED),
        (
            "sudoku",
            "9x9",
            "..2658.3...4.....66...1..2..4...53.8.518.769.8.31...7..6..7...23.....8...1.5827..",
            "192658437574923186638714529746295318251837694983146275865471932327569841419382765",
        ),
        ("kakuro", "3x3", "# \\4 \\3\n3\\ . .\n4\\ . .", "# \\4 \\3\n3\\ 1 2\n4\\ 3 1"),
        (
            "kakuro",
            "4x4-runs4",
            "# # \\8 \\10\n# 3\\3 . .\n15\\ . . .\n3\\ . . #",
            "# # \\8 \\10\n# 3\\3 2 1\n15\\ 1 5 9\n3\\ 2 1 #",
        ),
    ];
    let hashes = puzzles.map(|(kind, variant, text, solution)| {
        let known = registry::kind(kind).unwrap();
        let canonical = known.canonical(variant, text).unwrap();
        let solved = known.solved(variant, text, solution).unwrap();
        RepeatHash(Likeness::of_forms(kind, variant, &canonical, &solved).repeat_hash).to_string()
    });
    let frozen = [
        "8f52b27c667c794dbf12bd5ce4bfec0b",
        "8d1e120d9faabde2ac477884cd684b61",
        "d044e5f2f74b4dd780b796f0efd79a76",
        "8ed4677a21443d164a407737008ad517",
    ];
    assert_eq!(hashes, frozen, "frozen, see docs/compatibility.md");
}
