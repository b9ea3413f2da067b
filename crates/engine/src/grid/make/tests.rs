use super::*;
use crate::{
    grid::{cells::Cells, ladder::climb, orbits::orbits, position::Position, rules::Rules, solve},
    shared::{
        givens::Givens as Numbers,
        level::Level,
        resolve::OpenSpec,
        spec::{Difficulty, SpecError},
        symmetry::Symmetry,
        tries::MissReason,
    },
    sudoku::sizes::SIZES,
};

/// The spec of a request that states the level alone.
fn styled(variant: &str, difficulty: Difficulty) -> Spec {
    let info = SIZES.infos.iter().find(|info| info.name == variant).unwrap();
    let open = OpenSpec { symmetry: None, difficulty, min_givens: None, max_givens: None, technique: None };
    info.resolve("sudoku", variant, &open).unwrap()
}

/// The first puzzles that tries with seeds from 0 make.
fn made(spec: &Spec, count: usize) -> Vec<Made> {
    check_spec(&SIZES, spec).unwrap();
    let tries = (0..10_000).map(|seed| make(&SIZES, spec, &mut Rng::from_seed(seed), &mut Budget::of_nodes(1_000_000)));
    let made: Vec<_> =
        tries.filter_map(|ended| if let Try::Made(made) = ended { Some(*made) } else { None }).take(count).collect();
    assert_eq!(made.len(), count, "{}", spec.words());
    made
}

fn read(text: &str) -> Puzzle {
    parse(&SIZES, "", text).unwrap()
}

#[test]
fn puzzle_of_a_level_has_its_style_and_needs_its_techniques() {
    for (variant, info) in SIZES.variants.iter().zip(SIZES.infos.iter()) {
        for border in variant.levels {
            let spec = styled(variant.name, Difficulty::Level(border.level));
            for made in made(&spec, 4) {
                let (puzzle, record) = (read(&made.text), &made.record);
                assert!((border.min..=border.max).contains(&record.rating), "{}: {}", made.text, record.rating);
                let rules = Rules::of(&puzzle);
                let below = Tenths(border.min.0 - 1);
                let cut = climb(&mut Position::of(&rules, &puzzle.digits).unwrap(), variant.ladder, below);
                assert!(!cut.solved, "{} by the ladder up to {below}", made.text);
                let style = info.style(border.level).unwrap();
                assert!(style.made.contains(made.givens) && made.givens == puzzle.givens(), "{}", made.text);
                let given: Cells =
                    (0..).zip(&puzzle.digits).filter(|(_, digit)| **digit != 0).map(|(cell, _)| cell).collect();
                let is_whole = |orbit: Cells| orbit.is_within(given) || !orbit.meets(given);
                assert!(orbits(variant.size, style.symmetry).into_iter().all(is_whole), "{}", made.text);
                assert_eq!(made.text, write(&puzzle));
                assert!(model::holds(&puzzle, &read(&made.solution).digits), "{}", made.text);
                assert_eq!(Ok(&made.canonical), canonical(&puzzle).as_ref());
            }
        }
    }
}

#[test]
fn any_difficulty_yields_several_levels_with_their_givens() {
    let spec = styled("8x8", Difficulty::Any);
    let info = SIZES.infos.iter().find(|info| info.name == "8x8").unwrap();
    let mut ratings: Vec<_> = made(&spec, 20)
        .into_iter()
        .map(|made| {
            let delivered = spec.givens.or_else(|| info.delivered(made.record.rating)).unwrap();
            assert!(delivered.contains(made.givens), "{}", made.text);
            made.record.rating
        })
        .collect();
    ratings.sort_unstable();
    assert!(ratings[0] <= Tenths(15) && ratings[19] > Tenths(15), "{ratings:?}");
}

#[test]
fn stated_number_of_givens_is_met_with_each_symmetry() {
    for (variant, number) in [("6x6", 16), ("9x9-x", 33)] {
        let (known, info) =
            SIZES.variants.iter().zip(SIZES.infos.iter()).find(|(known, _)| known.name == variant).unwrap();
        for symmetry in info.symmetries.iter().map(|offered| offered.symmetry) {
            let number = if symmetry == Symmetry::Horizontal { number + 2 } else { number };
            let givens = Some(Numbers::new(number, number));
            let spec = Spec { symmetry, givens, ..styled(variant, Difficulty::Level(Level::Easy)) };
            for made in made(&spec, 3) {
                assert_eq!(made.givens, number, "{}", made.text);
                let puzzle = read(&made.text);
                let is_given = |cell: usize| puzzle.digits[cell] != 0;
                let is_kept = |cell: usize| {
                    symmetry.images(known.size.into(), cell).into_iter().all(|image| is_given(image) == is_given(cell))
                };
                assert!((0..known.cells()).all(is_kept), "{symmetry:?} {}", made.text);
            }
        }
    }
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
fn spec_that_no_puzzle_can_meet_is_refused() {
    let refusal = |spec: &Spec| check_spec(&SIZES, spec).err().map(|error| error.to_string());
    let easy = styled("6x6", Difficulty::Level(Level::Easy));
    let givens = |min, max| Some(Numbers::new(min, max));
    for (spec, reason) in [
        (
            Spec { variant: "7x7".to_owned(), ..easy.clone() },
            "variant: unknown variant \"7x7\" of sudoku; use 4x4, 6x6, 8x8, 9x9-x",
        ),
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
            "technique: sudoku cannot be asked for by a technique, because its rating states the class of reasoning; omit the field",
        ),
    ] {
        assert_eq!(refusal(&spec).as_deref(), Some(reason), "{}", spec.words());
    }
    let beyond = Spec { difficulty: Difficulty::Range { min: Tenths(95), max: Tenths(99) }, ..easy };
    let unsupported = SpecError::RatingUnsupported { wanted_min: Tenths(95), supported_max: Tenths(94) };
    assert_eq!(check_spec(&SIZES, &beyond), Err(unsupported));
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

#[test]
fn equal_seeds_make_equal_puzzles_and_a_raised_flag_ends_a_try() {
    let spec = styled("9x9-x", Difficulty::Level(Level::Medium));
    let [one, other] = [0, 1].map(|_| make(&SIZES, &spec, &mut Rng::from_seed(3), &mut Budget::of_nodes(100_000)));
    assert_eq!(one, other);
    let raised = std::sync::atomic::AtomicBool::new(true);
    let ended = make(&SIZES, &spec, &mut Rng::from_seed(3), &mut Budget::new(100_000, &raised));
    assert_eq!(ended, Try::Cancelled);
}
