//! `puzzled picture` and `puzzled sheet` through the real binary, with and without a server: files, their parts, and refusals.
//! `tests/foreign/printing.rs` reads sheets by another program.

use std::process::Command;

use crate::prelude::*;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// The binary with these arguments, which may contain blanks.
fn with_args(args: &[&str]) -> Command {
    let mut command = puzzled("");
    command.args(args);
    command
}

/// The number of pages of a PDF file.
fn pages(pdf: &[u8]) -> usize {
    String::from_utf8_lossy(pdf).matches("/Type /Page\n").count()
}

/// The sheet that a command writes.
fn sheet(args: &str) -> Vec<u8> {
    let output = puzzled(&format!("sheet {args}")).output().unwrap();
    assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn picture_of_a_text_needs_no_server() {
    let plain = run(&format!("picture {PUZZLE}"));
    assert_eq!((plain.code, plain.err.as_str()), (Some(0), ""));
    assert_eq!(plain.out.matches("<text ").count(), 30, "{}", plain.out);
    assert_eq!(run_with_input("picture", PUZZLE).out, plain.out);
    let solved = run(&format!("picture {PUZZLE} --solution"));
    assert_eq!(solved.out.matches("<text ").count(), 81);
    for flag in ["--candidates", "--rules", "--step 1", "--step 2"] {
        let other = run(&format!("picture {PUZZLE} {flag}"));
        assert_eq!(other.code, Some(0), "{}", other.err);
        assert_ne!(other.out, plain.out, "{flag}");
    }
    let kakuro = run_with_input("picture --kind kakuro --solution", "# \\4 \\3\n3\\ . .\n4\\ . .");
    assert!(kakuro.out.contains("Kakuro"), "{}", kakuro.err);
}

#[test]
fn argument_or_input_that_is_no_text_says_what_to_give_instead() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("puzzle.txt");
    fs::write(&file, PUZZLE).unwrap();
    let file = file.display();
    for command in ["picture", "solve", "validate", "hint"] {
        let named = run(&format!("{command} {file}"));
        assert_eq!(named.err, format!("error: \"{file}\" is a file; to read it, write < {file}\n"));
        let empty = run_with_input(command, " \n");
        let fault = "standard input is empty; give a puzzle as an argument, or write < and the name of a file";
        assert_eq!((empty.code, empty.err), (Some(1), format!("error: {fault}\n")));
        let long = run_with_input(command, &PUZZLE.repeat((1 << 20) / PUZZLE.len() + 1));
        let fault = "standard input has more than 1048576 bytes; give one puzzle";
        assert_eq!((long.code, long.err), (Some(1), format!("error: {fault}\n")));
    }
    let id = run("validate puzzle-1").err;
    assert_eq!(id, "error: text: puzzle-1 is the ID of a stored puzzle, which has exactly one solution; give a text\n");
}

#[test]
fn format_of_a_picture_is_that_of_the_name_of_the_file() {
    let folder = tempdir().unwrap();
    for (name, args, start) in
        [("a.svg", "", "<svg "), ("a.PDF", "", "%PDF-"), ("a", "", "<svg "), ("a", "--format pdf", "%PDF-")]
    {
        let path = folder.path().join(name);
        let written = run(&format!("picture {PUZZLE} {args} --output {}", path.display()));
        assert_eq!((written.code, written.out.as_str(), written.err.as_str()), (Some(0), "", ""));
        assert!(fs::read(&path).unwrap().starts_with(start.as_bytes()), "{name} {args}");
    }
    for (output, fault) in [
        ("none/a.svg", "the folder \"none\" does not exist; create it, or name another"),
        ("a.png", "\"a.png\" is not the name of a file in the format svg; end it in .svg"),
        ("a.svg --format pdf", "\"a.svg\" is not the name of a file in the format pdf; end it in .pdf"),
    ] {
        let failed = run(&format!("picture {PUZZLE} --output {output}"));
        let fault = format!("error: --output: {fault}\n");
        assert_eq!((failed.code, failed.out.as_str(), failed.err), (Some(1), "", fault));
    }
}

#[test]
fn refused_picture_fails_with_flag_and_value() {
    let several = ".".repeat(81);
    for (args, expected) in [
        (format!("{PUZZLE} --step 99"), "error: --step: 99 is beyond the last step; the techniques find "),
        (format!("{PUZZLE} --step 0"), "error: invalid value '0' for '--step <N>'"),
        (format!("{several} --solution"), "error: text: several solutions"),
        ("12".to_owned(), "error: text: 2 cells; the puzzle must have exactly 81"),
        (format!("{PUZZLE} --scramble-seed 3"), "error: --scramble-seed: 3 is set for a text; only stored puzzles"),
        (
            "puzzle-3 --kind sudoku".to_owned(),
            "error: --kind, --variant: these are for a text, and puzzle-3 is a stored puzzle; leave them out",
        ),
    ] {
        let refused = run(&format!("picture {args}"));
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{args}");
        assert!(refused.err.starts_with(expected), "{args}: {}", refused.err);
    }
}

#[tokio::test]
async fn server_draws_a_stored_puzzle() {
    let (server, channel, address) = start("--workers 1").await;
    let text = made_by_job(channel, request(1)).await.remove(0);
    let by_id = ended(&address, "picture puzzle-1 --solution", 0).await;
    assert_eq!(by_id.out, run(&format!("picture {text} --solution")).out);
    let view = ended(&address, "picture puzzle-1 --scramble-seed 5", 0).await;
    assert_ne!(view.out, ended(&address, "picture puzzle-1", 0).await.out);
    let unknown = ended(&address, "picture puzzle-9", 1).await;
    assert!(unknown.err.contains("there is no puzzle \"puzzle-9\""), "{}", unknown.err);
    drop(server);
}

#[test]
fn sheet_has_the_pages_that_its_puzzles_need() {
    for (args, expected) in [
        ("--count 12 --level easy --seed 7", 3 + 1),
        ("--count 12 --level easy --seed 7 --solutions none", 3),
        ("--count 12 --level easy --seed 7 --per-page 1", 12 + 1),
        ("--count 12 --level easy --seed 7 --per-page 2", 6 + 1),
        ("--count 13 --level easy --seed 7 --per-page 6 --paper letter", 3 + 1),
        ("--count 21 --level easy --seed 7 --per-page 6", 4 + 2),
        ("--count 5 --level easy --seed 7 --large-print", 2 + 2),
        ("--count 5 --curve easy..evil --seed 7", 2 + 1),
        ("--count 3 --kind kakuro --level easy --seed 7 --large-print --solutions none", 3),
        ("--count 2 --kind kakuro --size 20x20 --seed 7 --solutions none", 2),
    ] {
        let printed = sheet(args);
        assert_eq!(pages(&printed), expected, "{args}");
        assert_eq!(sheet(args), printed, "equal commands print equal bytes");
    }
}

#[test]
fn drawn_seed_of_a_sheet_is_printed_and_prints_it_again() {
    let drawn = puzzled("sheet --count 2 --level easy").output().unwrap();
    let seed = String::from_utf8(drawn.stderr).unwrap();
    let seed = seed.strip_prefix("seed ").unwrap().trim_end();
    assert_eq!(sheet(&format!("--count 2 --level easy --seed {seed}")), drawn.stdout);
}

#[test]
fn refused_sheet_fails_with_flag_value_and_limit() {
    let long = "x".repeat(101);
    for (args, expected) in [
        (
            vec!["--title", "Судоку"],
            "error: --title: the character 'С' cannot be printed; use letters of Western European languages",
        ),
        (vec!["--title", " "], "error: --title: 1 characters; use 1 to 100 characters that are not all blank"),
        (vec!["--title", &long], "error: --title: 101 characters; use 1 to 100 characters that are not all blank"),
        (vec!["--count", "0"], "error: invalid value '0' for '--count <N>': 0 is not in 1..=1000"),
        (vec!["--count", "1001"], "error: invalid value '1001' for '--count <N>': 1001 is not in 1..=1000"),
        (vec!["--per-page", "3"], "error: invalid value '3' for '--per-page <N>'"),
        (
            vec!["--curve", "evil..easy"],
            "error: invalid value 'evil..easy' for '--curve <LEVEL..LEVEL>': evil is harder",
        ),
        (
            vec!["--curve", "easy..evil", "--count", "4"],
            "error: --count: 4 is below 5, one for each level of --curve; set more",
        ),
        (
            vec!["--curve", "easy..evil", "--level", "easy"],
            "error: the argument '--curve <LEVEL..LEVEL>' cannot be used",
        ),
        (
            vec!["--audience", "anna"],
            "error: the following required arguments were not provided:\n  --address <ADDRESS>\n  --title <TITLE>",
        ),
        (
            vec!["--address", "localhost:1"],
            "error: the following required arguments were not provided:\n  --title <TITLE>\n  --audience <NAME>",
        ),
        (
            vec!["--exclusive"],
            "error: the following required arguments were not provided:\n  --address <ADDRESS>\n  --title <TITLE>\n  --audience",
        ),
        (
            vec!["--kind", "kakuro", "--size", "20x20", "--count", "1", "--per-page", "6", "--seed", "1"],
            "error: --per-page: the smallest digits would have ",
        ),
        (
            vec!["--kind", "kakuro", "--size", "20x20", "--count", "1", "--large-print", "--seed", "1"],
            "error: --per-page: the smallest digits would have ",
        ),
        (vec!["--min-rating", "11"], "error: --min-rating: 11.0 is above 10.4, the hardest rating that is generated"),
    ] {
        let output = with_args(&[&["sheet"][..], &args].concat()).output().unwrap();
        assert!(!output.status.success(), "{args:?}");
        let refused = ran(output);
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{args:?}: {}", refused.err);
        assert!(refused.err.starts_with(expected), "{args:?}: {}", refused.err);
    }
}

#[tokio::test]
async fn sheet_of_an_audience_has_no_repeat_and_its_title_prints_it_again() {
    let (server, channel, address) = start("--workers 1").await;
    made_by_job(channel.clone(), request(8)).await;
    let print = async |title: &str, more: &str| {
        let args = format!("sheet --count 4 --audience anna --title {title} {more} --address {address}");
        let mut command = puzzled(&args);
        spawn_blocking(move || command.output().unwrap()).await.unwrap()
    };
    let (first, second) = (print("one", "").await, print("two", "").await);
    assert!(first.status.success() && second.status.success(), "{}", String::from_utf8_lossy(&second.stderr));
    assert_eq!((pages(&first.stdout), pages(&second.stdout)), (2, 2));
    assert_eq!(print("one", "").await.stdout, first.stdout);
    assert_ne!(second.stdout, first.stdout);
    let delivered = PuzzleServiceClient::new(channel)
        .list_deliveries(puzzled_api::v1::ListDeliveriesRequest { audience: "anna".to_owned(), ..Default::default() })
        .await
        .unwrap();
    assert_eq!(delivered.into_inner().deliveries.len(), 8);
    for (title, more, fault) in [
        ("three", "", "puzzle 1 of 4: "),
        ("one", "--level evil", "puzzle 1 of 4: --title: \"one\" names a sheet with other criteria; "),
        ("four", "--exclusive", "puzzle 1 of 4: "),
        ("five", "--givens 2", "puzzle 1 of 4: --givens: 2 is outside "),
    ] {
        let refused = print(title, more).await;
        let err = String::from_utf8(refused.stderr).unwrap();
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
        assert!(err.starts_with(&format!("error: {address}: {fault}")), "{err}");
    }
    drop(server);
}
