//! Property tests of Kakuro over random layouts and sums: the solvers agree, texts and links round-trip, and canonical
//! forms are equal for isomorphs alone. Most of these puzzles have several solutions, or none.

use proptest::prelude::*;
use puzzled_engine::{
    kakuro::{
        Kakuro,
        board::Puzzle,
        canonical::{canonical, image},
        layouts::{Wanted, has_symmetry, needs_square},
        notation::{text, url},
    },
    shared::{
        kind::{PuzzleKind as _, WebLink},
        rng::Rng,
        symmetry::Symmetry,
    },
};

use crate::{layout, random_fill, solutions};

/// A puzzle from a small random layout with random digits; `None` if no layout was found.
fn small(seed: u64, sides: [usize; 2]) -> Option<Puzzle> {
    let mut rng = Rng::from_seed(seed);
    let [width, height] = sides;
    let layout = layout(&Wanted { width, height, run_max: 6, white_min: 55, symmetry: Symmetry::None }, &mut rng)?;
    let digits = random_fill(&layout, &mut rng);
    Some(Puzzle::of_solution(layout, &digits))
}

/// A puzzle from a random layout of any size. Its digits follow a pattern that fits runs of any length.
fn large(seed: u64, sides: [usize; 2], run_max: usize) -> Option<Puzzle> {
    let mut rng = Rng::from_seed(seed);
    let [width, height] = sides;
    let layout = layout(&Wanted { width, height, run_max, white_min: 55, symmetry: Symmetry::None }, &mut rng)?;
    let mut order = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    rng.shuffle(&mut order);
    // Any nine neighboring cells in a row or column hold different digits.
    let digit = |cell: &u16| order[(usize::from(*cell) / width + usize::from(*cell) % width) % 9];
    let digits: Vec<_> = layout.cells().iter().map(digit).collect();
    Some(Puzzle::of_solution(layout, &digits))
}

/// The puzzle with one clue raised by `by`; `None` if the cells of the run cannot have that sum.
fn with_another_clue(puzzle: &Puzzle, which: usize, by: u8) -> Option<Puzzle> {
    let text = text::write(puzzle);
    let (run, sum) = (puzzle.layout().runs()[which % puzzle.sums().len()], puzzle.sums()[which % puzzle.sums().len()]);
    let mut rows: Vec<Vec<String>> = text.lines().map(|row| row.split(' ').map(str::to_owned).collect()).collect();
    let (row, column) =
        (usize::from(run.clue_at) / puzzle.layout().width(), usize::from(run.clue_at) % puzzle.layout().width());
    let token = &mut rows[row][column];
    let (across, down) = token.split_once('\\')?;
    *token =
        if run.direction as usize == 0 { format!("{}\\{down}", sum + by) } else { format!("{across}\\{}", sum + by) };
    text::parse(&rows.iter().map(|row| row.join(" ")).collect::<Vec<_>>().join("\n")).ok()
}

/// The maximum number of solutions that each solver searches for.
const SOLUTIONS_MAX: usize = 20_000;

/// Whether both solvers find the same solutions. If there are more than [`SOLUTIONS_MAX`], each solver finds some that the other one does
/// not, so only their number and the rules count.
fn agree(puzzle: &Puzzle) -> Result<(), TestCaseError> {
    let [by_kernel, by_core] = solutions(puzzle, SOLUTIONS_MAX);
    prop_assert_eq!(by_kernel.len(), by_core.len(), "{}", text::write(puzzle));
    if by_kernel.len() < SOLUTIONS_MAX {
        prop_assert_eq!(&by_kernel, &by_core, "{}", text::write(puzzle));
    }
    for found in [&by_kernel, &by_core] {
        prop_assert!(found.is_sorted_by(|one, next| one < next), "a solution is found twice: {}", text::write(puzzle));
        prop_assert!(found.iter().all(|digits| puzzle.is_solved_by(digits)));
    }
    Ok(())
}

/// The two lists of this puzzle were once compared as if they had all solutions.
#[test]
fn kernel_and_core_agree_on_a_puzzle_with_more_solutions_than_the_limit() {
    let puzzle = small(14_347_214_836_428_080_101, [7, 6]).unwrap();
    assert_eq!(solutions(&puzzle, SOLUTIONS_MAX).map(|found| found.len()), [SOLUTIONS_MAX; 2]);
    agree(&puzzle).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn kernel_and_core_agree_on_any_sums(seed: u64, width in 4..8_usize, height in 4..7_usize, which: usize, by in 0..4_u8) {
        let Some(puzzle) = small(seed, [width, height]) else { return Ok(()) };
        let Some(puzzle) = with_another_clue(&puzzle, which, by) else { return Ok(()) };
        agree(&puzzle)?;
    }

    #[test]
    fn every_format_round_trips(seed: u64, width in 4..20_usize, height in 4..20_usize, run_max in 5..10_usize) {
        let Some(puzzle) = large(seed, [width, height], run_max) else { return Ok(()) };
        let text = text::write(&puzzle);
        prop_assert_eq!(text::parse(&text), Ok(puzzle.clone()));
        let address = url::write(&puzzle);
        prop_assert_eq!(text::parse(&address), Ok(puzzle.clone()));
        prop_assert_eq!(Kakuro.normalize("", &format!("# by: hand\r\n{}\r\n", text.replace(' ', "\t "))), Ok(text));
        let link = WebLink { name: "puzz.link", url: address.clone() };
        prop_assert_eq!(Kakuro.links("", &address), Ok(vec![link]));
    }

    #[test]
    fn isomorphs_share_one_canonical_form(seed: u64, width in 4..12_usize, height in 4..12_usize, number in 0..16_u8) {
        let Some(puzzle) = large(seed, [width, height], 9) else { return Ok(()) };
        let image = image(&puzzle, number);
        prop_assert_eq!(canonical(&image), canonical(&puzzle));
        let known = (0..16).any(|back| puzzled_engine::kakuro::canonical::image(&image, back) == puzzle);
        prop_assert!(known);
    }

    #[test]
    fn only_isomorphs_share_a_canonical_form(seed: u64, which: usize, by in 1..5_u8) {
        let Some(one) = small(seed, [6, 7]) else { return Ok(()) };
        let Some(other) = with_another_clue(&one, which, by) else { return Ok(()) };
        let is_image = (0..16).any(|number| image(&one, number) == other);
        prop_assert_eq!(canonical(&one) == canonical(&other), is_image);
    }

    #[test]
    fn reader_never_panics(text in "[#.0-9\\\\ \nk-z/A-J-]{0,200}") {
        let _ = text::parse_board(&text);
        let _ = text::parse_board(&format!("kakuro/{text}"));
        let _ = text::parse_board(&format!("https://puzz.link/p?kakuro/4/4/{text}"));
    }

    #[test]
    fn made_layouts_keep_the_rules_on_blocks_whatever_is_asked(
        seed in any::<u64>(), sides in [4..=16_usize, 4..=16_usize], run_max in 4..=9_usize, white_min in 40..=75_usize, which in 0..8_usize,
    ) {
        let ([width, height], symmetry) = (sides, Symmetry::ALL[which]);
        let mut rng = Rng::from_seed(seed);
        prop_assume!(width == height || !needs_square(symmetry));
        let wanted = Wanted { width, height, run_max, white_min, symmetry };
        // Not every size has a layout with short runs and every symmetry.
        let Some(layout) = layout(&wanted, &mut rng) else { return Ok(()) };
        let signs = layout.signs();
        let is_white = |row: usize, column: usize| signs[row * width + column];
        for row in [1, height - 1] {
            prop_assert!((1..width).any(|column| is_white(row, column)), "{layout:?}");
        }
        for column in [1, width - 1] {
            prop_assert!((1..height).any(|row| is_white(row, column)), "{layout:?}");
        }
        prop_assert!(has_symmetry(&layout, symmetry));
        let (rectangle_max, without_clue_max) = if white_min < 60 { (8, 93 - white_min) } else { (4, 22) };
        let clue_at: Vec<_> = layout.runs().iter().map(|run| usize::from(run.clue_at)).collect();
        let blocks: Vec<_> = (width..signs.len()).filter(|&cell| cell % width > 0 && !signs[cell]).collect();
        let without_clue = blocks.iter().filter(|block| !clue_at.contains(block)).count();
        prop_assert!(without_clue <= 1 + blocks.len() * without_clue_max / 100, "{without_clue}, {layout:?}");
        for (top, left) in blocks.iter().map(|&block| (block / width, block % width)) {
            let mut wide = width;
            for row in top..height {
                wide = wide.min((left..width).take_while(|&column| !is_white(row, column)).count());
                prop_assert!(wide * (row + 1 - top) <= rectangle_max, "{layout:?}");
            }
        }
    }
}
