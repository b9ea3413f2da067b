//! Finds with which numbers of givens (Sudoku), and on which small boards (Kakuro), each level can be made: for the
//! bench `hits`. The tables of `sudoku/make/offer.rs` and `kakuro/generate/offer.rs` come from this output.

use puzzled_engine::{
    kakuro::Kakuro,
    shared::{
        givens::Givens,
        kind::PuzzleKind,
        level::Level,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
    },
    sudoku::Sudoku,
};

use super::{ENOUGH, made, one_try};

/// The lowest number of givens to search, one with which every level is made, and the highest.
const SEARCHED: [u16; 3] = [19, 27, 80];

/// The sides of the boards of Kakuro.
const SIDES: std::ops::RangeInclusive<usize> = 4..=6;

/// Finds by bisection, and prints, the smallest and the largest number of givens of each level whose name contains
/// `only`.
pub(crate) fn print_givens(seconds: f64, only: &str) {
    let [least, middle, most] = SEARCHED;
    for level in Level::ALL.into_iter().filter(|level| level.name().contains(only)) {
        let is_made = |givens: u16| {
            let spec = spec("sudoku", "9x9", Symmetry::None, level, Some(Givens::new(givens, givens)));
            let (made, tries, spent) = made(seconds, |try_number| one_try(&Sudoku, &spec, try_number));
            println!("  {} with {givens}: {made} in {spent:.2} s, {tries} tries", level.name());
            made == ENOUGH
        };
        let ends = [least, most].map(|end| bisected(middle, end, is_made));
        println!("{}: {} to {}", level.name(), ends[0], ends[1]);
    }
}

/// The number nearest to `end` that is made. Assumes that `from` is made, and that the made numbers have no gap.
fn bisected(from: u16, end: u16, is_made: impl Fn(u16) -> bool) -> u16 {
    let (mut made, mut not_made) = (i32::from(from), i32::from(end) + if end < from { -1 } else { 1 });
    while (made - not_made).abs() > 1 {
        let between = i32::midpoint(made, not_made);
        if is_made(u16::try_from(between).expect("between two numbers of givens")) {
            made = between;
        } else {
            not_made = between;
        }
    }
    u16::try_from(made).expect("between two numbers of givens")
}

/// Prints whether each level whose name contains `only` can be made on each board up to 6x6, with the symmetry of the style.
pub(crate) fn print_boards(seconds: f64, only: &str) {
    let kakuro: &dyn PuzzleKind = &Kakuro;
    for level in Level::ALL.into_iter().filter(|level| level.name().contains(only)) {
        for (width, height) in SIDES.flat_map(|width| SIDES.map(move |height| (width, height))) {
            let spec = spec("kakuro", &format!("{width}x{height}"), Symmetry::Rotation180, level, None);
            let (made, tries, spent) = made(seconds, |try_number| one_try(kakuro, &spec, try_number));
            let rare = if made < ENOUGH { "  not offered" } else { "" };
            println!("{} {}: {made} in {spent:.2} s, {tries} tries{rare}", level.name(), spec.variant);
        }
    }
}

fn spec(kind: &str, variant: &str, symmetry: Symmetry, level: Level, givens: Option<Givens>) -> Spec {
    let (kind, variant, difficulty) = (kind.to_owned(), variant.to_owned(), Difficulty::Level(level));
    Spec { kind, variant, symmetry, difficulty, givens, technique: None }
}
