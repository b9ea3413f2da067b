//! The exact words of errors on the command line: what is wrong, what is allowed, and what to do next.

use crate::{puzzled, ran, run};

#[test]
fn unknown_name_is_answered_with_the_one_near_name() {
    for (args, wanted) in [
        ("--kind sudoko", "unknown kind \"sudoko\"; did you mean sudoku?"),
        ("--level medum", "unknown level \"medum\"; did you mean medium?"),
        ("--symmetry rotation18", "unknown symmetry \"rotation18\"; did you mean rotation180?"),
        ("--variant 9x", "--variant: unknown variant \"9x\" of sudoku; did you mean 9x9?"),
        ("--technique xwing", "--technique: \"xwing\" is unknown; did you mean X-Wing?"),
    ]
    .map(|(args, wanted)| (format!("generate {args}"), wanted))
    .into_iter()
    .chain([("jobs --state runing".to_owned(), "unknown state \"runing\"; did you mean running?")])
    {
        let shown = run(&args);
        assert_eq!((shown.code, shown.out.as_str()), (Some(1), ""), "{args}");
        assert!(shown.err.lines().next().unwrap().ends_with(wanted), "{args}: {}", shown.err);
    }
}

#[test]
fn file_and_line_of_a_wrong_setting_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |text: &str| {
        std::fs::write(folder.path().join("p.toml"), text).unwrap();
        ran(puzzled("serve --show-config --config p.toml").current_dir(&folder).output().unwrap()).err
    };
    for (text, wanted) in [
        (
            "workers = 1\nleese_ms = 2000",
            "line 2: leese_ms: unknown field; did you mean lease_ms? `puzzled serve --show-config` lists all fields",
        ),
        ("\nworkers = 'many'", "line 2: workers: \"many\" is not allowed; use a number from 0 to 1024"),
        ("[[target]]\ntarget = 1\nlevl = 'easy'", "line 3: levl: unknown field; did you mean level?"),
        (
            "[[target]]\ntarget = 1\nlease_ms = 2000",
            "line 3: lease_ms: unknown field of [[target]]; settings of the server stand before the first [[target]]",
        ),
        ("[[target]]\ntarget = 'x'", "line 2: target: invalid type: string \"x\", expected u32"),
    ] {
        assert_eq!(serve(text), format!("error: configuration file p.toml: {wanted}\n"));
    }
}

#[test]
fn variable_with_a_wrong_value_is_named() {
    for (variable, value, wanted) in [
        ("PUZZLED_WORKERS", "many", "PUZZLED_WORKERS: \"many\" is not allowed; use a number from 0 to 1024"),
        ("PUZZLED_LOG_FORMAT", "xml", "PUZZLED_LOG_FORMAT: \"xml\" is not allowed; use human, json"),
    ] {
        let shown = ran(puzzled("serve --show-config").env(variable, value).output().unwrap());
        assert_eq!((shown.code, shown.err), (Some(1), format!("error: {wanted}\n")));
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
