//! Processor milliseconds of the proofs and ratings of 50 killers whose cages all have 3 to 5 cells, which are harder than those that the
//! layer makes.

use puzzled_engine::{
    csp::{Constraint, Domain, Model, Search, Var},
    registry,
    shared::{budget::Budget, kind::PuzzleKind, text::Verdict},
};

use crate::{cpu_ms, percentile};

/// The puzzles. The file says how they were made.
const PUZZLES: &str = include_str!("../../tests/data/killer_large_cages.txt");

const VARIANT: &str = "9x9";
const SIZE: usize = 9;

/// The nodes that the service allows for a search on a text.
const NODES_MAX: u64 = 1_000_000;

/// The nodes of a search without derived sums. More would take minutes.
const NODES_WITHOUT_SUMS_MAX: u64 = 100_000;

/// The wanted p90 of a proof with derived sums.
const WANTED: f64 = 10.0;

/// Prints the times to prove the puzzles by both solvers, as the service does, to prove them by the constraint core alone with and without
/// derived sums, and to rate them. `done` counts the puzzles with a proof or a rating. The others ran out of nodes, or the techniques do not
/// solve them. `ratio` is the sum of all times, divided by that of the core with derived sums.
pub(crate) fn print() {
    let kind = registry::kind("killer").expect("a kind");
    let core = times(|text| is_proved_by_core(kind, text, true));
    let sum: f64 = core.0.iter().sum();
    println!(
        "\n{:<32}{:>8}{:>8}{:>10}{:>10}{:>10}{:>8}{:>8}",
        "killers with cages of 3 to 5", "puzzles", "done", "p50 ms", "p90 ms", "max ms", "wanted", "ratio"
    );
    for (name, (times, done), wanted) in [
        ("proof by both solvers", times(|text| is_proved(kind, text)), String::new()),
        ("proof by the core", core, WANTED.to_string()),
        ("without derived sums", times(|text| is_proved_by_core(kind, text, false)), String::new()),
        ("rating", times(|text| is_rated(kind, text)), String::new()),
    ] {
        let [p50, p90, max] = [50, 90, 100].map(|percent| percentile(&times, percent));
        let (count, ratio) = (times.len(), times.iter().sum::<f64>() / sum);
        println!("{name:<32}{count:>8}{done:>8}{p50:>10.3}{p90:>10.3}{max:>10.3}{wanted:>8}{ratio:>8.1}");
    }
}

/// The milliseconds of some work for each puzzle, in increasing order, and for how many the work was done.
fn times(is_done: impl Fn(&str) -> bool) -> (Vec<f64>, usize) {
    let mut done = 0;
    let time = |text| {
        let start = cpu_ms();
        done += usize::from(is_done(text));
        cpu_ms() - start
    };
    let mut times: Vec<f64> = PUZZLES.lines().filter(|line| !line.starts_with('#')).map(time).collect();
    times.sort_by(f64::total_cmp);
    (times, done)
}

fn is_proved(kind: &dyn PuzzleKind, text: &str) -> bool {
    let verdict = kind.validate(VARIANT, text, &mut Budget::of_nodes(NODES_MAX)).expect("a killer");
    matches!(verdict, Verdict::Unique { .. })
}

fn is_rated(kind: &dyn PuzzleKind, text: &str) -> bool {
    kind.reason(VARIANT, text, &mut Budget::of_nodes(u64::MAX)).expect("a killer").record.is_ok()
}

fn is_proved_by_core(kind: &dyn PuzzleKind, text: &str, has_derived_sums: bool) -> bool {
    let mut model = model(kind, text);
    if has_derived_sums {
        model.post_derived_sums();
    }
    let nodes = if has_derived_sums { NODES_MAX } else { NODES_WITHOUT_SUMS_MAX };
    Search::new(&model).solutions(2, &mut Budget::of_nodes(nodes)).is_ok_and(|found| found.len() == 1)
}

/// One variable for each cell, with the constraints of the rows, columns, boxes, and cages.
fn model(kind: &dyn PuzzleKind, text: &str) -> Model {
    let mut model = Model::new();
    let vars: Vec<Var> = (0..SIZE * SIZE).map(|_| model.variable(Domain::range(1, 9))).collect();
    for line in 0..SIZE {
        model.post(Constraint::AllDifferent(vars[line * SIZE..][..SIZE].to_vec()));
        model.post(Constraint::AllDifferent(vars[line..].iter().step_by(SIZE).copied().collect()));
    }
    for region in kind.regions(VARIANT, text).expect("a killer") {
        let vars = region.cells.iter().map(|cell| vars[usize::from(*cell)]).collect();
        model.post(match region.sum {
            Some(total) => Constraint::DifferentSum { vars, total },
            None => Constraint::AllDifferent(vars),
        });
    }
    model
}
