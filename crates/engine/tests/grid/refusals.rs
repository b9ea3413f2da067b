//! The message of each refusal of a spec, and of each text whose cells or name are wrong.

use puzzled_engine::{
    registry,
    shared::{
        criteria::Criteria,
        givens::Givens,
        level::{Level, Tenths},
        spec::{Difficulty, Spec, SpecError},
        symmetry::Symmetry,
    },
};

use super::making::{styled, sudoku};

const SIX: &str = "6x6: 1.....2.....3.....4.....5.....6.....";

#[test]
fn spec_that_no_puzzle_can_meet_is_refused() {
    let refusal = |spec: &Spec| sudoku().check_spec(spec).err().map(|error| error.to_string());
    let easy = styled(sudoku(), "6x6", Difficulty::Level(Level::Easy));
    let givens = |min, max| Some(Givens::new(min, max));
    for (spec, reason) in [
        (
            Spec { difficulty: Difficulty::Level(Level::Evil), ..easy.clone() },
            "level: sudoku 6x6 has no level evil; use easy, medium, hard",
        ),
        (
            Spec { symmetry: Symmetry::Diagonal, ..easy.clone() },
            "symmetry: sudoku 6x6 has no symmetry diagonal; use none, rotation180, horizontal, vertical",
        ),
        (
            Spec { givens: givens(15, 15), ..easy.clone() },
            "min_givens: no pattern of 15 givens has the symmetry rotation180; nearest: 14 and 16",
        ),
        (Spec { givens: givens(7, 16), ..easy.clone() }, "min_givens: 7 is not allowed; use 8 to 35"),
        (
            Spec { technique: Some("X-Wing".to_owned()), ..easy.clone() },
            "technique: techniques are no criterion of sudoku 6x6; leave it out",
        ),
    ] {
        assert_eq!(refusal(&spec).as_deref(), Some(reason), "{}", spec.words());
    }
    let beyond = Spec { difficulty: Difficulty::Range { min: Tenths(95), max: Tenths(99) }, ..easy };
    let unsupported = SpecError::RatingUnsupported { wanted_min: Tenths(95), supported_max: Tenths(94) };
    assert_eq!(sudoku().check_spec(&beyond), Err(unsupported));
}

#[test]
fn spec_with_what_its_kind_lacks_is_refused() {
    let givens = Criteria { min_givens: Some(1), ..Criteria::default() };
    let full = Criteria { symmetry: Some(Symmetry::Full), ..Criteria::default() };
    let technique = |name: &str| Criteria { technique: Some(name.to_owned()), ..Criteria::default() };
    for (kind, variant, stated, reason) in [
        (
            "star_battle",
            "8x8",
            givens,
            "min_givens: 1: numbers of givens are no criterion of the kind star battle; leave it out",
        ),
        ("star_battle", "8x8", full.clone(), "symmetry: star battle 8x8 has no symmetry full; use none"),
        (
            "star_battle",
            "8x8",
            technique("Exclusion"),
            "technique: \"Exclusion\": techniques are no criterion of the kind star battle; leave it out",
        ),
        ("binairo", "8x8", full, "symmetry: binairo 8x8 has no symmetry full; use none"),
        (
            "binairo",
            "8x8",
            technique("Unlike Lines"),
            "technique: \"Unlike Lines\": techniques are no criterion of the kind binairo; leave it out",
        ),
    ] {
        let criteria = Criteria { variant: Some(variant.to_owned()), ..stated };
        let faults = criteria.resolve(registry::kind(kind).unwrap()).unwrap_err();
        assert_eq!(faults.iter().map(ToString::to_string).collect::<Vec<_>>(), [reason]);
    }
}

#[test]
fn wrong_cells_and_names_are_refused_with_what_is_allowed() {
    for (variant, text, fault) in [
        ("8x8", SIX.to_owned(), "the text names the variant \"6x6\"; the puzzle is of 8x8"),
        ("", format!("{SIX}."), "37 cells; the puzzle must have exactly 36"),
        ("6x6", SIX[5..].replace('6', "7"), "row 6, column 1: '7' is not allowed; use 1 to 6, . for an empty cell"),
        ("", format!("{SIX} regions=aa"), "sudoku 6x6 has no part \"regions=\"; remove it; it has no named parts"),
        ("", format!("{SIX} cages=aa"), "sudoku 6x6 has no part \"cages=\"; remove it; it has no named parts"),
    ] {
        assert_eq!(
            sudoku().normalize(variant, &text).map_err(|error| error.to_string()),
            Err(fault.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn address_that_no_kind_reads_is_refused_as_an_address() {
    for (kind, allowed) in [("killer", "an address of f-puzzles with load=, or "), ("binairo", "")] {
        let error = registry::kind(kind).unwrap().normalize("", "https://example.com/abc").unwrap_err();
        assert_eq!(error.to_string(), format!("{kind} cannot read this address; use {allowed}the text of the puzzle"));
    }
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
