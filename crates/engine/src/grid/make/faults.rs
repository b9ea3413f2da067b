//! What no caller can see from outside: a lying solver, and that a puzzle dug without the ladder is minimal.

use super::*;
use crate::{
    grid::solve,
    shared::{level::Level, resolve::OpenSpec, spec::Difficulty, symmetry::Symmetry, tries::MissReason},
    sudoku::sizes::SIZES,
};

/// The spec of a request that states the level alone.
fn styled(variant: &str, difficulty: Difficulty) -> Spec {
    let info = SIZES.infos.iter().find(|info| info.name == variant).unwrap();
    let open = OpenSpec { symmetry: None, difficulty, min_givens: None, max_givens: None, technique: None };
    info.resolve("sudoku", variant, &open).unwrap()
}

#[test]
fn puzzle_dug_without_the_ladder_is_minimal() {
    let spec = Spec { symmetry: Symmetry::None, givens: None, ..styled("6x6", Difficulty::Level(Level::Hard)) };
    let mut goal = Goal::of(&SIZES, &spec, &mut Rng::from_seed(0)).unwrap();
    goal.givens = None;
    for seed in 0..20 {
        let draft = Givens.start(&goal, &mut Rng::from_seed(seed), &mut Budget::of_nodes(100_000)).unwrap().unwrap();
        let several = |digits: Vec<u8>| {
            let found = solve::solutions(&draft.puzzle.with(digits), 2, &mut Budget::of_nodes(10_000)).unwrap();
            found.len() > 1
        };
        assert!(!several(draft.puzzle.digits.clone()));
        for cell in (0..36).filter(|&cell| draft.puzzle.digits[cell] != 0) {
            let mut thinner = draft.puzzle.digits.clone();
            thinner[cell] = 0;
            assert!(several(thinner), "{} {cell}", write(&draft.puzzle));
        }
    }
}

#[test]
fn try_with_a_wrong_solver_ends_with_a_disagreement() {
    let spec = styled("6x6", Difficulty::Level(Level::Easy));
    let goal = Goal::of(&SIZES, &spec, &mut Rng::from_seed(0)).unwrap();
    let liar = Solvers { core: |_, _, _| Ok(Vec::new()), ..SOLVERS };
    let attempt = Attempt { kind: &SIZES, spec: &spec, goal, solvers: &liar };
    let miss = attempt.run(&mut Rng::from_seed(1), &mut Budget::of_nodes(10_000)).unwrap().unwrap_err();
    let MissReason::SolversDisagree(told) = &miss.reason else { panic!("{miss:?}") };
    assert_eq!((told.kind, told.core.as_str(), miss.distance), ("sudoku", "no solution", 0));
}
