//! The variants of Sudoku on the grid layer: other sizes, and 9×9 with further houses.

use std::sync::LazyLock;

use crate::{
    grid::{
        kind::GridKind,
        make::Givens,
        techniques::LADDER,
        variant::{Areas, Content, Extra, GridVariant, Group},
    },
    shared::{
        givens::Givens as Numbers,
        level::{Level, LevelBorder, Tenths},
        style::{GivensLimits, Style},
        symmetry::{Symmetry, SymmetryInfo},
    },
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
    GridVariant {
        group: Group::Renaming,
        ..boxes(
            ("4x4", [2, 2], "Fill the grid so that each row, column, and box contains the digits 1 to 4."),
            &[EASY_ALONE],
            limits([4, 15], 4),
            &[style(Level::Easy, [6, 8], [6, 8])],
        )
    },
    boxes(
        ("6x6", [2, 3], "Fill the grid so that each row, column, and box contains the digits 1 to 6."),
        &[EASY, MEDIUM, HARDER],
        limits([8, 35], 8),
        &[
            style(Level::Easy, [14, 16], [12, 18]),
            style(Level::Medium, [12, 14], [10, 16]),
            style(Level::Hard, [10, 14], [8, 14]),
        ],
    ),
    boxes(
        ("8x8", [2, 4], "Fill the grid so that each row, column, and box contains the digits 1 to 8."),
        &FIVE,
        limits([14, 63], 16),
        &[
            style(Level::Easy, [26, 30], [22, 32]),
            style(Level::Medium, [22, 26], [20, 28]),
            style(Level::Hard, [18, 24], [16, 26]),
            style(Level::Expert, [18, 24], [16, 26]),
            style(Level::Evil, [18, 24], [16, 26]),
        ],
    ),
    GridVariant {
        extra: &[Extra::Diagonals],
        group: Group::Lines,
        ..boxes(
            ("9x9-x", [3, 3], "Fill the grid so that each row, column, box, and diagonal contains the digits 1 to 9."),
            &FIVE,
            limits([12, 80], 15),
            &[
                style(Level::Easy, [23, 27], [20, 30]),
                style(Level::Medium, [20, 24], [17, 27]),
                style(Level::Hard, [18, 22], [15, 25]),
                style(Level::Expert, [18, 22], [15, 25]),
                style(Level::Evil, [18, 22], [15, 25]),
            ],
        )
    },
];

/// Boards with boxes of this many rows and columns, and no other houses.
const fn boxes(
    (name, [rows, columns], rules): (&'static str, [u8; 2], &'static str),
    levels: &'static [LevelBorder],
    givens: GivensLimits,
    styles: &'static [Style],
) -> GridVariant {
    GridVariant {
        kind: "sudoku",
        name,
        rules,
        since: SINCE,
        size: rows * columns,
        areas: Areas::Boxes { rows, columns },
        extra: &[],
        content: Content::Digits,
        group: Group::Boxes,
        ladder: LADDER,
        levels,
        symmetries: if rows == columns { &SQUARE_SYMMETRIES } else { &SYMMETRIES },
        givens: Some(givens),
        styles,
    }
}

/// The symmetries of boards whose boxes are square, and those of all others.
const SQUARE_SYMMETRIES: [SymmetryInfo; 8] = SymmetryInfo::all_since(SINCE);
const SYMMETRIES: [SymmetryInfo; 4] = [
    SQUARE_SYMMETRIES[Symmetry::None as usize],
    SQUARE_SYMMETRIES[Symmetry::Rotation180 as usize],
    SQUARE_SYMMETRIES[Symmetry::Horizontal as usize],
    SQUARE_SYMMETRIES[Symmetry::Vertical as usize],
];

/// The numbers of givens that can be searched for, and the smallest that is made. One core makes at least one puzzle in ten seconds with
/// it.
const fn limits([min, max]: [u16; 2], made_min: u16) -> GivensLimits {
    GivensLimits { searched: Numbers::new(min, max), made: Numbers::new(made_min, max) }
}

/// A style with these numbers of givens made and delivered. The test computes both from the median of minimal puzzles.
const fn style(level: Level, made: [u16; 2], delivered: [u16; 2]) -> Style {
    let (made, delivered) = (Numbers::new(made[0], made[1]), Numbers::new(delivered[0], delivered[1]));
    Style { level, symmetry: Symmetry::Rotation180, made, delivered }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The median number of givens of minimal puzzles that a half turn keeps, by variant.
    const MEDIANS: [(&str, f64); 4] = [("4x4", 4.0), ("6x6", 12.0), ("8x8", 22.0), ("9x9-x", 20.0)];

    /// By how much of the cells the delivered numbers go beyond those made.
    const WIDER: f64 = 0.04;

    #[test]
    fn styles_follow_from_the_median_of_minimal_puzzles() {
        for (variant, (name, median)) in VARIANTS.iter().zip(MEDIANS) {
            assert_eq!(variant.name, name);
            // Boards of 4x4 have 4 or 6 givens if they are minimal, so their range is stated.
            for style in variant.styles.iter().filter(|_| name != "4x4") {
                let even = if variant.size % 2 == 0 { 2.0 } else { 1.0 };
                let rounded = |number: f64| (number / even).round() * even;
                let wider = WIDER * f64::from(variant.size).powi(2);
                let (least, most) = match style.level {
                    Level::Easy => (Some(1.15), 1.35),
                    Level::Medium => (Some(1.0), 1.2),
                    _ => (None, 1.1),
                };
                let ends = |made: Numbers| (f64::from(made.min), f64::from(made.max));
                let ((made_min, made_max), (min, max)) = (ends(style.made), ends(style.delivered));
                assert_eq!(
                    (made_max, max),
                    (rounded(most * median), rounded(most * median + wider)),
                    "{name} {style:?}"
                );
                match least {
                    Some(least) => {
                        let wanted = (rounded(least * median), rounded(least * median - wider));
                        assert_eq!((made_min, min), wanted, "{name} {style:?}");
                    }
                    None => assert_eq!(min, rounded(made_min - wider), "{name} {style:?}"),
                }
            }
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
            assert!(
                variant.styles.iter().all(|style| limits.searched.within(style.delivered) == Some(style.delivered))
            );
        }
    }
}
