//! What each kind refuses, by `refusals.toml` of its folder. Also what only this boundary refuses: specs that no criteria lead to, and
//! boards without a canonical form.

use puzzled_engine::shared::{
    criteria::Criteria,
    level::{Level, Tenths},
    spec::{Difficulty, Spec, SpecError},
    symmetry::Symmetry,
    text::TextError,
};

use super::{
    cases::{
        kinds::cases,
        refusals::{Refusals, RefusedSpec},
    },
    making::{styled, sudoku},
};

fn criteria(spec: RefusedSpec) -> Criteria {
    let RefusedSpec { variant, level, symmetry, technique, min_givens, max_givens, field: _, message: _ } = spec;
    let level_of = |name: String| Level::ALL.into_iter().find(|level| level.name() == name).unwrap();
    let symmetry_of = |name: String| Symmetry::ALL.into_iter().find(|symmetry| symmetry.name() == name).unwrap();
    Criteria {
        variant: Some(variant),
        level: level.map(level_of),
        symmetry: symmetry.map(symmetry_of),
        technique,
        min_givens,
        max_givens,
        ..Criteria::default()
    }
}

#[test]
fn spec_that_a_kind_does_not_make_is_refused() {
    for (kind, refusals) in cases::<Refusals>("refusals.toml") {
        assert!(!refusals.spec.is_empty(), "{}: refusals.toml has no spec", kind.name());
        for spec in refusals.spec {
            let expected = format!("{}: {}", spec.field, spec.message);
            let faults = criteria(spec).resolve(kind).unwrap_err();
            assert_eq!(faults.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected], "{}", kind.name());
        }
    }
}

#[test]
fn text_that_is_no_puzzle_is_refused_with_what_is_allowed() {
    for (kind, refusals) in cases::<Refusals>("refusals.toml") {
        assert!(!refusals.text.is_empty(), "{}: refusals.toml has no text", kind.name());
        for case in refusals.text {
            let refused = kind.normalize(&case.variant, &case.text).unwrap_err();
            assert_eq!(refused.to_string(), case.message, "{} {}", kind.name(), case.text);
            assert_eq!(matches!(refused, TextError::Variant { .. }), case.is_variant, "{}", case.text);
        }
    }
}

/// Criteria with such a technique or rating are refused before they become a spec.
#[test]
fn spec_that_no_criteria_lead_to_is_refused() {
    let easy = styled(sudoku(), "6x6", Difficulty::Level(Level::Easy));
    let technique = Spec { technique: Some("X-Wing".to_owned()), ..easy.clone() };
    let refusal = sudoku().check_spec(&technique).unwrap_err().to_string();
    assert_eq!(refusal, "technique: techniques are no criterion of sudoku 6x6; leave it out");
    let beyond = Spec { difficulty: Difficulty::Range { min: Tenths(95), max: Tenths(99) }, ..easy };
    let unsupported = SpecError::RatingUnsupported { wanted_min: Tenths(95), supported_max: Tenths(94) };
    assert_eq!(sudoku().check_spec(&beyond), Err(unsupported));
}

#[test]
fn nearly_empty_board_has_no_form_and_its_error_says_so() {
    let form = |text: &str| sudoku().canonical("", text).map_err(|error| error.to_string());
    assert_eq!(form(&format!("6x6: {:.<36}", "..5")), form(&format!("6x6: {:.>36}", "4")));
    assert_eq!(
        form(&format!("8x8: {:.<64}", "1")).unwrap_err(),
        "the board is too symmetric: more than 4096 orders of its rows and columns look alike; use one that is neither \
         nearly empty nor nearly full"
    );
}
