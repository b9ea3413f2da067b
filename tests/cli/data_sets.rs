//! What the commands offer for data sets: levels mixed in one run, the order by effort, the steps of each solution, and `puzzled verify`.

use crate::prelude::*;

fn objects(args: &str) -> Vec<Value> {
    let shown = run(args);
    assert_eq!(shown.code, Some(0), "{args}: {}", shown.err);
    shown.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The values of a field, one for each object.
fn texts<'a>(of: &'a [Value], field: &str) -> Vec<&'a str> {
    of.iter().map(|object| object[field].as_str().unwrap()).collect()
}

#[test]
fn curve_mixes_levels_and_another_range_changes_no_puzzle() {
    let mixed = objects("generate --kind futoshiki --curve easy..hard --count 9 --seed 7 --format json");
    let levels = ["LEVEL_EASY", "LEVEL_MEDIUM", "LEVEL_HARD"];
    assert_eq!(texts(&mixed, "level"), levels.map(|level| [level; 3]).concat());
    let shorter =
        objects("generate --kind futoshiki --curve medium..hard --count 6 --seed 7 --threads 1 --format json");
    assert_eq!(shorter, mixed[3..]);
    let hard = run("generate --kind futoshiki --level hard --count 3 --seed 7").out;
    assert_eq!(texts(&mixed[6..], "text"), hard.lines().collect::<Vec<_>>());
}

#[test]
fn sort_by_effort_prints_the_same_puzzles_from_easier_to_harder() {
    for (kind, of_puzzle) in [
        ("futoshiki", &(|puzzle: &Value| puzzle["record"]["effort"].as_f64()) as &dyn Fn(&Value) -> Option<f64>),
        ("kakuro --size 6x6", &|puzzle| puzzle["record"]["effort"].as_f64()),
        ("sudoku", &|puzzle| puzzle["predictedSeconds"].as_f64()),
    ] {
        let args = format!("generate --kind {kind} --curve easy..medium --count 20 --seed 7 --format json");
        let sorted = objects(&format!("{args} --sort effort"));
        let efforts: Vec<_> = sorted.iter().map(|puzzle| of_puzzle(puzzle).unwrap()).collect();
        assert!(efforts[..10].is_sorted() && efforts[10..].is_sorted(), "{kind}: {efforts:?}");
        assert!(efforts[0] < efforts[9], "{kind}: {efforts:?}");
        let by_index = |mut puzzles: Vec<Value>| {
            puzzles.sort_by_key(|puzzle| (puzzle["level"].to_string(), puzzle["jobIndex"].as_u64()));
            puzzles
        };
        assert_eq!(by_index(sorted), by_index(objects(&args)), "{kind}");
    }
}

#[test]
fn steps_fill_the_board_and_rate_prints_the_same() {
    for kind in ["sudoku", "futoshiki", "kakuro --size 6x6"] {
        let made = objects(&format!("generate --kind {kind} --level easy --count 3 --seed 7 --format json --steps"));
        let plain = objects(&format!("generate --kind {kind} --level easy --count 3 --seed 7 --format json"));
        for (puzzle, plain) in made.iter().zip(&plain) {
            let steps = puzzle["steps"].as_array().unwrap();
            assert!(steps.iter().all(|step| step["sentence"].as_str().unwrap().len() > 10), "{puzzle}");
            let counted: u64 =
                puzzle["record"]["techniques"].as_array().unwrap().iter().map(|of| of["count"].as_u64().unwrap()).sum();
            assert!(!steps.is_empty() && (steps.len() as u64 == counted || kind == "kakuro --size 6x6"), "{puzzle}");
            assert_eq!(puzzle["text"], plain["text"]);
            assert!(plain.get("steps").is_none());
            let text = puzzle["text"].as_str().unwrap();
            let rated = run_with_input(&format!("rate --kind {kind} --format json --steps"), text);
            let rated: Value = serde_json::from_str(&rated.out).unwrap();
            assert_eq!(rated["steps"], puzzle["steps"]);
        }
    }
}

#[test]
fn a_run_that_its_flags_do_not_allow_makes_nothing() {
    for (args, expected) in [
        ("generate --steps --format csv", "error: --steps: csv has no steps; use --format json\n"),
        ("generate --steps", "error: --steps: text has no steps; use --format json\n"),
        ("rate --steps --format csv", "error: --steps: csv has no steps; use --format json\n"),
        ("generate --sort effort --count 20001", "error: --count: 20001; with --sort effort, use 1 to 20000\n"),
        (
            "generate --kind futoshiki --curve easy..evil --count 9",
            "error: --curve: futoshiki 5x5 has no level evil; use easy..expert\n",
        ),
        (
            "generate --variant 4x4 --curve easy..evil --count 9",
            "error: --curve: sudoku 4x4 has only the level easy; use --level easy instead\n",
        ),
    ] {
        let shown = run_with_input(args, "");
        assert_eq!((shown.code, shown.out.as_str(), shown.err.as_str()), (Some(1), "", expected), "{args}");
    }
}

const FOUR: &str = "4x4: 1...............";

fn board(text: &str, board: &str, more: &[(&str, &str)]) -> String {
    let mut object = serde_json::json!({"kind": "sudoku", "variant": "4x4", "text": text, "board": board});
    for (name, value) in more {
        object[*name] = (*value).into();
    }
    format!("{object}\n")
}

#[test]
fn verify_says_of_each_board_whether_it_is_right_and_what_it_breaks() {
    let input = [
        board(FOUR, "4x4: 1234341221434321", &[]),
        board(FOUR, "4x4: 1234341221434322", &[]),
        board(FOUR, "4x4: 2134341212434321", &[]),
        board(FOUR, "1234 3412 2143 432.", &[]),
        "\n".to_owned(),
        board(FOUR, "4x4: 1234341221434321", &[("solution", "4x4: 1234341243212143")]),
        board(FOUR, "", &[]),
        board(FOUR, "4x4: 123", &[]),
        board(FOUR, "4x4: 1234341221434321", &[("kind", "chess")]),
        "{}\n".to_owned(),
        board(FOUR, "4x4: 1234341221434321", &[("kind", "KIND_SUDOKU"), ("variant", "")]),
    ];
    let shown = run_with_input("verify -", &input.concat());
    let lines: Vec<_> = shown.out.lines().collect();
    assert_eq!((shown.code, shown.err.as_str(), lines.len()), (Some(2), "", 10), "{}", shown.out);
    assert_eq!(lines[0], "line 1: right");
    assert!(lines[1].starts_with("line 2: wrong: 2 repeats in "), "{}", lines[1]);
    assert!(lines[2].contains("r1c1 is 2, but the given is 1"), "{}", lines[2]);
    assert_eq!(lines[3], "line 4: wrong: no digit in r4c4");
    assert!(lines[4].starts_with("line 6: right; differs from the solution in r3c1, "), "{}", lines[4]);
    assert_eq!(lines[5], "line 7: unreadable: board: empty; write the digits of all cells");
    assert!(lines[6].starts_with("line 8: unreadable: board: "), "{}", lines[6]);
    assert!(lines[7].starts_with("line 9: unreadable: kind: unknown kind \"chess\""), "{}", lines[7]);
    assert!(
        lines[8].starts_with("line 10: unreadable: not a JSON object with the texts `text` and `board`: missing field"),
        "{}",
        lines[8]
    );
    assert_eq!(lines[9], "line 11: right");
}

#[test]
fn verify_reads_no_board_of_another_size() {
    let nine = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let futoshiki = "5x5: ......................... right=-------------------- down=--------------------";
    let of = |kind: &str, text: &str, board: &str, solution: Option<&str>| {
        format!("{}\n", serde_json::json!({"kind": kind, "text": text, "board": board, "solution": solution}))
    };
    for (line, expected) in [
        (of("sudoku", nine, &format!("9x9: {nine}"), Some(&format!("9x9: {nine}"))), "right"),
        (of("sudoku", nine, &nine[1..], None), "unreadable: board: 80 cells; the puzzle must have exactly 81"),
        (
            of("sudoku", nine, "4x4: 1234341221434321", None),
            "unreadable: board: the text names the variant \"4x4\"; the puzzle is of 9x9",
        ),
        (
            of("sudoku", nine, nine, Some("4x4: 1234341221434321")),
            "unreadable: solution: the text names the variant \"4x4\"; the puzzle is of 9x9",
        ),
        (of("sudoku", FOUR, "1234341221", None), "unreadable: board: 10 cells; the puzzle must have exactly 16"),
        (
            of("futoshiki", futoshiki, "1234341221434321", None),
            "unreadable: board: 16 cells; the puzzle must have exactly 25",
        ),
    ] {
        let shown = run_with_input("verify -", &line);
        let code = if expected == "right" { 0 } else { 2 };
        assert_eq!((shown.code, shown.out), (Some(code), format!("line 1: {expected}\n")), "{line}");
    }
}

#[test]
fn verify_knows_several_solutions_only_if_it_solves() {
    let right = board(FOUR, "4x4: 1234341221434321", &[]);
    assert_eq!(run_with_input("verify -", &right).out, "line 1: right\n");
    let solved = run_with_input("verify --solve -", &right);
    assert_eq!((solved.code, solved.out.as_str()), (Some(0), "line 1: right; the puzzle has several solutions\n"));
    let solved = run_with_input("verify --solve --format json -", &right);
    let object: Value = serde_json::from_str(&solved.out).unwrap();
    assert_eq!((&object["right"], &object["solutions"]), (&true.into(), &"several".into()));
}

#[test]
fn verify_accepts_every_solution_that_generate_prints() {
    for kind in ["sudoku", "kakuro --size 6x6", "star-battle", "binairo", "killer --size 6x6"] {
        let made = run(&format!("generate --kind {kind} --count 5 --seed 7 --format json"));
        let filled = |line: &str| {
            let mut object: Value = serde_json::from_str(line).unwrap();
            object["board"] = object["solution"].take();
            object.to_string()
        };
        let boards: Vec<_> = made.out.lines().map(filled).collect();
        let shown = run_with_input("verify -", &boards.join("\n"));
        let expected: Vec<_> = (1..=5).map(|number| format!("line {number}: right")).collect();
        let lines: Vec<_> = shown.out.lines().collect();
        assert_eq!(
            (shown.code, lines),
            (Some(0), expected.iter().map(String::as_str).collect()),
            "{kind}: {}",
            shown.err
        );
    }
    let shown = run("verify no-such-file");
    assert_eq!((shown.code, shown.out.as_str()), (Some(1), ""));
    assert_eq!(shown.err, "error: no-such-file: the file does not exist; check its name\n");
}
