//! What no version may change: the words of a spec that enter a seed, the forms of puzzles and of solutions, and the view of a
//! puzzle under a seed. `docs/compatibility.md` has the whole list.

use std::fmt::Write as _;

use puzzled_engine::{
    shared::{
        givens::Givens,
        kind::{PuzzleKind as _, View},
        level::{Level, Tenths},
        rng::{Rng, TrySeed},
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
    },
    sudoku::{Sudoku, canonical::canonical},
};

use super::{COUNTS, grids};

const PUZZLE: &str = "..2658.3...4.....66...1..2..4...53.8.518.769.8.31...7..6..7...23.....8...1.5827..";
const SOLUTION: &str = "192658437574923186638714529746295318251837694983146275865471932327569841419382765";

/// Compares with a file in `tests/golden`. On a mismatch, the message contains the whole new file.
fn check_frozen(name: &str, golden: &str, now: &str) {
    assert!(golden == now, "tests/golden/{name} is frozen, see docs/compatibility.md; it would be:\n{now}");
}

#[test]
fn words_of_a_spec_and_its_seeds_never_change() {
    let (min, max) = (Tenths(26), Tenths(34));
    let specs = [
        ("sudoku", "9x9", Symmetry::None, Difficulty::Any, None, None),
        ("sudoku", "9x9", Symmetry::Rotation180, Difficulty::Level(Level::Easy), Some((32, 38)), None),
        ("sudoku", "9x9", Symmetry::Rotation90, Difficulty::Level(Level::Medium), Some((24, 24)), None),
        ("sudoku", "9x9", Symmetry::Horizontal, Difficulty::Range { min, max }, None, None),
        ("sudoku", "9x9", Symmetry::Vertical, Difficulty::Level(Level::Hard), None, Some("X-Wing")),
        ("sudoku", "9x9", Symmetry::Diagonal, Difficulty::Level(Level::Expert), None, Some("Unique Rectangle 1")),
        ("sudoku", "9x9", Symmetry::AntiDiagonal, Difficulty::Level(Level::Evil), None, None),
        ("kakuro", "20x20-runs9-white70", Symmetry::Full, Difficulty::Range { min, max: min }, None, None),
        ("kakuro", "4x4:####,#..#,#...,##..", Symmetry::None, Difficulty::Any, None, None),
    ];
    let mut now = String::new();
    for (kind, variant, symmetry, difficulty, givens, technique) in specs {
        let (kind, variant, technique) = (kind.to_owned(), variant.to_owned(), technique.map(str::to_owned));
        let givens = givens.map(|(min, max)| Givens { min, max });
        let spec = Spec { kind, variant, symmetry, difficulty, givens, technique };
        let fingerprint = spec.fingerprint();
        write!(now, "{} {fingerprint:016x}", spec.words()).unwrap();
        // The engine version is a part of the seed, and stays the same here.
        for (seed, index, try_number) in [(0, 0, 0), (7, 3, 2), (u64::MAX, 99_999, 1_999)] {
            let of = TrySeed { seed, spec: fingerprint, index, try_number, engine_version: 1 };
            write!(now, " {:016x}", Rng::for_try(of).next_u64()).unwrap();
        }
        now.push('\n');
    }
    check_frozen("spec_words.txt", include_str!("../golden/spec_words.txt"), &now);
}

#[test]
fn canonical_forms_never_change() {
    let mut now = String::new();
    for (_, lines, _) in COUNTS {
        for puzzle in grids(lines).take(4) {
            writeln!(now, "{} {}", puzzle.dotted(), canonical(&puzzle)).unwrap();
        }
    }
    check_frozen("sudoku_canonical.txt", include_str!("../golden/sudoku_canonical.txt"), &now);
}

#[test]
fn forms_of_solutions_never_change() {
    let grids = include_str!("../golden/sudoku_solved.txt");
    let mut now = String::new();
    for grid in grids.lines().filter_map(|line| line.split(' ').next()) {
        writeln!(now, "{grid} {}", Sudoku.solved("9x9", grid, grid).unwrap()).unwrap();
    }
    check_frozen("sudoku_solved.txt", grids, &now);
}

#[test]
fn view_of_a_puzzle_under_a_seed_never_changes() {
    let mut now = String::new();
    for symmetry in Symmetry::ALL {
        for seed in [0, 1, 7, u64::MAX] {
            let view = View { variant: "9x9", symmetry, text: PUZZLE, solution: SOLUTION };
            let view = Sudoku.scramble(&view, &mut Rng::from_seed(seed)).unwrap().unwrap();
            writeln!(now, "{} {seed} {} {}", symmetry.name(), view.text, view.solution).unwrap();
        }
    }
    check_frozen("sudoku_views.txt", include_str!("../golden/sudoku_views.txt"), &now);
}
