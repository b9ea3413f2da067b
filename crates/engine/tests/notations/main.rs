//! Reads one puzzle in each notation of `tests/data/notations`, addresses of f-puzzles by `notations.toml` of each kind's folder, and
//! checks the messages of refusals that need a computed text.
#![cfg(test)]

#[path = "../../../../tests/support"]
mod cases {
    pub(crate) mod kinds;
}
mod fpuzzles;
mod refusals;
mod sudokupad;

use std::{fs, path::Path};

use cases::kinds::cases;
use puzzled_engine::{
    registry,
    shared::{
        budget::Budget,
        kind::{FileForm, HintFor, PuzzleKind},
        text::{Verdict, compare::BoardState},
    },
};
use serde::Deserialize;

/// The file of a kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Notations {
    folder: Option<Folder>,
    #[serde(default)]
    fpuzzles: Vec<fpuzzles::Case>,
}

/// The puzzle of the kind's folder in `tests/data/notations`, in its stored form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Folder {
    puzzle: String,
    solution: String,
    /// The fewest notations in the folder.
    count_min: usize,
}

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

/// The kinds with a folder in `tests/data/notations`, and its puzzle.
fn folders() -> Vec<(&'static dyn PuzzleKind, Folder)> {
    let of_kind = |(kind, notations): (_, Notations)| Some((kind, notations.folder?));
    cases("notations.toml").into_iter().filter_map(of_kind).collect()
}

/// The puzzle of the folder `sudoku`.
fn folder_of_sudoku() -> Folder {
    folders().into_iter().find(|(kind, _)| kind.name() == "sudoku").unwrap().1
}

#[test]
fn one_puzzle_in_each_notation_has_one_text() {
    for (kind, Folder { puzzle, count_min, .. }) in folders() {
        let notations = notations(kind.name());
        assert!(notations.len() >= count_min, "{} notations of {}", notations.len(), kind.name());
        for (path, text) in notations {
            assert_eq!(read(kind.name(), &text).as_ref(), Ok(&puzzle), "{path}");
        }
    }
}

#[test]
fn what_is_written_is_read_again() {
    for (kind, Folder { puzzle, .. }) in folders() {
        let variant = kind.text_variant();
        let addresses = kind.links(variant, &puzzle).unwrap().into_iter().map(|link| link.url);
        let lines =
            kind.file_forms(variant).iter().map(|form| kind.write_as(*form, variant, &puzzle).unwrap().unwrap());
        for written in addresses.chain(lines).chain([kind.draw(variant, &puzzle).unwrap()]) {
            assert_eq!(read(kind.name(), &written).as_ref(), Ok(&puzzle), "{written}");
        }
    }
}

#[test]
fn board_of_a_player_may_be_in_any_notation() {
    for (kind, Folder { puzzle, solution, .. }) in folders() {
        let variant = kind.variant_of("", &puzzle).unwrap();
        let verdict = kind.validate(&variant, &puzzle, &mut Budget::of_nodes(10_000));
        assert_eq!(verdict, Ok(Verdict::Unique { solution: solution.clone() }));
        for (path, text) in notations(kind.name()) {
            let of = HintFor { variant: &variant, text: &puzzle, solution: &solution };
            assert_eq!(kind.compare(of, &text), Ok(BoardState::CorrectSoFar), "{path}");
        }
    }
}

#[test]
fn each_kind_that_writes_addresses_of_fpuzzles_has_cases() {
    for (kind, notations) in cases::<Notations>("notations.toml") {
        let writes = kind.variants().iter().any(|info| kind.file_forms(info.name).contains(&FileForm::Fpuzzles));
        let has_case = notations.fpuzzles.iter().any(|case| case.unique.is_some());
        assert_eq!(writes, has_case, "{}", kind.name());
    }
}
