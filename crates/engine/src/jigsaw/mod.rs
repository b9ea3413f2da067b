//! Jigsaw Sudoku, a kind of the grid layer: the digits of a Sudoku in rows, columns, and regions of any shape.

mod layouts;

use std::sync::LazyLock;

use crate::{
    grid::{
        find::Technique,
        kind::GridKind,
        make::DigitClues,
        techniques,
        variant::{Areas, ClueType, Content, GridVariant, Group},
    },
    shared::{
        givens::{GivensLimits, Style, limits, styles},
        level::{Level, LevelBorder, level},
        symmetry::SymmetryInfo,
    },
};

/// The engine version that has the first of these variants.
const SINCE: u32 = 18;

/// The engine version that has 8x8.
const SINCE_8: u32 = 21;

/// The kind.
pub(crate) static JIGSAW: GridKind = GridKind {
    name: "jigsaw",
    since: SINCE,
    default_variant: "9x9",
    meaning: "6x6 to 9x9: the size of the board and of each region",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &DigitClues::with_regions(layouts::random),
};

static VARIANTS: [GridVariant; 4] = [
    board(
        ("6x6", 6, "Fill the grid so that each row, column, and region contains the digits 1 to 6."),
        &[EASY, MEDIUM, level(Level::Hard, 26, 94, "candidates have to be noted and removed")],
        limits([5, 35], 5),
        &styles(6, 6, 10),
    ),
    board(
        ("7x7", 7, "Fill the grid so that each row, column, and region contains the digits 1 to 7."),
        &FIVE,
        limits([6, 48], 8),
        &styles(7, 9, 12),
    ),
    GridVariant {
        since: SINCE_8,
        ..board(
            ("8x8", 8, "Fill the grid so that each row, column, and region contains the digits 1 to 8."),
            &FIVE,
            limits([7, 63], 12),
            &styles(8, 14, 18),
        )
    },
    board(
        ("9x9", 9, "Fill the grid so that each row, column, and region contains the digits 1 to 9."),
        &FIVE,
        limits([8, 80], 15),
        &styles(9, 18, 22),
    ),
];

const fn board(
    (name, size, rules): (&'static str, u8, &'static str),
    levels: &'static [LevelBorder],
    givens: GivensLimits,
    styles: &'static [Style; 5],
) -> GridVariant {
    GridVariant {
        kind: "jigsaw",
        name,
        rules,
        since: SINCE,
        size,
        areas: Areas::Regions,
        extra: &[],
        lines: true,
        content: Content::Digits(size),
        apart: false,
        clues: ClueType::None,
        round_rules: &[],
        extra_rules: &[],
        group: Group::Turns,
        ladder: LADDER,
        levels,
        symmetries: &const { SymmetryInfo::all_since(SINCE) },
        givens: Some(givens),
        styles: styles.split_at(levels.len()).0,
    }
}

/// The ladder of Sudoku. Only one of its techniques is named after boxes; here, its name has regions instead.
const LADDER: &[Technique] = &{
    let mut ladder = *techniques::LADDER;
    ladder[1].name = "Hidden Single in Region";
    ladder
};

const EASY: LevelBorder =
    level(Level::Easy, 10, 15, "hidden singles alone: one look at a region, row, or column fills a cell");
const MEDIUM: LevelBorder = level(Level::Medium, 16, 25, "every step fills a cell, so no notes are needed");
const FIVE: [LevelBorder; 5] = [
    EASY,
    MEDIUM,
    level(Level::Hard, 26, 40, "candidates have to be noted and removed, but each pattern is one digit or one house"),
    level(
        Level::Expert,
        41,
        69,
        "patterns bind cells of several houses and digits: wings, large sets, short refutations",
    ),
    level(Level::Evil, 70, 94, "a candidate is refuted in several rounds"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_technique_is_named_after_a_box() {
        let names = |ladder: &[Technique]| -> Vec<_> { ladder.iter().map(|technique| technique.name).collect() };
        let of_sudoku = names(techniques::LADDER);
        let renamed: Vec<_> = of_sudoku.into_iter().map(|name| name.replace("in Box", "in Region")).collect();
        assert_eq!(names(LADDER), renamed);
    }
}
