//! Where the puzzles of a page are, and how large. Lengths are in points.

use puzzled_engine::picture::{Mark, Picture, TextStyle};

use super::super::pen::Place;

/// The least space on all sides of a page: 0.6 inches. Printers and bookbinders need half an inch.
pub(super) const EDGE: f32 = 43.2;

/// The space between two puzzles of a page.
const GAP: f32 = 24.0;

/// The widest cell. Larger cells are no easier to read, and waste ink.
const CELL_MAX: f32 = 60.0;

/// The puzzles of a page, in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) columns: u16,
    pub(super) rows: u16,
}

impl Grid {
    pub(super) fn count(self) -> u16 {
        self.columns * self.rows
    }
}

/// A rectangle of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rectangle {
    pub(super) at: Place,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Rectangle {
    /// The part for one puzzle, in a page of equal parts. Puzzles follow in the order in which a text is read.
    pub(super) fn part(&self, grid: Grid, index: u16) -> Self {
        let [column, row] = [index % grid.columns, index / grid.columns].map(f32::from);
        let size = |whole: f32, parts: u16| (whole - GAP * f32::from(parts - 1)) / f32::from(parts);
        let (width, height) = (size(self.width, grid.columns), size(self.height, grid.rows));
        let at = Place { left: self.at.left + column * (width + GAP), top: self.at.top + row * (height + GAP) };
        Self { at, width, height }
    }

    /// The width of the cells with which a picture fills the rectangle.
    pub(super) fn cell(&self, picture: &Picture) -> f32 {
        let [width, height] = picture.size();
        (self.width / width).min(self.height / height).min(CELL_MAX)
    }
}

/// The font size, in cells, of the smallest printed digit or clue. Pencil marks do not count. Infinite if the picture has none.
pub(super) fn smallest_digits(picture: &Picture) -> f32 {
    let sizes = picture.marks.iter().filter_map(|mark| match mark {
        Mark::Text { size, style: TextStyle::Given | TextStyle::Digit | TextStyle::Clue, .. } => Some(*size),
        _ => None,
    });
    sizes.fold(f32::INFINITY, f32::min)
}
