//! What binairo alone has: zeros and ones, halves, and lines that differ. Its rules are written here again, from the texts.

use puzzled_engine::{
    registry,
    shared::{
        budget::Budget,
        kind::PuzzleKind,
        text::{Hint, Verdict, board::PlayerBoard},
    },
};

use super::{Line, each};

fn binairo() -> &'static dyn PuzzleKind {
    registry::kind("binairo").unwrap()
}

/// The cells of a text, row by row.
fn rows(text: &str, size: usize) -> Vec<Vec<u8>> {
    let start = text.find(": ").unwrap() + 2;
    text.as_bytes()[start..start + size * size].chunks(size).map(<[u8]>::to_vec).collect()
}

/// Whether a line, full or not, has at most half of its cells with each digit, and no three neighbors alike.
fn keeps_rules(line: &[u8], size: usize) -> bool {
    let count = |sign: u8| line.iter().map(|cell| usize::from(*cell == sign)).sum::<usize>();
    line.windows(3).all(|three| three[0] == b'.' || three[0] != three[1] || three[1] != three[2])
        && b"01".iter().all(|sign| count(*sign) <= size / 2)
}

/// All ways to fill the rows of a puzzle, row by row.
fn solutions(line: &Line) -> Vec<Vec<Vec<u8>>> {
    let (size, given) = (line.size(), rows(&line.text, line.size()));
    let is_unlike = !line.variant().ends_with("-signs");
    let bits = |mask: usize| (0..size).map(|at| b'0' + u8::from(mask & 1 << at != 0)).collect::<Vec<_>>();
    let fillings: Vec<_> = (0..1 << size).map(bits).filter(|filling| keeps_rules(filling, size)).collect();
    let signs = |part: &str| {
        let rest = line.text.split_once(part)?.1;
        rest.split(' ').next().map(|signs| signs.as_bytes().to_vec())
    };
    let (right, down) = (signs(" right="), signs(" down="));
    let holds = |sign: u8, one: u8, other: u8| sign == b'-' || (sign == b'=') == (one == other);
    let mut found: Vec<Vec<Vec<u8>>> = vec![Vec::new()];
    for row in 0..size {
        let fits = |before: &Vec<Vec<u8>>, filling: &Vec<u8>| {
            let column = |at: usize| before.iter().chain([filling]).map(|row| row[at]).collect::<Vec<_>>();
            given[row].iter().zip(filling).all(|(given, cell)| [b'.', *cell].contains(given))
                && (0..size).all(|at| keeps_rules(&column(at), size))
                && !(is_unlike && before.contains(filling))
                && right.as_ref().is_none_or(|right| {
                    (0..size - 1).all(|at| holds(right[row * (size - 1) + at], filling[at], filling[at + 1]))
                })
                && (row == 0
                    || down.as_ref().is_none_or(|down| {
                        (0..size).all(|at| holds(down[(row - 1) * size + at], before[row - 1][at], filling[at]))
                    }))
        };
        let next = |before: Vec<Vec<u8>>| {
            let fitting: Vec<_> = fillings.iter().filter(|filling| fits(&before, filling)).cloned().collect();
            fitting.into_iter().map(move |filling| [before.clone(), vec![filling]].concat())
        };
        found = found.into_iter().flat_map(next).collect();
    }
    let columns_differ = |board: &Vec<Vec<u8>>| {
        let column = |at: usize| board.iter().map(|row| row[at]).collect::<Vec<_>>();
        (0..size).all(|at| (0..at).all(|other| column(at) != column(other)))
    };
    found.retain(|board| !is_unlike || columns_differ(board));
    found
}

#[test]
fn only_the_solution_keeps_the_rules() {
    each("counted", |line| {
        if !line.has_halves() || line.size() > 8 {
            return 0;
        }
        assert_eq!(solutions(line), [rows(&line.solution, line.size())], "{}", line.text);
        1
    });
}

#[test]
fn zero_is_a_digit_and_no_empty_cell() {
    let text = format!("6x6: {:.<36}", "01");
    assert_eq!(binairo().digits("", &text).unwrap()[..3], [1, 2, 0]);
    assert_eq!(binairo().variant("8x8").unwrap().symbols, "01");
}

#[test]
fn cell_whose_other_digit_a_player_crossed_out_is_filled_first() {
    each("crossed", |line| {
        if !line.has_halves() {
            return 0;
        }
        let (puzzle, solution) = (line.digits(&line.text), line.digits(&line.solution));
        let open = puzzle.iter().rposition(|digit| *digit == 0).unwrap();
        let mut candidates = vec![0; puzzle.len()];
        candidates[open] = 1 << solution[open];
        let board = PlayerBoard { text: "", candidates: &candidates };
        let Ok(Hint::Steps(steps)) = line.kind.hint(line.of(), board, &mut Budget::of_nodes(0)) else {
            panic!("{}", line.text)
        };
        let placed = [(u16::try_from(open).unwrap(), solution[open])];
        assert_eq!((steps.len(), steps[0].technique, &steps[0].placed[..]), (1, "Naked Single", &placed[..]));
        1
    });
}

/// The core once needed 68,000 nodes for this board, and 137,000 for one of its turns, because it did not compare the ways to fill a line.
#[test]
fn large_board_is_proved_within_a_thousand_nodes() {
    let text = "14x14: ....0.1....0.1.00............0.....0..........1..0......01......0.....0...0..........00..1....1....\
                ..1....1.11.........0...11....1...1..1.1.0..11..............0........................1...11....0.";
    let verdict = binairo().validate("14x14", text, &mut Budget::of_nodes(1_000)).unwrap();
    assert!(matches!(verdict, Verdict::Unique { .. }), "{verdict:?}");
}
