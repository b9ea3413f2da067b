//! Kinds for tests: boards of many sizes, with digits or stars, boxes or regions, further houses, and clues.

use std::sync::LazyLock;

use super::{
    clues::{Relation, open_sum, relations::signs, seen_lines},
    kind::GridKind,
    make::DigitClues,
    variant::{Areas, ClueType, Content, Extra, GridVariant, Group},
};

pub(super) static KIND: GridKind = GridKind {
    name: "sample",
    since: 1,
    default_variant: "6x6",
    meaning: "",
    variants: &[
        variant("4x4", 4, boxes(2, 2), &[], Group::Renaming),
        variant("6x6", 6, boxes(2, 3), &[], Group::Boxes),
        variant("8x8", 8, boxes(2, 4), &[], Group::Boxes),
        variant("9x9-x", 9, boxes(3, 3), &[Extra::Diagonals], Group::BoxesKeepingExtras),
        variant("9x9-windoku", 9, boxes(3, 3), &[Extra::Windows], Group::BoxesKeepingExtras),
        variant("10x10", 10, boxes(2, 5), &[], Group::Boxes),
        variant("12x12", 12, boxes(3, 4), &[], Group::Boxes),
        variant("16x16", 16, boxes(4, 4), &[], Group::Boxes),
        variant("5x5", 5, Areas::Regions, &[], Group::Turns),
        GridVariant { content: Content::Stars(1), apart: true, ..variant("7x7", 7, Areas::Regions, &[], Group::Turns) },
    ],
    infos: LazyLock::new(Vec::new),
    shape: &DigitClues::WITHOUT_REGIONS,
};

/// A kind with signs of all relations.
pub(super) static SIGNS: GridKind = GridKind {
    default_variant: "3x3",
    variants: &[GridVariant {
        clues: ClueType::Signs(&[Relation::Less, Relation::Greater, Relation::Same, Relation::Different]),
        round_rules: &[signs],
        extra_rules: &[signs],
        ..variant("3x3", 3, Areas::None, &[], Group::Complement)
    }],
    infos: LazyLock::new(Vec::new),
    name: "sample",
    since: 1,
    meaning: "",
    shape: &DigitClues::WITHOUT_REGIONS,
};

/// A kind with small regions.
pub(super) static SMALL: GridKind = GridKind {
    default_variant: "6x6",
    variants: &[GridVariant {
        lines: false,
        content: Content::Digits(5),
        apart: true,
        ..variant("6x6", 6, Areas::SmallRegions, &[], Group::TurnsKeepingDigits)
    }],
    infos: LazyLock::new(Vec::new),
    name: "sample",
    since: 1,
    meaning: "",
    shape: &DigitClues::WITHOUT_REGIONS,
};

/// A kind with cages of all operators.
pub(super) static ARITHMETIC: GridKind = GridKind {
    default_variant: "5x5",
    variants: &[GridVariant {
        clues: ClueType::Arithmetic,
        round_rules: &[open_sum::bounds],
        extra_rules: &[open_sum::bounds, open_sum::combinations],
        ..variant("5x5", 5, Areas::None, &[], Group::TurnsKeepingDigits)
    }],
    infos: LazyLock::new(Vec::new),
    name: "sample",
    since: 1,
    meaning: "",
    shape: &DigitClues::WITHOUT_REGIONS,
};

/// A kind with clues beside the grid.
pub(super) static SIGHTLINES: GridKind = GridKind {
    default_variant: "4x4",
    variants: &[GridVariant {
        clues: ClueType::Sightlines,
        round_rules: &[seen_lines::from_one_end],
        extra_rules: &[seen_lines::from_all_ends],
        ..variant("4x4", 4, Areas::None, &[], Group::TurnsKeepingDigits)
    }],
    infos: LazyLock::new(Vec::new),
    name: "sample",
    since: 1,
    meaning: "",
    shape: &DigitClues::WITHOUT_REGIONS,
};

pub(super) fn named(name: &str) -> &'static GridVariant {
    KIND.variants.iter().find(|variant| variant.name == name).expect("a variant of the kind")
}

const fn boxes(rows: u8, columns: u8) -> Areas {
    Areas::Boxes { rows, columns }
}

const fn variant(name: &'static str, size: u8, areas: Areas, extra: &'static [Extra], group: Group) -> GridVariant {
    GridVariant {
        kind: "sample",
        name,
        rules: "",
        since: 1,
        size,
        areas,
        extra,
        lines: true,
        content: Content::Digits(size),
        apart: false,
        clues: ClueType::None,
        round_rules: &[],
        extra_rules: &[],
        group,
        ladder: &[],
        levels: &[],
        symmetries: &[],
        givens: None,
        styles: &[],
    }
}
