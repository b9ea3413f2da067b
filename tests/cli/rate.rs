//! `puzzled rate` through the real binary: formats, order of the output, known ratings of the hardest puzzles,
//! lines without a rating, and missing or empty input.

use std::io::Write as _;

use crate::prelude::*;

/// Rated 11.9 with Sudoku Explainer 1.2.1: a hundred million nodes.
const GOLDEN_NUGGET: &str = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
const COMPLETE: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// Solved by hidden singles in boxes.
const EASY: &str = "000000000090152030270309084000000000300806009600407005003601900908000302700000006";

#[test]
fn csv_has_a_header_and_a_row_for_every_line_in_its_order() {
    let made = run("generate --count 300 --seed 5").out;
    let rated = run_with_input("rate --format csv", &made);
    assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""));
    let mut rows = rated.out.lines();
    assert_eq!(
        rows.next(),
        Some("puzzle,er,ep,ed,technique,level,hodoku_score,hodoku_level,predicted_seconds,rating,rounds")
    );
    let rows: Vec<_> = rows.map(|row| row.split(',').collect::<Vec<_>>()).collect();
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), made.lines().collect::<Vec<_>>());
    for row in rows {
        let [er, ep, ed] = [row[1], row[2], row[3]].map(|number| number.parse::<f64>().unwrap());
        assert!(er >= ep && ep >= ed && ed >= 1.0 && !row[4].is_empty() && !row[5].is_empty(), "{row:?}");
    }
}

#[test]
fn its_own_csv_can_be_rated_again_to_the_same() {
    let made = run("generate --count 20 --seed 5").out;
    let once = run_with_input("rate --format csv", &made);
    let twice = run_with_input("rate --format csv", &once.out);
    assert_eq!((twice.code, twice.err.as_str(), twice.out), (Some(0), "", once.out));
}

#[test]
fn all_formats_have_the_same_content() {
    let csv = run_with_input("rate --format csv", EASY).out;
    assert_eq!(csv.lines().nth(1).unwrap(), format!("{EASY},1.2,1.2,1.2,Hidden Single in Box,easy,208,Easy,244,1.2,"));
    let text = run_with_input("rate", EASY).out;
    assert_eq!(text, format!("{EASY}  1.2  easy  Hidden Single in Box\n"));
    let json: Value = serde_json::from_str(&run_with_input("rate --format json", EASY).out).unwrap();
    assert_eq!((&json["line"], &json["text"], &json["level"]), (&"1".into(), &EASY.into(), &"LEVEL_EASY".into()));
    assert_eq!((json["rating"].as_f64(), json["record"]["sudoku"]["ep"].as_f64()), (Some(1.2), Some(1.2)));
}

#[test]
fn unratable_line_is_reported_and_has_an_empty_rating() {
    let no_solution = "123456780........9".to_owned() + &".".repeat(63);
    let several = ".".repeat(81);
    let clash = format!("11{}", ".".repeat(79));
    let cases = [
        ("12", "2 cells; the puzzle must have exactly 81"),
        (
            &EASY.replace('9', "w"),
            "row 2, column 2: 'w' is not allowed; use 1 to 9 for a given, and . or 0 for an empty cell",
        ),
        (&no_solution, "no solution"),
        (&several, "several solutions, such as "),
        (&clash, "two 1s in row 1"),
        (COMPLETE, "the grid is complete, so there is nothing to rate"),
        (GOLDEN_NUGGET, "out of the rater's budget: rated 10.0 or harder"),
    ];
    for (line, expected) in cases {
        let rated = run_with_input(
            "rate --max-rating-nodes 1000000 --format csv",
            &format!("# a comment\n{EASY}\n{line},1.0\n\n{EASY}\n"),
        );
        assert_eq!(rated.code, Some(2), "{line}");
        let rows: Vec<_> = rated.out.lines().collect();
        assert_eq!((rows.len(), rows[2], rows[1]), (4, format!("{line},,,,,,,,,,").as_str(), rows[3]), "{line}");
        assert!(rated.err.starts_with(&format!("line 3 of standard input: {expected}")), "{line}: {}", rated.err);
        assert_eq!(rated.err.lines().count(), 1, "{}", rated.err);
    }
}

#[test]
fn verdict_names_the_rule_that_publishers_treat_differently() {
    let stars =
        format!("6x6: {} regions={}", ".".repeat(36), "ABCDEF".chars().flat_map(|it| [it; 6]).collect::<String>());
    for (kind, text, words) in [
        (
            "binairo",
            "6x6: 0.0101101010010101101010010101101010",
            "no solution with unlike lines; one solution without that rule",
        ),
        ("star-battle", &stars, "several solutions with one star in each row, column, and region, such as 6x6: "),
    ] {
        let rated = run_with_input(&format!("rate --kind {kind}"), text);
        assert_eq!(rated.code, Some(2), "{kind}");
        assert!(rated.err.starts_with(&format!("line 1 of standard input: {words}")), "{}", rated.err);
    }
}

#[test]
fn the_hardest_puzzles_known_have_the_ratings_that_they_are_known_by() {
    // As others publish them, rated with Sudoku Explainer. The last one is AI Escargot.
    let known = [
        (GOLDEN_NUGGET, "11.9,11.9,11.3"),
        ("98.7..6....5.4...........9.8..9...6..4..5...9..9..32..1.........7.1...8...8..2..3", "11.8,1.2,1.2"),
        ("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..", "10.5,1.2,1.2"),
    ];
    let puzzles = known.map(|(puzzle, _)| puzzle).join("\n");
    let rated = run_with_input("rate --format csv", &puzzles);
    assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""));
    for (row, (puzzle, ratings)) in rated.out.lines().skip(1).zip(known) {
        assert!(row.starts_with(&format!("{puzzle},{ratings},")), "{row}");
    }
}

#[test]
fn files_are_rated_one_after_the_other_and_standard_input_among_them() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("a"), format!("{EASY}\n12")).unwrap();
    fs::write(folder.path().join("b"), "34\n").unwrap();
    let mut child = puzzled("rate a - b")
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"56").unwrap();
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(out, format!("{EASY}  1.2  easy  Hidden Single in Box\n12\n56\n34\n"));
    let err = String::from_utf8(output.stderr).unwrap();
    let places: Vec<_> = err.lines().map(|line| line.split_once(": ").unwrap().0).collect();
    assert_eq!(places, ["line 2 of a", "line 1 of standard input", "line 1 of b"]);
}

#[test]
fn a_file_that_is_not_there_fails_with_its_name() {
    let shown = run("rate no/such/file");
    assert_eq!((shown.code, shown.out.as_str()), (Some(1), ""));
    assert!(shown.err.starts_with("error: no/such/file: the file does not exist; check its name"), "{}", shown.err);
}

#[test]
fn nothing_to_rate_is_rated() {
    let rated = run_with_input("rate --format csv", "# nothing yet\n");
    assert_eq!(
        (rated.code, rated.out.as_str()),
        (Some(0), "puzzle,er,ep,ed,technique,level,hodoku_score,hodoku_level,predicted_seconds,rating,rounds\n")
    );
}

#[test]
fn a_line_is_answered_before_the_next_one_comes() {
    let mut child = puzzled("rate").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(stdin, "{EASY}").unwrap();
        let mut answer = String::new();
        out.read_line(&mut answer).unwrap();
        assert!(answer.starts_with(EASY), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn closed_output_ends_rate_while_input_is_open() {
    let mut child =
        puzzled("rate").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    drop(child.stdout.take());
    writeln!(stdin, "{EASY}").unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn each_notation_of_a_puzzle_is_rated_alike() {
    for (kind, count, level) in [("sudoku", 60, "LEVEL_HARD"), ("kakuro", 11, "LEVEL_EASY")] {
        let mut files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/notations").join(kind));
        // In a file, an empty line ends a puzzle.
        files.retain(|file| !file.ends_with("empty-lines-between-boxes"));
        assert!(files.len() >= count, "{kind}: {}", files.len());
        let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
        let rated = run(&format!("rate --format json --kind {kind} {}", names.join(" ")));
        assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""));
        let ratings = rated.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let ratings: Vec<_> = ratings.map(|json| (json["level"].clone(), json["rating"].to_string())).collect();
        assert_eq!(ratings.len(), files.len());
        assert!(ratings.iter().all(|rating| *rating == (level.into(), ratings[0].1.clone())), "{ratings:?}");
    }
}

#[test]
fn records_do_not_depend_on_the_other_puzzles_of_a_file() {
    let made = |kind: &str, variant: &str| {
        let puzzles = run(&format!("generate --kind {kind} --variant {variant} --level easy --count 2 --seed 5")).out;
        let separator = if kind == "kakuro" { "\n\n" } else { "\n" };
        puzzles.trim_end().split(separator).map(str::to_owned).collect::<Vec<_>>()
    };
    let variants = [
        ("sudoku", "9x9"),
        ("sudoku", "6x6"),
        ("sudoku", "9x9-x"),
        ("kakuro", "5x5"),
        ("star_battle", "6x6"),
        ("jigsaw", "6x6"),
        ("killer", "6x6"),
        ("futoshiki", "4x4"),
        ("binairo", "6x6"),
        ("binairo", "6x6-signs"),
        ("calcudoku", "4x4"),
    ];
    let mut puzzles: Vec<_> = variants.iter().flat_map(|(kind, variant)| made(kind, variant)).collect();
    puzzles.extend(["12", "9x9-foo: 123", "13x13: 1", "11.............................."].map(str::to_owned));
    let mut rng = puzzled_engine::shared::rng::Rng::from_seed(7);
    for kind in puzzled_engine::registry::kinds() {
        for format in ["csv", "json"] {
            let mut expected = None;
            for _ in 0..3 {
                let rated =
                    run_with_input(&format!("rate --kind {} --format {format}", kind.name()), &puzzles.join("\n\n"));
                let found = records(format, &rated.out);
                assert_eq!(found.len(), puzzles.len(), "{}", rated.out);
                assert_eq!(&found, expected.get_or_insert(found.clone()), "{} {format}", kind.name());
                rng.shuffle(&mut puzzles);
            }
        }
    }
}

/// The records of an output in a fixed order, with the names of their fields.
fn records(format: &str, out: &str) -> Vec<String> {
    let mut records: Vec<String> = if format == "csv" {
        let mut reader = csv::Reader::from_reader(out.as_bytes());
        let rows = reader.deserialize::<std::collections::BTreeMap<String, String>>();
        rows.map(|row| format!("{:?}", row.unwrap())).collect()
    } else {
        let objects = out.lines().map(|line| serde_json::from_str::<serde_json::Map<_, Value>>(line).unwrap());
        let without_line = objects.map(|mut object| object.remove("line").map(|_| Value::from(object).to_string()));
        without_line.map(Option::unwrap).collect()
    };
    records.sort_unstable();
    records
}

/// The files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
