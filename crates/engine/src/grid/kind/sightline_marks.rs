//! Draws the clues beside the grid, in pictures and in plain text.

use crate::{
    grid::{
        clues::Sightline,
        puzzle::Puzzle,
        text::{sightlines::visible, symbol},
    },
    picture::{Area, Mark, Point, Stroke, TextStyle},
    shared::step::{HouseType, Side, Step},
};

/// Width of the space for the clues on each side, in cells.
pub(crate) const BESIDE: f32 = 0.65;

/// The font size of a clue, and the distance of its center from the board, in cells.
const SIZE: f32 = 0.5;
const AWAY: f32 = 0.4;

/// Half the side of the square around a clue of a step, in cells.
const AROUND: f32 = 0.27;

/// A number for each clue, beside the first cell of its line.
pub(crate) fn marks(puzzle: &Puzzle) -> Vec<Mark> {
    let mark = |clue: &Sightline| {
        let (center, text) = (center(*clue, puzzle.variant.size), symbol(puzzle.variant, clue.visible).to_string());
        Mark::Text { center, size: SIZE, text, style: TextStyle::Clue }
    };
    puzzle.clues.sightlines.iter().map(mark).collect()
}

/// A square around each clue that a step names.
pub(crate) fn marks_of_step(puzzle: &Puzzle, step: &Step) -> Vec<Mark> {
    let size = puzzle.variant.size;
    let named = step.houses.iter().filter(|house| house.house_type == HouseType::Sightline);
    let is_named = |clue: &&Sightline| named.clone().any(|house| house.cells == clue.cells(size));
    let border = |clue: &Sightline| {
        let Point { x, y } = center(*clue, size);
        let at = Point { x: x - AROUND, y: y - AROUND };
        Mark::Border(Area { at, width: 2.0 * AROUND, height: 2.0 * AROUND }, Stroke::Emphasis)
    };
    puzzle.clues.sightlines.iter().filter(is_named).map(border).collect()
}

fn center(clue: Sightline, size: u8) -> Point {
    let (along, size) = (f32::from(clue.line) + 0.5, f32::from(size));
    match clue.side {
        Side::North => Point { x: along, y: -AWAY },
        Side::East => Point { x: size + AWAY, y: along },
        Side::South => Point { x: along, y: size + AWAY },
        Side::West => Point { x: -AWAY, y: along },
    }
}

/// For people who cannot see the picture: the clues of each side.
pub(crate) fn words(puzzle: &Puzzle) -> String {
    let side = |side: Side| {
        let clue = |line| match visible(&puzzle.clues, side, line) {
            0 => "none".to_owned(),
            visible => symbol(puzzle.variant, visible).to_string(),
        };
        let clues: Vec<_> = (0..puzzle.variant.size).map(clue).collect();
        format!("Visible {}: {}. ", side.from(), clues.join(", "))
    };
    Side::ALL.into_iter().map(side).collect()
}

/// The board in plain text, with the clues around it.
pub(crate) fn draw(puzzle: &Puzzle) -> String {
    let size = puzzle.variant.size;
    let clue = |side, line| match visible(&puzzle.clues, side, line) {
        0 => ' ',
        visible => symbol(puzzle.variant, visible),
    };
    let beside = |side| {
        let clues: String = (0..size).flat_map(|line| [' ', clue(side, line)]).collect();
        if clues.trim().is_empty() { String::new() } else { format!("   {}\n", clues.trim_end()) }
    };
    let border = format!("  +{}+\n", "-".repeat(2 * usize::from(size) + 1));
    let row = |line: u8| {
        let cells = puzzle.digits.iter().skip(usize::from(line) * usize::from(size)).take(size.into());
        let cells: String = cells.flat_map(|digit| [' ', symbol(puzzle.variant, *digit)]).collect();
        let row = format!("{} |{cells} | {}", clue(Side::West, line), clue(Side::East, line));
        row.trim_end().to_owned() + "\n"
    };
    let rows: String = (0..size).map(row).collect();
    format!("{}{border}{rows}{border}{}", beside(Side::North), beside(Side::South))
}
