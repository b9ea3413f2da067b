//! Fuzz target: arbitrary text for every reader of the engine (puzzles, links, variants, specs). Checks that each value that is
//! read can be written and read again unchanged.
#![no_main]

use fuzz::in_time;
use libfuzzer_sys::fuzz_target;
use puzzled_engine::{shared::{budget::Budget, givens::Givens, kind::HintFor, level::{Level, Tenths}, spec::{Difficulty, Spec}, symmetry::Symmetry}, kakuro::{canonical, notation::{draw, text, url}, variant::Variant}, registry, sudoku::board::Grid};

fuzz_target!(|data: &[u8]| in_time(|| look(data)));

fn look(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    sudoku(&text);
    kakuro(&text);
    names(&text);
    of_every_kind(&text);
}

fn sudoku(text: &str) {
    let Ok(grid) = Grid::parse(text) else { return };
    assert_eq!(Grid::parse(&grid.line()), Ok(grid));
    assert_eq!(Grid::parse(&grid.dotted()), Ok(grid));
    let spaced: String = grid.dotted().chars().flat_map(|sign| [sign, ' ']).collect();
    assert_eq!(Grid::parse(&spaced), Ok(grid));
}

fn kakuro(text: &str) {
    let Ok(board) = text::parse_board(text) else { return };
    let written = text::write_board(&board.puzzle, &board.digits);
    assert_eq!(text::parse_board(&written).as_ref(), Ok(&board), "{written}");
    let puzzle = text::parse(&text::write(&board.puzzle)).expect("a puzzle without digits");
    assert_eq!(puzzle, board.puzzle);
    let address = url::write(&puzzle);
    assert_eq!(text::parse(&address).as_ref(), Ok(&puzzle), "{address}");
    assert!(draw::draw(&board).ends_with('\n'));
    if puzzle.layout().cells().len() <= 60 {
        let form = canonical::canonical(&puzzle);
        assert_eq!(canonical::canonical(&canonical::image(&puzzle, 11)), form);
    }
}

fn names(text: &str) {
    if let Ok(variant) = Variant::parse(text) {
        assert_eq!(Variant::parse(&variant.name()), Ok(variant));
    }
    if let Ok(level) = text.parse::<Level>() {
        assert_eq!(level.name(), text);
    }
    if let Ok(symmetry) = text.parse::<Symmetry>() {
        assert_eq!(symmetry.name(), text);
    }
}

/// Reads the text for each kind, once under the variant of texts and once with the first line as the name of the variant.
fn of_every_kind(text: &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    for kind in registry::kinds() {
        for (variant, text) in [(kind.text_variant(), text), (first, rest)] {
            let Ok(stored) = kind.normalize(variant, text) else { continue };
            assert_eq!(kind.normalize(variant, &stored).as_ref(), Ok(&stored));
            for link in kind.links(variant, &stored).expect("a stored text") {
                assert_eq!(kind.normalize(variant, &link.url).as_ref(), Ok(&stored));
            }
            assert!(kind.size(variant, &stored).expect("a stored text").columns >= 3);
            // An arbitrary board, with the puzzle itself as its solution: refused, or answered without using a node.
            let of = HintFor { variant, text: &stored, solution: &stored };
            let _ = kind.hint(of, rest.into(), &mut Budget::of_nodes(0));
        }
        let name = kind.variant_name(first);
        assert_eq!(kind.variant_name(&name), name);
        let bytes = rest.as_bytes();
        let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
        let difficulty = match byte(0) % 3 {
            0 => Difficulty::Any,
            1 => Difficulty::Level(Level::ALL[usize::from(byte(1)) % 5]),
            _ => Difficulty::Range { min: Tenths(byte(1)), max: Tenths(byte(2)) },
        };
        let symmetry = Symmetry::ALL[usize::from(byte(3)) % Symmetry::ALL.len()];
        let givens = (byte(4) > 0).then(|| Givens::new(byte(5).into(), byte(6).into()));
        let of = Spec { kind: kind.name().to_owned(), variant: name, symmetry, difficulty, givens, technique: None };
        let _ = kind.check_spec(&of);
    }
}
