//! The search for the starters above 9.4, the last sections of the table. It finds the same ones each time:
//! `cargo test --release --lib starters::plus -- --ignored --nocapture`, more than an hour of one thread.
//!
//! Of the puzzles in which only cells of four digits are open (`few_digits.rs`) one in some millions is so hard; near one that
//! needs dynamic chains, one in some thousands that need them too. What else is found near those differs from them in hardly
//! more than which digit is which, so that one of each is kept.

use super::{
    super::{
        board::Grid,
        goal::Goal,
        grids::random_grid,
        kernel::Kernel,
        orbits::Orbit,
        rating::{Outcome, outcome},
        techniques::{Sort, outlasts_dynamic, sort},
    },
    Puzzled, TABLE,
    few_digits::{alike, cells_of_few_digits, late, section, thinned, weight},
    near::HARDEST_FROM,
    search::{budget, filled_up, reaches, spec},
};
use crate::engine::{budget::Budget, level::Tenths, rng::Rng};

/// In the order of the table.
pub(super) const PLUS_NAMES: [&str; 2] = ["9.5 to 9.9", "10.0 to 10.4"];

/// Grids that are thinned, and how often each.
const GRIDS: u64 = 1_760_000;
const THINNED: u32 = 40;

/// Neighbours that are looked at from a puzzle that needs dynamic chains, and the most givens that go and that come for each.
const NEIGHBOURS_MAX: u32 = 2_000;
const GONE_OR_BACK_MAX: usize = 3;

/// Solutions of what is left, of which one is taken.
const SOLUTIONS_MAX: usize = 64;

/// Nodes for a rating.
const NODES_MAX: u64 = 3_000_000;

/// Fillings of the starters of a section by chance, and how many may be the same up to symmetry.
const DRAWN: usize = 1_000;
const ALIKE_MAX: usize = 50;

#[test]
#[ignore = "takes more than an hour; `.ci/soak` runs it"]
fn the_starters_above_9_4_are_found_anew() {
    let mut rng = Rng::from_seed(95);
    let found = (0..GRIDS).filter_map(found_in);
    let full = found.map(|(er, puzzled)| filled_up(&half_point(er), puzzled, 0, &mut rng)).collect::<Vec<_>>();
    let weighed: Vec<_> = full.into_iter().map(|full| (weight(&full, &mut rng), full)).collect();
    let mut sections = String::new();
    for name in PLUS_NAMES {
        let goal = Goal::of(&spec(name));
        let of_goal: Vec<_> = weighed.iter().filter(|(_, full)| reaches(&goal, &full.puzzle)).copied().collect();
        sections += &section(name, &goal, &of_goal);
        let alike = alike(&of_goal, DRAWN, &mut rng);
        println!("{name}: {alike} of {DRAWN} are alike");
        assert!(alike <= ALIKE_MAX, "{name}: {alike} of {DRAWN} are alike");
    }
    assert!(TABLE.ends_with(&sections), "the sections are others");
}

/// The first puzzle of one grid that is rated above 9.4, and the rating; none where the first that outlasts dynamic chains is not.
fn found_in(grid: u64) -> Option<(Tenths, Puzzled)> {
    let mut rng = Rng::from_seed(grid);
    let solution = random_grid(&mut rng);
    let cells = cells_of_few_digits(&solution, &mut rng);
    for _ in 0..THINNED {
        let puzzle = thinned(&solution, &cells, &mut rng);
        if sort(&puzzle, Sort::Dynamic, &mut budget()).unwrap() != Sort::Dynamic {
            continue;
        }
        if let Some(hard) = hard_near(Puzzled { puzzle, solution }, &cells, &mut rng) {
            let er = rating_of(&hard.puzzle).filter(|er| *er >= HARDEST_FROM)?;
            return Some((er, Puzzled { puzzle: late(&hard.puzzle).0, ..hard }));
        }
    }
    None
}

/// The first puzzle on a way from neighbour to neighbour that outlasts dynamic chains.
fn hard_near(mut here: Puzzled, cells: &[Orbit], rng: &mut Rng) -> Option<Puzzled> {
    let outlasts = |of: &Puzzled| outlasts_dynamic(&of.puzzle, &mut budget()).unwrap();
    if outlasts(&here) {
        return Some(here);
    }
    for _ in 0..NEIGHBOURS_MAX {
        let Some(there) = neighbour(&here, cells, rng) else { continue };
        if outlasts(&there) {
            return Some(there);
        }
        here = there;
    }
    None
}

/// Another puzzle with only such cells open, if it needs dynamic chains: some of their givens go, another solution of what is
/// left is taken, and then others go.
fn neighbour(here: &Puzzled, cells: &[Orbit], rng: &mut Rng) -> Option<Puzzled> {
    let is_given = |puzzle: &Grid, cell: u8| puzzle.cells()[usize::from(cell)] != 0;
    let all = cells.iter().map(|cell| cell.cells()[0]);
    let mut given: Vec<_> = all.filter(|cell| is_given(&here.puzzle, *cell)).collect();
    rng.shuffle(&mut given);
    let (gone, mut fewer) = (rng.index(GONE_OR_BACK_MAX + 1), here.puzzle);
    given.iter().take(gone).for_each(|&cell| fewer.0[usize::from(cell)] = 0);
    let solutions = Kernel::fastest().solutions(&fewer, SOLUTIONS_MAX, &mut budget()).unwrap();
    let solution = solutions[rng.index(solutions.len())];
    let mut order = cells.to_vec();
    rng.shuffle(&mut order);
    let open = order.iter().map(|cell| cell.cells()[0]).filter(|cell| !is_given(&fewer, *cell));
    let mut back: Vec<_> = open.collect();
    back.truncate(rng.index(GONE_OR_BACK_MAX + 1));
    order.sort_by_key(|cell| match cell.cells()[0] {
        cell if back.contains(&cell) => 2,
        cell => u8::from(is_given(&fewer, cell)),
    });
    let puzzle = Kernel::fastest().thin(&solution, &order, &mut budget()).unwrap();
    let is_hard = puzzle != here.puzzle && sort(&puzzle, Sort::Dynamic, &mut budget()).unwrap() == Sort::Dynamic;
    is_hard.then_some(Puzzled { puzzle, solution })
}

/// None of a puzzle whose rating would take too long.
fn rating_of(puzzle: &Grid) -> Option<Tenths> {
    static NEVER: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
    match outcome(puzzle, &mut Budget::new(NODES_MAX, &NEVER)) {
        Outcome::Rated(ratings) => Some(ratings.er),
        _ => None,
    }
}

/// The goal of a rating's half point.
fn half_point(er: Tenths) -> Goal {
    let first = er.0 / 5 * 5;
    Goal::of(&spec(&format!("{} to {}", Tenths(first), Tenths(first + 4))))
}
