//! Reads one puzzle in each notation of `tests/data/notations`, and checks the message of each refusal.
#![cfg(test)]

mod fpuzzles;
mod refusals;
mod sudokupad;

use std::{fs, path::Path};

use puzzled_engine::{registry, shared::kind::PuzzleKind};

/// The puzzle of the folder `sudoku`, in its stored form.
const SUDOKU: &str = "..8..73...6...91.8.7....6.22....64...8..5........1.....47....9...2..3..6.56...8..";

/// The puzzle of the folder `kakuro`, in its stored form.
const KAKURO: &str = "# \\18 \\11 # #\n11\\ . . # #\n12\\ . . \\13 \\23\n14\\ . . . .\n# 20\\ . . .\n# # 8\\ . .";

fn kind(name: &str) -> &'static dyn PuzzleKind {
    registry::kind(name).unwrap()
}

fn read(name: &str, text: &str) -> Result<String, String> {
    let kind = kind(name);
    kind.normalize(kind.text_variant(), text).map_err(|error| error.to_string())
}

/// The files below a folder, each with its path.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
    files
}

fn notations(kind: &str) -> Vec<(String, String)> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/notations").join(kind))
}

#[test]
fn one_puzzle_in_each_notation_has_one_text() {
    for (name, puzzle, count) in [("sudoku", SUDOKU, 60), ("kakuro", KAKURO, 11)] {
        let notations = notations(name);
        assert!(notations.len() >= count, "{} notations of {name}", notations.len());
        for (path, text) in notations {
            assert_eq!(read(name, &text).as_deref(), Ok(puzzle), "{path}");
        }
    }
}

#[test]
fn what_is_written_is_read_again() {
    for (name, puzzle) in [("sudoku", SUDOKU), ("kakuro", KAKURO)] {
        let kind = kind(name);
        let variant = kind.text_variant();
        let addresses = kind.links(variant, puzzle).unwrap().into_iter().map(|link| link.url);
        let lines = kind.file_forms(variant).iter().map(|form| kind.write_as(*form, variant, puzzle).unwrap().unwrap());
        for written in addresses.chain(lines).chain([kind.draw(variant, puzzle).unwrap()]) {
            assert_eq!(read(name, &written).as_deref(), Ok(puzzle), "{written}");
        }
    }
}

#[test]
fn board_of_a_player_may_be_in_any_notation() {
    let sudoku = kind("sudoku");
    for (path, text) in notations("sudoku") {
        let of = puzzled_engine::shared::kind::HintFor {
            variant: "9x9",
            text: SUDOKU,
            solution: "428167359563429178971835642215396487689754231734218965147682593892543716356971824",
        };
        let state = sudoku.compare(of, &text).unwrap();
        assert_eq!(state, puzzled_engine::shared::text::compare::BoardState::CorrectSoFar, "{path}");
    }
}
