//! Calcudoku, a kind of the grid layer: each row and column holds each digit once, and the digits of each cage make its number by an
//! operator. Digits may repeat in a cage.

use std::sync::LazyLock;

use crate::{
    grid::{
        clues::open_sum,
        find::Technique,
        kind::GridKind,
        make::{CageStyle, Cages, Goal},
        techniques::{
            cages::{self, sentences as of_cages},
            hidden_single, ladder, last_cell, naked_single, rung, sentences,
        },
        variant::{Areas, ClueType, Content, GridVariant, Group},
    },
    shared::{
        level::{Level, LevelBorder, level, level_of},
        symmetry::{Symmetry, SymmetryInfo},
    },
};

/// The engine version that has the first of these variants.
const SINCE: u32 = 21;

/// The kind.
pub(crate) static CALCUDOKU: GridKind = GridKind {
    name: "calcudoku",
    since: SINCE,
    default_variant: "6x6",
    meaning: "4x4 to 8x8: the size of the board",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &Cages { style },
};

/// The rules for a board of this size.
macro_rules! rules {
    ($size:literal) => {
        concat!(
            "Fill each row and column with 1 to ",
            $size,
            "; the digits of a cage, which may repeat, make its number by its operator."
        )
    };
}

static VARIANTS: [GridVariant; 5] = [
    board(
        "4x4",
        4,
        rules!(4),
        &[EASY, MEDIUM, level(Level::Hard, 29, 94, "candidates are bound together, or one is refuted")],
    ),
    board("5x5", 5, rules!(5), &LEVELS),
    board("6x6", 6, rules!(6), &LEVELS),
    board("7x7", 7, rules!(7), &LEVELS),
    board("8x8", 8, rules!(8), &LEVELS),
];

const fn board(name: &'static str, size: u8, rules: &'static str, levels: &'static [LevelBorder]) -> GridVariant {
    GridVariant {
        kind: "calcudoku",
        name,
        rules,
        since: SINCE,
        size,
        areas: Areas::None,
        extra: &[],
        lines: true,
        content: Content::Digits(size),
        apart: false,
        clues: ClueType::Arithmetic,
        round_rules: &[open_sum::bounds],
        extra_rules: &[open_sum::bounds, open_sum::combinations],
        group: Group::TurnsKeepingDigits,
        ladder: LADDER,
        levels,
        symmetries: &[SymmetryInfo { symmetry: Symmetry::None, since: SINCE }],
        givens: None,
        styles: &[],
    }
}

/// The cages of easy puzzles are small, and some have one cell. In hard puzzles, most pairs are differences and quotients, which leave
/// more digits open than sums and products.
fn style(goal: &Goal) -> &'static CageStyle {
    match level_of(goal.info.levels, *goal.ratings.start()) {
        Level::Easy => {
            &CageStyle { shares: &[12, 78, 100], cells_max: 3, singles_max: 4, operators: &[30, 25, 30, 60] }
        }
        Level::Medium => {
            &CageStyle { shares: &[5, 60, 92, 100], cells_max: 4, singles_max: 2, operators: &[25, 30, 25, 60] }
        }
        _ => &CageStyle { shares: &[0, 50, 85, 100], cells_max: 5, singles_max: 0, operators: &[20, 35, 20, 60] },
    }
}

const LADDER: &[Technique; 19] = &ladder([
    rung("Last Cell", 10, last_cell, sentences::last_cell),
    rung("Single Combination", 11, cages::single_combination, of_cages::single_combination),
    rung("Hidden Single", 12, |t, p, take| hidden_single(|_| true, t, p, take), sentences::hidden_single),
    rung("Cage Bounds", 16, cages::bounds, of_cages::bounds),
    rung("Naked Single", 18, naked_single, sentences::naked_single),
    rung("Cage Combinations", 24, cages::combinations, of_cages::combinations),
    rung("Cage and Line", 28, cages::cage_and_house, of_cages::cage_and_house),
]);

const EASY: LevelBorder = level(Level::Easy, 10, 18, "each step looks at one cage or one line");
const MEDIUM: LevelBorder = level(Level::Medium, 19, 28, "the ways to fill a cage have to be compared and noted");
const LEVELS: [LevelBorder; 4] = [
    EASY,
    MEDIUM,
    level(
        Level::Hard,
        29,
        54,
        "candidates are bound together: sets of cells of one line, or one digit in several lines",
    ),
    level(Level::Expert, 55, 94, "a candidate is refuted in one or more rounds"),
];
