//! Rule: matches printed texts with stored puzzles: the types of a match, and a comparison cell by cell for texts with misprints.

use crate::{jobs::slice::Likeness, stock::puzzle::Puzzle};
use puzzled_base::ids::PuzzleId;
use puzzled_engine::shared::step::Cell;

/// The maximum number of cells in which a text with misprints differs from its puzzle.
pub(crate) const DIFFERENCES_MAX: usize = 3;

/// The maximum number of puzzles that a text is compared with, newest first.
pub const COMPARED_MAX: u32 = 10_000;

/// The maximum number of puzzles that [`Nearest`] keeps.
const NEAREST_MAX: usize = 10;

/// The puzzles with which a text is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The deliveries to an audience.
    Audience(String),
    /// The days of a series, or of all series.
    Series(Option<String>),
}

/// How a stored puzzle matches a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// It has this text.
    Same,
    /// It is an isomorph.
    Isomorph,
    /// It has the same solution, up to symmetry.
    SameSolution,
}

impl Match {
    /// How a puzzle matches a text. The two must be alike.
    #[must_use]
    pub fn of(puzzle: &Puzzle, text: &str, likeness: &Likeness) -> Self {
        if puzzle.text == text {
            Self::Same
        } else if puzzle.canonical == likeness.form {
            Self::Isomorph
        } else {
            Self::SameSolution
        }
    }
}

/// An entry in the list of a source, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The number of the entry. It falls from each entry to the next.
    pub number: i64,
    /// The puzzle and its text; `None` if there is no stored puzzle, or if its kind or size is not the requested one.
    pub puzzle: Option<(PuzzleId, String)>,
}

/// A cell in which a text differs from a stored puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The cell.
    pub cell: Cell,
    /// The cell in the text.
    pub printed: String,
    /// The cell in the stored puzzle.
    pub stored: String,
}

/// The cells in which a text differs from a stored puzzle, in order. `None` if there are more than `DIFFERENCES_MAX`, or if the
/// boards have different sizes.
#[must_use]
pub fn differences(printed: &[&str], stored: &[&str]) -> Option<Vec<Difference>> {
    if printed.len() != stored.len() {
        return None;
    }
    let pairs = (0..).zip(printed.iter().zip(stored));
    let differing = pairs.filter(|(_, (printed, stored))| printed != stored).take(DIFFERENCES_MAX + 1);
    let differing: Vec<_> = differing
        .map(|(cell, (&printed, &stored))| Difference { cell, printed: printed.to_owned(), stored: stored.to_owned() })
        .collect();
    (differing.len() <= DIFFERENCES_MAX).then_some(differing)
}

/// The puzzles that differ from a text in the fewest cells. Among puzzles with equally many, those that were added first.
#[derive(Debug, Default)]
pub struct Nearest(Vec<(PuzzleId, Vec<Difference>)>);

impl Nearest {
    /// Adds a puzzle. Drops one if there are more than ten.
    pub fn add(&mut self, id: PuzzleId, differences: Vec<Difference>) {
        let place = self.0.partition_point(|(_, other)| other.len() <= differences.len());
        self.0.insert(place, (id, differences));
        self.0.truncate(NEAREST_MAX);
    }

    /// The puzzles, nearest first.
    #[must_use]
    pub fn into_puzzles(self) -> Vec<(PuzzleId, Vec<Difference>)> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    #[test]
    fn at_most_three_differing_cells_are_named_with_both_values() {
        let stored = r"# 3\ . 4 5";
        let found = |printed: &str| {
            let found = differences(&cells(printed), &cells(stored))?;
            Some(found.into_iter().map(|it| format!("{} {} {}", it.cell, it.printed, it.stored)).collect::<Vec<_>>())
        };
        assert_eq!(found(stored), Some(vec![]));
        assert_eq!(found(r"# 3\ . 4 6"), Some(vec!["4 6 5".to_owned()]));
        let three = [r"1 4\ 3\", "2 1 .", "3 . 4"].map(str::to_owned).to_vec();
        assert_eq!(found(r"# 4\ 1 . 5"), Some(three));
        assert_eq!(found(r"# 4\ 1 . 6"), None, "four cells");
        assert_eq!(found(r"# 3\ . 4"), None, "another size");
    }

    #[test]
    fn nearest_puzzles_come_first_and_ten_are_kept() {
        let difference = Difference { cell: 0, printed: "1".to_owned(), stored: "2".to_owned() };
        let mut nearest = Nearest::default();
        for (id, count) in (1..=12).zip([3, 1, 2, 1].into_iter().cycle()) {
            nearest.add(PuzzleId(id), vec![difference.clone(); count]);
        }
        let ids: Vec<_> = nearest.into_puzzles().into_iter().map(|(id, _)| id.0).collect();
        assert_eq!(ids, [2, 4, 6, 8, 10, 12, 3, 7, 11, 1]);
    }
}
