//! Finds the rare goals, for the bench `hits`. A goal is rare if one core makes fewer than six puzzles of it in the given time in
//! the style of its level, but enough from starters, without a style. The constants of `sudoku/make/offer.rs` come from this output.

use puzzled_engine::{
    shared::{
        givens::Givens,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
    },
    sudoku::Sudoku,
};

use super::{ENOUGH, goals, made, one_try};

/// The numbers of givens to measure.
const GIVENS: std::ops::RangeInclusive<u16> = 17..=22;

/// Prints a line for each half point, technique, and number of givens whose name contains `only`.
pub(crate) fn print(seconds: f64, only: &str) {
    let named = |goal: &goals::Goal| goal.name.contains(only);
    for goal in goals::half_points().chain(goals::techniques()).filter(named) {
        let unstyled = Spec { symmetry: Symmetry::None, givens: None, ..goal.spec.clone() };
        let styled = (goal.spec != unstyled).then(|| cell(&goal.spec, seconds));
        println!("{:<70}{:>32}{:>32}", goal.name, styled.unwrap_or_default(), cell(&unstyled, seconds));
    }
    let (kind, variant) = ("sudoku".to_owned(), "9x9".to_owned());
    let any =
        Spec { kind, variant, symmetry: Symmetry::None, difficulty: Difficulty::Any, givens: None, technique: None };
    for givens in GIVENS.filter(|givens| format!("{givens} givens").contains(only)) {
        let spec = Spec { givens: Some(Givens::new(givens, givens)), ..any.clone() };
        println!("{:<70}{:>32}", format!("{givens} givens"), cell(&spec, seconds));
    }
}

/// What the tries of a spec made.
fn cell(spec: &Spec, seconds: f64) -> String {
    let (made, tries, spent) = made(seconds, |try_number| one_try(&Sudoku, spec, try_number));
    let rare = if made < ENOUGH { " rare" } else { "" };
    format!("{made} in {spent:.2} s, {tries} tries{rare}")
}
