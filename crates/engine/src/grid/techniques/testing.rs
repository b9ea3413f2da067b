//! Boards, puzzles, and isomorphs for tests of the ladder.

use super::LADDER;
use crate::{
    grid::{
        puzzle::Puzzle,
        rules::Rules,
        solve::{fill, solutions},
        variant::{Areas, Content, Extra, GridVariant, Group},
    },
    shared::{budget::Budget, rng::Rng},
};

/// Boxes of this many rows and columns, and whether the diagonals are houses: 4x4, 6x6, 8x8, and 9x9-x.
const BOARDS: [(u8, u8, bool); 4] = [(2, 2, false), (2, 3, false), (2, 4, false), (3, 3, true)];

/// The variants that the tests use.
pub(super) fn variants() -> [&'static GridVariant; 4] {
    BOARDS.map(|(rows, columns, diagonals)| variant(rows, columns, if diagonals { &[Extra::Diagonals] } else { &[] }))
}

pub(super) fn variant(rows: u8, columns: u8, extra: &'static [Extra]) -> &'static GridVariant {
    Box::leak(Box::new(GridVariant {
        kind: "test",
        name: Box::leak(format!("{rows}x{columns}{}", extra.len()).into_boxed_str()),
        rules: "",
        since: 1,
        size: rows * columns,
        areas: Areas::Boxes { rows, columns },
        extra,
        content: Content::Digits,
        group: Group::Boxes,
        ladder: LADDER,
        levels: &[],
        symmetries: &[],
        givens: None,
        styles: &[],
    }))
}

/// A random puzzle without a redundant given, with its solution.
pub(in crate::grid) fn minimal(variant: &'static GridVariant, rng: &mut Rng) -> (Puzzle, Vec<u8>) {
    let mut budget = Budget::of_nodes(u64::MAX);
    let solution = fill(&Rules::with(variant, &[]), rng, &mut budget).unwrap().unwrap();
    let mut puzzle = Puzzle { variant, digits: solution.clone(), regions: Vec::new() };
    let mut cells: Vec<usize> = (0..variant.cells()).collect();
    rng.shuffle(&mut cells);
    for cell in cells {
        puzzle.digits[cell] = 0;
        if solutions(&puzzle, 2, &mut budget).unwrap().len() > 1 {
            puzzle.digits[cell] = solution[cell];
        }
    }
    (puzzle, solution)
}

/// A random isomorph: other digits, and lines that move within and with their bands and stacks, as far as the diagonals allow; also
/// transposed if the boxes are square.
pub(super) fn isomorph(puzzle: &Puzzle, rng: &mut Rng) -> Puzzle {
    let variant = puzzle.variant;
    let Areas::Boxes { rows, columns } = variant.areas else { panic!("a board with boxes") };
    let size = usize::from(variant.size);
    let row_of = lines(size, usize::from(rows), !variant.extra.is_empty(), rng);
    let column_of = if variant.extra.is_empty() {
        lines(size, usize::from(columns), false, rng)
    } else {
        let mirrored = rng.below(2) == 1;
        row_of.iter().map(|line| if mirrored { size - 1 - line } else { *line }).collect()
    };
    let transposed = rows == columns && rng.below(2) == 1;
    let mut names: Vec<u8> = (1..=variant.size).collect();
    rng.shuffle(&mut names);
    names.insert(0, 0);
    let digit_at = |cell: usize| {
        let (row, column) = (row_of[cell / size], column_of[cell % size]);
        let from = if transposed { column * size + row } else { row * size + column };
        names[usize::from(puzzle.digits[from])]
    };
    puzzle.with((0..variant.cells()).map(digit_at).collect())
}

/// A random order of lines that keeps bands of this height together; with `mirrored`, also each line opposite to the same one.
fn lines(size: usize, height: usize, mirrored: bool, rng: &mut Rng) -> Vec<usize> {
    loop {
        let mut bands: Vec<usize> = (0..size / height).collect();
        rng.shuffle(&mut bands);
        let mut order = Vec::new();
        for band in bands {
            let mut lines: Vec<usize> = (band * height..(band + 1) * height).collect();
            rng.shuffle(&mut lines);
            order.extend(lines);
        }
        if !mirrored || (0..size).all(|line| order[line] + order[size - 1 - line] == size - 1) {
            return order;
        }
    }
}
