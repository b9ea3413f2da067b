//! The variants of Sudoku on the grid layer: other sizes, and 9×9 with further houses.

use std::sync::LazyLock;

use crate::{
    grid::{
        kind::GridKind,
        make::Givens,
        techniques::LADDER,
        variant::{Areas, Content, Extra, GridVariant, Group},
    },
    shared::level::{Level, LevelBorder, Tenths},
};

/// The engine version that has the first of these variants.
const SINCE: u32 = 18;

/// Sudoku besides the classic `9x9`.
pub(crate) static SIZES: GridKind = GridKind {
    name: "sudoku",
    since: SINCE,
    default_variant: "6x6",
    meaning: "4x4, 6x6, 8x8: other sizes; 9x9-x: the digits 1 to 9 also on both diagonals",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &Givens,
};

static VARIANTS: [GridVariant; 4] = [
    boxes("4x4", [2, 2], &[EASY_ALONE], "Fill the grid so that each row, column, and box contains the digits 1 to 4."),
    boxes(
        "6x6",
        [2, 3],
        &[EASY, MEDIUM, HARDER],
        "Fill the grid so that each row, column, and box contains the digits 1 to 6.",
    ),
    boxes("8x8", [2, 4], &FIVE, "Fill the grid so that each row, column, and box contains the digits 1 to 8."),
    GridVariant {
        name: "9x9-x",
        extra: &[Extra::Diagonals],
        group: Group::Lines,
        ..boxes(
            "",
            [3, 3],
            &FIVE,
            "Fill the grid so that each row, column, box, and diagonal contains the digits 1 to 9.",
        )
    },
];

const fn boxes(
    name: &'static str,
    [rows, columns]: [u8; 2],
    levels: &'static [LevelBorder],
    rules: &'static str,
) -> GridVariant {
    let size = rows * columns;
    GridVariant {
        kind: "sudoku",
        name,
        rules,
        since: SINCE,
        size,
        areas: Areas::Boxes { rows, columns },
        extra: &[],
        content: Content::Digits,
        group: if size == 4 { Group::Renaming } else { Group::Boxes },
        ladder: LADDER,
        levels,
        symmetries: &[],
        givens: None,
        styles: &[],
    }
}

const fn level(level: Level, min: u8, max: u8, reason: &'static str) -> LevelBorder {
    LevelBorder { level, min: Tenths(min), max: Tenths(max), reason }
}

const SINGLES: &str = "hidden singles alone: one look at a box, row, or column fills a cell";
const DIRECT: &str = "every step fills a cell, so no notes are needed";
const NOTES: &str =
    "candidates have to be noted and removed, but each pattern is one digit in a few lines or one house";
const PATTERNS: &str = "patterns bind cells of several houses and digits: wings, large sets, short refutations";
const REFUTATIONS: &str = "a candidate is refuted by several rounds of singles";

const EASY_ALONE: LevelBorder = level(Level::Easy, 10, 15, SINGLES);
const EASY: LevelBorder = EASY_ALONE;
const MEDIUM: LevelBorder = level(Level::Medium, 16, 25, DIRECT);
const HARDER: LevelBorder = level(Level::Hard, 26, 94, "candidates have to be noted and removed");
const FIVE: [LevelBorder; 5] = [
    EASY,
    MEDIUM,
    level(Level::Hard, 26, 40, NOTES),
    level(Level::Expert, 41, 69, PATTERNS),
    level(Level::Evil, 70, 94, REFUTATIONS),
];
