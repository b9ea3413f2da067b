//! Tests of specs that ask for a technique, for a level with givens, or for nothing but a difficulty: puzzles meet them, and what
//! cannot be met is refused.

use puzzled_engine::{
    shared::{
        criteria::Criteria,
        givens::Givens,
        kind::PuzzleKind,
        level::{Level, Tenths, level_of},
        spec::{Difficulty, Spec, SpecError, Words},
        symmetry::Symmetry,
        tries::Try,
        variant::TechniqueGoal,
    },
    sudoku::Sudoku,
};

use super::{first_made, make, nine, spec, styled};

const fn range(min: u8, max: u8) -> Difficulty {
    Difficulty::Range { min: Tenths(min), max: Tenths(max) }
}

/// The technique of the first step that has the puzzle's rating, from the steps themselves.
fn hardest_step(text: &str) -> (&'static str, Tenths) {
    let steps = super::with_budget(u64::MAX, |budget| Sudoku.reason("9x9", text, budget)).unwrap().steps;
    let rating = steps.iter().map(|step| step.rating).max().unwrap();
    (steps.iter().find(|step| step.rating == rating).unwrap().technique, rating)
}

#[test]
fn puzzles_have_the_wanted_hardest_technique_and_meet_their_target() {
    for (technique, difficulty) in [
        ("Hidden Single in Box", Difficulty::Any),
        ("Dynamic Cell Forcing Chains (+)", Difficulty::Any),
        ("Naked Single", Difficulty::Level(Level::Medium)),
        ("Direct Hidden Pair", Difficulty::Any),
        ("X-Wing", Difficulty::Any),
        ("Swordfish", Difficulty::Level(Level::Hard)),
        ("XY-Wing", range(42, 42)),
        ("Unique Rectangle 1", Difficulty::Level(Level::Expert)),
        ("Turbot Fish", Difficulty::Any),
        ("Forcing Chain", Difficulty::Any),
        ("Region Forcing Chains", Difficulty::Any),
    ] {
        let spec = styled(difficulty, Some(technique));
        assert_eq!(Sudoku.check_spec(&spec), Ok(()), "{technique}");
        let (_, made) = first_made(&spec, 3);
        assert_eq!(made.record.technique, technique, "{made:?}");
        assert_eq!(hardest_step(&made.text), (technique, made.record.rating), "{made:?}");
        let is_named =
            made.record.explanation.contains(technique) || made.record.explanation.starts_with("Hidden singles");
        assert!(is_named, "{}", made.record.explanation);
        let delivered = spec.givens.or(nine().delivered(made.record.rating)).unwrap();
        assert!(delivered.contains(made.givens), "{technique}: {made:?}");
        let info = nine().technique(technique).unwrap();
        assert!((info.min_rating..=info.max_rating).contains(&made.record.rating), "{technique}: {made:?}");
    }
}

#[test]
fn twenty_puzzles_asked_for_by_a_technique_all_have_it_as_their_hardest() {
    let spec = styled(Difficulty::Any, Some("X-Wing"));
    assert_eq!(spec.words(), "sudoku|9x9|rotation180|3.2-3.2|23-34|X-Wing");
    let made = (0..2_000).filter_map(|try_number| match make(&spec, 5, try_number) {
        Try::Made(made) => Some(made),
        Try::Missed(_) | Try::Cancelled => None,
    });
    let made: Vec<_> = made.take(20).collect();
    assert_eq!(made.len(), 20);
    for made in made {
        assert_eq!(hardest_step(&made.text), ("X-Wing", Tenths(32)), "{made:?}");
    }
}

#[test]
fn level_is_met_with_a_wanted_number_of_givens() {
    for (level, givens) in [(Level::Easy, 28), (Level::Hard, 30), (Level::Expert, 26), (Level::Evil, 25)] {
        let spec = spec(Symmetry::Rotation180, Difficulty::Level(level), Some(Givens::new(givens, givens)));
        let (try_number, made) = first_made(&spec, 5);
        assert_eq!(made.givens, givens, "{level:?}");
        assert_eq!(level_of(nine().levels, made.record.rating), level, "try {try_number}");
    }
}

#[test]
fn unknown_or_unreachable_technique_is_refused() {
    let refused = |technique: &str, difficulty: Difficulty| {
        let spec = Spec { technique: Some(technique.to_owned()), ..spec(Symmetry::None, difficulty, None) };
        match Sudoku.check_spec(&spec) {
            Err(SpecError::Invalid { field: "technique", reason }) => reason,
            other => panic!("{technique}: {other:?}"),
        }
    };
    let unknown = refused("Y-Wing", Difficulty::Any);
    assert_eq!(unknown, "\"Y-Wing\" is unknown; the nearest are X-Wing, XY-Wing, XYZ-Wing");
    let too_hard = refused("X-Wing", Difficulty::Level(Level::Medium));
    assert_eq!(too_hard, "X-Wing is rated 3.2; the wanted ratings are 1.6 to 2.5; change one of them");
    let too_easy = refused("X-Wing", range(33, 70));
    assert_eq!(too_easy, "X-Wing is rated 3.2; the wanted ratings are 3.3 to 7.0; change one of them");
    // No board with a solution ever has the first; the others are the hardest technique of too few puzzles.
    for name in ["Direct Claiming", "Last Cell", "Dynamic Double Forcing Chains (+)"] {
        assert_eq!(nine().technique(name).map(|known| known.goal), Some(TechniqueGoal::Refused));
        assert!(
            refused(name, Difficulty::Any).starts_with(&format!("no puzzles with the hardest technique {name} are")),
            "{name}"
        );
    }
}

#[test]
fn request_gets_the_style_of_what_it_states() {
    let level = |level| Criteria { level: Some(level), ..Criteria::default() };
    let within = |min, max| Criteria::from(range(min, max));
    let technique = |name: &str| Criteria { technique: Some(name.to_owned()), ..Criteria::default() };
    let givens = |open, min_givens, max_givens| Criteria { min_givens, max_givens, ..open };
    let unsymmetric = |open| Criteria { symmetry: Some(Symmetry::None), ..open };
    for (open, words) in [
        (Criteria::default(), "rotation180|any|28-30"),
        (level(Level::Easy), "rotation180|easy|32-38"),
        (level(Level::Medium), "rotation180|medium|28-34"),
        (level(Level::Hard), "rotation180|hard|26-32"),
        (level(Level::Expert), "rotation180|expert|24-30"),
        (level(Level::Evil), "rotation180|evil|23-28"),
        (unsymmetric(level(Level::Easy)), "none|easy|32-38"),
        (within(10, 12), "rotation180|1.0-1.2|28-40"),
        (within(16, 40), "rotation180|1.6-4.0|25-34"),
        (within(70, 134), "rotation180|7.0-13.4|19-30"),
        (within(74, 80), "rotation180|7.4-8.0|19-30"),
        (within(75, 80), "none|7.5-8.0|any"),
        (technique("X-Wing"), "rotation180|3.2-3.2|23-34|X-Wing"),
        (technique("Bidirectional X-Cycle"), "rotation180|6.5-7.3|21-30|Bidirectional X-Cycle"),
        (technique("Nishio Forcing Chains"), "none|7.5-9.9|any|Nishio Forcing Chains"),
        (technique("Dynamic Cell Forcing Chains (+)"), "none|9.0-11.4|any|Dynamic Cell Forcing Chains (+)"),
        (givens(level(Level::Easy), Some(30), None), "rotation180|easy|30-38"),
        (givens(level(Level::Easy), Some(50), None), "rotation180|easy|50-50"),
        (givens(level(Level::Easy), None, Some(30)), "rotation180|easy|30-30"),
        (givens(level(Level::Evil), None, Some(25)), "rotation180|evil|23-25"),
        (givens(Criteria::default(), Some(40), Some(60)), "rotation180|any|40-60"),
        (givens(within(80, 84), Some(24), None), "none|8.0-8.4|24-30"),
    ] {
        let spec = open.spec(&Sudoku).unwrap();
        assert_eq!(spec.words(), format!("sudoku|9x9|{words}"), "{open:?}");
        assert_eq!(Sudoku.check_spec(&spec), Ok(()), "{words}");
    }
    let faults = givens(Criteria::default(), Some(30), Some(24)).spec(&Sudoku).unwrap_err();
    assert_eq!(faults.iter().map(ToString::to_string).collect::<Vec<_>>(), ["min_givens: 30 is above max_givens, 24"]);
}

#[test]
fn highest_rating_below_the_scale_is_refused_as_what_it_is() {
    let faults = Criteria { max_rating: Some(Tenths(5)), ..Criteria::default() }.resolve(&Sudoku).unwrap_err();
    let words: Vec<_> = faults.iter().map(|fault| fault.in_words(Words::Flags)).collect();
    assert_eq!(words, ["--max-rating: 0.5 is below 1.0, the easiest rating of sudoku"]);
}

#[test]
fn level_and_range_mean_their_intersection() {
    let difficulty = |level, min: Option<u8>, max: Option<u8>| {
        nine().difficulty(level, min.map(Tenths), max.map(Tenths)).map_err(|error| error.to_string())
    };
    for (level, min, max, wanted) in [
        (None, None, None, Ok(Difficulty::Any)),
        (Some(Level::Hard), None, None, Ok(Difficulty::Level(Level::Hard))),
        (None, Some(30), None, Ok(range(30, 134))),
        (Some(Level::Hard), Some(30), None, Ok(range(30, 40))),
        (Some(Level::Hard), Some(10), Some(28), Ok(range(26, 28))),
        (Some(Level::Evil), Some(60), None, Ok(range(70, 134))),
        (Some(Level::Hard), Some(50), Some(45), Ok(range(50, 45))),
        (
            Some(Level::Hard),
            Some(41),
            Some(50),
            Err("level: hard is rated 2.6 to 4.0; the wanted ratings are 4.1 to 5.0; change one of them".to_owned()),
        ),
    ] {
        assert_eq!(difficulty(level, min, max), wanted, "{level:?} {min:?} {max:?}");
    }
}

#[test]
fn givens_that_no_wanted_level_has_are_refused() {
    let refused = |difficulty, min, max| {
        let spec = spec(Symmetry::None, difficulty, Some(Givens::new(min, max)));
        Sudoku.check_spec(&spec).err().map(|error| error.to_string())
    };
    let evil = refused(Difficulty::Level(Level::Evil), 70, 70).unwrap();
    assert!(evil.starts_with("min_givens: evil with 70 givens is not made; evil has "), "{evil}");
    let both = refused(range(60, 80), 75, 80).unwrap();
    assert!(both.starts_with("min_givens: expert or evil with 75–80 givens is not made; expert has "), "{both}");
    assert_eq!(refused(Difficulty::Level(Level::Evil), 30, 80), None);
    assert_eq!(refused(Difficulty::Any, 70, 70), None);
}
