//! Sheets of puzzles to print: pages with one to six puzzles, then pages with their solutions.

mod layout;
mod pages;

use clap::{ValueEnum, builder::PossibleValue};
use puzzled_engine::picture::Picture;

use super::{
    document::{self, Info},
    fonts::Encoded,
};
use pages::Pages;

/// What a sheet contains, and how it looks.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// The title, above the first puzzle and in small type on each page.
    pub title: String,
    /// The rules, below the title of the first page.
    pub rules: String,
    /// The paper, upright.
    pub paper: Paper,
    /// The puzzles on a page; `None` for as many as can be read, at most four.
    pub per_page: Option<PerPage>,
    /// Whether all digits have at least 16 points.
    pub large_print: bool,
    /// The puzzles, in the order of their numbers.
    pub puzzles: Vec<SheetPuzzle>,
}

/// A puzzle of a sheet.
#[derive(Debug, Clone)]
pub struct SheetPuzzle {
    /// The puzzle.
    pub picture: Picture,
    /// The solved puzzle, if the sheet has solutions.
    pub solution: Option<Picture>,
    /// What stands beside the number: `Easy 1.2 · 7 min`.
    pub label: String,
    /// Identifies the puzzle: its ID, or the seed and index that make it.
    pub origin: String,
}

/// A size of paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// 210 by 297 mm.
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// Width and height in points, upright.
    fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.28, 841.89),
            Self::Letter => (612.0, 792.0),
        }
    }
}

impl ValueEnum for Paper {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::A4, Self::Letter]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Self::A4 => "a4",
            Self::Letter => "letter",
        }))
    }
}

/// The number of puzzles on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PerPage {
    /// One puzzle.
    One,
    /// Two puzzles, one below the other.
    Two,
    /// Four puzzles in two columns.
    Four,
    /// Six puzzles in two columns.
    Six,
}

impl PerPage {
    /// All numbers, the largest first.
    pub const ALL: [Self; 4] = [Self::Six, Self::Four, Self::Two, Self::One];

    /// The number.
    #[must_use]
    pub fn number(self) -> u16 {
        self.grid().count()
    }

    fn grid(self) -> layout::Grid {
        let (columns, rows) = match self {
            Self::One => (1, 1),
            Self::Two => (1, 2),
            Self::Four => (2, 2),
            Self::Six => (2, 3),
        };
        layout::Grid { columns, rows }
    }
}

impl ValueEnum for PerPage {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::One, Self::Two, Self::Four, Self::Six]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Self::One => "1",
            Self::Two => "2",
            Self::Four => "4",
            Self::Six => "6",
        }))
    }
}

/// Why a sheet cannot be printed.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SheetError {
    /// The fonts lack a character of the title.
    #[error("title: the character {0:?} cannot be printed; use letters of Western European languages")]
    Character(char),
    /// The digits would be too small to read.
    #[error("{}", too_small(*size, *size_min, *fitting))]
    TooSmall {
        /// The size of the smallest digits, in points.
        size: f32,
        /// The least size, in points.
        size_min: f32,
        /// The most puzzles a page with digits of this size; `None` if even one is too large for the paper.
        fitting: Option<PerPage>,
    },
}

fn too_small(size: f32, size_min: f32, fitting: Option<PerPage>) -> String {
    let remedy = match fitting {
        Some(fitting) => format!("use at most {} puzzles on a page", fitting.number()),
        None => "choose a smaller variant, or print without --large-print".to_owned(),
    };
    format!("per-page: the smallest digits would have {size:.1} points; the minimum is {size_min}; {remedy}")
}

impl Sheet {
    /// The PDF file of the sheet.
    ///
    /// # Errors
    /// [`SheetError`] if a character or a board does not fit the fonts or the paper.
    pub fn pdf(&self) -> Result<Vec<u8>, SheetError> {
        let mut pages = Pages::new(self)?;
        pages.puzzles()?;
        pages.solutions()?;
        Ok(document::written(Info { title: &self.title, subject: &self.rules }, &pages.done()))
    }
}

/// Checks that a title can be printed.
///
/// # Errors
/// [`SheetError::Character`].
pub fn check_title(title: &str) -> Result<(), SheetError> {
    encoded(title).map(drop)
}

fn encoded(text: &str) -> Result<Encoded, SheetError> {
    Encoded::of(text).map_err(SheetError::Character)
}
