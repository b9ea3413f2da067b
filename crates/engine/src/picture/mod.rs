//! [`Picture`]: what a board looks like, as a list of marks in units of a cell. Kinds fill it, and writers such as [`svg`] turn it
//! into a file. Nothing in a picture depends on color: patterns have borders, and removed candidates are struck out.

pub(crate) mod board;
pub mod svg;

use crate::shared::step::Step;

/// The margin around the board and the clues beside it, in cells. Half of the thickest line fits into it.
const MARGIN: f32 = 0.15;

/// Height of a digit of the usual sans-serif fonts, as a part of the font size. The baseline of a text is half of this height below its
/// center.
pub const DIGIT_HEIGHT: f32 = 0.7;

/// A picture of a board. Coordinates are in cells: `x` grows to the right, `y` grows down, and the board's upper left corner is
/// at (0, 0). Writers add [`Picture::margin`] on all sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Width of the board in cells.
    pub columns: u16,
    /// Height of the board in cells.
    pub rows: u16,
    /// Width of the space for clues on each side of the board, in cells; 0 if no clues are beside it.
    pub beside: f32,
    /// Height of the space below all this in cells, which has the rules; 0 if they are not shown.
    pub footer: f32,
    /// What the picture shows, in a few words: `Sudoku 9x9`.
    pub title: String,
    /// What the picture shows, for people who cannot see it.
    pub description: String,
    /// The marks, in the order in which they are drawn.
    pub marks: Vec<Mark>,
}

impl Picture {
    /// Space between the board and each side of the picture, in cells, without the footer.
    #[must_use]
    pub fn margin(&self) -> f32 {
        self.beside + MARGIN
    }

    /// The width and the height in cells, without the footer.
    #[must_use]
    pub fn size(&self) -> [f32; 2] {
        [self.columns, self.rows].map(|cells| f32::from(cells) + 2.0 * self.margin())
    }
}

/// A place in cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Distance from the left border.
    pub x: f32,
    /// Distance from the upper border.
    pub y: f32,
}

/// A rectangle in cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// The upper left corner.
    pub at: Point,
    /// Extent to the right.
    pub width: f32,
    /// Extent down.
    pub height: f32,
}

/// One mark of a picture.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A filled rectangle without a border.
    Fill(Area, Shade),
    /// The border of a rectangle, centered on its edge.
    Border(Area, Stroke),
    /// A straight line.
    Line(Point, Point, Stroke),
    /// One line of text, centered at a point.
    Text {
        /// The center of the text.
        center: Point,
        /// Font size, in cells.
        size: f32,
        /// The text; only characters of ASCII.
        text: String,
        /// How it is set.
        style: TextStyle,
    },
    /// A black star with five points, of this diameter in cells, around a point.
    Star(Point, f32),
}

/// The corners of a star with radius 1, clockwise from the top.
const STAR: [(f32, f32); 10] = [
    (0.0, -1.0),
    (0.225, -0.309),
    (0.951, -0.309),
    (0.363, 0.118),
    (0.588, 0.809),
    (0.0, 0.382),
    (-0.588, 0.809),
    (-0.363, 0.118),
    (-0.951, -0.309),
    (-0.225, -0.309),
];

/// The corners of [`Mark::Star`], in order.
#[must_use]
pub fn star(center: Point, diameter: f32) -> [Point; 10] {
    let radius = diameter / 2.0;
    STAR.map(|(x, y)| Point { x: center.x + radius * x, y: center.y + radius * y })
}

/// The gray of a filled rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shade {
    /// A cell that holds no digit.
    Block,
    /// A cell that a step is about.
    Pattern,
    /// A cell of a window, which no line surrounds.
    Window,
    /// White, for a clue on a line.
    Blank,
}

impl Shade {
    /// The share of white, 0 for black and 1 for white.
    #[must_use]
    pub const fn white(self) -> f32 {
        match self {
            Self::Block => 0.75,
            Self::Pattern => 0.88,
            Self::Window => 0.85,
            Self::Blank => 1.0,
        }
    }
}

/// The line of a mark. All lines are black, and their ends are square: they extend by half of the width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// A line between cells, and the line through a removed candidate.
    Thin,
    /// A line around the board, or between its regions.
    Thick,
    /// The border of a pattern, and of a candidate that the step places.
    Emphasis,
}

impl Stroke {
    /// The width of the line in cells.
    #[must_use]
    pub const fn width(self) -> f32 {
        match self {
            Self::Thin => 1.0 / 40.0,
            Self::Thick => 3.0 / 40.0,
            Self::Emphasis => 2.0 / 40.0,
        }
    }
}

/// How a text is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStyle {
    /// A digit that the puzzle gives, in bold type.
    Given,
    /// A digit of the solution, or one that an earlier step placed.
    Digit,
    /// A pencil mark.
    Candidate,
    /// A pencil mark that a step is about, in bold type.
    Pattern,
    /// A number or sign that the puzzle gives beside or between cells.
    Clue,
    /// A line of the rules.
    Rules,
}

impl TextStyle {
    /// Whether the type is bold.
    #[must_use]
    pub const fn is_bold(self) -> bool {
        matches!(self, Self::Given | Self::Pattern)
    }
}

/// What a picture shows. All texts are in their stored form.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shown<'a> {
    /// Text of the puzzle.
    pub text: &'a str,
    /// Text of the solution, if its digits are shown. Without effect if a step is shown.
    pub solution: Option<&'a str>,
    /// Whether each empty cell shows its pencil marks.
    pub candidates: bool,
    /// The steps of a solution up to the one that is shown, which is the last. The board is in the position before that step, with
    /// its pencil marks. Empty if no step is shown.
    pub steps: &'a [Step],
    /// Whether the rules stand below the board.
    pub rules: bool,
}
