//! The example of `docs/kinds.md`, for tests: Sudoku with four windows as a separate kind, written as data of the grid layer.

use std::sync::{LazyLock, atomic::AtomicBool};

use crate::{
    grid::{
        kind::{Grid, GridKind},
        make::DigitClues,
        techniques::LADDER,
        variant::{Areas, ClueType, Content, Extra, GridVariant, Group},
    },
    shared::{
        budget::Budget,
        criteria::Criteria,
        givens::{Givens, GivensLimits, Style},
        job_index::{IndexOutcome, JobIndex, first_hit},
        kind::PuzzleKind as _,
        level::{Level, LevelBorder, Tenths},
        symmetry::{Symmetry, SymmetryInfo},
        text::Verdict,
    },
};

static WINDOWS: GridKind = GridKind {
    name: "windows",
    since: SINCE,
    default_variant: "9x9",
    meaning: "9x9: the digits 1 to 9 also in four windows",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &DigitClues::WITHOUT_REGIONS,
};

static VARIANTS: [GridVariant; 1] = [GridVariant {
    kind: "windows",
    name: "9x9",
    rules: "Fill the grid so that each row, column, box, and window contains the digits 1 to 9.",
    since: SINCE,
    size: 9,
    areas: Areas::Boxes { rows: 3, columns: 3 },
    extra: &[Extra::Windows],
    lines: true,
    content: Content::Digits(9),
    apart: false,
    clues: ClueType::None,
    round_rules: &[],
    extra_rules: &[],
    group: Group::BoxesKeepingExtras,
    ladder: LADDER,
    levels: &[level(Level::Easy, 10, 25, "no notes are needed"), level(Level::Hard, 26, 94, "notes are needed")],
    symmetries: &SymmetryInfo::all_since(SINCE),
    givens: Some(GivensLimits { searched: Givens::new(12, 80), made: Givens::new(16, 80) }),
    styles: &[style(Level::Easy, [20, 27]), style(Level::Hard, [18, 22])],
}];

const fn level(level: Level, min: u8, max: u8, reason: &'static str) -> LevelBorder {
    LevelBorder { level, min: Tenths(min), max: Tenths(max), reason }
}

const fn style(level: Level, [from, to]: [u16; 2]) -> Style {
    let [made, delivered] = [Givens::new(from, to), Givens::new(from - 2, to + 2)];
    Style { level, symmetry: Symmetry::Rotation180, made: Some(made), delivered: Some(delivered) }
}

const SINCE: u32 = 18;

#[test]
fn kind_that_the_page_on_kinds_describes_makes_puzzles_of_its_levels() {
    let kind = Grid(&WINDOWS);
    for level in [Level::Easy, Level::Hard] {
        let spec = Criteria { level: Some(level), ..Criteria::default() }.spec(&kind).unwrap();
        let index = JobIndex { kind: &kind, spec: &spec, seed: 1, index: 0 };
        let outcome = first_hit(&index, 0..1_000, &AtomicBool::new(false), &mut |_| ());
        let IndexOutcome::Hit { made, .. } = outcome else { panic!("{outcome:?}") };
        let verdict = kind.validate("9x9", &made.text, &mut Budget::of_nodes(100_000)).unwrap();
        assert_eq!(verdict, Verdict::Unique { solution: made.solution });
        let border = WINDOWS.variants[0].levels.iter().find(|border| border.level == level).unwrap();
        assert!((border.min..=border.max).contains(&made.record.rating), "{level:?}: {}", made.record.rating);
    }
}
