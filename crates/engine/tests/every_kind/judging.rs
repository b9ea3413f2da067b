//! Judges solutions, and boards that differ from them in one cell: as a puzzle has one solution, each such board breaks a rule.

use puzzled_engine::{
    registry,
    shared::{
        criteria::Criteria,
        kind::PuzzleKind,
        text::judge::{BrokenRule, Judgment},
    },
};

use super::made;

/// The puzzles of each variant.
const PUZZLES: u32 = 3;

/// Each variant of each kind, with a puzzle of its easiest level.
fn each_puzzle(mut check: impl FnMut(&'static dyn PuzzleKind, &str, [&str; 2])) {
    for kind in registry::kinds().iter().copied() {
        for info in kind.variants() {
            // An entry for all sizes has the name of none.
            let variant = kind.check_variant(info.name).map_or(kind.default_variant(), |()| info.name);
            let level = info.levels.first().map(|border| border.level);
            let criteria = Criteria { variant: Some(variant.to_owned()), level, ..Criteria::default() };
            for index in 0..PUZZLES {
                let made = made(kind, &criteria, 5, index);
                check(kind, variant, [&made.text, &made.solution]);
            }
        }
    }
}

/// The byte offsets of the cells of one character. Clues of a Kakuro are longer, so they are skipped.
fn cells(kind: &dyn PuzzleKind, solution: &str) -> Vec<usize> {
    let cells = kind.cells(solution).into_iter().filter(|cell| cell.len() == 1);
    cells.map(|cell| cell.as_ptr() as usize - solution.as_ptr() as usize).collect()
}

#[test]
fn solution_breaks_nothing_and_a_board_with_another_cell_breaks_a_rule() {
    let mut count = 0;
    each_puzzle(|kind, variant, [text, solution]| {
        let judge = |board: &str| kind.judge(variant, text, board, true).unwrap();
        assert_eq!(judge(solution), Judgment::default(), "{text}");
        let symbols = kind.variant(variant).unwrap().symbols;
        for at in cells(kind, solution) {
            let found = &solution[at..=at];
            let others = symbols.chars().map(String::from).chain((symbols == "*").then(|| ".".to_owned()));
            if !symbols.contains(found) && found != "." {
                continue;
            }
            let others: Vec<_> = others.filter(|other| *other != found).collect();
            for other in others.iter().cycle().skip(at).take(2) {
                let board = format!("{}{other}{}", &solution[..at], &solution[at + 1..]);
                let Judgment { broken, empty } = judge(&board);
                assert!(!broken.is_empty() && empty.is_empty(), "{} {variant}: {text}, {board}", kind.name());
                assert!(broken.iter().all(|rule| !rule.cells.is_empty()), "{broken:?}");
                count += 1;
            }
        }
    });
    assert!(count > 1_000, "{count}");
}

#[test]
fn empty_cells_are_told_and_break_nothing() {
    each_puzzle(|kind, variant, [text, solution]| {
        let judged = kind.judge(variant, text, text, false).unwrap();
        assert_eq!(judged.broken, [], "{text}");
        let open = kind.digits(variant, text).unwrap().iter().filter(|digit| **digit == 0).count();
        let has_stars = kind.variant(variant).unwrap().symbols == "*";
        assert_eq!(judged.empty.len(), if has_stars { 0 } else { open }, "{text}, {solution}");
    });
}

#[test]
fn what_is_broken_is_told_with_cells() {
    for (kind, variant, text, board, whole, expected) in [
        (
            "sudoku",
            "4x4",
            "4x4: 1...............",
            "4x4: 2134341221434321",
            true,
            vec!["r1c1 is 2, but the given is 1"],
        ),
        ("sudoku", "4x4", "4x4: 1...............", "4x4: 11..............", false, vec!["1 repeats in r1c1, r1c2"]),
        (
            "kakuro",
            "3x3",
            "# \\3 \\4\n4\\ . .\n3\\ . .",
            "# \\3 \\4\n4\\ 1 2\n3\\ 2 2",
            true,
            vec!["r2c2, r2c3 add up to 3, not 4", "2 repeats in r2c3, r3c3", "2 repeats in r3c2, r3c3"],
        ),
    ] {
        let kind = registry::kind(kind).unwrap();
        let judged = kind.judge(variant, text, board, whole).unwrap();
        let told: Vec<_> = judged.broken.iter().map(|BrokenRule { sentence, .. }| sentence.as_str()).collect();
        for sentence in expected {
            assert!(told.contains(&sentence), "{board}: {told:#?}");
        }
    }
}
