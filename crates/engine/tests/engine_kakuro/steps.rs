//! Checks Kakuro steps with the independent checker: each step must follow from the cells that it names, and a step
//! that does not follow is reported.

use std::sync::atomic::AtomicBool;

use puzzled_engine::{
    kakuro::{
        board::Puzzle,
        notation::text,
        techniques::{check_steps, reason, sentence},
    },
    shared::{
        budget::Budget,
        level::Level,
        spec::Difficulty,
        step::{Step, Unproven},
        symmetry::Symmetry,
    },
};

use crate::{generate, levels, mixed, real_puzzles, spec};

fn checked(puzzle: &Puzzle, steps: &[Step]) -> Result<(), Unproven> {
    let never = AtomicBool::new(false);
    check_steps(puzzle, steps, &mut Budget::new(10_000_000, &never))
}

fn steps(puzzle: &Puzzle) -> Vec<Step> {
    let never = AtomicBool::new(false);
    reason(puzzle, &mut Budget::new(1_000_000, &never)).unwrap()
}

#[test]
fn every_elimination_follows_from_its_pattern() {
    let mut techniques: Vec<&str> = Vec::new();
    let hardest = [Level::Expert, Level::Evil].map(|level| spec("8x10", Symmetry::None, Difficulty::Level(level)));
    let more = hardest.iter().flat_map(|spec| (0..3).map(|index| (spec.clone(), generate(spec, index))));
    for (_, made) in mixed().into_iter().chain(levels()).chain(more) {
        let puzzle = text::parse(&made.text).unwrap();
        let steps = steps(&puzzle);
        assert_eq!(checked(&puzzle, &steps), Ok(()), "{}", made.text);
        techniques.extend(steps.iter().map(|step| step.technique));
    }
    for (name, file) in real_puzzles() {
        let puzzle = text::parse(&file).unwrap();
        assert_eq!(checked(&puzzle, &steps(&puzzle)), Ok(()), "{name}");
    }
    techniques.sort_unstable();
    techniques.dedup();
    assert!(techniques.len() >= 14 && techniques.contains(&"Long Contradiction"), "{techniques:?}");
    assert!(!techniques.contains(&"Trial and Error"), "a puzzle that is made needs no search");
}

/// `tests/golden/kakuro_sentences.txt` has the first step of each technique.
#[test]
fn sentences_stay_word_for_word() {
    let mut first: Vec<(&str, String)> = Vec::new();
    for (_, made) in mixed().into_iter().chain(levels()) {
        for step in steps(&text::parse(&made.text).unwrap()) {
            if first.iter().all(|(technique, _)| *technique != step.technique) {
                first.push((step.technique, format!("{}: {}\n", step.technique, sentence(&step))));
            }
        }
    }
    first.sort();
    let written: String = first.into_iter().map(|(_, line)| line).collect();
    assert_eq!(written, include_str!("../golden/kakuro_sentences.txt"), "the sentences are now:\n{written}");
}

#[test]
fn unproven_step_is_reported_with_its_claim() {
    let puzzle = text::parse("# # \\8 \\10\n# 3\\3 . .\n15\\ . . .\n3\\ . . #").unwrap();
    let true_steps = steps(&puzzle);
    assert_eq!(checked(&puzzle, &true_steps), Ok(()));
    let first = Step { removed: vec![(6, 3), (6, 1)], placed: Vec::new(), ..true_steps[0].clone() };
    assert_eq!(first.cells, [6, 7], "the 3 across from r2c2");
    let named = |claim: &str| Err(Unproven { step: 0, claim: claim.to_owned() });
    assert_eq!(checked(&puzzle, std::slice::from_ref(&first)), named("r2c3 is not 1"));
    let placed = Step { removed: Vec::new(), placed: vec![(6, 1)], ..first.clone() };
    assert_eq!(checked(&puzzle, &[placed]), named("r2c3 is 1"));
    let elsewhere = Step { cells: vec![9, 10, 11], removed: vec![(6, 3)], ..first.clone() };
    assert_eq!(checked(&puzzle, &[elsewhere]), named("r2c3 is not 3"));
    let nothing = Step { removed: Vec::new(), ..first };
    assert_eq!(checked(&puzzle, &[nothing]), named("nothing"));
}
