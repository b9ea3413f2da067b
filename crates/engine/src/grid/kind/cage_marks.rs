//! Draws cages, in pictures and in plain text.

use std::fmt::Write;

use crate::{
    grid::{
        clues::{Cage, Operator},
        puzzle::Puzzle,
        text::{symbol, totals::total},
        variant::{Extra, GridVariant},
    },
    picture::{Area, DIGIT_HEIGHT, Mark, Point, Shade, Stroke, TextStyle},
    shared::step::{Cell, cell_name},
};

/// Distance of the dashed line around a cage from the borders of its cells.
const INSET: f32 = 0.06;

/// The number of dashes along a cell, and the length of a dash as a share of the distance from its start to the next.
const DASHES: f32 = 5.0;
const DASH: f32 = 0.4;

/// The font size of a sum, the width of one of its digits, and the distance of its top left corner from the left and top sides of the cell.
const SUM: f32 = 0.21;
const DIGIT: f32 = 0.12;
const CORNER: f32 = 0.1;

/// The directions from a cell to its four neighbors, each as the steps down and the steps right.
const BESIDE: [(i16, i16); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// The dashed lines along the inner borders of cages, and their sums.
pub(crate) fn marks(puzzle: &Puzzle) -> Vec<Mark> {
    puzzle.clues.cages.iter().flat_map(|cage| marks_of(cage, puzzle.variant)).collect()
}

/// The numbers of cages with their operators. Thick lines, not dashes, separate the cages.
pub(crate) fn totals(puzzle: &Puzzle) -> Vec<Mark> {
    let label = |cage: &Cage| {
        let text = format!("{}{}", cage.number, cage.operator.map_or("", Operator::shown));
        label(corner(cage, puzzle.variant.size.into()), text).1
    };
    puzzle.clues.cages.iter().map(label).collect()
}

/// The line between two cells: thick between cages.
pub(crate) fn line(puzzle: &Puzzle, cells: [Cell; 2]) -> Stroke {
    let has_both = |cage: &Cage| cells.iter().all(|cell| cage.cells.contains(*cell));
    let is_inside = puzzle.clues.cages.iter().any(has_both);
    if is_inside { Stroke::Thin } else { Stroke::Thick }
}

/// Where the label of a cage begins.
fn corner(cage: &Cage, size: u16) -> Point {
    let first = cage.cells.first().unwrap_or_default();
    let [x, y] = [first % size, first / size].map(|at| f32::from(at) + CORNER);
    Point { x, y }
}

/// A label with its area.
fn label(at: Point, text: String) -> (Area, Mark) {
    let width = text.chars().fold(0.0, |width, _| width + DIGIT);
    let height = SUM * DIGIT_HEIGHT;
    let center = Point { x: at.x + width / 2.0, y: at.y + height / 2.0 };
    (Area { at, width, height }, Mark::Text { center, size: SUM, text, style: TextStyle::Clue })
}

fn marks_of(cage: &Cage, variant: &GridVariant) -> Vec<Mark> {
    let size = u16::from(variant.size);
    let first = cage.cells.first().unwrap_or_default();
    let (area, label) = label(corner(cage, size), cage.number.to_string());
    let mut marks = Vec::new();
    // A diagonal goes through the corner with the sum.
    if variant.extra.contains(&Extra::Diagonals) && first.is_multiple_of(size + 1) {
        marks.push(Mark::Fill(area, Shade::Blank));
    }
    marks.extend(cage.cells.iter().flat_map(|cell| dashes(cage, size, cell)));
    marks.push(label);
    marks
}

/// The dashes along the sides of a cell that are borders of its cage.
fn dashes(cage: &Cage, size: u16, cell: Cell) -> Vec<Mark> {
    let place = [cell / size, cell % size].map(|at| i16::try_from(at).expect("a board has at most 16 lines"));
    let is_in = |down: i16, right: i16| {
        let at = [place[0] + down, place[1] + right].map(|at| Cell::try_from(at).ok().filter(|at| *at < size));
        at[0].zip(at[1]).is_some_and(|(row, column)| cage.cells.contains(row * size + column))
    };
    let mut marks = Vec::new();
    for (down, right) in BESIDE.into_iter().filter(|&(down, right)| !is_in(down, right)) {
        // The line runs along a side of the cell. It is as long as the side if the border of the cage goes straight on,
        // shorter if the border turns around the cell, and longer if it turns away.
        let reach =
            |sign: i16| match (is_in(sign * right, sign * down), is_in(down + sign * right, right + sign * down)) {
                (true, true) => 0.5 + INSET,
                (true, false) => 0.5,
                (false, _) => 0.5 - INSET,
            };
        let point = |along: f32| {
            let at = |place: i16, across: i16, with: i16| {
                f32::from(place) + 0.5 + (0.5 - INSET) * f32::from(across) + along * f32::from(with)
            };
            Point { x: at(place[1], right, down), y: at(place[0], down, right) }
        };
        let [from, to] = [-reach(-1), reach(1)];
        let count = ((to - from) * DASHES).round();
        let pitch = (to - from) / count;
        let centers =
            (0_u8..).map(|number| from + pitch * f32::from(number)).take_while(|center| *center < to + pitch / 2.0);
        let half = pitch * DASH / 2.0;
        let dash =
            |center: f32| Mark::Line(point((center - half).max(from)), point((center + half).min(to)), Stroke::Thin);
        marks.extend(centers.map(dash));
    }
    marks
}

/// For people who cannot see the picture: the number and the other cells of the cage that begins in a cell.
pub(crate) fn words(puzzle: &Puzzle, cell: Cell) -> String {
    let Some(cage) = puzzle.clues.cages.iter().find(|cage| cage.cells.first() == Some(cell)) else {
        return "blank".to_owned();
    };
    let others = cage.cells.iter().skip(1).map(|other| cell_name(other, puzzle.variant.size.into()));
    let others: Vec<_> = others.collect();
    let with = if others.is_empty() { String::new() } else { format!(" with {}", others.join(" and ")) };
    format!("blank in a cage of {}{with}", total(cage))
}

/// The board in plain text. A cell shows the number of the cage that begins in it, and its digit. Lines of `-` and `|` are borders of cages.
/// Lines of `=` and `#` are borders of both cages and boxes. Dots are borders of boxes inside a cage.
pub(crate) fn draw(puzzle: &Puzzle) -> String {
    let (size, areas) = (usize::from(puzzle.variant.size), puzzle.areas());
    let cage_of = |cell: usize| {
        let is_in = |cage: &Cage| Cell::try_from(cell).is_ok_and(|cell| cage.cells.contains(cell));
        puzzle.clues.cages.iter().position(is_in).ok_or(cell)
    };
    let line = |one: Option<usize>, other: Option<usize>, signs: [&'static str; 4]| {
        let is_cage = one.map(cage_of) == other.map(cage_of);
        let is_area = one.map(|cell| areas[cell]) == other.map(|cell| areas[cell]);
        signs[2 * usize::from(is_cage) + usize::from(is_area)]
    };
    let cell = |row: Option<usize>, column: Option<usize>| {
        Some(row.filter(|row| *row < size)? * size + column.filter(|column| *column < size)?)
    };
    // The line above a cell, and the one to its left.
    let above = |row: usize, column| {
        line(cell(row.checked_sub(1), Some(column)), cell(Some(row), Some(column)), ["=", "-", ".", " "])
    };
    let left = |row, column: usize| {
        line(cell(Some(row), column.checked_sub(1)), cell(Some(row), Some(column)), ["#", "|", ":", " "])
    };
    let width = puzzle.clues.cages.iter().map(|cage| total(cage).len()).fold(2, usize::max);
    let mut drawing = String::new();
    for row in 0..=size {
        for column in 0..size {
            drawing += "+";
            let line = match above(row, column) {
                "." => format!("{:^1$}", "..", width + 2),
                sign => sign.repeat(width + 2),
            };
            drawing += &line;
        }
        drawing += "+\n";
        for column in (0..=size).filter(|_| row < size) {
            drawing += left(row, column);
            let at = cell(Some(row), Some(column)).and_then(|at| Cell::try_from(at).ok());
            let Some(at) = at else { continue };
            let cage = puzzle.clues.cages.iter().find(|cage| cage.cells.first() == Some(at));
            let sum = cage.map(total).unwrap_or_default();
            let digit = symbol(puzzle.variant, puzzle.digits[usize::from(at)]);
            let _ = write!(drawing, "{sum:>width$} {digit}");
        }
        drawing += if row < size { "\n" } else { "" };
    }
    drawing
}
