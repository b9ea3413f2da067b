//! Skyscrapers, a kind of the grid layer: each row and column holds each digit once, and clues beside the grid say how many digits are
//! visible from there.

use std::sync::LazyLock;

use crate::{
    grid::{
        clues::seen_lines::{from_all_ends, from_one_end},
        find::Technique,
        kind::GridKind,
        make::{DigitClues, Goal},
        techniques::{hidden_single, ladder, last_cell, naked_single, rung, sentences, sightlines as by_clue},
        variant::{Areas, ClueType, Content, GridVariant, Group},
    },
    shared::{
        givens::{Givens, GivensLimits, Style, unsymmetric_styles},
        level::{Level, LevelBorder, level, level_of},
        symmetry::{Symmetry, SymmetryInfo},
    },
};

/// The engine version that has the first of these variants.
const SINCE: u32 = 21;

/// The kind.
pub(crate) static SKYSCRAPERS: GridKind = GridKind {
    name: "skyscrapers",
    since: SINCE,
    default_variant: "5x5",
    meaning: "4x4 to 7x7: the size of the board",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &DigitClues { clues_min, at_once: true, ..DigitClues::WITHOUT_REGIONS },
};

/// The rules for a board of this size.
macro_rules! rules {
    ($size:literal) => {
        concat!(
            "Fill each row and column with 1 to ",
            $size,
            "; a clue counts the digits seen from it, which are larger than all before them."
        )
    };
}

static VARIANTS: [GridVariant; 4] = [
    board(
        ("4x4", 4, rules!(4)),
        &[
            EASY,
            MEDIUM,
            level(Level::Hard, 28, 94, "opposite clues or candidates have to be combined, or a candidate is refuted"),
        ],
        &unsymmetric_styles(4, [0, 2], [0, 1], [0, 1]),
    ),
    // On large boards, all clues together often have several solutions, so some digits are given.
    board(("5x5", 5, rules!(5)), &LEVELS, &unsymmetric_styles(5, [1, 3], [0, 2], [0, 1])),
    board(("6x6", 6, rules!(6)), &LEVELS, &unsymmetric_styles(6, [2, 5], [0, 4], [0, 3])),
    board(("7x7", 7, rules!(7)), &LEVELS, &unsymmetric_styles(7, [4, 8], [2, 7], [0, 6])),
];

const fn board(
    (name, size, rules): (&'static str, u8, &'static str),
    levels: &'static [LevelBorder],
    styles: &'static [Style; 4],
) -> GridVariant {
    let cells = size as u16 * size as u16;
    GridVariant {
        kind: "skyscrapers",
        name,
        rules,
        since: SINCE,
        size,
        areas: Areas::None,
        extra: &[],
        lines: true,
        content: Content::Digits(size),
        apart: false,
        clues: ClueType::Sightlines,
        round_rules: &[from_one_end],
        extra_rules: &[from_all_ends],
        group: Group::TurnsKeepingDigits,
        ladder: LADDER,
        levels,
        symmetries: &[SymmetryInfo { symmetry: Symmetry::None, since: SINCE }],
        givens: Some(GivensLimits { searched: Givens::new(0, cells - 1), made: Givens::new(0, cells / 2) }),
        styles: styles.split_at(levels.len()).0,
    }
}

/// Easy puzzles keep three in four clues, medium ones half, and hard ones those that they need.
fn clues_min(goal: &Goal) -> usize {
    let size = usize::from(goal.variant.size);
    match level_of(goal.info.levels, *goal.ratings.start()) {
        Level::Easy => 3 * size,
        Level::Medium => 2 * size,
        _ => size,
    }
}

/// There is no space for the last three common techniques: larger sets and fish need longer lines.
const LADDER: &[Technique; 16] = &ladder([
    rung("Last Cell", 10, last_cell, sentences::last_cell),
    rung("Direct Clue", 11, by_clue::direct_clue, by_clue::direct_sentence),
    rung("Hidden Single", 12, |t, p, take| hidden_single(|_| true, t, p, take), sentences::hidden_single),
    rung("Clue", 16, by_clue::clue, by_clue::sentence),
    rung("Naked Single", 18, naked_single, sentences::naked_single),
    rung("Clue and Candidates", 24, by_clue::clue_and_candidates, by_clue::ways_sentence),
    rung("Opposite Clues", 28, by_clue::opposite_clues, by_clue::ways_sentence),
]);

const EASY: LevelBorder = level(Level::Easy, 10, 18, "each step looks at one line and one of its clues");
const MEDIUM: LevelBorder = level(Level::Medium, 19, 27, "the ways to fill a line have to be compared and noted");
const LEVELS: [LevelBorder; 4] = [
    EASY,
    MEDIUM,
    level(Level::Hard, 28, 54, "opposite clues, or candidates of several cells or lines, have to be combined"),
    level(Level::Expert, 55, 94, "a candidate is refuted in one or more rounds"),
];
