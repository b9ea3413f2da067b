//! The picture of a Kakuro: the blocks with their clues.

use super::{
    RULES,
    board::{Digit, Puzzle},
    digits::Digits,
    layout::{Layout, cell_number},
    notation,
    techniques::sentence,
};
use crate::{
    picture::{
        Area, Mark, Picture, Point, Shade, Shown, Stroke, TextStyle,
        board::{Board, lines},
    },
    shared::{step::Cell, variant::SYMBOLS},
};

/// Font size of a clue, in cells.
const CLUE: f32 = 0.34;

/// The center of a clue across, from the upper right corner of its cell. A clue down is as far from the lower left corner, so two
/// digits fit into each of the triangles.
const CLUE_AT: [f32; 2] = [0.29, 0.23];

/// The picture of a puzzle.
pub(super) fn picture(puzzle: &Puzzle, solution: Option<&notation::text::Board>, shown: Shown<'_>) -> Picture {
    let layout = puzzle.layout();
    let [columns, rows] = [layout.width(), layout.height()].map(cell_number);
    let (signs, clues) = (layout.signs(), puzzle.clues());
    let all = |white: bool| if white { u32::from(Digits::ALL.mask()) << 1 } else { 0 };
    let board = Board {
        name: format!("Kakuro {columns}x{rows}"),
        rules: RULES,
        columns,
        rows,
        symbols: &SYMBOLS[..9],
        has_stars: false,
        has_sums: false,
        givens: vec![0; signs.len()],
        open: signs.iter().map(|&white| all(white)).collect(),
        excluded: &|cell, _| peers(layout, cell),
        marks: marks(puzzle, [columns, rows]),
        beside: 0.0,
        words_beside: String::new(),
        words: &|cell| if signs[usize::from(cell)] { "blank".to_owned() } else { words(clues[usize::from(cell)]) },
        sentence: &sentence,
    };
    board.picture(shown, solution.map(|solution| on_board(layout, &solution.digits)).as_deref())
}

fn marks(puzzle: &Puzzle, [columns, rows]: [u16; 2]) -> Vec<Mark> {
    let signs = puzzle.layout().signs();
    let corner = |cell: Cell| Point { x: (cell % columns).into(), y: (cell / columns).into() };
    let blocks = (0..).zip(&signs).filter(|(_, white)| !**white).map(|(cell, _)| corner(cell));
    let mut marks: Vec<_> = blocks.map(|at| Mark::Fill(Area { at, width: 1.0, height: 1.0 }, Shade::Block)).collect();
    let is_white = |cell: Option<Cell>| cell.is_some_and(|cell| signs[usize::from(cell)]);
    marks.extend(lines(columns, rows, |one, other| {
        Some(if is_white(one) == is_white(other) { Stroke::Thin } else { Stroke::Thick })
    }));
    for (cell, [across, down]) in (0..).zip(puzzle.clues()) {
        let Point { x, y } = corner(cell);
        if across.or(down).is_some() {
            marks.push(Mark::Line(Point { x, y }, Point { x: x + 1.0, y: y + 1.0 }, Stroke::Thin));
        }
        let [far, near] = CLUE_AT;
        let across = across.map(|sum| clue(sum, Point { x: x + 1.0 - far, y: y + near }));
        let down = down.map(|sum| clue(sum, Point { x: x + far, y: y + 1.0 - near }));
        marks.extend(across.into_iter().chain(down));
    }
    marks
}

fn clue(sum: u8, center: Point) -> Mark {
    Mark::Text { center, size: CLUE, text: sum.to_string(), style: TextStyle::Clue }
}

/// The clues of a block in words.
fn words([across, down]: [Option<u8>; 2]) -> String {
    let clues = across.map(|sum| format!("{sum} across")).into_iter().chain(down.map(|sum| format!("{sum} down")));
    let clues = clues.collect::<Vec<_>>().join(" and ");
    if clues.is_empty() { "block".to_owned() } else { clues }
}

/// The cells in the runs of a white cell.
fn peers(layout: &Layout, cell: Cell) -> Vec<Cell> {
    let Ok(white) = layout.cells().binary_search(&cell) else { return Vec::new() };
    let whites = layout.runs_of(white).into_iter().flat_map(|run| layout.runs()[run].whites());
    whites.map(|&white| layout.cells()[usize::from(white)]).collect()
}

/// The digits of white cells as digits of all cells, 0 for blocks.
fn on_board(layout: &Layout, digits: &[Digit]) -> Vec<u8> {
    let mut cells = vec![0; layout.width() * layout.height()];
    for (&cell, &digit) in layout.cells().iter().zip(digits) {
        cells[usize::from(cell)] = digit;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        kakuro::{
            notation::text::parse,
            techniques::{Climb, Tier, climb, reason},
        },
        picture::{DIGIT_HEIGHT, board::tests::read},
        shared::budget::Budget,
    };

    /// Rated 3.3.
    const PUZZLE: &str = "\
        # # # # # # \\23 \\16\n# \\7 \\29 \\4 # 17\\15 . .\n16\\ . . . 22\\13 . . .\n21\\ . . . . . . #\n8\\ . . 14\\26 . . \\10 #\n\
        # 17\\ . . 4\\4 . . \\15\n# # 9\\16 . . 4\\4 . .\n# 22\\8 . . . . . .\n7\\ . . . 13\\ . . .\n16\\ . . # # # # #";

    #[test]
    fn pencil_marks_are_the_candidates_of_the_ladder_before_each_step() {
        for text in [PUZZLE, "# # \\8 \\10\n# 3\\3 . .\n15\\ . . .\n3\\ . . #"] {
            let puzzle = parse(text).unwrap();
            let layout = puzzle.layout();
            let steps = reason(&puzzle, &mut Budget::of_nodes(0)).unwrap();
            let mut number = 0;
            climb(&mut Climb::start(&puzzle, Tier(8)), &mut Budget::of_nodes(0), |before, _| {
                number += 1;
                let (digits, candidates) =
                    read(&picture(&puzzle, None, Shown { steps: &steps[..number], ..Shown::default() }));
                for (white, &cell) in layout.cells().iter().enumerate() {
                    let [mask, digit] =
                        [before.candidates()[white].mask() << 1, before.candidates()[white].smallest().into()];
                    let expected = if before.is_filled(white) { (digit, 0) } else { (0, mask.into()) };
                    let drawn = (u16::from(digits[usize::from(cell)]), candidates[usize::from(cell)]);
                    assert_eq!(drawn, expected, "step {number}, {}", layout.name(white));
                }
            })
            .unwrap();
            assert!(number > 0 && number == steps.len(), "{number}");
        }
    }

    #[test]
    fn clues_of_two_digits_fit_into_their_triangles() {
        let picture = picture(&parse(PUZZLE).unwrap(), None, Shown::default());
        let mut found = 0;
        for mark in &picture.marks {
            let Mark::Text { center, size, text, style: TextStyle::Clue } = mark else { continue };
            // A digit is 0.556 as wide as its font is high in Helvetica, and 0.636 in wider fonts.
            let [right, up] = [size * 0.64 * if text.len() == 2 { 1.0 } else { 0.5 }, size * DIGIT_HEIGHT / 2.0];
            let (x, y) = (center.x.fract(), center.y.fract());
            let is_across = x > y;
            let nearest = if is_across { (x - right) - (y + up) } else { (y - up) - (x + right) };
            assert!(nearest > 0.0, "{text}: {nearest}");
            assert!(x - right > 0.04 && x + right < 0.96 && y - up > 0.04 && y + up < 0.96, "{text}");
            found += 1;
        }
        assert_eq!(found, 28);
    }
}
