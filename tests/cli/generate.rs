//! `puzzled generate` through the real binary: a seed always makes the same puzzles. Also formats, criteria, refusals,
//! running out of tries, and interrupts.

use std::{collections::HashSet, os::unix::process::ExitStatusExt as _, process::Command, sync::atomic::AtomicBool};

use puzzled_engine::{registry, shared::budget::Budget};

use crate::{prelude::*, sized};

#[test]
fn text_is_one_puzzle_a_line_for_any_number_of_threads() {
    let count = sized(60, 20_000);
    let alone = run(&format!("generate --kind sudoku --level medium --count {count} --seed 7 --threads 1"));
    assert_eq!((alone.code, alone.err.as_str()), (Some(0), ""));
    assert_eq!(alone.out.lines().count(), count as usize);
    assert!(alone.out.lines().all(|line| line.len() == 81));
    for threads in [2, 4] {
        let together = run(&format!("generate --level medium --count {count} --seed 7 --threads {threads}"));
        assert_eq!(together.out, alone.out, "{threads} threads");
    }
    let other = run(&format!("generate --level medium --count {count} --seed 8"));
    assert_ne!(other.out, alone.out);
}

#[test]
fn longer_run_of_a_seed_begins_with_the_shorter_one() {
    let short = run("generate --level easy --count 5 --seed 7").out;
    assert!(run("generate --level easy --count 9 --seed 7").out.starts_with(&short));
}

#[test]
fn json_has_solution_rating_and_origin_of_each_puzzle() {
    let shown = run("generate --level expert --count 8 --seed 7 --format json");
    let text = run("generate --level expert --count 8 --seed 7").out;
    let (kind, never) = (registry::kind("sudoku").unwrap(), AtomicBool::new(false));
    for (index, (line, puzzle)) in shown.out.lines().zip(text.lines()).enumerate() {
        let json: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&json["text"], &json["jobIndex"], &json["seed"]), (&puzzle.into(), &index.into(), &"7".into()));
        assert_eq!(
            (&json["kind"], &json["variant"], &json["level"]),
            (&"KIND_SUDOKU".into(), &"9x9".into(), &"LEVEL_EXPERT".into())
        );
        assert_eq!(kind.normalize("9x9", json["solution"].as_str().unwrap()).unwrap(), json["solution"]);
        let record = kind.reason("9x9", puzzle, &mut Budget::new(u64::MAX, &never)).unwrap().record.unwrap();
        assert_eq!(json["rating"].as_f64(), Some(f64::from(record.rating.0) / 10.0));
        let told = &json["record"];
        assert_eq!(told["sudoku"]["er"].as_f64(), json["rating"].as_f64());
        assert_eq!((&told["explanation"], &told["rater"]), (&record.explanation.into(), &record.rater.into()));
        assert_eq!(told["techniques"].as_array().unwrap().len(), record.techniques.len());
        assert_eq!(json["givens"], puzzle.bytes().filter(u8::is_ascii_digit).count());
        assert!(json["jobTry"].is_u64() && json["engineVersion"].is_u64());
        assert_eq!((&json["id"], &json["jobId"], &json["createTime"]), (&"".into(), &"".into(), &Value::Null));
    }
    assert_eq!(shown.out.lines().count(), 8);
}

#[test]
fn puzzles_meet_their_criteria() {
    let cases = [
        ("--symmetry rotation180 --count 5", 5),
        ("--size 9x9 --givens 30 --count 3", 3),
        ("--technique x-wing --count 3", 3),
        ("--level expert --givens 24-26 --count 2", 2),
        ("--min-rating 1.0 --max-rating 1.5 --count 5", 5),
        ("--min-rating 2.6 --count 2", 2),
    ];
    for (args, expected) in cases {
        let shown = run(&format!("generate --seed 3 --format json {args}"));
        assert_eq!(shown.out.lines().count(), expected, "{args}: {}", shown.err);
        for line in shown.out.lines() {
            let json: Value = serde_json::from_str(line).unwrap();
            let rating = json["rating"].as_f64().unwrap();
            assert!(!args.contains("--givens 30") || json["givens"] == 30, "{line}");
            assert!(
                !args.contains("--givens 24-26")
                    || ((24..=26).contains(&json["givens"].as_u64().unwrap()) && json["level"] == "LEVEL_EXPERT"),
                "{line}"
            );
            assert!(!args.contains("x-wing") || json["technique"] == "X-Wing", "{line}");
            assert!(!args.contains("--max-rating 1.5") || rating <= 1.5, "{line}");
            assert!(!args.contains("--min-rating 2.6") || rating >= 2.6, "{line}");
            assert!(!args.contains("rotation180") || is_half_turn_symmetric(json["text"].as_str().unwrap()), "{line}");
        }
    }
}

fn is_half_turn_symmetric(puzzle: &str) -> bool {
    puzzle.chars().zip(puzzle.chars().rev()).all(|(one, other)| (one == '.') == (other == '.'))
}

#[test]
fn puzzles_can_be_rated_and_no_two_are_isomorphic() {
    let count = sized(40, 10_000);
    let made = run(&format!("generate --level hard --count {count} --seed 11")).out;
    let rated = run_with_input("rate --format csv", &made);
    assert_eq!((rated.code, rated.err.as_str()), (Some(0), ""));
    assert!(rated.out.lines().skip(1).all(|line| line.split(',').nth(5) == Some("hard")), "{}", rated.out);
    let kind = registry::kind("sudoku").unwrap();
    let forms: HashSet<_> = made.lines().map(|puzzle| kind.canonical("9x9", puzzle).unwrap()).collect();
    assert_eq!(forms.len(), count as usize);
}

#[test]
fn drawn_seed_is_printed_and_makes_the_same_puzzles() {
    let drawn = run("generate --count 2");
    let seed = drawn.err.strip_prefix("seed ").unwrap().trim_end();
    assert_eq!(run(&format!("generate --count 2 --seed {seed}")).out, drawn.out);
}

#[test]
fn refused_spec_fails_with_flag_value_and_limit() {
    let cases = [
        ("--min-rating 11", "error: --min-rating: 11.0 is above 10.4, the hardest rating that is generated"),
        ("--min-rating 14", "error: --min-rating: 14.0 is outside 0.0 to 13.4, the ratings of sudoku"),
        ("--kind kakuro --max-rating 8", "error: --max-rating: 8.0 is outside 0.0 to 7.9, the ratings of kakuro"),
        ("--givens 18", "error: --givens: 18 is not allowed; use 19 to 80"),
        (
            "--givens 28-22",
            "error: invalid value '28-22' for '--givens <N|MIN-MAX>': 28 is above 22; write the smaller",
        ),
        (
            "--givens many",
            "error: invalid value 'many' for '--givens <N|MIN-MAX>': not a number of givens; use one such as 24",
        ),
        ("--technique xwnig", "error: --technique: \"xwnig\" is unknown; did you mean X-Wing?"),
        (
            "--technique X-Wing --level easy",
            "error: --technique: X-Wing is rated 3.2; the wanted ratings are 1.0 to 1.5; change one of them",
        ),
        ("--variant 5x5", "error: --variant: "),
        ("--kind kakuro --size 3x10", "error: --variant: width 3 is below 4, the minimum for generated boards"),
        ("--min-rating 3.0 --max-rating 2.0", "error: --min-rating: 3.0 is above 2.0, the highest rating"),
        ("--min-rating 2.65", "error: invalid value '2.65' for '--min-rating <RATING>': not a rating; use a number"),
        (
            "--level easy --min-rating 2.0",
            "error: --level: easy is rated 1.0 to 1.5; the wanted ratings are 2.0 to 13.4; change one of them",
        ),
        ("--level gentle", "error: invalid value 'gentle' for '--level <LEVEL>': unknown level \"gentle\"; use easy"),
        (
            "--symmetry odd",
            "error: invalid value 'odd' for '--symmetry <SYMMETRY>': unknown symmetry \"odd\"; use none",
        ),
        ("--kind chess", "error: invalid value 'chess' for '--kind <KIND>': unknown kind \"chess\"; use sudoku"),
        ("--count 0", "error: invalid value '0' for '--count <N>': 0 is not in 1..=10000000"),
        ("--max-tries 0", "error: invalid value '0' for '--max-tries <N>': 0 is not in 1..=1000000"),
        ("--threads 0", "error: invalid value '0' for '--threads <N>': 0 is not in 1..=1024"),
        ("--seed -1", "error: invalid value '-1' for '--seed <SEED>'"),
        ("--seed 18446744073709551616", "error: invalid value '18446744073709551616' for '--seed <SEED>'"),
    ];
    for (args, expected) in cases {
        let shown = run(&format!("generate {args}"));
        assert_eq!((shown.code, shown.out.as_str()), (Some(1), ""), "{args}");
        assert!(shown.err.starts_with(expected), "{args}: {}", shown.err);
    }
}

#[test]
fn run_out_of_tries_ends_partly_and_names_the_nearest_miss() {
    let shown = run("generate --givens 20 --symmetry full --max-tries 3 --count 2 --seed 1");
    assert_eq!((shown.code, shown.out.as_str()), (Some(2), ""));
    assert!(shown.err.starts_with("made 0 of 2: no puzzle for index 0 in 3 tries: 3 "), "{}", shown.err);
    assert!(shown.err.contains("; nearest: "), "{}", shown.err);
}

#[test]
fn closed_output_ends_the_command_without_an_error() {
    let mut child = puzzled("generate --level easy --count 1000000 --seed 1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first.trim_end().len(), 81);
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn interrupt_ends_the_command_after_a_whole_line() {
    // What runs the tests may ignore the signal, as a shell does for its background jobs, and a child inherits that.
    let mut command = Command::new("/usr/bin/env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_puzzled")]);
    command.args(["generate", "--level", "easy", "--count", "1000000", "--seed", "1"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut shown = String::new();
    out.read_line(&mut shown).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(Signal::INT.as_raw()));
    out.read_to_string(&mut shown).unwrap();
    assert!(shown.ends_with('\n') && shown.lines().all(|line| line.len() == 81));
}
