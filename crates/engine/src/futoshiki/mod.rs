//! Futoshiki, a kind of the grid layer: each row and column holds each digit once, and signs say which of two neighbors is larger.

use std::sync::LazyLock;

use crate::{
    grid::{
        clues::relations::{
            self,
            Relation::{Greater, Less},
        },
        find::Technique,
        kind::GridKind,
        make::DigitClues,
        techniques::{hidden_single, ladder, last_cell, naked_single, rung, sentences, signs as by_sign},
        variant::{Areas, ClueType, Content, GridVariant, Group},
    },
    shared::{
        givens::{Givens, GivensLimits, Style, unsymmetric_styles},
        level::{Level, LevelBorder, level},
        symmetry::{Symmetry, SymmetryInfo},
    },
};

/// The engine version that has the first of these variants.
const SINCE: u32 = 19;

/// The kind.
pub(crate) static FUTOSHIKI: GridKind = GridKind {
    name: "futoshiki",
    since: SINCE,
    default_variant: "5x5",
    meaning: "4x4 to 7x7, 9x9: the size of the board",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &DigitClues::WITHOUT_REGIONS,
};

/// The rules for a board of this size.
macro_rules! rules {
    ($size:literal) => {
        concat!(
            "Fill the grid so that each row and column has the digits 1 to ",
            $size,
            " and each sign points to the smaller digit."
        )
    };
}

static VARIANTS: [GridVariant; 5] = [
    board(
        ("4x4", 4, rules!(4)),
        &[EASY, MEDIUM, level(Level::Hard, 29, 94, "several candidates are bound together, or one is refuted")],
        &styles(4, [1, 3], [0, 2]),
    ),
    board(("5x5", 5, rules!(5)), &LEVELS, &styles(5, [2, 5], [0, 3])),
    board(("6x6", 6, rules!(6)), &LEVELS, &styles(6, [4, 8], [0, 5])),
    board(("7x7", 7, rules!(7)), &LEVELS, &styles(7, [6, 11], [1, 7])),
    board(("9x9", 9, rules!(9)), &LEVELS, &styles(9, [13, 20], [2, 11])),
];

const fn board(
    (name, size, rules): (&'static str, u8, &'static str),
    levels: &'static [LevelBorder],
    styles: &'static [Style; 4],
) -> GridVariant {
    let cells = size as u16 * size as u16;
    GridVariant {
        kind: "futoshiki",
        name,
        rules,
        since: SINCE,
        size,
        areas: Areas::None,
        extra: &[],
        lines: true,
        content: Content::Digits(size),
        apart: false,
        clues: ClueType::Signs(&[Less, Greater]),
        round_rules: &[relations::signs],
        extra_rules: &[relations::signs],
        group: Group::Complement,
        ladder: LADDER,
        levels,
        symmetries: &[SymmetryInfo { symmetry: Symmetry::None, since: SINCE }],
        // With more given digits, too few signs remain: a sign between two given digits is taken away.
        givens: Some(GivensLimits { searched: Givens::new(0, cells - 1), made: Givens::new(0, cells / 2) }),
        styles: styles.split_at(levels.len()).0,
    }
}

/// The styles of four levels: the ranges of givens of the easy level and of the others. The ranges contain nearly all numbers of givens
/// at which no more digits can be taken away. Signs are the other clues, so hard puzzles do not have fewer digits than medium ones.
const fn styles(size: u16, easy: [u16; 2], others: [u16; 2]) -> [Style; 4] {
    unsymmetric_styles(size, easy, others, others)
}

const LADDER: &[Technique; 17] = &ladder([
    rung("Last Cell", 10, last_cell, sentences::last_cell),
    rung("Hidden Single", 12, |t, p, take| hidden_single(|_| true, t, p, take), sentences::hidden_single),
    rung("Naked Single", 14, naked_single, sentences::naked_single),
    // Once the digits that the sign excludes are removed, a direct sign is a naked single. So it must not be rated easier.
    rung("Direct Sign", 15, by_sign::direct_signs, by_sign::sentence),
    rung("Sign", 25, by_sign::signs, by_sign::sentence),
]);

const EASY: LevelBorder = level(Level::Easy, 10, 15, "one look at a row, a column, or a sign fills a cell");
const MEDIUM: LevelBorder = level(Level::Medium, 16, 28, "signs exclude candidates, which have to be noted");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_have_styles_for_their_levels_within_the_limits_and_no_gap() {
        for variant in &VARIANTS {
            let (levels, styles) = (variant.levels.iter(), variant.styles.iter());
            assert!(levels.map(|border| border.level).eq(styles.map(|style| style.level)), "{}", variant.name);
            assert!(variant.levels.windows(2).all(|pair| pair[0].max.0 + 1 == pair[1].min.0), "{}", variant.name);
            let limits = variant.givens.unwrap();
            let is_within =
                |style: &Style| style.delivered.is_some_and(|range| limits.made.within(range) == Some(range));
            assert!(variant.styles.iter().all(is_within), "{}", variant.name);
            let rules = format!("Fill the grid so that each row and column has the digits 1 to {}", variant.size);
            assert!(variant.rules.starts_with(&rules) && variant.rules.len() <= 120, "{}", variant.rules);
        }
    }
}
