//! Skyscrapers, a kind of the grid layer: each row and column holds each digit once, and clues beside the grid say how many digits are
//! visible from there.

use std::sync::LazyLock;

use crate::{
    grid::{
        clues::seen_lines::{from_both_ends, from_one_end},
        find::Technique,
        kind::GridKind,
        make::{DigitClues, Goal},
        techniques::{
            REFUTATIONS, fish, hidden_set, hidden_single, last_cell, naked_set, naked_single, rung, sentences,
            sightlines as by_clue, wing,
        },
        variant::{Areas, ClueType, Content, GridVariant, Group},
    },
    shared::{
        givens::{Givens, GivensLimits, Style, unsymmetric},
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
    GridVariant {
        levels: &[
            EASY,
            MEDIUM,
            level(Level::Hard, 28, 94, "opposite clues or candidates have to be combined, or a candidate is refuted"),
        ],
        ..board(
            ("4x4", 4, rules!(4)),
            &[
                unsymmetric(Level::Easy, 4, [0, 2]),
                unsymmetric(Level::Medium, 4, [0, 1]),
                unsymmetric(Level::Hard, 4, [0, 1]),
            ],
        )
    },
    board(("5x5", 5, rules!(5)), &styles(5, [1, 3], [0, 2], [0, 1])),
    board(("6x6", 6, rules!(6)), &styles(6, [2, 5], [0, 4], [0, 3])),
    board(("7x7", 7, rules!(7)), &styles(7, [4, 8], [2, 7], [0, 6])),
];

const fn board((name, size, rules): (&'static str, u8, &'static str), styles: &'static [Style]) -> GridVariant {
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
        extra_rules: &[from_one_end, from_both_ends],
        group: Group::TurnsKeepingDigits,
        ladder: LADDER,
        levels: &LEVELS,
        symmetries: &[SymmetryInfo { symmetry: Symmetry::None, since: SINCE }],
        givens: Some(GivensLimits { searched: Givens::new(0, cells - 1), made: Givens::new(0, cells / 2) }),
        styles,
    }
}

/// The styles of four levels: the ranges of givens of the easy level, of the medium level, and of the others. On large boards, all clues
/// together often have several solutions, so some digits are given.
const fn styles(size: u16, easy: [u16; 2], medium: [u16; 2], others: [u16; 2]) -> [Style; 4] {
    [
        unsymmetric(Level::Easy, size, easy),
        unsymmetric(Level::Medium, size, medium),
        unsymmetric(Level::Hard, size, others),
        unsymmetric(Level::Expert, size, others),
    ]
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

/// From Naked Pair on, the ratings are those of Sudoku. Larger sets and fish need longer lines.
const LADDER: &[Technique] = &[
    rung("Last Cell", 10, last_cell, sentences::last_cell),
    rung("Direct Clue", 11, by_clue::direct_clue, by_clue::direct_sentence),
    rung("Hidden Single", 12, |t, p, take| hidden_single(|_| true, t, p, take), sentences::hidden_single),
    rung("Clue", 16, by_clue::clue, by_clue::sentence),
    rung("Naked Single", 18, naked_single, sentences::naked_single),
    rung("Clue and Candidates", 24, by_clue::clue_and_candidates, by_clue::ways_sentence),
    rung("Opposite Clues", 28, by_clue::opposite_clues, by_clue::ways_sentence),
    rung("Naked Pair", 30, |t, p, take| naked_set(2, t, p, take), sentences::naked_set),
    rung("X-Wing", 32, |t, p, take| fish(2, t, p, take), sentences::fish),
    rung("Hidden Pair", 34, |t, p, take| hidden_set(2, t, p, take), sentences::hidden_set),
    rung("Naked Triplet", 36, |t, p, take| naked_set(3, t, p, take), sentences::naked_set),
    rung("Swordfish", 38, |t, p, take| fish(3, t, p, take), sentences::fish),
    rung("Hidden Triplet", 40, |t, p, take| hidden_set(3, t, p, take), sentences::hidden_set),
    rung("XY-Wing", 42, |t, p, take| wing(2, t, p, take), sentences::wing),
    rung("XYZ-Wing", 44, |t, p, take| wing(3, t, p, take), sentences::wing),
    REFUTATIONS,
];

const EASY: LevelBorder = level(Level::Easy, 10, 18, "each step looks at one line and one of its clues");
const MEDIUM: LevelBorder = level(Level::Medium, 19, 27, "the ways to fill a line have to be compared and noted");
const LEVELS: [LevelBorder; 4] = [
    EASY,
    MEDIUM,
    level(Level::Hard, 28, 54, "opposite clues, or candidates of several cells or lines, have to be combined"),
    level(Level::Expert, 55, 94, "a candidate is refuted in one or more rounds"),
];
