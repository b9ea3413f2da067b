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
fn broken_boards_are_no_solution_and_too_many_digits_are_named() {
    let verdict =
        |cells: &str| binairo().validate("6x6", &format!("6x6: {cells:.<36}"), &mut Budget::of_nodes(1_000)).unwrap();
    let clash = |cells: Vec<u16>, reason: &str| Verdict::Contradiction { cells, reason: reason.to_owned() };
    assert_eq!(verdict("001011......011.00"), Verdict::NoSolution, "three alike");
    assert_eq!(verdict("00.0.0"), clash(vec![0, 1, 3, 5], "four 0s in row 1"));
    assert_eq!(verdict("1.11.1"), clash(vec![0, 2, 3, 5], "four 1s in row 1"));
    assert_eq!(verdict("000"), Verdict::NoSolution);
    assert_eq!(verdict("010011010011"), Verdict::NoSolution, "equal rows");
    let columns = "00....11....00....00....11....11....";
    assert_eq!(verdict(columns), Verdict::NoSolution, "equal columns");
    assert!(matches!(verdict(""), Verdict::Several { .. }));
}

#[test]
fn zero_is_a_digit_and_no_empty_cell() {
    let read = |text: &str| binairo().normalize("", text).map_err(|error| error.to_string());
    let text = format!("6x6: {:.<36}", "01");
    assert_eq!(read(&format!("6x6: {:_<36}", "01")), Ok(text.clone()));
    assert_eq!(read(&format!("{:?<36}", "01")), Ok(text.clone()));
    assert_eq!(binairo().digits("", &text).unwrap()[..3], [1, 2, 0]);
    assert_eq!(
        read(&format!("6x6: {:.<36}", "2")).unwrap_err(),
        "row 1, column 1: '2' is not allowed; use 0, 1, . for an empty cell"
    );
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

/// A board whose only cell without a digit must be 1. Rows 1, 3, and 5 are equal.
const EQUAL_ROWS: &str = "6x6: 0.0101101010010101101010010101101010";

#[test]
fn verdict_names_unlike_lines_only_if_they_decide() {
    let words = |variant: &str, text: &str| {
        let verdict = binairo().validate(variant, text, &mut Budget::of_nodes(10_000)).unwrap();
        binairo().under_rule(variant, text, &verdict)
    };
    assert_eq!(words("6x6", EQUAL_ROWS), " with unlike lines; one solution without that rule");
    let several = format!("6x6: 010011010011{}", ".".repeat(24));
    assert_eq!(words("6x6", &several), " with unlike lines; several solutions without that rule");
    let three_alike = format!("6x6: 000{}", ".".repeat(33));
    for text in [&three_alike, &format!("6x6: {}", ".".repeat(36)), "6x6: 1010010110101001011010100101010101.0"] {
        assert_eq!(words("6x6", text), "", "{text}");
    }
}
