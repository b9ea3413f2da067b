//! Writes many puzzles as one file, in a format that the user chooses: text, JSON, CSV, or a form for other programs. All
//! puzzles arrive as messages of the API, so that a database, a server, and the generator give the same files.

use std::fmt;

use clap::{Args, ValueEnum};

use super::{Output, csv_row, json, tables};
use crate::{CliError, input::spec::Kind};
use puzzled_api::{puzzle::Include, v1 as pb, words};
use puzzled_engine::{
    registry,
    shared::{
        kind::{FileForm, PuzzleKind},
        text::TextForm,
    },
};

/// How a file contains its puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileFormat {
    Text,
    Json,
    Csv,
    Sdm,
    Fpuzzles,
}

/// The order of puzzles of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    Effort,
    Made,
}

/// The sort key within a variant and level: the effort, or the predicted seconds if there is no effort. Puzzles with neither come last.
pub(crate) fn order_of(effort: Option<f64>, predicted_seconds: Option<u32>) -> f64 {
    effort.or(predicted_seconds.map(f64::from)).unwrap_or(f64::INFINITY)
}

/// The flags for a file of puzzles.
#[derive(Debug, Clone, Args)]
pub struct FileArgs {
    #[arg(long, help = help(), value_name = "FORMAT", value_enum, default_value_t = FileFormat::Text)]
    pub(crate) format: FileFormat,

    /// Add the solutions to csv, or to json from a server; other json always has them
    #[arg(long)]
    pub solutions: bool,
}

/// The help of the format: says which kinds have a format that not every kind has.
fn help() -> String {
    let only = |format: FileFormat| {
        let kinds = registry::kinds().iter().filter(|kind| format.is_of(**kind));
        let kinds = kinds.map(|kind| match format.only_variants(*kind).join(" ") {
            variants if variants.is_empty() => kind.name().to_owned(),
            variants => format!("{} {variants}", kind.name()),
        });
        kinds.collect::<Vec<_>>().join(", ")
    };
    format!(
        "text: one puzzle per line, or a paragraph if the kind needs several lines; json: one `Puzzle` per line, with its record \
         and links; csv: a table with a header; sdm ({} only): the digits of a puzzle per line, with 0 for an empty cell; fpuzzles \
         ({} only): an address of f-puzzles per line",
        only(FileFormat::Sdm),
        only(FileFormat::Fpuzzles)
    )
}

impl FileFormat {
    /// The engine's form of this format; `None` if every kind has the format.
    fn form(self) -> Option<FileForm> {
        match self {
            Self::Text | Self::Json | Self::Csv => None,
            Self::Sdm => Some(FileForm::Sdm),
            Self::Fpuzzles => Some(FileForm::Fpuzzles),
        }
    }

    /// Whether puzzles of a kind can be written in this format.
    fn is_of(self, kind: Kind) -> bool {
        self.is_of_variant(kind, "")
    }

    /// The variants of a kind that have this format; empty if all have it.
    fn only_variants(self, kind: Kind) -> Vec<&'static str> {
        let (has, lack): (Vec<_>, Vec<_>) =
            kind.variants().iter().map(|info| info.name).partition(|name| self.is_of_variant(kind, name));
        if lack.is_empty() { Vec::new() } else { has }
    }

    /// Whether puzzles of a variant, or of any if the name is empty, can be written in this format.
    fn is_of_variant(self, kind: Kind, variant: &str) -> bool {
        self.form().is_none_or(|form| kind.file_forms(variant).contains(&form))
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&tables::word(self))
    }
}

impl FileArgs {
    /// Checks, before any work, that puzzles of a kind and variant can be written in this format. If a format is not for every kind,
    /// `--kind` is required. Otherwise the export would stop at the first puzzle of another kind. An empty variant stands for any.
    ///
    /// # Errors
    /// [`CliError::Spec`] with what is allowed.
    pub fn check(&self, kind: Option<Kind>, variant: &str) -> Result<(), CliError> {
        let format = self.format;
        if self.solutions && !matches!(format, FileFormat::Csv | FileFormat::Json) {
            return Err(CliError::Spec(format!("--solutions: {format} has no solutions; use --format csv or json")));
        }
        let joined = |names: Vec<String>| names.join(", ");
        match kind {
            Some(kind) if !format.is_of_variant(kind, variant) => {
                let has = FileFormat::value_variants().iter().filter(|format| format.is_of_variant(kind, variant));
                let has = joined(has.map(ToString::to_string).collect());
                let of = if format.is_of(kind) { format!("{} {variant}", kind.name()) } else { kind.name().to_owned() };
                Err(CliError::Spec(format!("--format: {of} has no {format}; it has {has}")))
            }
            None if format.form().is_some() => {
                let has = registry::kinds().iter().filter(|kind| format.is_of(**kind));
                let has = joined(has.map(|kind| format!("--kind {}", kind.name())).collect());
                Err(CliError::Spec(format!("--format: not every kind has {format}; set {has}")))
            }
            _ => Ok(()),
        }
    }

    /// The variant whose puzzles are written if the user names none: the first that has the format. `None` if all variants
    /// of the kind have it.
    pub fn only_variant(&self, kind: Kind) -> Option<String> {
        self.format.only_variants(kind).first().map(|variant| (*variant).to_owned())
    }

    /// Whether the format has the ratings and the links of each puzzle.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.format == FileFormat::Json
    }

    /// Whether the format has the record of each puzzle, or parts of it.
    #[must_use]
    pub fn has_record(&self) -> bool {
        matches!(self.format, FileFormat::Json | FileFormat::Csv)
    }

    /// The parts of a puzzle that the file has, if the puzzle does not come from a server.
    #[must_use]
    pub fn include(&self) -> Include {
        let is_full = self.is_full();
        Include {
            solutions: self.solutions || is_full,
            record: self.has_record(),
            links: is_full,
            ..Include::default()
        }
    }

    /// Writes what the file has before its first puzzle.
    ///
    /// # Errors
    /// [`CliError::Output`].
    pub fn begin(&self, output: &mut Output) -> Result<(), CliError> {
        if self.format != FileFormat::Csv {
            return Ok(());
        }
        let solution = self.solutions.then_some("solution");
        let names = |columns: &'static [Column]| columns.iter().map(|(name, _)| *name);
        output.line(&csv_row(names(&COLUMNS).chain(solution).chain(names(&LAST)))?)
    }

    /// Writes a puzzle, and counts it as done.
    ///
    /// # Errors
    /// [`CliError::Output`], or [`CliError::Spec`] if the puzzle is of a variant that only a newer version can write.
    pub fn write(&self, puzzle: pb::Puzzle, output: &mut Output) -> Result<(), CliError> {
        match self.format.form() {
            Some(form) => output.line(&self.as_form(form, &puzzle)?)?,
            None if self.is_full() => output.line(&json::message(puzzle)?)?,
            None if self.format == FileFormat::Csv => {
                let solution = self.solutions.then(|| puzzle.solution.clone());
                let fields = |columns: &'static [Column]| columns.iter().map(|(_, field)| field(&puzzle));
                output.line(&csv_row(fields(&COLUMNS).chain(solution).chain(fields(&LAST)))?)?;
            }
            None => {
                // The texts of an unknown kind count as lines.
                let form = words::kind_of(puzzle.kind).map_or(TextForm::Line, PuzzleKind::text_form);
                output.text(&puzzle.text, form)?;
            }
        }
        output.advance();
        Ok(())
    }

    fn as_form(&self, form: FileForm, puzzle: &pb::Puzzle) -> Result<String, CliError> {
        let fault = |reason: String| CliError::Spec(format!("{}: {reason}", puzzle.id));
        let lacks = || fault(format!("its variant has no {}; choose a variant that has it", self.format));
        let kind = words::kind_of(puzzle.kind).ok_or_else(lacks)?;
        let written = kind.write_as(form, &puzzle.variant, &puzzle.text).map_err(|error| fault(error.to_string()))?;
        written.ok_or_else(lacks)
    }
}

/// A column of CSV: its name, and its field for a puzzle.
type Column = (&'static str, fn(&pb::Puzzle) -> String);

/// The columns of CSV before the solution. A generated puzzle has no ID, and a value that only a newer version knows is empty.
const COLUMNS: [Column; 10] = [
    ("id", |puzzle| puzzle.id.clone()),
    ("kind", |puzzle| words::kind_of(puzzle.kind).map(|kind| kind.name().to_owned()).unwrap_or_default()),
    ("variant", |puzzle| puzzle.variant.clone()),
    ("level", |puzzle| if puzzle.level == 0 { String::new() } else { tables::word(puzzle.level()) }),
    ("rating", |puzzle| format!("{:.1}", puzzle.rating)),
    ("technique", |puzzle| puzzle.technique.clone()),
    ("givens", |puzzle| puzzle.givens.to_string()),
    ("symmetry", |puzzle| tables::word(puzzle.symmetry())),
    ("seconds", |puzzle| puzzle.predicted_seconds.map(|seconds| seconds.to_string()).unwrap_or_default()),
    ("text", |puzzle| puzzle.text.clone()),
];

/// The columns after the solution: those that came later, so that the columns before them keep their places.
const LAST: [Column; 2] = [("effort", tables::effort), ("class", |puzzle| puzzle.class.clone())];

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(format: FileFormat, solutions: bool, kind: Option<&str>) -> Result<(), String> {
        let kind = kind.and_then(registry::kind);
        FileArgs { format, solutions }.check(kind, "").map_err(|error| error.to_string())
    }

    #[test]
    fn format_that_a_kind_lacks_is_refused_with_those_it_has() {
        for format in FileFormat::value_variants() {
            assert_eq!(checked(*format, false, Some("sudoku")), Ok(()));
        }
        for (format, kind, fault) in [
            (FileFormat::Sdm, Some("kakuro"), "--format: kakuro has no sdm; it has text, json, csv"),
            (FileFormat::Fpuzzles, Some("kakuro"), "--format: kakuro has no fpuzzles; it has text, json, csv"),
            (FileFormat::Sdm, None, "--format: not every kind has sdm; set --kind sudoku"),
        ] {
            assert_eq!(checked(format, false, kind), Err(fault.to_owned()));
        }
        assert_eq!(checked(FileFormat::Csv, false, None), Ok(()));
    }

    #[test]
    fn solutions_are_refused_in_a_format_without_them() {
        for (format, expected) in [
            (FileFormat::Text, Err("--solutions: text has no solutions; use --format csv or json".to_owned())),
            (FileFormat::Fpuzzles, Err("--solutions: fpuzzles has no solutions; use --format csv or json".to_owned())),
            (FileFormat::Csv, Ok(())),
            (FileFormat::Json, Ok(())),
        ] {
            assert_eq!(checked(format, true, Some("sudoku")), expected);
        }
    }
}
