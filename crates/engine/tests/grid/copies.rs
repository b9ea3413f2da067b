//! Copies of a puzzle under the maps of its variant: what stays equal, and what differs between puzzles.

use std::collections::{BTreeMap, HashSet};

use puzzled_engine::{
    registry,
    shared::{budget::Budget, kind::View, rng::Rng, text::Verdict},
};

use super::{LINES, Line, each, maps::Map, rated};

/// The copies of each puzzle.
const COPIES: usize = 2;

#[test]
fn copies_have_equal_rating_technique_and_rounds() {
    let mut rng = Rng::from_seed(1);
    each("ratings", |line| {
        for _ in 0..COPIES {
            let copy = Map::random(line, &mut rng).apply(&line.text);
            assert_eq!(rated(line, &copy), (line.rating, line.technique.as_str(), line.rounds), "{} {copy}", line.text);
        }
        COPIES
    });
}

#[test]
fn copies_have_one_form_which_no_other_puzzle_has() {
    let (mut rng, mut forms) = (Rng::from_seed(2), HashSet::new());
    each("forms", |line| {
        let canonical = |text: &str| line.kind.canonical(line.variant(), text).unwrap();
        let form = canonical(&line.text);
        for _ in 0..COPIES {
            let copy = Map::of_form(line, &mut rng).apply(&line.text);
            assert_eq!(canonical(&copy), form, "{} {copy}", line.text);
        }
        assert_eq!(canonical(&form), form);
        assert!(form.starts_with(&format!("{}: ", line.variant())));
        if let Some(given) = line.digits(&line.text).iter().position(|digit| *digit != 0) {
            let at = line.text.find(": ").unwrap() + 2 + given;
            let thinner = format!("{}.{}", &line.text[..at], &line.text[at + 1..]);
            assert_ne!(canonical(&thinner), form, "{thinner}");
        }
        assert!(forms.insert(form), "{} is in the data twice", line.text);
        COPIES
    });
}

/// Each line of the file has a kind, a puzzle, and its form. These forms are frozen: puzzles in stock are compared by them. Prints the lines
/// that a new variant lacks.
#[test]
fn canonical_form_of_a_puzzle_never_changes() {
    let file = include_str!("../golden/grid_canonical.txt");
    for line in file.lines() {
        let [kind, puzzle, form] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
        assert_eq!(registry::kind(kind).unwrap().canonical("", puzzle).as_deref(), Ok(form));
    }
    let has_line = |line: &&Line| file.contains(&format!("{}\t{}: ", line.kind.name(), line.variant()));
    let mut lacking = BTreeMap::new();
    for Line { kind, info, text, .. } in LINES.iter().filter(|line| !has_line(line)) {
        lacking
            .entry((kind.name(), info.name))
            .or_insert_with(|| format!("{}\t{text}\t{}", kind.name(), kind.canonical(info.name, text).unwrap()));
    }
    let lacking: Vec<_> = lacking.into_values().collect();
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}

/// Boxes of 2 rows and 3 columns become boxes of 3 rows and 2 columns, so the rules are others. Of 1,000 puzzles, one or two happen to be
/// copies of their own mirror image.
#[test]
fn transposed_puzzle_is_another_unless_its_boxes_are_square() {
    let (mut count, mut same, mut unsolved) = (0, 0, 0);
    each("transposed", |line| {
        let transposed = Map::transposed(line.size()).apply(&line.text);
        if line.is_square() {
            assert_eq!(rated(line, &transposed).0, line.rating, "{transposed}");
        } else {
            let canonical = |text: &str| line.kind.canonical(line.variant(), text);
            let verdict = line.kind.validate(line.variant(), &transposed, &mut Budget::of_nodes(120_000)).unwrap();
            count += 1;
            same += usize::from(canonical(&transposed) == canonical(&line.text));
            unsolved += usize::from(!matches!(verdict, Verdict::Unique { .. }));
        }
        1
    });
    assert!(100 * same <= count, "{same} of {count} are copies of their mirror image");
    assert!(3 * unsolved > count, "only {unsolved} of {count} lack a solution of their own");
}

#[test]
fn views_keep_form_symmetry_rating_and_solution() {
    let mut rng = Rng::from_seed(3);
    each("views", |line| {
        let (kind, variant) = (line.kind, line.variant());
        assert!(kind.has_views(variant));
        let of = View { variant, symmetry: line.symmetry, text: &line.text, solution: &line.solution };
        let view = kind.scramble(&of, &mut rng).unwrap().unwrap();
        assert_eq!(kind.canonical(variant, &view.text), kind.canonical(variant, &line.text), "{}", line.text);
        assert_eq!(
            kind.pattern(variant, &view.text).unwrap(),
            kind.pattern(variant, &line.text).unwrap(),
            "{}",
            line.text
        );
        assert_eq!(rated(line, &view.text).0, line.rating);
        let verdict = kind.validate(variant, &view.text, &mut Budget::of_nodes(120_000));
        assert_eq!(verdict, Ok(Verdict::Unique { solution: view.solution }), "{}", line.text);
        1
    });
}
