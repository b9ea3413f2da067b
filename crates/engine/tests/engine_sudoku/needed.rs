//! Tests of specs that ask for a technique, or for a level together with a number of givens: puzzles meet them, and a
//! technique that is unknown or out of range is refused.

use puzzled_engine::{
    shared::{
        kind::PuzzleKind,
        level::{Level, Tenths, level_of},
        spec::{Difficulty, Spec, SpecError},
        symmetry::Symmetry,
        variant::TechniqueGoal,
    },
    sudoku::Sudoku,
};

use super::{first_made, nine, spec};

fn needing(technique: &str, difficulty: Difficulty, clues: Option<u16>) -> Spec {
    Spec { technique: Some(technique.to_owned()), ..spec(Symmetry::None, difficulty, clues) }
}

#[test]
fn every_puzzle_uses_the_wanted_technique_and_meets_its_target() {
    let cases = [
        ("Last Cell", Difficulty::Any, None),
        ("Naked Single", Difficulty::Any, Some(30)),
        ("Direct Hidden Pair", Difficulty::Any, None),
        ("X-Wing", Difficulty::Any, None),
        ("Swordfish", Difficulty::Level(Level::Hard), None),
        ("XY-Wing", Difficulty::Range { min: Tenths(42), max: Tenths(42) }, None),
        ("Unique Rectangle 1", Difficulty::Level(Level::Expert), None),
        ("Turbot Fish", Difficulty::Any, None),
    ];
    for (technique, difficulty, clues) in cases {
        let spec = needing(technique, difficulty, clues);
        assert_eq!(Sudoku.check_spec(&spec), Ok(()), "{technique}");
        let (_, made) = first_made(&spec, 3);
        assert!(made.record.techniques.iter().any(|used| used.technique == technique), "{technique}: {made:?}");
        assert!(clues.is_none_or(|clues| clues == made.givens), "{technique}: {made:?}");
        match difficulty {
            Difficulty::Any => {}
            Difficulty::Level(level) => assert_eq!(level_of(nine().levels, made.record.rating), level, "{technique}"),
            Difficulty::Range { min, max } => assert!((min..=max).contains(&made.record.rating), "{technique}"),
        }
    }
}

#[test]
fn level_is_met_with_a_wanted_number_of_givens() {
    for (level, clues) in [(Level::Easy, 28), (Level::Hard, 30), (Level::Expert, 26), (Level::Evil, 25)] {
        let (attempt, made) = first_made(&spec(Symmetry::Rotation180, Difficulty::Level(level), Some(clues)), 5);
        assert_eq!(made.givens, clues, "{level:?}");
        assert_eq!(level_of(nine().levels, made.record.rating), level, "try {attempt}");
    }
}

#[test]
fn unknown_or_unreachable_technique_is_refused() {
    let refused =
        |technique: &str, difficulty: Difficulty| match Sudoku.check_spec(&needing(technique, difficulty, None)) {
            Err(SpecError::Invalid { field: "technique", reason }) => reason,
            other => panic!("{technique}: {other:?}"),
        };
    let unknown = refused("Y-Wing", Difficulty::Any);
    assert_eq!(unknown, "\"Y-Wing\" is unknown; the nearest are X-Wing, XY-Wing, XYZ-Wing");
    let too_hard = refused("X-Wing", Difficulty::Level(Level::Medium));
    assert_eq!(too_hard, "X-Wing is rated 3.2, above 2.5, the hardest rating wanted");
    let last_cell = refused("Last Cell", Difficulty::Level(Level::Medium));
    let because = "is never needed from 1.5 on, where Hidden Single in Line does the same";
    assert_eq!(last_cell, format!("Last Cell {because}, and the easiest rating wanted is 1.6"));
    for (technique, min, is_refused) in [
        ("Last Cell", 14, false),
        ("Last Cell", 15, true),
        ("Direct Pointing", 25, false),
        ("Direct Pointing", 26, true),
        ("Direct Hidden Pair", 33, false),
        ("Direct Hidden Pair", 34, true),
        ("Direct Hidden Triplet", 39, false),
        ("Direct Hidden Triplet", 40, true),
        ("Hidden Single in Box", 90, false),
    ] {
        let difficulty = Difficulty::Range { min: Tenths(min), max: Tenths(100) };
        assert_eq!(Sudoku.check_spec(&needing(technique, difficulty, None)).is_err(), is_refused, "{technique} {min}");
    }
    // No board with a solution ever needs the first; puzzles that need the others are too rare.
    for name in ["Direct Claiming", "Dynamic Double Forcing Chains", "Dynamic Double Forcing Chains (+)"] {
        assert_eq!(nine().technique(name).map(|known| known.goal), Some(TechniqueGoal::Refused));
        assert!(
            refused(name, Difficulty::Any).starts_with(&format!("no puzzles that need {name} are generated")),
            "{name}"
        );
    }
}
