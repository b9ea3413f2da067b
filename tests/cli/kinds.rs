//! The commands of each kind of the registry through the real binary, by `commands.toml` of its folder: puzzles that it makes and reads
//! again from every format, pictures, sheets, tables, and errors.

use std::collections::BTreeMap;

use puzzled_engine::shared::{
    kind::{FileForm, PuzzleKind},
    text::TextForm,
};
use serde::Deserialize;

use crate::{databases::kinds::cases, prelude::*};

/// The file of a kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Commands {
    made: Vec<Made>,
    picture: Vec<Drawn>,
    command: Vec<Single>,
}

/// A variant and level of which `generate` makes puzzles.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Made {
    variant: String,
    level: String,
    /// How the cells of each puzzle begin.
    #[serde(default)]
    cells: String,
    /// How the hardest technique of each puzzle begins.
    #[serde(default)]
    technique: String,
    /// Cells without the name of the variant are read as the same puzzle.
    #[serde(default)]
    cells_alone: bool,
}

/// The picture of a puzzle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Drawn {
    /// The puzzle. If it is not stated, the first puzzle that `generate` makes of the variant and level.
    text: Option<String>,
    #[serde(default)]
    variant: String,
    #[serde(default)]
    level: String,
    #[serde(default)]
    flags: String,
    title: String,
}

/// A command with all that it prints.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Single {
    args: String,
    #[serde(default)]
    stdin: String,
    #[serde(default)]
    code: i32,
    #[serde(default)]
    out: String,
    #[serde(default)]
    err: String,
    /// The files that it writes, and how each begins.
    #[serde(default)]
    written: BTreeMap<String, String>,
}

/// Each spelling of the flag that names the kind. The first kind needs none.
fn spellings(kind: &dyn PuzzleKind) -> Vec<String> {
    let name = kind.name();
    let is_first = puzzled_engine::registry::kinds()[0].name() == name;
    let mut spellings = if is_first {
        vec![String::new()]
    } else {
        [name, &name.replace('_', "-")].map(|it| format!(" --kind {it}")).into()
    };
    spellings.dedup();
    spellings
}

/// The standard output of a command that succeeds and reports nothing.
fn output(args: &str, input: &str) -> String {
    let ran = run_with_input(args, input);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args}\n{input}");
    ran.out
}

/// The puzzles of a text of several.
fn puzzles(kind: &dyn PuzzleKind, text: &str) -> Vec<String> {
    let end = if kind.text_form() == TextForm::Line { "\n" } else { "\n\n" };
    text.trim_end().split(end).map(str::to_owned).collect()
}

#[test]
fn made_puzzles_of_each_kind_are_read_again_from_every_format() {
    for (kind, commands) in cases::<Commands>("commands.toml") {
        assert!(!commands.made.is_empty(), "{}: commands.toml makes no puzzles", kind.name());
        for (flag, made) in spellings(kind).iter().flat_map(|flag| commands.made.iter().map(move |made| (flag, made))) {
            let Made { variant, level, .. } = made;
            let generate = format!("generate{flag} --variant {variant} --level {level} --count 3 --seed 7");
            let rate = format!("rate{flag}");
            let texts = output(&generate, "");
            assert_eq!(output(&format!("{generate} --threads 1"), ""), texts);
            let rated = output(&rate, &texts);
            check_rated(kind, made, &texts, &rated);
            // A paragraph keeps the lines about it, so it gets one more line each time.
            if kind.text_form() == TextForm::Line {
                assert_eq!(output(&rate, &rated), rated, "what `rate` writes is read again");
            }
            for format in ["text", "csv", "json"] {
                let written = output(&format!("{generate} --format {format}"), "");
                assert_eq!(output(&rate, &written), rated, "{written}");
            }
            for form in kind.file_forms(variant) {
                let (format, start) = match form {
                    FileForm::Sdm => ("sdm", ""),
                    FileForm::Fpuzzles => ("fpuzzles", "https://f-puzzles.com/?load="),
                };
                let written = output(&format!("{generate} --format {format}"), "");
                assert!(written.lines().all(|line| line.starts_with(start)), "{written}");
                assert_eq!(output(&rate, &written), rated, "{written}");
            }
            if made.cells_alone {
                let cells: Vec<_> = texts.lines().map(|text| text.split_once(": ").unwrap().1).collect();
                assert_eq!(output(&rate, &cells.join("\n")), rated);
            }
        }
    }
}

/// Checks that `rate` keeps each puzzle, and has its level and technique.
fn check_rated(kind: &dyn PuzzleKind, made: &Made, texts: &str, rated: &str) {
    let Made { variant, level, cells, technique, .. } = made;
    let (texts, rated) = (puzzles(kind, texts), puzzles(kind, rated));
    assert_eq!((texts.len(), rated.len()), (3, 3), "{rated:?}");
    for (text, rated) in texts.iter().zip(&rated) {
        let (rating, start) = match kind.text_form() {
            TextForm::Line => (rated.strip_prefix(text.as_str()).unwrap(), format!("{variant}: {cells}")),
            TextForm::Paragraph => {
                let (rating, kept) = rated.split_once('\n').unwrap();
                assert_eq!(kept, text);
                (rating, cells.clone())
            }
        };
        assert!(text.starts_with(&start) && rating.contains(&format!("  {level}  {technique}")), "{rated}");
    }
}

#[test]
fn picture_of_each_kind_has_the_name_of_its_variant() {
    for (kind, commands) in cases::<Commands>("commands.toml") {
        let flag = spellings(kind).pop().unwrap();
        let folder = tempdir().unwrap();
        assert!(!commands.picture.is_empty(), "{}: commands.toml draws no picture", kind.name());
        for Drawn { text, variant, level, flags, title } in commands.picture {
            let text = text.unwrap_or_else(|| {
                output(&format!("generate{flag} --variant {variant} --level {level} --count 1 --seed 7"), "")
            });
            let svg = folder.path().join("drawn.svg");
            let mut command = puzzled(&format!("picture{flag} {flags}"));
            let drawn = command.arg(text.trim()).arg("--output").arg(&svg).output().unwrap();
            assert!(drawn.status.success(), "{drawn:?}");
            assert!(fs::read_to_string(&svg).unwrap().contains(&format!(">{title}<")), "{title}");
        }
    }
}

#[test]
fn command_of_each_kind_ends_with_its_code_and_prints_what_it_should() {
    for (_, commands) in cases::<Commands>("commands.toml") {
        for Single { args, stdin, code, out, err, written } in commands.command {
            let folder = tempdir().unwrap();
            let ran = with_input(puzzled(&args).current_dir(folder.path()), &stdin);
            assert_eq!((ran.code, ran.err, ran.out), (Some(code), err, out), "{args}\n{stdin}");
            for (file, start) in written {
                assert!(fs::read(folder.path().join(&file)).unwrap().starts_with(start.as_bytes()), "{args}: {file}");
            }
        }
    }
}
