//! `puzzled bench` through the real binary: the table, JSON, and what it refuses.

use crate::prelude::*;

#[test]
fn bench_prints_the_rate_of_a_level_for_one_core() {
    let shown = run("bench --kind sudoku --level easy --seconds 1");
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    let lines: Vec<Vec<_>> = shown.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["KIND", "VARIANT", "LEVEL", "TRIES", "MADE", "PER", "HOUR"]);
    assert_eq!(lines[1][..3], ["sudoku", "9x9", "easy"]);
    let number = |text: &str| text.replace(',', "").parse::<f64>().unwrap();
    assert!(number(lines[1][3]) >= number(lines[1][4]) && number(lines[1][5]) > 0.0, "{}", shown.out);
    assert_eq!(lines[2].join(" "), "PER HOUR is for one core, by its CPU time.");
    assert_eq!(lines.len(), 3);
}

#[test]
fn bench_json_has_a_line_for_each_kind() {
    let kinds_count = puzzled_engine::registry::kinds().len();
    let shown = run(&format!("bench --level easy --seconds {kinds_count} --json"));
    assert_eq!(shown.code, Some(0), "{}", shown.err);
    let lines: Vec<Value> = shown.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<_> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    let known = puzzled_engine::registry::kinds().iter().map(|kind| format!("KIND_{}", kind.name().to_uppercase()));
    assert_eq!(kinds, known.collect::<Vec<_>>());
    for line in lines {
        assert_eq!(line["level"], "LEVEL_EASY");
        let number = |key: &str| line[key].as_f64().unwrap();
        let rate = number("hits") / number("cpuSeconds") * 3_600.0;
        assert!(number("hits") > 0.0 && (number("hitsPerHour") / rate - 1.0).abs() < 1e-9, "{line}");
    }
}

#[test]
fn bench_refuses_what_it_cannot_measure() {
    for (flags, expected) in [
        ("--seconds 0", "0 is not in 1..=3600"),
        ("--seconds 3601", "3601 is not in 1..=3600"),
        ("--kind sudoku --seconds 4", "--seconds: 4 is below 5, one for each level; set more, or fewer levels"),
        ("--variant 9x9", "--kind <KIND>"),
        ("--kind sudoku --variant 9x8", "--variant: "),
        ("--kind kakuro --variant 999x999", "--variant: "),
        ("--kind chess", "unknown kind \"chess\""),
        ("--level heavy", "heavy"),
    ] {
        let shown = run(&format!("bench {flags}"));
        assert_eq!((shown.code, shown.out.as_str()), (Some(1), ""), "{flags}");
        assert!(shown.err.contains(expected), "{flags}: {}", shown.err);
    }
}
