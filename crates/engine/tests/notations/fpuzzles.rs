//! The format of f-puzzles, which several kinds read. What one kind refuses alone is in the tests of the kind.

use std::sync::atomic::AtomicBool;

use puzzled_engine::shared::{
    budget::Budget,
    kind::{FileForm, PuzzleKind},
    text::Verdict,
};
use serde::Deserialize;

use super::{Notations, cases::kinds::cases, read};

/// An address of f-puzzles with this first cell, and these fields after the size and the grid.
pub(crate) fn fpuzzles(size: usize, cell: &str, fields: &str) -> String {
    packed("https://f-puzzles.com/?load=", &fpuzzles_json(size, cell, fields))
}

/// The JSON of such an address.
pub(crate) fn fpuzzles_json(size: usize, cell: &str, fields: &str) -> String {
    let row = |first: &str| format!("[{first}{}]", ",{}".repeat(size - 1));
    let grid = [vec![row(cell)], vec![row("{}"); size - 1]].concat().join(",");
    format!("{{\"size\":{size},\"grid\":[{grid}]{fields}}}")
}

pub(crate) fn packed(site: &str, json: &str) -> String {
    site.to_owned() + lz_str::compress_to_base64(json).trim_end_matches('=')
}

const GIVEN: &str = "{\"value\":5,\"given\":true}";
const CAGE: &str = ",\"killercage\":[{\"cells\":[\"R2C1\",\"R1C1\"],\"value\":\"9\",\"outlineC\":\"#000\"}]";

/// A variant of a kind that reads the format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    size: usize,
    /// The JSON fields that a puzzle of the variant needs after its size and grid.
    #[serde(default)]
    fields: String,
    /// The text of the puzzle with these fields whose first cell is a 5, the only given.
    text: String,
    /// A puzzle with one solution, which the kind writes as an address.
    pub(crate) unique: Option<Unique>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unique {
    variant: String,
    text: String,
}

/// Each variant that reads the format: its kind, its size, the fields after the size and the grid, and the text.
fn kinds() -> Vec<(&'static str, usize, String, String)> {
    let of_kind = |(kind, notations): (&'static dyn PuzzleKind, Notations)| {
        let of_case = move |Case { size, fields, text, unique: _ }| {
            let fields = if fields.is_empty() { fields } else { format!(",{fields}") };
            (kind.name(), size, fields, text)
        };
        notations.fpuzzles.into_iter().map(of_case)
    };
    cases("notations.toml").into_iter().flat_map(of_kind).collect()
}

/// The text of a puzzle of any variant, or the error.
fn normalized(kind: &str, text: &str) -> Result<String, String> {
    super::kind(kind).normalize("", text).map_err(|error| error.to_string())
}

#[test]
fn address_with_any_prefix_and_escapes_is_read_by_each_kind() {
    for (kind, size, fields, wanted) in kinds() {
        let raw = packed("", &fpuzzles_json(size, GIVEN, &format!("{fields},\"title\":\"~?~>~\"")));
        let escaped = raw.replace('+', "%2B").replace('/', "%2f") + "%3D";
        for start in ["https://f-puzzles.com/", "http://www.F-Puzzles.com", "www.f-puzzles.com/", "f-puzzles.com/"] {
            for end in [&raw, &escaped, &format!("{raw}&x=1"), &format!("{escaped}#x")] {
                for address in [format!(" {start}?load={end}\n"), format!("{start}?x=1&load={end}")] {
                    assert_eq!(normalized(kind, &address).as_ref(), Ok(&wanted), "{address}");
                }
            }
        }
        // SudokuPad opens the same compressed part.
        for start in ["fpuzzles", "sudoku/fpuz", "?puzzleid=fpuzzles", "puzzle/?puzzleid=fpuz"] {
            let address = format!("https://sudokupad.app/{start}{escaped}");
            assert_eq!(normalized(kind, &address).as_ref(), Ok(&wanted), "{address}");
        }
        assert_ne!(raw.replace(['+', '/'], ""), raw);
        assert!(normalized(kind, "www.f-puzzles.com/?id=x").unwrap_err().contains("the address has no load="));
    }
}

#[test]
fn field_that_no_kind_knows_is_refused_alike_by_each_kind() {
    let extra = |name: &str| format!("{name:?} may state an extra rule; use a puzzle without it");
    let words = |rules: &str| {
        format!("the puzzle states rules in words, {rules:?}; only \"Normal sudoku rules apply\" is read")
    };
    let size = "the grid is not square, or differs from the size; use 1 to 9 rows with as many cells";
    for (cell, field, fault) in [
        ("{\"value\":1}", "", "r1c1 has a digit that is no given; delete entered digits and export again"),
        ("5", "", "r1c1 is no object; use {} for an empty cell"),
        ("{\"region\":9}", "", "r1c1 is in no region; use 0 to"),
        ("{\"region\":null}", "", "r1c1 is in no region; use 0 to"),
        ("{\"color\":1}", "", &extra("color of r1c1")),
        ("{},{}", "", size),
        ("{}", ",\"size\":5", size),
        ("{}", ",\"arrow\":[1]", &extra("arrow")),
        ("{}", ",\"diagonal+\":1", &extra("diagonal+")),
        ("{}", ",\"killercage\":7", &extra("killercage")),
        ("{}", ",\"killercage\":[{\"least\":3}]", &extra("least of killercage")),
        ("{}", ",\"killercage\":[{\"cells\":[\"R1C10\"]}]", "\"R1C10\" is no cell of the board; use R1C1"),
        ("{}", ",\"metadata\":{\"antiking\":true}", &extra("antiking")),
        ("{}", ",\"metadata\":\"antiking\"", &extra("metadata")),
        ("{}", ",\"metadata\":{\"rules\":\"no knights\"}", &words("no knights")),
        ("{}", ",\"ruleset\":\"no knights\"", &words("no knights")),
        ("{}", ",\"ruleset\":{\"x\":1}", &words("ruleset")),
    ] {
        for (kind, rows, fields, _) in kinds() {
            let error = normalized(kind, &fpuzzles(rows, cell, &(fields + field))).unwrap_err();
            assert!(error.starts_with(&format!("f-puzzles: {fault}")), "{kind} {cell} {field}: {error}");
        }
    }
}

#[test]
fn fields_that_change_no_solution_are_read_by_each_kind() {
    let cell = "{\"value\":5,\"given\":true,\"c\":\"#fff\",\"cArray\":[1],\"cornerPencilMarks\":[1],\"centerPencilMarks\":[2]}";
    for (kind, size, fields, wanted) in kinds() {
        for field in [
            "\"highlightConflicts\":true",
            "\"successMessage\":\"Well done\"",
            "\"comments\":\"from the week\"",
            "\"fogofwar\":[\"R1C1\"]",
            "\"arrow\":[],\"antiknight\":false,\"negative\":null,\"text\":\"\",\"odd\":{},\"even\":0",
        ] {
            let text = fpuzzles(size, cell, &format!("{fields},{field}"));
            assert_eq!(normalized(kind, &text).as_ref(), Ok(&wanted), "{kind} {field}");
        }
        let zero = fpuzzles(size, &GIVEN.replace('}', ",\"c\":0}"), &fields);
        assert_eq!(normalized(kind, &zero).as_ref(), Ok(&wanted));
    }
}

#[test]
fn a_stated_solution_must_be_the_only_one() {
    let unique = |(kind, notations): (_, Notations)| {
        notations.fpuzzles.into_iter().filter_map(move |case| Some((kind, case.unique?)))
    };
    for (kind, Unique { variant, text }) in cases("notations.toml").into_iter().flat_map(unique) {
        let (kind, variant, text): (&dyn PuzzleKind, _, _) = (kind, variant.as_str(), text.as_str());
        let never = AtomicBool::new(false);
        let verdict = kind.validate(variant, text, &mut Budget::new(1_000_000, &never)).unwrap();
        let Verdict::Unique { solution } = verdict else { panic!("{text}: {verdict:?}") };
        let digits: String = kind.digits(variant, &solution).unwrap().iter().map(ToString::to_string).collect();
        let address = kind.write_as(FileForm::Fpuzzles, variant, text).unwrap().unwrap();
        let signs = address.split_once("load=").unwrap().1;
        let signs = signs.replace("%2B", "+").replace("%2F", "/").replace("%3D", "");
        let json = String::from_utf16(&lz_str::decompress_from_base64(&signs).unwrap()).unwrap();
        let normalized = |digits: &str| {
            let text = packed(
                "https://f-puzzles.com/?load=",
                &json.replacen('{', &format!("{{\"solution\":\"{digits}\","), 1),
            );
            kind.normalize("", &text).map_err(|error| error.to_string())
        };
        let stored = kind.normalize(variant, text).unwrap();
        assert_eq!(normalized(&digits), Ok(stored.clone()), "{variant}");
        assert_eq!(normalized(&format!("{}.", &digits[..digits.len() - 1])), Ok(stored), "{variant}");
        let wrong = digits[..digits.len() - 1].to_owned() + if digits.ends_with('1') { "2" } else { "1" };
        let fault = "the stated solution differs from the only solution in r";
        assert!(normalized(&wrong).unwrap_err().starts_with(fault), "{variant}: {:?}", normalized(&wrong));
        let short = normalized(&digits[1..]).unwrap_err();
        assert!(short.starts_with("f-puzzles: solution has "), "{short}");
    }
}

#[test]
fn rules_in_words_that_say_nothing_more_are_read_by_each_kind() {
    for (kind, size, fields, wanted) in kinds() {
        for words in ["null", "\" \"", "\"Normal Sudoku rules apply.\"", "\"Normal killer Sudoku rules apply\""] {
            let words = format!(",\"ruleset\":{words},\"metadata\":{{\"rules\":{words},\"author\":\"x\"}}");
            assert_eq!(normalized(kind, &fpuzzles(size, GIVEN, &format!("{fields}{words}"))).as_ref(), Ok(&wanted));
        }
    }
}

#[test]
fn regions_and_cages_are_read_by_the_kinds_that_have_them() {
    let swapped = fpuzzles_json(6, "{}", "")
        .replacen("{},{},{},{},{},{}", "{},{},{\"region\":1},{},{},{}", 1)
        .replacen("{},{},{},{},{},{}", "{},{},{},{\"region\":0},{},{}", 1);
    let letters = ["aabbbb", "aaaabb", "cccddd", "cccddd", "eeefff", "eeefff"].concat();
    let wanted = format!("6x6: {} regions={letters}", ".".repeat(36));
    for text in [&swapped, &packed("f-puzzles.com/?load=", &swapped)] {
        assert_eq!(normalized("jigsaw", text).as_ref(), Ok(&wanted));
    }
    let sudoku = read("sudoku", &packed("f-puzzles.com/?load=", &swapped)).unwrap_err();
    assert_eq!(sudoku, "f-puzzles: r1c3 is in a region that is no box; use the kind jigsaw");
    let jigsaw = read("jigsaw", &fpuzzles(6, "{}", CAGE)).unwrap_err();
    assert_eq!(jigsaw, "f-puzzles: the puzzle has cages; use the kind killer");
    let killer = read("killer", &fpuzzles(6, "{\"region\":1}", CAGE)).unwrap_err();
    assert_eq!(killer, "f-puzzles: r1c1 is in a region that is no box; no kind has cages and such regions");
    let other = read("killer", &fpuzzles(7, "{}", CAGE)).unwrap_err();
    assert!(other.starts_with("unknown variant \"7x7\" of killer"), "{other}");
}
