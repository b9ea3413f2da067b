//! Formats tables that fit the width of the terminal, and describes puzzles, jobs, and enum values in a few words.

use std::{env, fmt};

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width as ColumnWidth, presets::NOTHING};
use terminal_size::{Width, terminal_size};

use puzzled_api::{criteria::StatesCriteria as _, v1 as pb};

/// The variable with the width, used if standard output is not a terminal.
const WIDTH: &str = "COLUMNS";

/// The length of the longest word that no table breaks, in characters. The name of a variant with its options has 19.
const WORD_MAX: u16 = 20;

/// The spaces beside the content of a cell.
const PADDING: u16 = 2;

/// A column: its name, and how it shows its cells.
pub(crate) type Column = (&'static str, Cells);

/// How a column shows its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cells {
    /// Text to the left, on one line.
    Text,
    /// Numbers to the right, on one line.
    Numbers,
    /// Text to the left, on several lines if the table would be too wide.
    Wrapped,
}

/// A column of a list: its name, how it shows its cells, and its cell for an entry.
pub(crate) type ListColumn<'a, T> = (&'static str, Cells, &'a dyn Fn(&T) -> String);

/// The maximum number of characters per line: the width of the terminal, or else the variable `COLUMNS`; `None` if
/// neither is known.
pub(crate) fn width() -> Option<u16> {
    #[expect(clippy::disallowed_methods, reason = "the command line is where the environment is read")]
    let stated = || env::var(WIDTH).ok()?.parse().ok().filter(|&width| width > 0);
    terminal_size().map(|(Width(width), _)| width).or_else(stated)
}

/// Returns a table as text. If its cells can be wrapped, it is not wider than [`width`].
pub(crate) fn table(columns: &[Column], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    table_of_width(columns, rows, width())
}

/// Returns the table of a list, one row for each entry.
pub(crate) fn list<T>(entries: &[T], columns: &[ListColumn<'_, T>]) -> String {
    let names: Vec<_> = columns.iter().map(|&(name, cells, _)| (name, cells)).collect();
    table(&names, entries.iter().map(|entry| columns.iter().map(|(_, _, cell)| cell(entry)).collect()))
}

fn table_of_width(columns: &[Column], rows: impl IntoIterator<Item = Vec<String>>, width: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(columns.iter().map(|(name, _)| *name));
    match width {
        Some(width) => {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        None => {
            table.set_content_arrangement(ContentArrangement::Disabled);
        }
    }
    let rows: Vec<_> = rows.into_iter().collect();
    for (at, (name, cells)) in columns.iter().enumerate() {
        let Some(column) = table.column_mut(at) else { continue };
        if *cells == Cells::Numbers {
            column.set_cell_alignment(CellAlignment::Right);
        }
        column.set_constraint(match cells {
            Cells::Wrapped => {
                ColumnConstraint::LowerBoundary(ColumnWidth::Fixed(longest_word(name, &rows, at) + PADDING))
            }
            Cells::Text | Cells::Numbers => ColumnConstraint::ContentWidth,
        });
    }
    table.add_rows(rows);
    let lines: Vec<_> = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    lines.concat()
}

/// The width that keeps the words of a column whole, at most [`WORD_MAX`].
fn longest_word(name: &str, rows: &[Vec<String>], at: usize) -> u16 {
    let cells = rows.iter().filter_map(|row| row.get(at)).map(String::as_str);
    let words = cells.chain([name]).flat_map(str::split_whitespace);
    let longest = words.map(|word| word.chars().count()).max().unwrap_or_default();
    u16::try_from(longest).unwrap_or(WORD_MAX).min(WORD_MAX)
}

/// A remark about a row, on one line: `job-3: the disk is full`. It is cut to [`width`] unless `whole`.
pub(crate) fn remark(id: &str, text: &str, whole: bool) -> String {
    let line = format!("{id}: {}", text.split_whitespace().collect::<Vec<_>>().join(" "));
    format!("{}\n", if whole { line } else { cut(line, width()) })
}

fn cut(line: String, width: Option<u16>) -> String {
    match width {
        Some(width) if line.chars().count() > width.into() => {
            line.chars().take(usize::from(width) - 1).chain(['…']).collect()
        }
        _ => line,
    }
}

/// The effort of a puzzle, with one decimal; empty if its record has none.
pub(crate) fn effort(puzzle: &pb::Puzzle) -> String {
    let effort = puzzle.record.as_ref().and_then(|record| record.effort);
    effort.map(|effort| format!("{effort:.1}")).unwrap_or_default()
}

/// The puzzles of a target in a few words: `sudoku 9x9 hard rotation180, 26–32 givens`.
pub(crate) fn target(target: &pb::StockTarget) -> String {
    spec(&target.stated())
}

/// The puzzles of a job in a few words.
pub(crate) fn job(job: &pb::Job) -> String {
    job.spec.as_ref().map(spec).unwrap_or_default()
}

fn spec(of: &pb::JobSpec) -> String {
    let mut words = vec![word(of.kind()), of.variant.clone()];
    match (of.level(), of.min_rating.zip(of.max_rating)) {
        (_, Some((min, max))) if min >= max => words.push(format!("{min:.1}")),
        (_, Some((min, max))) => words.push(format!("{min:.1}-{max:.1}")),
        (pb::Level::Unspecified, _) => {}
        (level, _) => words.push(word(level)),
    }
    if of.symmetry() != pb::Symmetry::None {
        words.push(word(of.symmetry()));
    }
    words.extend(Some(of.technique.clone()).filter(|technique| !technique.is_empty()));
    let givens = match of.min_givens.zip(of.max_givens) {
        None => String::new(),
        Some((min, max)) if min == max => format!(", {min} givens"),
        Some((min, max)) => format!(", {min}–{max} givens"),
    };
    words.join(" ") + &givens
}

/// The name of an enum's value in lower case: `Symmetry::AntiDiagonal` is `anti-diagonal`.
pub fn word(value: impl fmt::Debug) -> String {
    let name = format!("{value:?}");
    let dash = |at, sign: char| (at > 0 && sign.is_ascii_uppercase()).then_some('-');
    name.char_indices().flat_map(|(at, sign)| dash(at, sign).into_iter().chain([sign.to_ascii_lowercase()])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 2] = [("PUZZLES", Cells::Wrapped), ("MADE", Cells::Numbers)];

    fn rows() -> [Vec<String>; 2] {
        [["sudoku 9x9 hard", "7"], ["kakuro", "12,345"]].map(|row| row.map(str::to_owned).to_vec())
    }

    #[test]
    fn numbers_are_aligned_to_the_right() {
        let expected = " PUZZLES            MADE\n sudoku 9x9 hard       7\n kakuro           12,345\n";
        assert_eq!(table_of_width(&COLUMNS, rows(), None), expected);
    }

    #[test]
    fn only_wrapped_cells_break_in_a_narrow_table() {
        let expected = " PUZZLES       MADE\n sudoku 9x9       7\n hard\n kakuro      12,345\n";
        assert_eq!(table_of_width(&COLUMNS, rows(), Some(20)), expected);
    }

    #[test]
    fn narrow_table_keeps_the_name_of_a_variant_whole() {
        let rows = [["kakuro 20x20-runs9-white70", "7"].map(str::to_owned).to_vec()];
        let expected = " PUZZLES              MADE\n kakuro                  7\n 20x20-runs9-white70\n";
        assert_eq!(table_of_width(&COLUMNS, rows, Some(26)), expected);
    }

    #[test]
    fn long_remarks_are_cut_to_the_width() {
        assert_eq!(cut("job-3: the disk is full".to_owned(), Some(12)), "job-3: the …");
        assert_eq!(cut("job-3: full".to_owned(), Some(11)), "job-3: full");
        assert_eq!(cut("job-3: full".to_owned(), None), "job-3: full");
    }

    #[test]
    fn a_spec_is_said_in_few_words() {
        let hard = pb::StockTarget {
            kind: pb::Kind::Sudoku.into(),
            variant: "9x9".to_owned(),
            symmetry: pb::Symmetry::None.into(),
            level: pb::Level::Hard.into(),
            ..Default::default()
        };
        let symmetry = pb::Symmetry::AntiDiagonal.into();
        let range =
            pb::StockTarget { level: 0, min_rating: Some(2.0), max_rating: Some(2.3), symmetry, ..hard.clone() };
        assert_eq!([target(&hard), target(&range)], ["sudoku 9x9 hard", "sudoku 9x9 2.0-2.3 anti-diagonal"]);
        let givens = |min, max| pb::StockTarget {
            technique: "X-Wing".to_owned(),
            min_givens: Some(min),
            max_givens: Some(max),
            ..hard.clone()
        };
        assert_eq!(target(&givens(24, 24)), "sudoku 9x9 hard X-Wing, 24 givens");
        assert_eq!(target(&givens(22, 28)), "sudoku 9x9 hard X-Wing, 22–28 givens");
    }
}
