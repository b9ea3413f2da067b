//! `puzzled list`, `daily`, `hint`, and `validate` against a real server, and `solve` with the ID of a stored puzzle: output, exit
//! codes, and refusals.

use crate::{
    actions::{PUZZLE, SOLVED, on_terminal},
    ops::{ask_json, ask_lines},
    prelude::*,
};

/// A Kakuro with one solution, and one without clues that decide.
const KAKURO: &str = "# \\4 \\3\n3\\ . .\n4\\ . .";
const LOOSE: &str = "# \\5 \\5\n5\\ . .\n5\\ . .";

/// Runs a command with arguments that may contain blanks, and with standard input.
async fn ask_with(address: &str, args: &[&str], input: &str) -> Ran {
    let folder = tempdir().unwrap();
    let file = folder.path().join("input");
    fs::write(&file, input).unwrap();
    let mut command = puzzled(&format!("{} --address {address}", args[0]));
    command.args(&args[1..]).stdin(fs::File::open(&file).unwrap());
    spawn_blocking(move || ran(command.output().unwrap())).await.unwrap()
}

#[tokio::test]
async fn list_reads_as_many_pages_as_its_limit_needs() {
    let (_server, channel, address) = start("--workers 2").await;
    assert_eq!(ended(&address, "list", 0).await.out, "No puzzle in stock fits.\n");
    queue(&channel, easy(210)).await;
    ended(&address, "watch job-1", 0).await;
    let all = ended(&address, "list --limit 1000", 0).await;
    assert_eq!((all.out.lines().count(), all.err.as_str()), (211, ""));
    let some = ended(&address, "list --limit 205", 0).await;
    assert_eq!(
        (some.out.lines().count(), some.err.as_str()),
        (206, "more puzzles fit; raise --limit, or write all of them with `puzzled export`\n")
    );
    let exact = ask_lines(&address, "list --limit 210 --json").await;
    let text = exact[0]["text"].as_str().unwrap();
    let first = all.out.lines().nth(1).unwrap();
    let words: Vec<_> = first.split_whitespace().collect();
    assert_eq!((exact.len(), words[..4].join(" ").as_str()), (210, "puzzle-1 sudoku 9x9 easy"));
    assert!(first.ends_with(text), "{first}");
    let mut narrow = puzzled(&format!("list --address {address}"));
    narrow.env("COLUMNS", "80");
    let narrow = spawn_blocking(move || ran(narrow.output().unwrap())).await.unwrap().out;
    assert!(narrow.lines().count() == 21 && !narrow.contains(text), "{narrow}");
}

#[tokio::test]
async fn list_has_the_puzzles_that_fit_all_criteria() {
    let (_server, _channel, address) = start("--workers 1").await;
    for job in ["--level easy --count 2", "--level hard", "--kind kakuro --size 6x6", "--level easy --audience book"] {
        ended(&address, &format!("enqueue {job} --watch"), 0).await;
    }
    for (args, expected) in [
        ("", 4),
        ("--level easy", 2),
        ("--level easy --max-rating 1.0", 0),
        ("--min-rating 2.6", 1),
        ("--givens 17-80", 3),
        ("--job job-1", 2),
        ("--kind kakuro", 1),
        ("--import book", 0),
    ] {
        let listed = ask_lines(&address, &format!("list {args} --json")).await;
        assert_eq!(listed.len(), expected, "{args}: {listed:?}");
    }
    let all = ended(&address, "list", 0).await.out;
    let sudokus = all.lines().filter(|row| row.contains(" sudoku ") && row.len() > 81);
    assert!(
        all.contains(" kakuro ") && all.contains("TEXT") && sudokus.count() == 3,
        "beside a text of several lines: {all}"
    );
    let kakuro = ended(&address, "list --kind kakuro", 0).await.out;
    assert!(kakuro.contains(" kakuro ") && !kakuro.contains("TEXT"), "a text of several lines is no column: {kakuro}");
    let refused = ended(&address, "list --technique xwnig", 1).await.err;
    assert!(refused.contains("did you mean X-Wing?"), "{refused}");
}

#[tokio::test]
async fn daily_prints_the_puzzle_of_a_day_as_get_does() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("puzzled.toml");
    let series = "[[series]]\nname = 'daily'\nkind = 'sudoku'\ntime_zone = 'UTC'\n";
    fs::write(&file, format!("config_name = 'day'\n{series}")).unwrap();
    let (_server, _channel, address) = start(&format!("--workers 1 --config {}", file.display())).await;
    let made = ended(&address, "daily --make", 0).await.out;
    assert_eq!(made.trim_end().len(), 81, "{made}");
    let whole = ask_json(&address, "daily --series daily --solution --json").await;
    let (text, date) = (whole["puzzle"]["text"].as_str().unwrap(), whole["date"].as_str().unwrap());
    assert_eq!(text, made.trim_end());
    let with_solution = ended(&address, &format!("daily --date {date} --solution"), 0).await.out;
    assert_eq!(with_solution, format!("{text}\n{}\n", whole["puzzle"]["solution"].as_str().unwrap()));
    let drawing = on_terminal(&format!("daily --address {address}"));
    assert!(drawing.starts_with(&format!("daily {date}\r\n+---")), "{drawing}");
    ended(&address, "daily --audience anna", 0).await;
    for (args, expected) in [
        ("--series weekly", "there is no daily series \"weekly\""),
        ("--date monday", "--date: "),
        ("--date 2001-01-01", "--date: 2001-01-01 is before "),
    ] {
        let refused = ended(&address, &format!("daily {args}"), 1).await.err;
        assert!(refused.starts_with(&format!("error: {address}: {expected}")), "{refused}");
    }
}

#[tokio::test]
async fn hint_prints_the_steps_to_the_next_digit_or_what_is_wrong() {
    let (_server, _channel, address) = start("--workers 0").await;
    let step = "Hidden Single in Box (1.2): In box 2, 8 fits only in r1c6, so r1c6 is 8.\n";
    let wrong = PUZZLE.replacen("53.", "532", 1);
    let notes = format!("{} . .", "1 ".repeat(9));
    for (args, input, expected, code) in [
        (&["hint", PUZZLE][..], "", step, 0),
        (&["hint"], PUZZLE, step, 0),
        (&["hint", "-"], PUZZLE, step, 0),
        (&["hint", PUZZLE, "--board", SOLVED], "", "the board is full, and every digit is right\n", 0),
        (&["hint", PUZZLE, "--board", "-"], SOLVED, "the board is full, and every digit is right\n", 0),
        (&["hint", PUZZLE, "--board", &wrong], "", "2 in r1c3 contradicts the solution\n", 2),
        (&["hint", KAKURO, "--kind", "kakuro", "--board", "# \\4 \\3\n3\\ 2 .\n4\\ . ."], "", "2 in r2c2 ", 2),
        (&["hint", PUZZLE, "--candidates", &notes], "", "", 1),
        (&["hint", "--board", "-"], SOLVED, "", 1),
    ] {
        let hint = ask_with(&address, args, input).await;
        assert_eq!(hint.code, Some(code), "{args:?}: {}{}", hint.out, hint.err);
        assert!(hint.out.starts_with(expected), "{args:?}: {}{}", hint.out, hint.err);
    }
    let json = ask_json(&address, &format!("hint {PUZZLE} --json")).await;
    assert_eq!((&json["outcome"], &json["step"]["rating"]), (&"HINT_OUTCOME_STEP".into(), &1.2.into()));
}

#[tokio::test]
async fn hint_starts_from_the_candidates_that_the_player_has() {
    let (_server, _channel, address) = start("--workers 0").await;
    let open = PUZZLE.find('.').unwrap();
    let notes = |first: &str| {
        let cell = |at: usize| if at == open { first } else { "." };
        (0..81).map(cell).collect::<Vec<_>>().join(" ")
    };
    let right = ask_with(&address, &["hint", PUZZLE, "--candidates", &notes("4")], "").await;
    assert!(right.code == Some(0) && right.out.contains(" (1.2): "), "{}{}", right.out, right.err);
    for lacking in ["12", "0"] {
        let hint = ask_with(&address, &["hint", PUZZLE, "--candidates", &notes(lacking)], "").await;
        assert!(hint.code == Some(2) && hint.out.contains("r1c3"), "{}{}", hint.out, hint.err);
    }
}

#[tokio::test]
async fn stored_puzzles_are_hinted_at_and_solved_by_their_ids() {
    let (_server, _channel, address) = start("--workers 1").await;
    ended(&address, "enqueue --level easy --watch", 0).await;
    let puzzle = ask_json(&address, "get puzzle-1 --solution --json").await;
    let (text, solution) = (puzzle["text"].as_str().unwrap(), puzzle["solution"].as_str().unwrap());
    assert_eq!(ended(&address, "solve puzzle-1", 0).await.out, format!("{solution}\n"));
    assert_eq!(ended(&address, "hint puzzle-1", 0).await.out, ended(&address, &format!("hint {text}"), 0).await.out);
    let view = ended(&address, "solve puzzle-1 --scramble-seed 7", 0).await.out;
    assert!(view.trim_end() != solution && view.trim_end().len() == 81, "{view}");
    for (args, expected) in [
        ("hint puzzle-9", "there is no puzzle \"puzzle-9\"; `puzzled list` lists all"),
        ("hint puzzle-1 --kind sudoku", "id: \"puzzle-1\" together with kind, variant, or text; set one of them"),
    ] {
        assert_eq!(ended(&address, args, 1).await.err, format!("error: {address}: {expected}\n"));
    }
}

#[tokio::test]
async fn exit_code_of_validate_is_2_unless_there_is_one_solution() {
    let (_server, _channel, address) = start("--workers 0").await;
    let (two, none) = (format!("55{}", &PUZZLE[2..]), format!("12345678........9{}", ".".repeat(64)));
    let loose = "more than one solution; two of them differ in r2c2, r2c3, r3c2, r3c3\n\n# \\5 \\5\n5\\ ";
    for (args, input, expected, code) in [
        (&["validate", PUZZLE][..], "", "exactly one solution\n", 0),
        (&["validate"], PUZZLE, "exactly one solution\n", 0),
        (&["validate", "--kind", "kakuro"], KAKURO, "exactly one solution\n", 0),
        (&["validate", "-", "--kind", "kakuro"], LOOSE, loose, 2),
        (&["validate", &two], "", "the givens contradict each other: two 5s in row 1, two 5s in box 1\n", 2),
        (&["validate", &none], "", "no solution\n", 2),
        (&["validate", "12"], "", "", 1),
    ] {
        let found = ask_with(&address, args, input).await;
        assert_eq!(found.code, Some(code), "{args:?}: {}{}", found.out, found.err);
        assert!(found.out.starts_with(expected), "{args:?}: {}{}", found.out, found.err);
    }
    let empty = ended(&address, &format!("validate {}", ".".repeat(81)), 2).await.out;
    let lines: Vec<_> = empty.lines().collect();
    assert!(lines.len() == 3 && lines[1] != lines[2] && lines[1..].iter().all(|line| line.len() == 81), "{empty}");
    let json = ask_json(&address, &format!("validate {PUZZLE} --json")).await;
    assert_eq!((&json["verdict"], &json["solutions"][0]), (&"VERDICT_UNIQUE".into(), &SOLVED.into()));
}
