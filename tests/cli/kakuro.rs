//! What no other kind has: texts of several lines, which empty lines separate. `rate` reports the line of each.

use crate::prelude::*;

#[test]
fn empty_lines_separate_puzzles_and_rate_reads_them_again() {
    let made = run("generate --kind kakuro --size 6x7 --level medium --count 5 --seed 7 --format text");
    assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
    let puzzles: Vec<_> = made.out.trim_end().split("\n\n").collect();
    assert_eq!(puzzles.len(), 5);
    assert!(puzzles.iter().all(|text| text.lines().count() == 7), "{}", made.out);

    let folder = tempdir().unwrap();
    let file = folder.path().join("puzzles");
    fs::write(&file, &made.out).unwrap();
    let rated = run(&format!("rate --kind kakuro {}", file.display()));
    assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""));
    let is_rated = |rated: &str| rated.starts_with("# rating: 3.");
    assert!(rated.out.trim_end().split("\n\n").all(is_rated), "{}", rated.out);
    // Lines about a puzzle are ignored, so `rate` can read its own output.
    let again = run_with_input("rate --kind kakuro --format json", &rated.out);
    assert_eq!((again.code, again.out.lines().count()), (Some(0), 5), "{}", again.err);
    let json: Value = serde_json::from_str(again.out.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&json["line"], &json["level"]), (&"10".into(), &"LEVEL_MEDIUM".into()));
    assert!(json["text"].as_str().unwrap().ends_with(puzzles[1]) && json["record"]["kakuro"]["runs"].is_u64());
}
