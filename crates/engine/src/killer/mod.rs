//! Killer, a kind of the grid layer: a Sudoku whose clues are cages, which hold no digit twice and add up to a number.

use std::sync::LazyLock;

use crate::{
    grid::{
        clues::open_sum,
        find::Technique,
        kind::GridKind,
        make::{CageStyle, Cages},
        rules::House,
        techniques::{
            REFUTATIONS,
            cages::{self, sentences as of_cages},
            fish, hidden_set, hidden_single, naked_set, naked_single, no_area, rung, seen_by_all, sentences, wing,
        },
        variant::{Areas, ClueType, Content, Extra, GridVariant, Group},
    },
    shared::{
        level::{Level, LevelBorder, Tenths, level},
        symmetry::{Symmetry, SymmetryInfo},
    },
};

/// The first engine version with these variants.
const SINCE: u32 = 19;

/// The engine version that has 4x4.
const SINCE_4: u32 = 21;

pub(crate) static KILLER: GridKind = GridKind {
    name: "killer",
    since: SINCE,
    default_variant: "9x9",
    meaning: "4x4, 6x6, 9x9: the size of the board; 9x9-x: the digits 1 to 9 also on both diagonals",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &Cages { style: |_| &STYLE },
};

static STYLE: CageStyle = CageStyle { shares: &[0, 78, 96, 100], cells_max: 6, singles_max: 0, operators: &[] };

/// The rules for these houses and the digits up to `$last`.
macro_rules! rules {
    ($houses:literal, $last:literal) => {
        concat!("Fill each ", $houses, " with 1 to ", $last, "; the digits of a cage differ and add up to its sum.")
    };
}

static VARIANTS: [GridVariant; 4] = [
    GridVariant { since: SINCE_4, ..board("4x4", [2, 2], rules!("row, column, and box", 4), &TWO) },
    board("6x6", [2, 3], rules!("row, column, and box", 6), &FOUR),
    board("9x9", [3, 3], rules!("row, column, and box", 9), &FIVE),
    GridVariant {
        extra: &[Extra::Diagonals],
        ..board("9x9-x", [3, 3], rules!("row, column, box, and diagonal", 9), &FIVE)
    },
];

const fn board(
    name: &'static str,
    [rows, columns]: [u8; 2],
    rules: &'static str,
    levels: &'static [LevelBorder],
) -> GridVariant {
    GridVariant {
        kind: "killer",
        name,
        rules,
        since: SINCE,
        size: rows * columns,
        areas: Areas::Boxes { rows, columns },
        extra: &[],
        lines: true,
        content: Content::Digits(rows * columns),
        apart: false,
        clues: ClueType::Cages,
        round_rules: &[open_sum::bounds],
        extra_rules: &[open_sum::bounds, open_sum::combinations, open_sum::derived],
        group: Group::Complement,
        ladder: LADDER,
        levels,
        symmetries: &[SymmetryInfo { symmetry: Symmetry::None, since: SINCE }],
        givens: None,
        styles: &[],
    }
}

/// The names come from guides for players. Innies are the cells of a house that no cage inside it covers. If cages
/// cover a house, outies are their cells outside it.
const LADDER: &[Technique] = &[
    rung("Single Combination", 10, cages::single_combination, of_cages::single_combination),
    rung("Hidden Single in Box", 12, |t, p, take| hidden_single(House::is_area, t, p, take), sentences::hidden_single),
    rung("Hidden Single in Line", 15, |t, p, take| hidden_single(no_area, t, p, take), sentences::hidden_single),
    rung("Innie or Outie", 16, |t, p, take| cages::derived([one, one], t, p, take), of_cages::derived),
    rung("Cage Bounds", 18, cages::bounds, of_cages::bounds),
    rung("Naked Single", 19, naked_single, sentences::naked_single),
    rung("Cage Combinations", 24, cages::combinations, of_cages::combinations),
    rung("Pointing", 26, |t, p, take| seen_by_all(House::is_area, t, p, take), sentences::seen_by_all),
    rung("Claiming", 28, |t, p, take| seen_by_all(no_area, t, p, take), sentences::seen_by_all),
    rung("Cage and House", 29, cages::cage_and_house, of_cages::cage_and_house),
    rung("Naked Pair", 30, |t, p, take| naked_set(2, t, p, take), sentences::naked_set),
    rung("Innies or Outies", 32, |t, p, take| cages::derived([one, any], t, p, take), of_cages::derived),
    rung("Hidden Pair", 34, |t, p, take| hidden_set(2, t, p, take), sentences::hidden_set),
    rung("Innie or Outie of Houses", 35, |t, p, take| cages::derived([several, one], t, p, take), of_cages::derived),
    rung("Naked Triplet", 36, |t, p, take| naked_set(3, t, p, take), sentences::naked_set),
    rung("Innies or Outies of Houses", 38, |t, p, take| cages::derived([several, any], t, p, take), of_cages::derived),
    rung("X-Wing", 39, |t, p, take| fish(2, t, p, take), sentences::fish),
    rung("Hidden Triplet", 40, |t, p, take| hidden_set(3, t, p, take), sentences::hidden_set),
    rung("Swordfish", 41, |t, p, take| fish(3, t, p, take), sentences::fish),
    rung("XY-Wing", 42, |t, p, take| wing(2, t, p, take), sentences::wing),
    rung("XYZ-Wing", 44, |t, p, take| wing(3, t, p, take), sentences::wing),
    rung("Naked Quad", 50, |t, p, take| naked_set(4, t, p, take), sentences::naked_set),
    rung("Jellyfish", 52, |t, p, take| fish(4, t, p, take), sentences::fish),
    rung("Hidden Quad", 54, |t, p, take| hidden_set(4, t, p, take), sentences::hidden_set),
    REFUTATIONS,
];

fn one(count: usize) -> bool {
    count == 1
}

fn several(count: usize) -> bool {
    count > 1
}

fn any(count: usize) -> bool {
    count > 0
}

const EASY: LevelBorder =
    level(Level::Easy, 10, 19, "each step looks at one cage or one house, or finds one cell from the sum of a house");
const MEDIUM: LevelBorder = level(Level::Medium, 20, 29, "the ways to fill a cage have to be compared and noted");
const HARD: LevelBorder =
    level(Level::Hard, 30, 35, "sums of houses are compared with their cages, or pairs have to be found");
const FIVE: [LevelBorder; 5] = [
    EASY,
    MEDIUM,
    HARD,
    level(
        Level::Expert,
        36,
        54,
        "sums of several houses are compared with their cages, or large patterns have to be found",
    ),
    level(Level::Evil, 55, 94, "a candidate is refuted in one or more rounds"),
];
const FOUR: [LevelBorder; 4] = [
    EASY,
    MEDIUM,
    HARD,
    level(Level::Expert, 36, 94, "sums of several houses are compared, or a candidate is refuted in rounds"),
];
const TWO: [LevelBorder; 2] = [EASY, LevelBorder { max: Tenths(94), ..MEDIUM }];
