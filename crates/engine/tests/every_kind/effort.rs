//! Compares the effort of puzzles with the weekday for which a publisher chose them: his weeks rise from Monday to Sunday. Also checks that
//! the days of the example week in `docs/daily.md` rise. `cargo test -p puzzled-engine --test every_kind effort -- --nocapture` prints the figures.

use std::{cmp::Ordering, collections::BTreeMap, fs, path::Path};

use puzzled_engine::{
    grid::GridMetrics,
    registry::{self, effort},
    shared::{
        criteria::Criteria,
        level::{Level, Tenths},
        metrics::Metrics,
        record::StoredRecord,
        symmetry::Symmetry,
    },
};

use super::made;

/// What the rater says of a board of the publisher, without the board.
struct Board {
    set: String,
    /// 0 is Monday.
    weekday: f64,
    size: String,
    rating: f64,
    steps: f64,
    freedom: f64,
    record: StoredRecord,
}

/// The boards of even dates. The columns are those of the header of the file.
fn boards() -> Vec<Board> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/weekday_metrics.csv");
    let text = fs::read_to_string(file).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    let names: Vec<_> = header.split(',').collect();
    let board = |row: &str| {
        let fields: BTreeMap<_, _> = names.iter().copied().zip(row.split(',')).collect();
        let number = |name: &str| fields[name].parse::<f64>().unwrap();
        let used = fields["techniques"].split(' ').map(|used| {
            let (rating, count) = used.split_once('x').unwrap();
            let tenths = rating.replace('.', "").parse().unwrap();
            (String::new(), Tenths(tenths), count.parse().unwrap())
        });
        let metrics = GridMetrics { freedom: fields["freedom"].parse().unwrap(), ..GridMetrics::default() };
        Board {
            set: fields["set"].to_owned(),
            weekday: number("weekday"),
            size: fields["size"].to_owned(),
            rating: number("rating"),
            steps: number("steps"),
            freedom: number("freedom"),
            record: StoredRecord {
                rater: "puzzled-grid".to_owned(),
                rater_version: 1,
                explanation: String::new(),
                techniques: used.collect(),
                metrics: Metrics::of(GridMetrics::NAME, &metrics),
            },
        }
    };
    rows.lines().map(board).collect()
}

/// The rank of each value; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let share = |value: f64, other: f64| match other.total_cmp(&value) {
        Ordering::Less => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 0.0,
    };
    values.iter().map(|value| values.iter().map(|other| share(*value, *other)).sum()).collect()
}

/// The ranks, less their mean.
fn around_mean(ranks: &[f64]) -> Vec<f64> {
    let mean = ranks.iter().sum::<f64>() / ranks.iter().map(|_| 1.0).sum::<f64>();
    ranks.iter().map(|rank| rank - mean).collect()
}

/// Spearman's rank correlation of a number of the boards with their weekday.
fn correlation(boards: &[&Board], number: impl Fn(&Board) -> f64) -> f64 {
    let ranked = |number: &dyn Fn(&Board) -> f64| {
        around_mean(&ranks(&boards.iter().map(|board| number(board)).collect::<Vec<_>>()))
    };
    let (ours, days) = (ranked(&number), ranked(&|board| board.weekday));
    let product = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>();
    product(&ours, &days) / (product(&ours, &ours) * product(&days, &days)).sqrt()
}

/// The baseline formula.
fn first_try(board: &Board) -> f64 {
    4.0 * board.freedom.ln() + board.rating + board.steps.ln()
}

#[test]
fn effort_rises_with_the_days_of_a_publishers_week() {
    let boards = boards();
    let of = |set: &str, size: &str| {
        let is_of = |board: &&Board| board.set == set && (size.is_empty() || board.size == size);
        boards.iter().filter(is_of).collect::<Vec<_>>()
    };
    let ours = |board: &Board| effort(&board.record).unwrap();
    for (set, at_least) in [("sudoku 6x6", 0.78), ("star_battle", 0.60), ("binairo 6x6-signs", 0.63)] {
        let boards = of(set, "");
        let (ours, first) = (correlation(&boards, ours), correlation(&boards, first_try));
        let alone = correlation(&boards, |board| board.rating);
        println!("{set}: {} boards, effort {ours:.3}, baseline {first:.3}, rating alone {alone:.3}", boards.len());
        assert!(boards.len() > 20 && ours >= at_least && ours >= first - 0.02, "{set}: {ours:.3}, {first:.3}");
    }
    let within = |number: &dyn Fn(&Board) -> f64| {
        let of_size = |size: &str| correlation(&of("star_battle", size), number);
        ["7", "8", "9", "10"].map(of_size).iter().sum::<f64>() / 4.0
    };
    let (ours, first) = (within(&ours), within(&first_try));
    println!("star_battle within its sizes 7 to 10, mean: effort {ours:.3}, baseline {first:.3}");
    assert!(ours >= first - 0.02, "{ours:.3}, {first:.3}");
}

/// The numbers of givens of the week in `docs/daily.md`.
const WEEK: [u16; 7] = [16, 14, 13, 12, 11, 10, 10];

#[test]
fn days_of_the_example_week_rise() {
    let kind = registry::kind("sudoku").unwrap();
    let mean = |(day, givens): (u64, u16)| {
        let criteria = Criteria {
            variant: Some("6x6".to_owned()),
            level: Some(Level::Easy),
            symmetry: Some(Symmetry::None),
            min_givens: Some(givens),
            max_givens: Some(givens),
            ..Criteria::default()
        };
        let efforts = (0..10).map(|week| effort(&made(kind, &criteria, 100 + day, week).record.into()).unwrap());
        efforts.sum::<f64>() / 10.0
    };
    let days: Vec<_> = (0..).zip(WEEK).map(mean).collect();
    println!("mean effort from Monday to Sunday: {days:.2?}");
    assert!(days[..6].is_sorted_by(|one, next| one < next) && days[6] >= days[4], "{days:.2?}");
}
