//! Each puzzle has one solution by both solvers, and the rating, level, style, and symmetry that it states.

use puzzled_engine::{
    registry,
    shared::{
        budget::Budget,
        level::{Tenths, level_of},
        text::Verdict,
    },
};

use super::{each, maps::keeps, rated, variants};

/// The most nodes of both proofs together.
const NODES_MAX: u64 = 120_000;

#[test]
fn each_puzzle_has_its_solution_by_both_solvers() {
    each("proved", |line| {
        let verdict = line.kind.validate(line.variant(), &line.text, &mut Budget::of_nodes(NODES_MAX));
        assert_eq!(verdict, Ok(Verdict::Unique { solution: line.solution.clone() }), "{}", line.text);
        1
    });
}

#[test]
fn each_puzzle_has_the_rating_that_it_states_and_the_look_of_its_level() {
    each("puzzles", |line| {
        let (rating, technique, rounds) = rated(line, &line.text);
        assert_eq!((rating, technique, rounds), (line.rating, line.technique.as_str(), line.rounds), "{}", line.text);
        assert_eq!(level_of(line.info.levels, rating), line.level);
        let of_rating =
            line.info.techniques.iter().filter(|info| info.min_rating <= rating && rating <= info.max_rating);
        assert!(of_rating.map(|info| info.name).eq([technique]), "{rating} names {technique} alone");
        let pattern = line.kind.pattern(line.variant(), &line.text).unwrap();
        assert_eq!((pattern.variant.as_str(), pattern.givens), (line.variant(), line.givens));
        let digits = line.kind.digits(line.variant(), &line.text).unwrap();
        assert!(keeps(line.symmetry, line.size(), &digits), "{}", line.text);
        let style = line.info.style(line.level);
        assert_eq!(style.is_none(), line.info.styles.is_empty());
        assert!(
            style.is_none_or(|style| style.symmetry == line.symmetry && style.made.unwrap().contains(line.givens)),
            "{}",
            line.text
        );
        1
    });
}

/// A ladder without the techniques of the level does not solve a puzzle of the level.
#[test]
fn each_puzzle_needs_the_techniques_of_its_level() {
    each("labels", |line| {
        let (min, max) = line.level.range(line.info.levels).unwrap();
        let is_solved = |upto| registry::is_solved_within(line.kind.name(), line.variant(), &line.text, upto).unwrap();
        assert!(!is_solved(Tenths(min.0 - 1)) && is_solved(max), "{}", line.text);
        1
    });
}

#[test]
fn ratings_of_a_ladder_rise_and_never_overlap() {
    for (_, info) in variants() {
        assert!(info.techniques.windows(2).all(|pair| pair[0].max_rating < pair[1].min_rating), "{}", info.name);
    }
}

#[test]
fn levels_leave_no_gap_and_their_styles_are_within_the_limits() {
    for (_, info) in variants() {
        assert!(info.levels.windows(2).all(|pair| pair[0].max.0 + 1 == pair[1].min.0), "{}", info.name);
        let Some(limits) = info.givens.filter(|_| !info.styles.is_empty()) else { continue };
        let levels = info.levels.iter().map(|border| border.level);
        assert!(levels.eq(info.styles.iter().map(|style| style.level)), "{}", info.name);
        let is_within = |range| limits.searched.within(range) == Some(range);
        assert!(info.styles.iter().all(|style| is_within(style.made.unwrap())), "{}", info.name);
    }
}
