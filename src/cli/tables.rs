//! Tables that fit the terminal, and the words in them: what a puzzle is, how long something takes.

use std::fmt;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets::NOTHING};
use prost_types::Duration;
use terminal_size::{Width, terminal_size};

use crate::proto::v1 as pb;

/// A column: its name, and whether it holds numbers, which stand to the right.
pub(super) type Column = (&'static str, bool);

/// Rows under their columns, as one text. In a terminal long cells are broken; elsewhere nothing is.
pub(super) fn table(columns: &[Column], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(columns.iter().map(|(name, _)| *name));
    match terminal_size() {
        Some((Width(width), _)) => {
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        None => {
            table.set_content_arrangement(ContentArrangement::Disabled);
        }
    }
    table.add_rows(rows);
    for (at, (_, is_number)) in columns.iter().enumerate() {
        if let (true, Some(column)) = (is_number, table.column_mut(at)) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<_> = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    lines.concat()
}

/// The puzzles of a target in a few words: `sudoku 9x9 hard`.
pub(super) fn target(target: &pb::StockTarget) -> String {
    let range = (target.min_rating, target.max_rating);
    let words = spec(target.kind(), &target.variant, target.level(), range, target.symmetry());
    made_with(words, &target.technique, target.clues)
}

/// The puzzles of a job in a few words.
pub(super) fn job(job: &pb::Job) -> String {
    let Some(of) = &job.spec else { return String::new() };
    let words = spec(of.kind(), &of.variant, of.level(), (of.min_rating, of.max_rating), of.symmetry());
    made_with(words, &of.technique, of.clues)
}

fn made_with(words: String, technique: &str, clues: Option<u32>) -> String {
    let technique = Some(technique).filter(|name| !name.is_empty()).map(|name| format!("needing {name}"));
    let clues = clues.map(|clues| format!("{clues} givens"));
    [Some(words), technique, clues].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn spec(
    kind: pb::Kind,
    variant: &str,
    level: pb::Level,
    range: (Option<f64>, Option<f64>),
    symmetry: pb::Symmetry,
) -> String {
    let mut words = vec![word(kind), variant.to_owned()];
    match (level, range) {
        (_, (Some(min), Some(max))) => words.push(format!("{min:.1}-{max:.1}")),
        (pb::Level::Unspecified, _) => {}
        (level, _) => words.push(word(level)),
    }
    if symmetry != pb::Symmetry::None {
        words.push(word(symmetry));
    }
    words.join(" ")
}

/// The name of an enum's value in lower case: `Symmetry::AntiDiagonal` is `anti-diagonal`.
pub(super) fn word(value: impl fmt::Debug) -> String {
    let name = format!("{value:?}");
    let dash = |at, sign: char| (at > 0 && sign.is_ascii_uppercase()).then_some('-');
    name.char_indices().flat_map(|(at, sign)| dash(at, sign).into_iter().chain([sign.to_ascii_lowercase()])).collect()
}

/// A time to wait, to two units: `3d 4h`, `12m 05s`, `7s`.
pub(super) fn duration(duration: &Duration) -> String {
    let seconds = duration.seconds;
    match seconds {
        ..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{}h {:02}m", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{}d {:02}h", seconds / 86_400, seconds / 3_600 % 24),
    }
}

/// A number to three digits: rates lie far apart.
pub(super) fn short(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if value < 0.01 => format!("{value:.1e}"),
        value if value < 1.0 => format!("{value:.3}"),
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_cells_and_numbers_stand_to_the_right() {
        let rows = [vec!["sudoku".to_owned(), "7".to_owned()], vec!["x".to_owned(), "12345".to_owned()]];
        let wanted = " kind    puzzles\n sudoku        7\n x         12345\n";
        assert_eq!(table(&[("kind", false), ("puzzles", true)], rows), wanted);
    }

    #[test]
    fn times_and_rates_are_short() {
        for (seconds, wanted) in
            [(0, "0s"), (59, "59s"), (60, "1m 00s"), (3_599, "59m 59s"), (3_660, "1h 01m"), (90_000, "1d 01h")]
        {
            assert_eq!(duration(&Duration { seconds, nanos: 0 }), wanted);
        }
        for (value, wanted) in
            [(0.0, "0"), (0.000_56, "5.6e-4"), (0.25, "0.250"), (5.324, "5.32"), (42.0, "42.0"), (11_269.7, "11270")]
        {
            assert_eq!(short(value), wanted);
        }
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
        let x_wing = pb::StockTarget { technique: "X-Wing".to_owned(), clues: Some(24), ..hard };
        assert_eq!(target(&x_wing), "sudoku 9x9 hard needing X-Wing 24 givens");
    }
}
