//! Compares pictures, as SVG, with the golden files that the documentation shows, by `pictures.toml` of each kind's folder.
//! `UPDATE_GOLDEN=1 cargo test -p puzzled-engine --test pictures` writes the files anew; look at them.
#![cfg(test)]

#[path = "../../../tests/support"]
mod cases {
    pub(crate) mod kinds;
}

use std::{collections::BTreeSet, env, ffi::OsStr, fs, path::PathBuf};

use cases::kinds::cases;
use puzzled_engine::{
    picture::{Mark, Picture, Shade, Shown, Stroke, svg},
    shared::{budget::Budget, kind::PuzzleKind, step::Step},
};
use serde::Deserialize;

/// The file of a kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pictures {
    picture: Vec<Golden>,
}

/// A picture of `docs/images`, with what it shows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden {
    file: String,
    variant: String,
    text: String,
    solution: Option<String>,
    /// The rules stand below the board.
    #[serde(default)]
    rules: bool,
    /// The picture shows the first step by this technique, and what the steps before it removed.
    steps_to: Option<String>,
}

impl Golden {
    /// The steps of the puzzle that the picture shows.
    fn steps(&self, kind: &dyn PuzzleKind) -> Vec<Step> {
        let Some(technique) = &self.steps_to else { return Vec::new() };
        let mut steps = kind.reason(&self.variant, &self.text, &mut Budget::of_nodes(1_000_000)).unwrap().steps;
        let at = steps.iter().position(|step| step.technique == technique).unwrap();
        steps.truncate(at + 1);
        steps
    }

    fn picture(&self, kind: &dyn PuzzleKind) -> Picture {
        let Self { file: _, variant, text, solution, rules, steps_to: _ } = self;
        let shown =
            Shown { text, solution: solution.as_deref(), rules: *rules, steps: &self.steps(kind), ..Shown::default() };
        kind.picture(variant, shown).unwrap()
    }
}

/// The case with this file, and its kind.
fn golden(file: &str) -> (&'static dyn PuzzleKind, Golden) {
    let of_kind =
        |(kind, pictures): (_, Pictures)| Some((kind, pictures.picture.into_iter().find(|it| it.file == file)?));
    cases("pictures.toml").into_iter().find_map(of_kind).unwrap()
}

fn images() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/images")
}

/// Asserts that a picture equals its golden file.
fn check(file: &str, picture: &Picture) {
    let written = svg::write(picture);
    let file = images().join(file);
    #[expect(clippy::disallowed_methods, reason = "a person sets UPDATE_GOLDEN")]
    if env::var("UPDATE_GOLDEN").is_ok() {
        fs::write(&file, &written).unwrap();
    }
    let golden = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(written, golden, "{}: UPDATE_GOLDEN=1 writes it anew", file.display());
}

#[test]
fn pictures_of_each_kind_are_those_of_the_documentation() {
    let mut stated = BTreeSet::new();
    for (kind, pictures) in cases::<Pictures>("pictures.toml") {
        let has_step = pictures.picture.iter().any(|golden| golden.steps_to.is_some());
        assert!(has_step && pictures.picture.len() > 1, "{}: state a puzzle and a step", kind.name());
        for golden in pictures.picture {
            check(&golden.file, &golden.picture(kind));
            stated.insert(golden.file);
        }
    }
    let files = fs::read_dir(images()).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|file| file.extension() == Some(OsStr::new("svg")));
    let files: BTreeSet<_> = files.map(|file| file.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(files, stated, "pictures without a case");
}

/// No other variant has windows.
#[test]
fn windows_are_shaded_except_where_a_step_has_its_pattern() {
    let (kind, shown) = golden("sudoku-windoku.svg");
    let shown = Golden { rules: false, steps_to: Some("Pointing".to_owned()), ..shown };
    let (step, steps) = (shown.picture(kind), shown.steps(kind));
    let shades =
        |wanted| step.marks.iter().filter(|mark| matches!(mark, Mark::Fill(_, shade) if *shade == wanted)).count();
    let in_window = |cell: &&u16| [*cell / 9, *cell % 9].iter().all(|line| line % 4 != 0);
    let pattern = &steps[steps.len() - 1].cells;
    assert_eq!(shades(Shade::Pattern), pattern.len());
    assert_eq!(shades(Shade::Window), 36 - pattern.iter().filter(in_window).count());
}

/// No other kind has stars, and crosses in cells that stay empty.
#[test]
fn solution_of_a_star_battle_has_stars_and_a_step_has_crosses() {
    let (kind, shown) = golden("star-battle-step.svg");
    let (step, steps) = (shown.picture(kind), shown.steps(kind));
    let crosses = |width| {
        step.marks.iter().filter(|mark| matches!(mark, Mark::Line(from, to, stroke) if *stroke == width && from.x.fract() > 0.0 && to.y.fract() > 0.0)).count()
    };
    assert_eq!(crosses(Stroke::Emphasis), 2 * steps[steps.len() - 1].removed.len());
    let regions = shown.text.split(' ').next_back().unwrap();
    let solution = format!("8x8: .....*.....*...........*....*....*............*...*.....*....... {regions}");
    let solved = Golden { solution: Some(solution), steps_to: None, ..shown }.picture(kind);
    let stars = solved.marks.iter().filter(|mark| matches!(mark, Mark::Star(..)));
    assert_eq!(stars.count(), 8);
}
