//! Star battle, a kind of the grid layer: one or two stars in each row, column, and region, and stars do not touch. The clues are the
//! regions.

mod placements;
mod regions;
mod sentences;
mod techniques;

use std::sync::LazyLock;

use crate::{
    grid::{
        find::Technique,
        kind::GridKind,
        rules::House,
        techniques::{REFUTATIONS, fish, hidden_single, rung, seen_by_all, seen_in_house},
        variant::{Areas, ClueType, Content, GridVariant, Group},
    },
    shared::{
        level::{Level, LevelBorder, level},
        symmetry::{Symmetry, SymmetryInfo},
    },
};
use regions::Regions;
use techniques::{block_exclusion, counting, exclusion, in_house, last_places, place_beside_block};

/// The engine version that has the first of these variants.
const SINCE: u32 = 18;

/// The engine version that has 11x11.
const SINCE_11: u32 = 20;

/// The engine version that has two stars in each house.
const SINCE_TWO: u32 = 21;

/// The kind.
pub(crate) static STAR_BATTLE: GridKind = GridKind {
    name: "star_battle",
    since: SINCE,
    default_variant: "8x8",
    meaning: "6x6 to 11x11: the size of the board; 10x10-2: two stars in each row, column, and region",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &Regions,
};

static VARIANTS: [GridVariant; 7] = [
    board("6x6", 6),
    board("7x7", 7),
    board("8x8", 8),
    board("9x9", 9),
    board("10x10", 10),
    GridVariant { since: SINCE_11, ..board("11x11", 11) },
    GridVariant {
        since: SINCE_TWO,
        rules: "Place two stars in each row, column, and region so that no two stars touch, not even diagonally.",
        content: Content::Stars(2),
        ladder: LADDER_OF_SEVERAL,
        levels: &LEVELS_OF_SEVERAL,
        ..board("10x10-2", 10)
    },
];

const fn board(name: &'static str, size: u8) -> GridVariant {
    GridVariant {
        kind: "star_battle",
        name,
        rules: "Place one star in each row, column, and region so that no two stars touch, not even diagonally.",
        since: SINCE,
        size,
        areas: Areas::Regions,
        extra: &[],
        lines: true,
        content: Content::Stars(1),
        apart: true,
        clues: ClueType::None,
        round_rules: &[],
        extra_rules: &[],
        group: Group::Turns,
        ladder: LADDER,
        levels: &LEVELS,
        symmetries: &[SymmetryInfo { symmetry: Symmetry::None, since: SINCE }],
        givens: None,
        styles: &[],
    }
}

/// Exclusion and counting are the usual words of guides for players.
const LADDER: &[Technique] = &[
    rung("Last Place", 10, |t, p, take| hidden_single(|_| true, t, p, take), sentences::last_place),
    rung("Region in Line", 13, |t, p, take| seen_in_house(House::is_area, t, p, take), sentences::in_house),
    rung("Line in Region", 15, |t, p, take| seen_in_house(House::is_line, t, p, take), sentences::in_house),
    rung("Exclusion", 20, |t, p, take| seen_by_all(|_| true, t, p, take), sentences::exclusion),
    rung("Counting Two Houses", 30, |t, p, take| fish(2, t, p, take), sentences::counting),
    rung("Counting Three Houses", 35, |t, p, take| fish(3, t, p, take), sentences::counting),
    rung("Counting Four Houses", 45, |t, p, take| fish(4, t, p, take), sentences::counting),
    Technique { sentence: sentences::refutation, ..REFUTATIONS },
];

/// The ladder of boards with several stars in a house.
const LADDER_OF_SEVERAL: &[Technique] = &[
    rung("Last Place", 10, last_places, sentences::last_places),
    rung("Region in Line", 13, |t, p, take| in_house(House::is_area, t, p, take), sentences::stars_in_house),
    rung("Line in Region", 15, |t, p, take| in_house(House::is_line, t, p, take), sentences::stars_in_house),
    rung("Place beside Block", 17, place_beside_block, sentences::place_beside_block),
    rung("Exclusion", 20, exclusion, sentences::exclusion_of_several),
    rung("Exclusion by Block", 24, block_exclusion, sentences::block_exclusion),
    rung("Counting Two Houses", 30, |t, p, take| counting(2, t, p, take), sentences::counting_stars),
    rung("Counting Three Houses", 35, |t, p, take| counting(3, t, p, take), sentences::counting_stars),
    rung("Counting Four Houses", 45, |t, p, take| counting(4, t, p, take), sentences::counting_stars),
    Technique { sentence: sentences::refutation_of_several, ..REFUTATIONS },
];

const LEVELS: [LevelBorder; 5] = [
    level(Level::Easy, 10, 15, "a house has one place left for its star, or all its places lie in one line or region"),
    level(Level::Medium, 16, 29, "a star in a cell would leave a region, row, or column without a place"),
    level(Level::Hard, 30, 34, "the stars of two houses fit only in two others, so they are counted together"),
    level(Level::Expert, 35, 54, "the stars of three or four houses fit only in as many others"),
    level(Level::Evil, 55, 94, "a star leads to a contradiction after one or more rounds"),
];

const LEVELS_OF_SEVERAL: [LevelBorder; 5] = [
    level(
        Level::Easy,
        10,
        20,
        "a house has as many places left as it lacks stars, or a star in a cell would leave it fewer",
    ),
    level(Level::Medium, 21, 29, "a star in a cell would leave a house only places that touch each other"),
    LEVELS[2],
    LEVELS[3],
    LEVELS[4],
];
