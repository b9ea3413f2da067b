//! What kinds with clues beside the grid have: clues that the solution keeps and that turn with the board.

use puzzled_engine::shared::text::{RegionType, compare::BoardState};

use super::{LINES, Line, clues::each_board, maps::Map};

#[test]
fn each_clue_counts_the_digits_that_are_larger_than_all_before_them() {
    each_board("visible", RegionType::Sightline, |line, sightlines| {
        let digits = line.digits(&line.solution);
        for sightline in sightlines {
            let (mut largest, mut visible) = (0, 0);
            for digit in sightline.cells.iter().map(|cell| digits[usize::from(*cell)]) {
                visible += u32::from(digit > largest);
                largest = largest.max(digit);
            }
            assert_eq!(Some(visible), sightline.sum, "{sightline:?} {}", line.text);
        }
        assert!(!sightlines.is_empty(), "{}", line.text);
    });
}

#[test]
fn board_with_other_clues_beside_the_grid_is_told_apart() {
    each_board("other sightlines", RegionType::Sightline, |line, sightlines| {
        let turned = Map::transposed(line.size()).apply(&line.text);
        if turned != line.text {
            let compared = line.kind.compare(line.of(), &turned).unwrap();
            assert!(matches!(compared, BoardState::GivensDiffer(cells) if !cells.is_empty()), "{}", line.text);
        }
        let (given, clues) = line.text.split_once(" north=").unwrap();
        let fewer = format!("{given} north={}", clues.replacen(|sign: char| sign.is_ascii_digit(), ".", 1));
        let mut cells = sightlines[0].cells.clone();
        cells.sort_unstable();
        assert_eq!(line.kind.compare(line.of(), &fewer), Ok(BoardState::GivensDiffer(cells)));
        let cells = line.solution.split(' ').nth(1).unwrap();
        assert_eq!(line.kind.compare(line.of(), cells), Ok(BoardState::Complete));
    });
}

#[test]
fn data_has_puzzles_with_clues_beside_the_grid() {
    assert!(LINES.iter().any(Line::has_sightlines));
}
