//! Fuzz target: puzzles of `tests/data/grid`, of any kind, with some of their cells changed. Asks the engine for verdict, steps,
//! rating, canonical form, drawing, view, and hint, and checks the results.
#![no_main]

use std::{fs, path::Path, sync::LazyLock};

use fuzz::{Asked, Choices, in_time};
use libfuzzer_sys::fuzz_target;
use puzzled_engine::{registry, shared::kind::PuzzleKind};

/// Nodes per operation: about a tenth of a second of work.
const NODES_MAX: u64 = 1_000;

/// The maximum number of cells of a board. Larger boards would take most of the time.
const CELLS_MAX: usize = 100;

/// Each kind with the texts of its puzzles.
static PUZZLES: LazyLock<Vec<(&dyn PuzzleKind, Vec<String>)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/grid");
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let lines: String = files.filter_map(|file| fs::read_to_string(file).ok()).collect();
    let of_kind = |kind: &&'static dyn PuzzleKind| {
        let named = format!("\"kind\":\"KIND_{}\"", kind.name().to_uppercase());
        let texts = lines.lines().filter(|line| line.contains(&named)).filter_map(|line| {
            let text = line.split_once("\"text\":\"")?.1.split_once('"')?.0;
            let cells = text.split(' ').nth(1)?;
            (cells.len() <= CELLS_MAX).then(|| text.to_owned())
        });
        (*kind, texts.collect::<Vec<_>>())
    };
    registry::kinds().iter().map(of_kind).filter(|(_, texts)| !texts.is_empty()).collect()
});

fuzz_target!(|data: &[u8]| in_time(|| look(data)));

fn look(data: &[u8]) {
    let mut choices = Choices(data);
    let (kind, texts) = &PUZZLES[choices.below(PUZZLES.len())];
    let text = &texts[(choices.below(256) << 8 | choices.below(256)) % texts.len()];
    let (variant, rest) = text.split_once(": ").expect("a text that names its variant");
    let (cells, clues) = rest.split_once(' ').unwrap_or((rest, ""));
    let symbols = kind.variant(variant).expect("a variant").symbols.as_bytes();
    let changed: String = cells.chars().map(|sign| changed(sign, symbols, choices.byte())).collect();
    let Ok(text) = kind.normalize("", format!("{variant}: {changed} {clues}").trim_end()) else { return };
    let asked = Asked { kind: *kind, variant, text: &text, nodes_max: NODES_MAX, rates_solvable_only: false };
    let digit_at = |solution: &str, cell: u16| {
        let digits = kind.digits(variant, solution).expect("a solution");
        u8::try_from(digits[usize::from(cell)]).expect("a digit")
    };
    let Some(solution) = asked.ask(digit_at).solution else { return };
    let (_, solved) = solution.split_once(": ").expect("a text that names its variant");
    let cells = changed.chars().zip(solved.chars());
    let board = cells.map(|(given, digit)| match choices.byte() {
        250.. if given == '.' => char::from(symbols[choices.below(symbols.len())]),
        128..250 => digit,
        _ => given,
    });
    let board: String = board.collect();
    asked.hint(&solution, format!("{variant}: {board} {clues}").trim_end(), digit_at);
}

/// Keeps most signs, empties some cells, and puts any digit into few.
fn changed(sign: char, symbols: &[u8], choice: u8) -> char {
    match choice {
        250.. => char::from(symbols[usize::from(choice) % symbols.len()]),
        220..250 => '.',
        _ => sign,
    }
}
