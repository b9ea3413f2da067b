//! The texts that are refused, each with its message.

use puzzled_engine::{registry, sudoku::notation::stated};

use super::{
    folders,
    fpuzzles::{fpuzzles, packed},
    notations, read,
    sudokupad::sudokupad,
};

fn check(kind: &str, cases: &[(&str, &str)]) {
    for (text, reason) in cases {
        assert_eq!(read(kind, text).unwrap_err(), *reason, "{text}");
    }
}

const BOTH_DIAGONALS: &str = ",\"diagonal+\":true,\"diagonal-\":true";

/// The extra regions with these upper left cells, the last first.
fn extra_regions(corners: &[(usize, usize)]) -> String {
    let cell = |(top, left): &(usize, usize), at: usize| format!("\"R{}C{}\"", top + at / 3, left + at % 3);
    let region = |corner| (0..9).rev().map(|at| cell(corner, at)).collect::<Vec<_>>().join(",");
    let regions = corners.iter().rev().map(|corner| format!("{{\"cells\":[{}],\"value\":\"\"}}", region(corner)));
    format!(",\"extraregion\":[{}]", regions.collect::<Vec<_>>().join(","))
}

#[test]
fn both_diagonals_or_the_four_windows_of_an_address_name_the_variant() {
    let given = "{\"value\":5,\"given\":true}";
    let windows = extra_regions(&[(2, 2), (2, 6), (6, 2), (6, 6)]);
    for (variant, fields) in [("9x9", ""), ("9x9-x", BOTH_DIAGONALS), ("9x9-windoku", &windows)] {
        let text = format!("{variant}: 5{}", ".".repeat(80));
        assert_eq!(stated(&format!(" {}\n", fpuzzles(9, given, fields))), Ok(Some(text)));
    }
    let three = extra_regions(&[(2, 2), (2, 6), (6, 2)]);
    let moved = extra_regions(&[(2, 2), (2, 6), (6, 2), (7, 6)]);
    let valued = windows.replacen("\"\"", "\"7\"", 1);
    let both = format!("{BOTH_DIAGONALS}{windows}");
    for fields in [",\"diagonal+\":true", &three, &moved, &valued, &both] {
        assert!(stated(&fpuzzles(9, given, fields)).is_err(), "{fields}");
    }
    assert_eq!(stated(&".".repeat(81)), Ok(None));
}

#[test]
fn rules_that_the_kind_lacks_are_refused_by_name() {
    let may_be =
        |site: &str, name: &str| format!("{site}: \"{name}\" may state an extra rule; use a puzzle without it");
    let boxes =
        "SudokuPad: the regions of the puzzle are not the nine boxes; send the puzzle as a text of the kind jigsaw";
    for (text, reason) in [
        (
            fpuzzles(9, "{}", ",\"killercage\":[{\"cells\":[\"R1C1\"]}]"),
            "f-puzzles: the puzzle has cages; use the kind killer".to_owned(),
        ),
        (fpuzzles(9, "{}", ",\"diagonal+\":true"), may_be("f-puzzles", "diagonal+")),
        (fpuzzles(9, "{}", &extra_regions(&[(2, 2)])), may_be("f-puzzles", "extraregion")),
        (fpuzzles(9, "{}", ",\"antiknight\":true,\"title\":\"x\""), may_be("f-puzzles", "antiknight")),
        (fpuzzles(6, "{}", ""), "f-puzzles: the size is 6; only 9 is read".to_owned()),
        (
            fpuzzles(9, "{\"region\":4}", ""),
            "f-puzzles: r1c1 is in a region that is no box; use the kind jigsaw".to_owned(),
        ),
        (fpuzzles(9, "{\"givenPencilMarks\":[1]}", ""), may_be("f-puzzles", "givenPencilMarks of r1c1")),
        (
            fpuzzles(9, "{\"value\":1}", ""),
            "f-puzzles: r1c1 has a digit that is no given; delete entered digits and export again".to_owned(),
        ),
        (fpuzzles(9, "{\"value\":10,\"given\":true}", ""), "f-puzzles: r1c1 has 10; use 1 to 9".to_owned()),
        (
            fpuzzles(9, "{}", ",\"ruleset\":\"Normal sudoku rules apply. No knight's move.\""),
            "f-puzzles: the puzzle states rules in words, \"Normal sudoku rules apply. No knight's m\"… (44 bytes); only \
             \"Normal sudoku rules apply\" is read"
                .to_owned(),
        ),
        (sudokupad("", ",\"lines\":[1]"), may_be("SudokuPad", "lines")),
        (sudokupad("", ",\"cages\":[{\"cells\":[[0,0]],\"value\":\"3\"}]"), may_be("SudokuPad", "cages")),
        (sudokupad("", ",\"cages\":[{\"value\":\"rules: no knight's move\"}]"), {
            "SudokuPad: the puzzle states rules in words, \"no knight's move\"; only \"Normal sudoku rules apply\" is read".to_owned()
        }),
        (sudokupad("", ",\"metadata\":{\"antiking\":true}"), may_be("SudokuPad", "antiking")),
        (sudokupad("[[0,0],[0,1]]", ""), boxes.to_owned()),
        (packed("https://sudokupad.app/scl", "{\"cells\":[]}"), "SudokuPad: the puzzle does not have 9 rows of 9 cells".to_owned()),
        (packed("https://sudokupad.app/scl", "{\"regions\":[]}"), boxes.to_owned()),
    ] {
        assert_eq!(read("sudoku", &text).unwrap_err(), reason);
    }
}

#[test]
fn named_variant_keeps_the_error_of_the_reader_that_knows_the_address() {
    let one = fpuzzles(9, "{}", ",\"diagonal+\":true");
    for variant in ["", "9x9", "9x9-x", "9x9-windoku"] {
        let fault = registry::kind("sudoku").unwrap().normalize(variant, &one).unwrap_err().to_string();
        assert_eq!(fault, "f-puzzles: \"diagonal+\" may state an extra rule; use a puzzle without it", "{variant}");
    }
}

#[test]
fn compressed_addresses_have_limits() {
    let long = format!("https://f-puzzles.com/?load={}", "A".repeat(4_097));
    let bomb = packed("https://f-puzzles.com/?load=", &format!("[{}]", "0,".repeat(40_000)));
    let deep = packed("https://f-puzzles.com/?load=", &"[".repeat(1_000));
    assert!(bomb.len() < 4_096);
    check(
        "sudoku",
        &[
            (&long, "f-puzzles: 4097 compressed characters; the maximum is 4096"),
            (&bomb, "f-puzzles: 80002 characters after unpacking; the maximum is 65536"),
            (
                &deep,
                "f-puzzles: the puzzle is not JSON: recursion limit exceeded at line 1 column 128; copy all of it again",
            ),
            (&format!("[{}]", "0,".repeat(3_000)), "a JSON array of 6002 bytes; the maximum is 4096"),
        ],
    );
}

#[test]
fn no_notation_of_one_kind_is_read_as_the_other() {
    let kinds: Vec<_> = folders().iter().map(|(kind, _)| kind.name()).collect();
    for kind in &kinds {
        for (path, text) in notations(kind) {
            assert!(kinds.iter().all(|other| other == kind || read(other, &text).is_err()), "{path}");
        }
    }
}

#[test]
fn numbers_in_refusals_have_the_right_noun_and_ranges_have_two_ends() {
    let mut refusals = 0;
    for (kind, info) in registry::kinds().iter().flat_map(|kind| kind.variants().iter().map(move |info| (kind, info))) {
        let size = info.name.split(['x', '-']).next().and_then(|size| size.parse().ok()).unwrap_or(4_usize);
        let (name, dots) = (info.name, |count: usize| ".".repeat(count));
        let cells = dots(size * size);
        let row = "a".repeat(size);
        for text in [
            "1".to_owned(),
            "[1]".to_owned(),
            "[[1]]".to_owned(),
            "+--+\n|5|\n|##|\n+--+".to_owned(),
            "# # #\n#".to_owned(),
            "# \\6 \\6 \\6\n5\\ . . .\n6\\ . . .\n6\\ . . .".to_owned(),
            format!("# {0}\n5\\ {1}\n5\\ {1}", ["\\3"; 9].join(" "), ["."; 9].join(" ")),
            "https://puzz.link/p?sudoku/9/9/1".to_owned(),
            "https://sudokupad.app/scf1".to_owned(),
            "{\"size\":1,\"grid\":[[{\"value\":2,\"given\":true}]]}".to_owned(),
            "{\"size\":1,\"grid\":[[{\"region\":1}]]}".to_owned(),
            format!("{name}: 1"),
            format!("{name}: {}!", dots(size * size - 1)),
            format!("{name}: {cells} regions=a cages=a sums=1 right=- down=-"),
            format!("{name}: {cells} regions=a"),
            format!("{name}: {cells} regions={}", "a".repeat(size * size)),
            format!("{name}: {cells} cages={row}{} sums=1", dots(size * size - size)),
            format!("{name}: {cells} cages=a{} sums=1,2", dots(size * size - 1)),
            format!("{name}: {cells} right=- down=-"),
        ] {
            let Err(error) = kind.normalize(kind.text_variant(), &text) else { continue };
            let message = error.to_string();
            refusals += 1;
            let words: Vec<_> = message.split([' ', ';', ',']).filter(|word| !word.is_empty()).collect();
            let is_plural = |word: &str| word.ends_with('s') && !["has", "is"].contains(&word);
            assert!(!words.windows(2).any(|pair| pair[0] == "1" && is_plural(pair[1])), "{text}: {message}");
            assert!(!words.windows(3).any(|three| three[1] == "to" && three[0] == three[2]), "{text}: {message}");
        }
    }
    assert!(refusals > 300, "{refusals}");
}

#[test]
fn notations_of_other_programs_are_named_before_cells_are_counted() {
    // Sudoku reads such texts itself, and says more.
    for kind in registry::kinds().iter().map(|kind| kind.name()).filter(|name| *name != "sudoku") {
        for (text, what) in [
            ("[[1,0],[0,1]]", "a JSON array"),
            ("6x6dn:a1b0c2d", "the ID of a game of Simon Tatham's puzzles"),
            ("10x2.aabb", "a text with a size and a dot before its cells"),
        ] {
            let fault = format!("{what} cannot be read as {kind}; `docs/notations.md` lists what can");
            assert_eq!(read(kind, text), Err(fault), "{text}");
        }
    }
}
