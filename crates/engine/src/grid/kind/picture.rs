//! The picture of a puzzle: the lines of cells, of boxes or regions, and of diagonals, and the shade of windows.

use crate::{
    grid::{cells::Cells, position::Position, puzzle::Puzzle, rules::Rules, variant::Extra},
    picture::{
        Area, Mark, Picture, Point, Shade, Shown, Stroke,
        board::{Board, lines},
    },
    shared::{
        phrases::capitalized,
        step::{Cell, HouseType, Step},
    },
};

/// In a cell with a digit or pencil marks, how far a diagonal reaches from each corner. The unit is the side of a cell.
const NEAR: f32 = 0.16;

/// The picture of a puzzle. `solution` has the digits of all cells, if they are shown.
pub(super) fn picture(puzzle: &Puzzle, solution: Option<&[u8]>, shown: Shown<'_>) -> Picture {
    let (variant, rules) = (puzzle.variant, Rules::of(puzzle));
    let (size, areas) = (u16::from(variant.size), puzzle.areas());
    let area = |cell: Option<Cell>| cell.map(|cell| areas[usize::from(cell)]);
    let form = variant.clues.form();
    let stroke = |one: Option<Cell>, other: Option<Cell>| {
        let of_areas = if area(one) == area(other) { Stroke::Thin } else { Stroke::Thick };
        one.zip(other).map_or(Some(of_areas), |(one, other)| (form.line)(puzzle, [one, other], of_areas))
    };
    let is_bare = solution.is_none() && !shown.candidates && shown.steps.is_empty();
    let is_free = |cell: Cell| is_bare && puzzle.digits[usize::from(cell)] == 0;
    let pattern = shown.steps.last().map_or(&[][..], |step| &step.cells);
    let windows = rules.houses.iter().filter(|house| house.house_type == HouseType::Window);
    // The cells of a pattern have their own shade.
    let shaded = windows.flat_map(|house| house.cells.iter()).filter(|cell| !pattern.contains(cell));
    let mut marks: Vec<_> = shaded.map(|cell| Mark::Fill(whole(cell, size), Shade::Window)).collect();
    if variant.extra.contains(&Extra::Diagonals) {
        marks.extend(diagonals(size, &is_free));
    }
    marks.extend((form.marks)(puzzle));
    marks.extend(shown.steps.last().into_iter().flat_map(|step| (form.marks_of_step)(puzzle, step)));
    marks.extend(lines(size, size, stroke));
    let empty = Position::empty(&rules);
    let board = Board {
        name: format!("{} {}", capitalized(&variant.kind.replace('_', " ")), variant.name),
        rules: variant.rules,
        columns: size,
        rows: size,
        symbols: variant.symbols(),
        has_stars: variant.stars() > 0,
        has_sums: form.has_corners,
        givens: puzzle.digits.clone(),
        open: rules.all.iter().map(|cell| empty.candidates(cell).0).collect(),
        excluded: &|cell, digits| rules.excluded(cell, held(digits)).list(),
        marks,
        beside: form.beside,
        words_beside: (form.words_beside)(puzzle),
        words: &|cell| (form.words)(puzzle, cell),
        sentence: &|step: &Step| variant.sentence(step),
    };
    board.picture(shown, solution)
}

/// The cells with a digit.
fn held(digits: &[u8]) -> Cells {
    (0..).zip(digits).filter(|(_, digit)| **digit != 0).map(|(cell, _)| cell).collect()
}

fn whole(cell: Cell, size: u16) -> Area {
    let [x, y] = [cell % size, cell / size].map(f32::from);
    Area { at: Point { x, y }, width: 1.0, height: 1.0 }
}

/// The thin lines of both diagonals. A diagonal skips the middle of each cell that is not free.
fn diagonals(size: u16, is_free: &dyn Fn(Cell) -> bool) -> Vec<Mark> {
    let along = |row: u16| [(row, row, 0.0_f32, 1.0_f32), (row, size - 1 - row, 1.0, 0.0)];
    let through = |(row, column, left, right): (u16, u16, f32, f32)| {
        let at =
            move |share: f32| Point { x: f32::from(column) + left + (right - left) * share, y: f32::from(row) + share };
        let ends = if is_free(row * size + column) { vec![(0.0, 1.0)] } else { vec![(0.0, NEAR), (1.0 - NEAR, 1.0)] };
        ends.into_iter().map(move |(from, to)| Mark::Line(at(from), at(to), Stroke::Thin))
    };
    (0..size).flat_map(along).flat_map(through).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        grid::{cells::Digits, ladder::Walk, rate::reasoned, samples, text::parse},
        picture::board::tests::read,
        shared::budget::Budget,
        sudoku::sizes::SIZES,
    };

    /// These puzzles need refutations.
    const SIX: &str = "6x6: .4..6.2......35..11..53......5.5..4.";
    const NINE: &str = "9x9-x: ....78.3....2.....6.........2.85..4.5.......8.1..34.7.........7.....2....4.59....";

    #[test]
    fn pencil_marks_are_the_candidates_of_the_ladder_before_each_step() {
        for text in [SIX, NINE] {
            let puzzle = parse(&SIZES, "", text).unwrap();
            let variant = puzzle.variant;
            let (rules, steps) = (Rules::of(&puzzle), reasoned(&puzzle, &mut Budget::of_nodes(0)).steps);
            let walk = Walk::new(&Position::of(&rules, &puzzle.digits).unwrap(), variant.ladder);
            let mut number = 0;
            for (before, _) in walk {
                number += 1;
                let (digits, candidates) =
                    read(&picture(&puzzle, None, Shown { steps: &steps[..number], ..Shown::default() }));
                assert_eq!(digits, before.digits(), "{} step {number}", variant.name);
                let of_ladder: Vec<_> = rules.all.iter().map(|cell| before.candidates(cell).0).collect();
                assert_eq!(candidates, of_ladder, "{} step {number}", variant.name);
            }
            assert!(number > 5 && number == steps.len(), "{} {number}", variant.name);
        }
    }

    #[test]
    fn sixteen_pencil_marks_fit_into_a_cell() {
        for name in ["4x4", "12x12", "16x16", "9x9-windoku"] {
            let variant = samples::named(name);
            let puzzle = Puzzle::new(variant, vec![0; variant.cells()], Vec::new());
            let (_, candidates) = read(&picture(&puzzle, None, Shown { candidates: true, ..Shown::default() }));
            assert_eq!(candidates, vec![Digits::up_to(variant.size).0; variant.cells()], "{name}");
        }
    }
}
