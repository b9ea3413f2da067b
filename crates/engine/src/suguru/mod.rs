//! Suguru, a kind of the grid layer: a region of k cells holds the digits 1 to k, and equal digits do not touch.

mod layouts;

use std::sync::LazyLock;

use crate::{
    grid::{
        find::Technique,
        kind::GridKind,
        make::DigitClues,
        techniques::{
            REFUTATIONS, direct_exclusion, exclusion, hidden_set, hidden_single, last_cell, naked_single, rung,
            seen_pair, sentences, wing,
        },
        variant::{Areas, ClueType, Content, GridVariant, Group},
    },
    shared::{
        givens::{Givens, GivensLimits, Style, unsymmetric_styles},
        level::{Level, LevelBorder, level},
        symmetry::{Symmetry, SymmetryInfo},
    },
};

/// The engine version that has the first of these variants.
const SINCE: u32 = 21;

/// The maximum number of cells of a region, and the highest digit.
const CELLS_MAX: u8 = 5;

pub(crate) static SUGURU: GridKind = GridKind {
    name: "suguru",
    since: SINCE,
    default_variant: "6x6",
    meaning: "6x6 to 9x9: the size of the board",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &DigitClues { regions_max: 200, nodes_per_fill_max: 100, ..DigitClues::with_regions(layouts::random) },
};

static VARIANTS: [GridVariant; 4] = [
    board("6x6", 6, &unsymmetric_styles(6, [7, 10], [5, 8], [3, 8])),
    board("7x7", 7, &unsymmetric_styles(7, [9, 13], [6, 10], [4, 10])),
    board("8x8", 8, &unsymmetric_styles(8, [11, 16], [8, 13], [5, 13])),
    board("9x9", 9, &unsymmetric_styles(9, [14, 20], [10, 16], [7, 15])),
];

const fn board(name: &'static str, size: u8, styles: &'static [Style; 4]) -> GridVariant {
    let cells = size as u16 * size as u16;
    GridVariant {
        kind: "suguru",
        name,
        rules: "Fill each region of k cells with the digits 1 to k so that equal digits do not touch, not even diagonally.",
        since: SINCE,
        size,
        areas: Areas::SmallRegions,
        extra: &[],
        lines: false,
        content: Content::Digits(CELLS_MAX),
        apart: true,
        clues: ClueType::None,
        round_rules: &[],
        extra_rules: &[],
        group: Group::TurnsKeepingDigits,
        ladder: LADDER,
        levels: &LEVELS,
        symmetries: &[SymmetryInfo { symmetry: Symmetry::None, since: SINCE }],
        givens: Some(GivensLimits { searched: Givens::new(0, cells - 1), made: Givens::new(0, cells / 2) }),
        styles,
    }
}

const LADDER: &[Technique] = &[
    rung("Last Cell", 10, last_cell, sentences::last_cell),
    rung("Hidden Single", 12, |t, p, take| hidden_single(|_| true, t, p, take), sentences::hidden_single),
    rung("Naked Single", 15, naked_single, sentences::naked_single),
    rung("Direct Exclusion", 20, direct_exclusion, sentences::exclusion),
    rung("Exclusion", 25, exclusion, sentences::exclusion),
    rung("Naked Pair", 30, seen_pair, sentences::naked_set),
    rung("Hidden Pair", 34, |t, p, take| hidden_set(2, t, p, take), sentences::hidden_set),
    rung("XY-Wing", 42, |t, p, take| wing(2, t, p, take), sentences::wing),
    rung("XYZ-Wing", 44, |t, p, take| wing(3, t, p, take), sentences::wing),
    REFUTATIONS,
];

const LEVELS: [LevelBorder; 4] = [
    level(Level::Easy, 10, 15, "one look at a region or at the cells around a cell fills a cell"),
    level(Level::Medium, 16, 29, "a digit in a cell would leave a region without a place for it"),
    level(Level::Hard, 30, 54, "two or three cells or digits are bound together"),
    level(Level::Expert, 55, 94, "a candidate is refuted in one or more rounds"),
];
