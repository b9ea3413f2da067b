//! Binairo, a kind of the grid layer, also known as Takuzu. Each cell holds a 0 or a 1. Each row and column has as many 0s as 1s, and no
//! three equal neighbors. The clues are digits and, in some variants, signs.

mod rules;
mod sentences;
mod techniques;

use std::sync::LazyLock;

use crate::{
    grid::{
        clues::{Relation, relations::signs},
        find::Technique,
        kind::GridKind,
        make::DigitClues,
        techniques::{REFUTATIONS, naked_single, rung, signs::direct_signs},
        variant::{Areas, ClueType, Content, GridVariant, Group},
    },
    shared::{
        givens::limits,
        level::{Level, LevelBorder, level},
        symmetry::{Symmetry, SymmetryInfo},
    },
};

use techniques::{Pattern, Rule, gap, pair, place, refutation};

/// The engine version that has the first of these variants.
const SINCE: u32 = 19;

/// The engine version that has 12x12 and 14x14.
const SINCE_12: u32 = 21;

/// The kind.
pub(crate) static BINAIRO: GridKind = GridKind {
    name: "binairo",
    since: SINCE,
    default_variant: "8x8",
    meaning: "6x6 to 14x14: the size of the board; 6x6-signs, 8x8-signs: signs between cells, and rows and columns may be equal",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &DigitClues::WITHOUT_REGIONS,
};

static VARIANTS: [GridVariant; 7] = [
    board(("6x6", 6), [6, 35], Some(&WITH_EQUAL_LINES[0])),
    board(("8x8", 8), [10, 63], Some(&WITH_EQUAL_LINES[1])),
    board(("10x10", 10), [17, 99], Some(&WITH_EQUAL_LINES[2])),
    GridVariant { since: SINCE_12, ..board(("12x12", 12), [28, 143], Some(&WITH_EQUAL_LINES[3])) },
    GridVariant { since: SINCE_12, ..board(("14x14", 14), [40, 195], Some(&WITH_EQUAL_LINES[4])) },
    GridVariant { name: "6x6-signs", ..WITH_SIGNS },
    GridVariant { name: "8x8-signs", size: 8, givens: Some(limits([1, 63], 3)), ..WITH_SIGNS },
];

/// A board with signs, on which lines may be equal.
const WITH_SIGNS: GridVariant = GridVariant {
    rules: "Put as many 0s as 1s in each row and column, never three alike side by side; = joins equal cells, x different ones.",
    content: Content::Halves { unlike: None },
    clues: ClueType::Signs(&[Relation::Same, Relation::Different]),
    round_rules: &[signs, rules::threes, rules::counts],
    extra_rules: &[signs, rules::threes, rules::counts, rules::signed_completions],
    ladder: &LADDER_WITH_SIGNS,
    levels: &LEVELS_WITH_SIGNS,
    ..board(("6x6-signs", 6), [1, 35], None)
};

/// The boards on which lines may be equal, for verdicts. Texts cannot name them.
static WITH_EQUAL_LINES: [GridVariant; 5] = [
    with_equal_lines(("6x6", 6), [6, 35]),
    with_equal_lines(("8x8", 8), [10, 63]),
    with_equal_lines(("10x10", 10), [17, 99]),
    with_equal_lines(("12x12", 12), [28, 143]),
    with_equal_lines(("14x14", 14), [40, 195]),
];

const fn with_equal_lines(size: (&'static str, u8), givens: [u16; 2]) -> GridVariant {
    GridVariant { extra_rules: &[rules::threes, rules::counts, rules::completions], ..board(size, givens, None) }
}

const fn board(
    (name, size): (&'static str, u8),
    [made_min, max]: [u16; 2],
    unlike: Option<&'static GridVariant>,
) -> GridVariant {
    GridVariant {
        kind: "binairo",
        name,
        rules: "Put as many 0s as 1s in each row and column, never three alike side by side; no two rows or columns are equal.",
        since: SINCE,
        size,
        areas: Areas::None,
        extra: &[],
        lines: true,
        content: Content::Halves { unlike },
        apart: false,
        clues: ClueType::None,
        round_rules: &[rules::threes, rules::counts],
        extra_rules: &[rules::threes, rules::counts, rules::completions, rules::unlike],
        group: Group::Complement,
        ladder: &LADDER,
        levels: &LEVELS,
        symmetries: &[SymmetryInfo { symmetry: Symmetry::None, since: SINCE }],
        givens: Some(limits([1, max], made_min)),
        styles: &[],
    }
}

const PAIRS: Rule = (rules::threes, pair, false);
const GAPS: Rule = (rules::threes, gap, false);
const COUNTS: Rule = (rules::counts, |line, _, digit| Some(line.held[digit]), false);
const CELL: Pattern = |_, cell, _| Some(cell);
const COMPLETIONS: Rule = (rules::completions, CELL, false);
const SIGNED_COMPLETIONS: Rule = (rules::signed_completions, CELL, true);
const UNLIKE: Rule = (rules::unlike, CELL, false);

const LADDER: [Technique; 7] = [
    rung("Naked Single", 10, naked_single, sentences::naked_single),
    rung("Pair", 12, |t, p, take| place(PAIRS, t, p, take), sentences::pair),
    rung("Gap", 13, |t, p, take| place(GAPS, t, p, take), sentences::gap),
    rung("Count", 15, |t, p, take| place(COUNTS, t, p, take), sentences::count),
    rung("Line Completion", 25, |t, p, take| place(COMPLETIONS, t, p, take), sentences::completion),
    rung("Unlike Lines", 40, |t, p, take| place(UNLIKE, t, p, take), sentences::unlike),
    Technique { find: refutation, sentence: sentences::refutation, ..REFUTATIONS },
];

const SIGN: Technique = rung("Sign", 11, direct_signs, sentences::by_sign);
const COMPLETION_BY_SIGNS: Technique = rung(
    "Line Completion by Signs",
    27,
    |t, p, take| place(SIGNED_COMPLETIONS, t, p, take),
    sentences::signed_completion,
);
const LADDER_WITH_SIGNS: [Technique; 8] =
    [LADDER[0], SIGN, LADDER[1], LADDER[2], LADDER[3], LADDER[4], COMPLETION_BY_SIGNS, LADDER[6]];

const LEVELS: [LevelBorder; 4] = [
    level(
        Level::Easy,
        10,
        15,
        "each cell follows from two equal cells near it or from a full count of a digit in a line",
    ),
    level(Level::Medium, 16, 29, "all ways to complete a row or column have to be compared"),
    level(Level::Hard, 30, 54, "a row or column must not become equal to another"),
    level(Level::Expert, 55, 94, "a digit leads to a contradiction after one or more rounds"),
];

const LEVELS_WITH_SIGNS: [LevelBorder; 3] = [
    level(Level::Easy, 10, 15, "each cell follows from two equal cells near it, a full count of a digit, or a sign"),
    LEVELS[1],
    level(Level::Hard, 30, 94, "a digit leads to a contradiction after one or more rounds"),
];
