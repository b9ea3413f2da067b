//! The list of all puzzle kinds; `docs/kinds.md` says how to add one. Also has [`refusal`], [`needed_version`], and [`effort`], which work for
//! any kind.

use std::sync::LazyLock;

#[cfg(feature = "tools")]
use crate::shared::level::Tenths;
use crate::{
    ENGINE_VERSION,
    binairo::BINAIRO,
    calcudoku::CALCUDOKU,
    futoshiki::FUTOSHIKI,
    grid::{GridMetrics, kind::Grid},
    jigsaw::JIGSAW,
    kakuro::{Kakuro, metrics::KakuroMetrics},
    killer::KILLER,
    shared::{kind::PuzzleKind, record::StoredRecord, spec::Spec},
    skyscrapers::SKYSCRAPERS,
    star_battle::STAR_BATTLE,
    sudoku::Sudoku,
    suguru::SUGURU,
};

/// The kinds whose puzzles the grid layer makes. Sudoku of other sizes than 9x9 are on this layer, too, but their kind is [`Sudoku`].
static GRIDS: &[Grid] = &[
    Grid(&STAR_BATTLE),
    Grid(&JIGSAW),
    Grid(&KILLER),
    Grid(&FUTOSHIKI),
    Grid(&BINAIRO),
    Grid(&SUGURU),
    Grid(&CALCUDOKU),
    Grid(&SKYSCRAPERS),
];

static KINDS: LazyLock<Vec<&'static dyn PuzzleKind>> = LazyLock::new(|| {
    let first: [&dyn PuzzleKind; 2] = [&Sudoku, &Kakuro];
    first.into_iter().chain(GRIDS.iter().map(|grid| -> &dyn PuzzleKind { grid })).collect()
});

/// Every kind, in the order in which people see them listed.
#[must_use]
pub fn kinds() -> &'static [&'static dyn PuzzleKind] {
    &KINDS
}

/// The kind with this name, which is in lower case, or `None` if there is no such kind.
#[must_use]
pub fn kind(name: &str) -> Option<&'static dyn PuzzleKind> {
    KINDS.iter().copied().find(|kind| kind.name() == name)
}

/// Whether the ladder of a grid kind solves a puzzle without the steps that are rated above `upto`. `None` if the kind has no variant
/// on the grid layer, or if the text is not one of the variant. For tests.
#[cfg(feature = "tools")]
#[doc(hidden)]
#[must_use]
pub fn is_solved_within(kind: &str, variant: &str, text: &str, upto: Tenths) -> Option<bool> {
    let mut layers = std::iter::once(&crate::sudoku::LAYER).chain(GRIDS);
    layers.find(|layer| layer.name() == kind)?.is_solved_within(variant, text, upto).ok()
}

/// The effort of a rated puzzle, at least 0. It orders the puzzles of one variant and level: a higher effort means a harder puzzle. For a
/// puzzle on a square grid, it has one decimal. For a Kakuro, it is the effort of the metrics. `None` for a Sudoku 9x9, whose predicted time
/// orders the puzzles, and for metrics that only a newer version knows.
#[must_use]
pub fn effort(record: &StoredRecord) -> Option<f64> {
    match record.metrics.name() {
        GridMetrics::NAME => record.metrics.read().map(|metrics: GridMetrics| metrics.effort(&record.techniques)),
        "kakuro" => record.metrics.read().map(|metrics: KakuroMetrics| metrics.effort),
        _ => None,
    }
}

/// The reason, in one line, why this version does not generate puzzles of a spec. `None` if it generates them, or if the kind is
/// unknown.
#[must_use]
pub fn refusal(spec: &Spec) -> Option<String> {
    kind(&spec.kind)?.check_spec(spec).err().map(|error| error.to_string())
}

/// The [`ENGINE_VERSION`] that a worker needs for a spec that this version accepts. The kind, the variant with each option, the symmetry, and
/// the technique each state a version, and the newest of them counts: an older worker would refuse the spec. A kind, variant, symmetry, or technique that is unknown here counts as new in this version.
#[must_use]
pub fn needed_version(spec: &Spec) -> u32 {
    kind(&spec.kind).map_or(ENGINE_VERSION, |kind| kind.needed_version(spec))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        FIRST_VERSION,
        shared::symmetry::Symmetry,
        toy::{Toy, toy_spec},
    };

    #[test]
    fn name_of_a_kind_is_a_word_that_an_enum_value_can_have() {
        for name in kinds().iter().map(|kind| kind.name()) {
            assert!(
                name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'),
                "{name}"
            );
        }
    }

    #[test]
    fn rules_of_a_variant_are_one_short_sentence_in_ascii() {
        for info in kinds().iter().flat_map(|kind| kind.variants()) {
            let rules = info.rules;
            assert!(rules.is_ascii() && rules.len() <= 120 && rules.find('.') == Some(rules.len() - 1), "{rules}");
        }
    }

    #[test]
    fn all_that_a_spec_may_ask_for_states_a_version_that_exists() {
        for kind in kinds() {
            let name = kind.name();
            let mut stated = vec![(name.to_owned(), kind.since())];
            for variant in kind.variants() {
                let of = |what: &str| format!("{name} {} {what}", variant.name);
                stated.push((of(""), variant.since));
                assert!(variant.symmetry_since(Symmetry::None).is_some(), "{name} {}", variant.name);
                stated.extend(variant.symmetries.iter().map(|info| (of(info.symmetry.name()), info.since)));
                stated.extend(variant.techniques.iter().map(|info| (of(info.name), info.since)));
            }
            for (what, since) in stated {
                assert!((FIRST_VERSION..=ENGINE_VERSION).contains(&since), "{what}: {since}");
            }
        }
    }

    #[test]
    fn a_spec_needs_the_version_of_its_newest_part() {
        let toy = Toy::default();
        let spec = toy_spec();
        let needed = |spec: &Spec| toy.needed_version(spec);
        // These are the versions that the toy kind states.
        assert_eq!(needed(&spec), 2, "the variant is newer than the kind");
        let full = Spec { symmetry: Symmetry::Full, ..spec.clone() };
        assert_eq!(needed(&full), 3);
        let reading = Some("Reading".to_owned());
        assert_eq!(needed(&Spec { technique: reading.clone(), ..spec.clone() }), 4);
        assert_eq!(needed(&Spec { technique: reading, ..full }), 4);
        for unknown in [
            Spec { symmetry: Symmetry::Diagonal, ..spec.clone() },
            Spec { technique: Some("Guessing".to_owned()), ..spec.clone() },
        ] {
            assert_eq!(needed(&unknown), ENGINE_VERSION, "{unknown:?}");
        }
        assert_eq!(needed_version(&spec), ENGINE_VERSION, "no kind of the registry states it");
    }

    #[test]
    fn text_has_the_variant_that_is_named_or_that_of_its_size() {
        let six = format!("6x6: {}", ".".repeat(36));
        let (sudoku, kakuro) = (".".repeat(81), "# \\4 \\3\n3\\ . .\n4\\ . .");
        for (name, named, text, variant, cells) in [
            ("sudoku", "", sudoku.as_str(), "9x9", 81),
            ("sudoku", "9x9", &sudoku, "9x9", 81),
            ("sudoku", "9x9-x", &sudoku, "9x9-x", 81),
            ("sudoku", "", &six, "6x6", 36),
            ("kakuro", "", kakuro, "3x3", 9),
            ("kakuro", "3x3-runs7", kakuro, "3x3", 9),
            ("kakuro", "3x3-runs9", kakuro, "3x3-runs9", 9),
        ] {
            let kind = kind(name).unwrap();
            assert_eq!(kind.variant_of(named, text).unwrap(), variant, "{named}");
            assert_eq!(kind.cells(text).len(), cells);
        }
        assert_eq!(kind("kakuro").unwrap().cells(kakuro)[1..4], ["\\4", "\\3", "3\\"]);
    }

    #[test]
    fn specs_of_every_kind_need_no_version_newer_than_this_one() {
        for (kind, variant, technique) in [
            ("sudoku", "9x9", None),
            ("sudoku", "9x9", Some("X-Wing")),
            ("kakuro", "8x10", None),
            ("kakuro", "20x20-runs9-white70", None),
            ("kakuro", "4x4:####,#..#,#...,##..", None),
        ] {
            let technique = technique.map(str::to_owned);
            let spec = Spec { kind: kind.to_owned(), variant: variant.to_owned(), technique, ..toy_spec() };
            let needed = needed_version(&spec);
            assert!((FIRST_VERSION..=ENGINE_VERSION).contains(&needed), "{spec:?}: {needed}");
        }
    }
}
