//! Fuzz target: arbitrary text for the readers of notations of all kinds, and arbitrary JSON in compressed addresses. Checks that
//! each puzzle that is read can be written in every way, and that each reads back to the same puzzle.
#![no_main]

use fuzz::in_time;
use libfuzzer_sys::fuzz_target;
use puzzled_engine::{kakuro::notation::{draw, text}, registry, shared::kind::PuzzleKind, sudoku::{board::CELLS, notation::read}};

fuzz_target!(|data: &[u8]| in_time(|| look(&String::from_utf8_lossy(data))));

fn look(text: &str) {
    for kind in registry::kinds() {
        of_kind(*kind, text);
    }
    sudoku(text);
    let packed = lz_str::compress_to_base64(text);
    for site in ["https://f-puzzles.com/?load=", "https://sudokupad.app/scl"] {
        sudoku(&format!("{site}{}", packed.trim_end_matches('=')));
    }
    if let Ok(board) = text::parse_board(text) {
        assert_eq!(text::parse_board(&draw::draw(&board)).as_ref(), Ok(&board));
    }
}

fn sudoku(text: &str) {
    let Ok(grid) = read(text) else { return };
    let stored = grid.dotted();
    assert_eq!(stored.len(), CELLS);
    assert_eq!(read(&stored), Ok(grid), "{text}");
}

fn of_kind(kind: &dyn PuzzleKind, text: &str) {
    let variant = kind.text_variant();
    let Ok(stored) = kind.normalize(variant, text) else { return };
    let links = kind.links(variant, &stored).expect("a stored text").into_iter().map(|link| link.url);
    let lines = kind.file_forms(variant).iter().map(|form| kind.write_as(*form, variant, &stored).expect("a stored text"));
    let drawing = kind.draw(variant, &stored).expect("a stored text");
    for written in links.chain(lines.flatten()).chain([stored.clone()]) {
        assert_eq!(kind.normalize(variant, &written).as_ref(), Ok(&stored), "{written}");
    }
    // A drawing names no variant, and shows regions and clues to people alone.
    if !stored.contains('=') {
        let named = stored.split_once(": ").map_or(variant, |(named, _)| named);
        assert_eq!(kind.normalize(named, &drawing).as_ref(), Ok(&stored), "{drawing}");
    }
}
