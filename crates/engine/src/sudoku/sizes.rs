//! The variants of Sudoku on the grid layer: other sizes, and 9×9 with further houses.

use std::sync::LazyLock;

use crate::{
    grid::{
        kind::GridKind,
        make::DigitClues,
        techniques::LADDER,
        variant::{Areas, ClueType, Content, Extra, GridVariant, Group},
    },
    shared::{
        givens::Givens,
        givens::{GivensLimits, Style, limits, style, styles},
        level::{Level, LevelBorder, level},
        symmetry::{Symmetry, SymmetryInfo},
    },
};

/// The engine version that has the first of these variants.
const SINCE: u32 = 18;

/// All variants of Sudoku except for `9x9`.
pub(crate) static SIZES: GridKind = GridKind {
    name: "sudoku",
    since: SINCE,
    default_variant: "6x6",
    meaning: "4x4, 6x6, 8x8, 10x10, 12x12, 16x16: other sizes; 9x9-x: the digits 1 to 9 also on both diagonals; \
              9x9-windoku: also in four windows",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &DigitClues::WITHOUT_REGIONS,
};

static VARIANTS: [GridVariant; 8] = [
    GridVariant {
        group: Group::Renaming,
        // With the symmetry of the style, minimal puzzles have 4 or 6 givens. The wider ranges of the other variants do not fit.
        styles: &[Style {
            made: Some(Givens::new(6, 8)),
            delivered: Some(Givens::new(6, 8)),
            ..style(Level::Easy, 4, [0, 0])
        }],
        ..boxes(
            ("4x4", [2, 2], "Fill the grid so that each row, column, and box contains the digits 1 to 4."),
            &[EASY],
            limits([4, 15], 4),
            &styles(4, 4, 4),
        )
    },
    boxes(
        ("6x6", [2, 3], "Fill the grid so that each row, column, and box contains the digits 1 to 6."),
        &[EASY, MEDIUM, level(Level::Hard, 26, 94, "candidates have to be noted and removed")],
        limits([8, 35], 8),
        &styles(6, 10, 12),
    ),
    boxes(
        ("8x8", [2, 4], "Fill the grid so that each row, column, and box contains the digits 1 to 8."),
        &FIVE,
        limits([14, 63], 16),
        &styles(8, 18, 22),
    ),
    GridVariant {
        extra: &[Extra::Diagonals],
        group: Group::BoxesKeepingExtras,
        ..boxes(
            ("9x9-x", [3, 3], "Fill the grid so that each row, column, box, and diagonal contains the digits 1 to 9."),
            &FIVE,
            limits([12, 80], 15),
            &styles(9, 18, 20),
        )
    },
    GridVariant {
        extra: &[Extra::Windows],
        group: Group::BoxesKeepingExtras,
        ..boxes(
            (
                "9x9-windoku",
                [3, 3],
                "Fill the grid so that each row, column, box, and shaded window contains the digits 1 to 9.",
            ),
            &FIVE,
            limits([8, 80], 15),
            &styles(9, 16, 20),
        )
    },
    boxes(
        (
            "10x10",
            [2, 5],
            "Fill the grid so that each row, column, and box contains the digits 1 to 9 and the letter A.",
        ),
        &FIVE,
        limits([22, 99], 30),
        &styles(10, 32, 36),
    ),
    boxes(
        (
            "12x12",
            [3, 4],
            "Fill the grid so that each row, column, and box contains the digits 1 to 9 and the letters A to C.",
        ),
        &FIVE,
        limits([30, 143], 44),
        &styles(12, 48, 52),
    ),
    boxes(
        (
            "16x16",
            [4, 4],
            "Fill the grid so that each row, column, and box contains the digits 1 to 9 and the letters A to G.",
        ),
        &FIVE,
        limits([55, 255], 92),
        &styles(16, 96, 102),
    ),
];

/// Boards with boxes of this many rows and columns, and no other houses.
const fn boxes(
    (name, [rows, columns], rules): (&'static str, [u8; 2], &'static str),
    levels: &'static [LevelBorder],
    givens: GivensLimits,
    styles: &'static [Style; 5],
) -> GridVariant {
    GridVariant {
        kind: "sudoku",
        name,
        rules,
        since: SINCE,
        size: rows * columns,
        areas: Areas::Boxes { rows, columns },
        extra: &[],
        lines: true,
        content: Content::Digits(rows * columns),
        apart: false,
        clues: ClueType::None,
        round_rules: &[],
        extra_rules: &[],
        group: Group::Boxes,
        ladder: LADDER,
        levels,
        symmetries: if rows == columns { &SQUARE_SYMMETRIES } else { &SYMMETRIES },
        givens: Some(givens),
        styles: styles.split_at(levels.len()).0,
    }
}

/// The symmetries of boards with square boxes. All other boards have [`SYMMETRIES`].
const SQUARE_SYMMETRIES: [SymmetryInfo; 8] = SymmetryInfo::all_since(SINCE);
const SYMMETRIES: [SymmetryInfo; 4] = [
    SQUARE_SYMMETRIES[Symmetry::None as usize],
    SQUARE_SYMMETRIES[Symmetry::Rotation180 as usize],
    SQUARE_SYMMETRIES[Symmetry::Horizontal as usize],
    SQUARE_SYMMETRIES[Symmetry::Vertical as usize],
];

const SINGLES: &str = "hidden singles alone: one look at a box, row, or column fills a cell";
const DIRECT: &str = "every step fills a cell, so no notes are needed";
const NOTES: &str =
    "candidates have to be noted and removed, but each pattern is one digit in a few lines or one house";
const PATTERNS: &str = "patterns bind cells of several houses and digits: wings, large sets, short refutations";
const REFUTATIONS: &str = "a candidate is refuted in several rounds";

const EASY: LevelBorder = level(Level::Easy, 10, 15, SINGLES);
const MEDIUM: LevelBorder = level(Level::Medium, 16, 25, DIRECT);
const FIVE: [LevelBorder; 5] = [
    EASY,
    MEDIUM,
    level(Level::Hard, 26, 40, NOTES),
    level(Level::Expert, 41, 69, PATTERNS),
    level(Level::Evil, 70, 94, REFUTATIONS),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_follow_from_the_median_of_minimal_puzzles() {
        let hard = [[18, 24, 16, 26], [18, 22, 15, 25], [96, 112, 86, 122]];
        for (name, expected) in [
            ("4x4", vec![[6, 8, 6, 8]]),
            ("6x6", vec![[14, 16, 12, 18], [12, 14, 10, 16], [10, 14, 8, 14]]),
            ("8x8", vec![[26, 30, 22, 32], [22, 26, 20, 28], hard[0], hard[0], hard[0]]),
            ("9x9-x", vec![[23, 27, 20, 30], [20, 24, 17, 27], hard[1], hard[1], hard[1]]),
            ("16x16", vec![[118, 138, 108, 148], [102, 122, 92, 132], hard[2], hard[2], hard[2]]),
        ] {
            let styles = SIZES.variant(name).unwrap().styles.iter();
            let numbers = styles.map(|style| {
                let [made, delivered] = [style.made, style.delivered].map(Option::unwrap);
                [made.min, made.max, delivered.min, delivered.max]
            });
            assert_eq!(numbers.collect::<Vec<_>>(), expected, "{name}");
        }
    }

    #[test]
    fn each_variant_has_a_style_for_each_level_and_no_gap_between_levels() {
        for variant in &VARIANTS {
            assert!(
                variant.levels.iter().map(|border| border.level).eq(variant.styles.iter().map(|style| style.level))
            );
            assert!(variant.levels.windows(2).all(|pair| pair[0].max.0 + 1 == pair[1].min.0), "{}", variant.name);
            let limits = variant.givens.unwrap();
            let is_within = |range: Givens| limits.searched.within(range) == Some(range);
            assert!(variant.styles.iter().all(|style| style.delivered.is_some_and(is_within)));
        }
    }
}
