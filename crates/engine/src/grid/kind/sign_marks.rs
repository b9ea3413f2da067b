//! Draws the signs between cells, in pictures and in plain text.

use crate::{
    grid::{
        clues::{
            Relation::{self, Different, Greater, Less, Same},
            Sign,
        },
        puzzle::Puzzle,
        text,
    },
    picture::{Mark, Point, Stroke},
    shared::step::Cell,
};

/// Half the length of a sign along the border between its cells, and half its length across the border. The unit is the side of a cell.
const ALONG: f32 = 0.12;
const ACROSS: f32 = 0.09;

/// Half the length of the gap in the border at the sign. The unit is the side of a cell.
const GAP: f32 = 0.2;

/// The strokes of the signs, each with a gap in the line between its cells. The narrow end of `<` and `>` points to the smaller digit.
pub(crate) fn marks(puzzle: &Puzzle) -> Vec<Mark> {
    let size = puzzle.variant.size.into();
    puzzle.clues.signs.iter().flat_map(|sign| marks_of(*sign, size)).collect()
}

/// No line where a sign is, because the sign has its own.
pub(crate) fn line(puzzle: &Puzzle, cells: [Cell; 2], stroke: Stroke) -> Option<Stroke> {
    puzzle.clues.signs.iter().all(|sign| sign.cells != cells).then_some(stroke)
}

fn marks_of(sign: Sign, size: u16) -> Vec<Mark> {
    let [first, second] = sign.cells;
    let is_beside = second == first + 1;
    // The point at these distances from the middle of the border between the cells.
    let [row, column] = [first / size, first % size].map(f32::from);
    let at = move |across: f32, along: f32| {
        if is_beside {
            Point { x: column + 1.0 + across, y: row + 0.5 + along }
        } else {
            Point { x: column + 0.5 + along, y: row + 1.0 + across }
        }
    };
    let line = move |[from, to]: [(f32, f32); 2], stroke| Mark::Line(at(from.0, from.1), at(to.0, to.1), stroke);
    let strokes = match sign.relation {
        Less => [[(ACROSS, -ALONG), (-ACROSS, 0.0)], [(-ACROSS, 0.0), (ACROSS, ALONG)]],
        Greater => [[(-ACROSS, -ALONG), (ACROSS, 0.0)], [(ACROSS, 0.0), (-ACROSS, ALONG)]],
        Same if is_beside => {
            [[(-ALONG, -ACROSS / 2.0), (ALONG, -ACROSS / 2.0)], [(-ALONG, ACROSS / 2.0), (ALONG, ACROSS / 2.0)]]
        }
        Same => [[(-ACROSS / 2.0, -ALONG), (-ACROSS / 2.0, ALONG)], [(ACROSS / 2.0, -ALONG), (ACROSS / 2.0, ALONG)]],
        Different => [[(-ACROSS, -ACROSS), (ACROSS, ACROSS)], [(-ACROSS, ACROSS), (ACROSS, -ACROSS)]],
    };
    let border = [[(0.0, -0.5), (0.0, -GAP)], [(0.0, GAP), (0.0, 0.5)]];
    let thin = border.map(|ends| line(ends, Stroke::Thin));
    thin.into_iter().chain(strokes.map(|ends| line(ends, Stroke::Emphasis))).collect()
}

/// The board in plain text. Each cell takes four characters, of which the last two are for the sign to its right. The signs between two
/// rows have a line of their own: `^` is above a larger digit, and `v` above a smaller one.
pub(crate) fn draw(puzzle: &Puzzle) -> String {
    let size = puzzle.variant.size;
    let relation = |first: Cell, second: Cell| {
        let found = puzzle.clues.signs.iter().find(|sign| sign.cells == [first, second]);
        found.map(|sign| sign.relation)
    };
    let below = |relation: Option<Relation>| match relation {
        Some(Less) => "^",
        Some(Greater) => "v",
        other => other.map_or(" ", Relation::sign),
    };
    let border = format!("+{}+\n", "-".repeat(4 * usize::from(size) - 1));
    let size = Cell::from(size);
    let row = |row: Cell| {
        let cell = |cell: Cell| {
            let right = if (cell + 1).is_multiple_of(size) {
                "|"
            } else {
                relation(cell, cell + 1).map_or(" ", Relation::sign)
            };
            format!(" {} {right}", text::symbol(puzzle.variant, puzzle.digits[usize::from(cell)]))
        };
        let signs = (row * size..(row + 1) * size).map(|cell| below(relation(cell, cell + size)));
        let signs =
            if row + 1 < size { format!("| {} |\n", signs.collect::<Vec<_>>().join("   ")) } else { String::new() };
        format!("|{}\n{signs}", (row * size..(row + 1) * size).map(cell).collect::<String>())
    };
    format!("{border}{}{border}", (0..size).map(row).collect::<String>())
}
