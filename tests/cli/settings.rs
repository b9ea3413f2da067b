//! Settings: a flag overrides a variable, a variable the file, and the file the default; errors name bad settings and
//! names that are nearly right, in at most 400 characters; passwords are never printed. Also `puzzled migrate`.

use crate::prelude::*;

/// The variables that the help of a command names.
fn variables(command: &str) -> Vec<String> {
    let help = run(&format!("{command} --help")).out;
    let named = help.split("[env: ").skip(1).filter_map(|rest| rest.split(['=', ']']).next());
    named.map(str::to_owned).collect()
}

#[test]
fn empty_variable_is_refused_by_name_by_servers_and_clients() {
    let mut count = 0;
    for command in ["serve", "work", "check", "get", "jobs"] {
        for name in variables(command) {
            let refused = ran(puzzled(command).env(&name, "").output().unwrap());
            let fault = format!("error: {name}: \"\" is not allowed; set a value, or unset the variable\n");
            assert_eq!((refused.code, refused.err), (Some(1), fault), "{command}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
    // A command that has no such setting is not concerned.
    assert_eq!(ran(puzzled("protos --help").env("PUZZLED_ACCESS", "").output().unwrap()).code, Some(0));
}

#[test]
fn flag_overrides_variable_file_and_default_in_this_order() {
    // Flag, variable, file, and what is then in force.
    let cases = [
        ("", "", "", "lease_ms = 15000"),
        ("", "", "lease_ms = 2000", "lease_ms = 2000"),
        ("", "PUZZLED_LEASE_MS=3000", "lease_ms = 2000", "lease_ms = 3000"),
        ("--lease-ms 4000", "PUZZLED_LEASE_MS=3000", "lease_ms = 2000", "lease_ms = 4000"),
        ("--lease-ms 4000", "", "lease_ms = 2000", "lease_ms = 4000"),
        ("", "", "", "listen = \"127.0.0.1:50051\""),
        ("", "PUZZLED_LISTEN=[::1]:7", "listen = '0.0.0.0:6'", "listen = \"[::1]:7\""),
        ("", "", "", "database = \"sqlite:puzzled.db\""),
        ("", "PUZZLED_DATABASE_URL=sqlite:b.db", "database = 'sqlite:c.db'", "database = \"sqlite:b.db\""),
        ("--database sqlite:a.db", "PUZZLED_DATABASE_URL=sqlite:b.db", "", "database = \"sqlite:a.db\""),
        ("--workers 0", "", "workers = 3", "workers = 0"),
        ("", "PUZZLED_LOG=warn", "log = 'debug'", "log = \"warn\""),
        ("", "", "log_format = 'json'", "log_format = \"json\""),
        ("--log-format human", "", "log_format = 'json'", "log_format = \"human\""),
        ("", "PUZZLED_GRACE_SECONDS=0", "", "grace_seconds = 0"),
        ("--max-attempts 3", "", "", "max_attempts = 3"),
        ("--max-open-jobs 6", "", "", "max_open_jobs = 6"),
        ("--max-count 7", "", "", "max_count = 7"),
        ("--max-tries 8", "", "", "max_tries = 8"),
        ("--max-refills 9", "", "max_refills = 3", "max_refills = 9"),
        ("", "PUZZLED_RETENTION_JOBS_DAYS=3", "retention_jobs_days = 5", "retention_jobs_days = 3"),
        ("--retention-jobs-days 0", "", "", "retention_jobs_days = 0"),
        ("--retention-requests-days 4", "", "", "retention_requests_days = 4"),
        ("", "", "retention_deliveries_days = 365", "retention_deliveries_days = 365"),
        ("", "", "[[target]]\nlevel = 'hard'\ntarget = 7\nlow_water = 6", "low_water = 6"),
        ("", "", "", "config_name = \"default\""),
        ("--config-name a", "PUZZLED_CONFIG_NAME=b", "config_name = 'c'", "config_name = \"a\""),
        ("", "", "config_name = 'night-2.toml_'", "config_name = \"night-2.toml_\""),
        ("", "", "[[target]]\nlevel = 'hard'\ntarget = 7\ncron = '0 1 * * *'", "window_minutes = 60"),
        ("", "", "[[target]]\ntechnique = 'x_wing'\ntarget = 7", "technique = \"X-Wing\""),
        ("", "", "[[target]]\ngivens = '22-28'\ntarget = 7", "givens = \"22-28\""),
        ("", "", "[[target]]\ngivens = 24\ntarget = 7", "givens = 24"),
        ("--max-request-bytes 9000", "", "", "max_request_bytes = 9000"),
        ("--max-streams 10", "", "", "max_streams = 10"),
        ("--database-connections 11", "", "", "database_connections = 11"),
        ("--daily-ahead-days 11", "", "", "daily_ahead_days = 11"),
        ("", "PUZZLED_DAILY_AHEAD_DAYS=12", "daily_ahead_days = 13", "daily_ahead_days = 12"),
        ("", "", "[[series]]\nname = 'daily'\nlevel = 'hard'", "time_zone = \"UTC\""),
    ];
    for (flag, variable, file, expected) in cases {
        let (out, err) = shown(flag, variable, file);
        assert!(out.lines().any(|line| line == expected), "{flag:?} {variable:?} {file:?}: {out}{err}");
    }
}

/// Where a setting stands.
#[derive(Clone, Copy)]
enum By {
    Flag,
    Variable,
    File,
    /// In the file, after the first two lines of a target.
    Target,
}

use By::{File, Flag, Target, Variable};

#[test]
fn a_bad_setting_is_refused_with_its_name_its_value_and_what_is_allowed() {
    const LEESE: &str = "puzzled.toml: line 1: leese_ms: unknown field; did you mean lease_ms? `puzzled serve --show-config` \
                         lists all fields\n";
    const IN_TARGET: &str =
        "line 3: lease_ms: unknown field of [[target]]; settings of the server stand before the first [[target]]\n";
    const TWICE: &str = "configuration file: [[target]] 2 and [[target]] 3 are both for sudoku 9x9 symmetry rotation180 \
                         28–30 givens; delete one of them";
    let cases = [
        (Flag, "--lease-ms 999", "invalid value '999' for '--lease-ms <MS>': 999 is not in 1000..=3600000"),
        (Variable, "PUZZLED_WORKERS=1025", "PUZZLED_WORKERS: \"1025\" is not allowed; use a number from 0 to 1024"),
        (Variable, "PUZZLED_WORKERS=many", "PUZZLED_WORKERS: \"many\" is not allowed; use a number from 0 to 1024"),
        (Variable, "PUZZLED_LOG_FORMAT=xml", "PUZZLED_LOG_FORMAT: \"xml\" is not allowed; use human, json"),
        (Flag, "--max-count many", "invalid value 'many' for '--max-count <N>': invalid digit"),
        (
            Flag,
            "--listen nowhere",
            "invalid value 'nowhere' for '--listen <ADDRESS>': not an address; use HOST:PORT, for example 127.0.0.1:50051",
        ),
        (Flag, "--log-format xml", "invalid value 'xml' for '--log-format <FORMAT>'"),
        (Flag, "--log =", "log is \"=\", which is not a filter"),
        (Flag, "--halt-at commit", "--halt-at: \"commit\" is not POINT:N"),
        (File, "lease_ms = 999", "line 1: lease_ms: 999 is not allowed; use a number from 1000 to 3600000"),
        (File, "max_streams = 0", "line 1: max_streams: 0 is not allowed; use a number from 1 to 65535"),
        (File, "workers = -1", "line 1: workers: -1 is not allowed; use a number from 0 to 1024"),
        (File, "leese_ms = 2000", LEESE),
        (File, "lease_ms = 'long'", "line 1: lease_ms: \"long\" is not allowed; use a number from 1000 to 3600000"),
        (File, "lease_ms", "puzzled.toml: line 1: "),
        (File, "max_refills = 0", "line 1: max_refills: 0 is not allowed; use a number from 1 to 1000"),
        (File, "[[target]]\nlevel = 'hard'", "missing field `target`"),
        (File, "[[target]]\ntarget = 0", "line 2: target: 0 is outside 1 to 10000000"),
        (Target, "[[target]]\ntarget = 1\nlevel = 'mad'", "line 5: level: unknown level \"mad\"; use easy"),
        (Target, "min_rating = 13.5", "line 3: min_rating: 13.5 is outside 0.0 to 13.4, the ratings of sudoku"),
        (Target, "level = 'hard'\n[[target]]\ntarget = 2\n[[target]]\ntarget = 2\nkind = 'sudoku'", TWICE),
        (Flag, "--config-name=", "invalid value '' for '--config-name <NAME>': 0 characters are outside 1 to 64"),
        (
            File,
            "config_name = 'a b'",
            "line 1: config_name: \"a b\" is not allowed; only letters, digits, `-`, `_` and `.` are allowed",
        ),
        (Target, "min_rating = 2.65", "line 3: min_rating: not a rating"),
        (Target, "givens = 17", "line 3: givens: 17 is not allowed; use 19 to 80"),
        (Target, "givens = true", "line 3: givens: expected a number, such as 24, or a range, such as \"22-28\""),
        (Target, "givens = '28-22'", "line 3: givens: 28 is above 22; write the smaller number first"),
        (Target, "technique = 'xwnig'", "line 3: technique: \"xwnig\" is unknown; did you mean X-Wing?"),
        (Target, "cron = 'now'", "line 3: cron: \"now\" has 1 fields; use minute, hour, day"),
        (Flag, "--database stock.db", "database: \"stock.db\" names no kind of database; use sqlite:stock.db, or"),
        (Variable, "PUZZLED_DATABASE_URL=sqlite:", "database: no file is named; use sqlite:PATH"),
        (File, "\nworkers = 'many'", "line 2: workers: \"many\" is not allowed; use a number from 0 to 1024\n"),
        (Target, "levl = 'easy'", "line 3: levl: unknown field; did you mean level?\n"),
        (Target, "lease_ms = 2000", IN_TARGET),
        (File, "[[target]]\ntarget = 'x'", "line 2: target: invalid type: string \"x\", expected u32\n"),
    ];
    for (by, setting, expected) in cases {
        let (out, err) = match by {
            Flag => shown(setting, "", ""),
            Variable => shown("", setting, ""),
            File => shown("", "", setting),
            Target => shown("", "", &format!("[[target]]\ntarget = 1\n{setting}")),
        };
        assert!(out.is_empty() && err.contains(expected), "{setting:?}: {err}");
        assert!(!matches!(by, File | Target) || err.starts_with("error: configuration file"), "{setting:?}: {err}");
    }
}

#[test]
fn a_password_is_never_printed() {
    const NOBODY: &str = "postgres://puzzled:secret@127.0.0.1:1/stock";
    let cases = [
        ("serve --show-config", NOBODY, 0, "postgres://puzzled@127.0.0.1:1/stock"),
        ("serve --listen 127.0.0.1:0", NOBODY, 1, "cannot open postgres://puzzled@127.0.0.1:1/"),
        ("work", NOBODY, 1, "cannot open postgres://puzzled@127.0.0.1:1/stock: "),
        ("migrate", NOBODY, 1, "the database is unavailable: "),
        ("migrate", "postgres://puzzled:secret@db:many/stock", 1, "database: not a URL of"),
        ("work", "postgres://puzzled:secret@db/stock?sslmode=never", 1, "database: not a URL of"),
    ];
    for (command, url, code, expected) in cases {
        let shown = run(&format!("{command} --database {url}"));
        let all = shown.out + &shown.err;
        assert_eq!(shown.code, Some(code), "{command}: {all}");
        assert!(all.contains(expected) && !all.contains("secret"), "{command}: {all}");
    }
}

#[test]
fn a_configuration_file_that_is_not_there_is_named() {
    let shown = run("serve --show-config --config no/such.toml");
    assert_eq!(shown.code, Some(1));
    assert!(
        shown.err.starts_with("error: configuration file no/such.toml: the file does not exist; check its name"),
        "{}",
        shown.err
    );
}

#[test]
fn migrate_reports_its_work_and_is_safe_to_repeat() {
    let folder = tempdir().unwrap();
    let migrate = || ran(puzzled("migrate --database sqlite:stock.db").current_dir(&folder).output().unwrap());
    let first = migrate();
    assert!(first.out.starts_with("stock.db: ran migration 0001 "), "{}{}", first.out, first.err);
    let second = migrate();
    assert_eq!(second.out, "stock.db: nothing to do, the schema is this version's\n");
    assert_eq!((first.code, second.code), (Some(0), Some(0)));
}

#[test]
fn migrate_does_not_change_a_file_that_is_no_database() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("stock.db"), "dear diary, ".repeat(100)).unwrap();
    let shown = ran(puzzled("migrate --database sqlite:stock.db").current_dir(&folder).output().unwrap());
    assert_eq!((shown.code, shown.out.as_str()), (Some(1), ""));
    assert!(shown.err.contains("file is not a database"), "{}", shown.err);
}

/// The settings in force, by flags, one variable and the lines of a file, or the error.
fn shown(flags: &str, variable: &str, file: &str) -> (String, String) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("puzzled.toml");
    fs::write(&path, file).unwrap();
    // Only what is read after the settings needs more than showing them.
    let show = if flags.starts_with("--halt-at") { "" } else { "--show-config" };
    let mut command = puzzled(&format!("serve {show} {flags}"));
    command.env("PUZZLED_CONFIG", &path);
    command.envs(variable.split_once('='));
    let shown = ran(command.output().unwrap());
    (shown.out, shown.err)
}

#[test]
fn unknown_name_is_answered_with_the_one_near_name() {
    for (args, expected) in [
        ("--kind sudoko", "unknown kind \"sudoko\"; did you mean sudoku?"),
        ("--level medum", "unknown level \"medum\"; did you mean medium?"),
        ("--symmetry rotation18", "unknown symmetry \"rotation18\"; did you mean rotation180?"),
        ("--variant 9x", "--variant: unknown variant \"9x\" of sudoku; did you mean 9x9?"),
    ]
    .map(|(args, expected)| (format!("generate {args}"), expected))
    .into_iter()
    .chain([("jobs --state runing".to_owned(), "unknown state \"runing\"; did you mean running?")])
    {
        let shown = run(&args);
        assert_eq!((shown.code, shown.out.as_str()), (Some(1), ""), "{args}");
        assert!(shown.err.lines().next().unwrap().ends_with(expected), "{args}: {}", shown.err);
    }
}

#[test]
fn message_of_a_command_has_at_most_400_characters() {
    let long = "x".repeat(5_000);
    for args in [
        format!("generate --level {long}"),
        format!("generate --kind kakuro --variant {long}"),
        format!("generate --technique {long}"),
        format!("check --database {long}"),
        format!("rate {long}"),
        format!("serve --config {long}"),
    ] {
        let shown = run(&args);
        let message = shown.err.trim_start_matches("error: ").split("\n\n").next().unwrap();
        assert!(shown.code == Some(1) && message.trim_end().chars().count() <= 400, "{args:.40}: {}", shown.err);
    }
}

#[test]
fn removed_setting_is_ignored_with_one_warning() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("puzzled.toml");
    fs::write(&path, "backoff_ms = 5\n").unwrap();
    let database = folder.path().join("p.db");
    let mut command = puzzled(&format!("work --config {} --database sqlite:{}", path.display(), database.display()));
    command.env("PUZZLED_HEALTH_INTERVAL_MS", "none");
    let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines().map(Result::unwrap);
    let warning = lines.find(|line| line.contains("settings ignored")).unwrap();
    assert!(warning.contains("backoff_ms, health_interval_ms"), "{warning}");
    process.kill().unwrap();
    process.wait().unwrap();
}
