//! `puzzled generate` and `puzzled rate` for Kakuro through the real binary: texts with several lines, columns of the
//! CSV format, and errors.

use crate::prelude::*;

const SMALL: &str = "# \\4 \\3\n3\\ . .\n4\\ . .";

#[test]
fn empty_lines_separate_puzzles_and_rate_reads_them_again() {
    let made = run("generate --kind kakuro --size 6x7 --level medium --count 5 --seed 7 --format text");
    assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
    let puzzles: Vec<_> = made.out.trim_end().split("\n\n").collect();
    assert_eq!(puzzles.len(), 5);
    assert!(puzzles.iter().all(|text| text.lines().count() == 7), "{}", made.out);
    let alone = run("generate --kind kakuro --size 6x7 --level medium --count 5 --seed 7 --threads 1");
    assert_eq!(alone.out, made.out);

    let folder = tempdir().unwrap();
    let file = folder.path().join("puzzles");
    fs::write(&file, &made.out).unwrap();
    let rated = run(&format!("rate --kind kakuro {}", file.display()));
    assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""));
    for (rated, text) in rated.out.trim_end().split("\n\n").zip(&puzzles) {
        let (rating, kept) = rated.split_once('\n').unwrap();
        assert!(rating.starts_with("# rating: 3.") && rating.contains("  medium  "), "{rating}");
        assert_eq!(kept, *text);
    }
    // Lines about a puzzle are ignored, so `rate` can read its own output.
    let again = run_with_input("rate --kind kakuro --format json", &rated.out);
    assert_eq!((again.code, again.out.lines().count()), (Some(0), 5), "{}", again.err);
    let json: Value = serde_json::from_str(again.out.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&json["line"], &json["level"]), (&"10".into(), &"LEVEL_MEDIUM".into()));
    assert!(json["text"].as_str().unwrap().ends_with(puzzles[1]) && json["record"]["kakuro"]["runs"].is_u64());
}

#[test]
fn csv_has_the_columns_of_the_kind() {
    let rated = run_with_input("rate --kind kakuro --format csv", SMALL);
    assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""));
    let expected = "puzzle,rating,effort,relative_time,technique,level\n\"# \\4 \\3\n3\\ . .\n4\\ . .\",1.0,";
    assert!(rated.out.starts_with(expected) && rated.out.ends_with(",Unique Combination,easy\n"), "{}", rated.out);
}

#[test]
fn unratable_puzzle_is_reported_with_its_first_line() {
    let several = "# # # #\n# # \\3 \\3\n# 3\\ . .\n# 3\\ . .";
    let ragged = "# \\4 \\3\n3\\ . .\n4\\ .";
    let input = format!("# by: hand\n\n{SMALL}\n\n{several}\n\n{ragged}\n\n{SMALL}\n");
    let rated = run_with_input("rate --kind kakuro", &input);
    assert_eq!(rated.code, Some(2));
    let expected = "line 7 of standard input: several solutions; two of them differ in r3c3, r3c4, r4c3, r4c4\n\
                  line 12 of standard input: row 3 has 2 cells, row 1 has 3\n";
    assert_eq!(rated.err, expected);
    assert_eq!(rated.out.matches("# rating: ").count(), 2, "{}", rated.out);
    assert_eq!(rated.out.split("\n\n").count(), 4, "{}", rated.out);
}
