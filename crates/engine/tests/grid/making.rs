//! Puzzles that are made for a spec: their givens, symmetry, and levels, and that equal seeds make equal puzzles.

use std::sync::atomic::AtomicBool;

use puzzled_engine::{
    registry,
    shared::{
        budget::Budget,
        criteria::Criteria,
        givens::Givens,
        job_index::{JobIndex, one_try},
        kind::{PuzzleKind, View},
        level::{Level, Tenths},
        rng::Rng,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        tries::{Made, Try},
    },
};

use super::{maps::keeps, variants};

pub(crate) fn sudoku() -> &'static dyn PuzzleKind {
    registry::kind("sudoku").unwrap()
}

/// The spec of a request that states the difficulty alone.
pub(crate) fn styled(kind: &dyn PuzzleKind, variant: &str, difficulty: Difficulty) -> Spec {
    Criteria { variant: Some(variant.to_owned()), ..Criteria::from(difficulty) }.spec(kind).unwrap()
}

fn try_of(kind: &dyn PuzzleKind, spec: &Spec, try_number: u32) -> Try {
    one_try(&JobIndex { kind, spec, seed: 1, index: 0 }, try_number, &AtomicBool::new(false))
}

/// The first puzzles of a job.
fn made(kind: &dyn PuzzleKind, spec: &Spec, count: usize) -> Vec<Made> {
    kind.check_spec(spec).unwrap();
    let tries = (0..10_000).map(|number| try_of(kind, spec, number));
    let made = tries.filter_map(|ended| if let Try::Made(made) = ended { Some(*made) } else { None });
    let made: Vec<_> = made.take(count).collect();
    assert_eq!(made.len(), count, "{}", spec.words());
    made
}

#[test]
fn equal_seeds_make_equal_puzzles_in_their_stored_form() {
    for (kind, info) in variants() {
        for level in info.levels.iter().map(|border| border.level) {
            let spec = styled(kind, info.name, Difficulty::Level(level));
            let puzzles = made(kind, &spec, 2);
            assert_eq!(puzzles, made(kind, &spec, 2));
            for made in puzzles {
                assert_eq!(kind.normalize(info.name, &made.text).as_ref(), Ok(&made.text));
                assert_eq!(kind.canonical(info.name, &made.text).as_ref(), Ok(&made.canonical));
                let reasoned = kind.reason(info.name, &made.text, &mut Budget::of_nodes(u64::MAX)).unwrap();
                assert_eq!(reasoned.record, Ok(made.record), "{}", made.text);
            }
        }
    }
}

#[test]
fn raised_flag_ends_a_try() {
    for (kind, info) in variants() {
        let spec = styled(kind, info.name, Difficulty::Any);
        let at = JobIndex { kind, spec: &spec, seed: 1, index: 0 };
        assert_eq!(one_try(&at, 0, &AtomicBool::new(true)), Try::Cancelled);
    }
}

#[test]
fn any_difficulty_yields_several_levels_with_their_givens() {
    let (kind, info) = (sudoku(), sudoku().variant("8x8").unwrap());
    let spec = styled(kind, "8x8", Difficulty::Any);
    let made = made(kind, &spec, 20);
    for made in &made {
        let delivered = spec.givens.or_else(|| info.delivered(made.record.rating)).unwrap();
        assert!(delivered.contains(made.givens), "{}", made.text);
    }
    let easy = made.iter().filter(|made| made.record.rating <= Tenths(15)).count();
    assert!((1..20).contains(&easy), "{easy}");
}

#[test]
fn stated_number_of_givens_is_met_with_each_symmetry() {
    for (name, variant, size, number) in
        [("sudoku", "6x6", 6, 16), ("sudoku", "9x9-x", 9, 33), ("jigsaw", "9x9", 9, 33)]
    {
        let kind = registry::kind(name).unwrap();
        for symmetry in kind.variant(variant).unwrap().symmetries.iter().map(|offered| offered.symmetry) {
            let number = if symmetry == Symmetry::Horizontal { number + 2 } else { number };
            let givens = Some(Givens::new(number, number));
            let spec = Spec { symmetry, givens, ..styled(kind, variant, Difficulty::Level(Level::Easy)) };
            for made in made(kind, &spec, 3) {
                assert_eq!(made.givens, number, "{}", made.text);
                let digits = kind.digits(variant, &made.text).unwrap();
                assert!(keeps(symmetry, size, &digits), "{symmetry:?} {}", made.text);
                let of = View { variant, symmetry, text: &made.text, solution: &made.solution };
                let view = kind.scramble(&of, &mut Rng::from_seed(1)).unwrap().unwrap().text;
                assert_eq!(kind.canonical(variant, &view).as_ref(), Ok(&made.canonical));
                assert_eq!(kind.pattern(variant, &view), kind.pattern(variant, &made.text), "{symmetry:?}");
            }
        }
    }
}
