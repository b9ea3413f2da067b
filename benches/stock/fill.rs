//! Fills new SQLite databases for the bench `stock` with many puzzles, cheaply. The engine makes and rates 400 puzzles.
//! Each row is an isomorph of one of them. Its canonical forms are replaced by numbers, so that the store accepts each
//! row as a new puzzle. Rating, hardest technique, and givens are spread over many shelves. The store's own commits
//! insert the rows.

use std::{path::Path, sync::Arc};

use puzzled_base::clock::{Millis, SystemClock};
use puzzled_engine::{
    ENGINE_VERSION, registry,
    shared::{
        budget::Budget,
        kind::View,
        level::Tenths,
        record::RatingRecord,
        rng::Rng,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        tries::{Made, Tally, Try},
    },
};
use puzzled_store::{
    Claim, ClaimStore as _, CommitStore as _, EnqueueStore as _, Store as _,
    fault_points::NoFaults,
    jobs::{
        admission::Enqueued,
        job::{ClaimOrder, Labels, NewJob},
        policy::SliceSize,
        slice::{Guarded, MadeAt, SliceWork},
    },
    sqlite::{SqliteSettings, SqliteStore},
};
use sqlx::{ConnectOptions as _, Connection as _};

/// Number of puzzles that the engine makes.
const MODELS: usize = 400;

/// The maximum number of tries for these puzzles.
const TRIES_MAX: usize = 10 * MODELS;

/// Puzzles on each shelf, while the stock needs no more than [`SHELVES`] shelves.
const PER_SHELF: u32 = 20;

/// The maximum number of combinations of rating, technique, and givens: 80 ratings, 9 techniques, and 7 numbers of givens.
const SHELVES: u32 = 80 * 9 * 7;

/// Rows per commit.
const SLICE: u32 = 2_000;

/// Puzzles of any level, from random grids.
pub(crate) fn models() -> Vec<Made> {
    let kind = registry::kind("sudoku").expect("Sudoku");
    let mut rng = Rng::from_seed(1);
    let never = false.into();
    let tries = (0..TRIES_MAX).map(|_| kind.make(&spec(), &mut rng, &mut Budget::new(u64::MAX, &never)));
    let made = tries.filter_map(|tried| if let Try::Made(made) = tried { Some(*made) } else { None });
    let models: Vec<_> = made.take(MODELS).collect();
    assert_eq!(models.len(), MODELS, "the engine makes too few");
    models
}

/// Fills a new database.
pub(crate) async fn fill(file: &Path, puzzles: u32, models: &[Made]) {
    let store = SqliteStore::open(SqliteSettings::of(file), SystemClock::shared(), Arc::new(NoFaults));
    let store = store.await.expect("a database");
    let job = NewJob {
        spec: spec(),
        wanted: puzzles,
        seed: 1,
        priority: 0,
        tries_max: 1,
        work_ms_max: None,
        not_before_at: Millis(0),
        request: None,
        shortfall: None,
        by: None,
        holder: None,
        labels: Labels::new(),
        needed_version: ENGINE_VERSION,
    };
    assert!(matches!(store.enqueue(job, 1).await.expect("a job"), Enqueued::New(_)));
    let order = ClaimOrder::Priority;
    let size = SliceSize { first: SLICE, work_ms: i64::MAX, max: SLICE };
    let claim = Claim { worker: "bench".into(), order, token: 1, lease_ms: 600_000, attempts_max: 1, size };
    while let Some(slice) = store.claim(claim.clone()).await.expect("a slice").slice {
        let made: Vec<_> = (slice.first_index..slice.end_index).map(|index| row(index, puzzles, models)).collect();
        let tally = Tally { tries: made.len() as u64, ..Tally::default() };
        let work = SliceWork { made, tally, next_index: slice.end_index, ..SliceWork::default() };
        assert!(matches!(store.commit(slice.lease, work).await.expect("a commit"), Guarded::Done(_)));
    }
    store.close().await;
}

/// Leaves one puzzle in a hundred in circulation.
pub(crate) async fn empty(file: &Path) {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(file);
    let mut connection = options.connect().await.expect("a database");
    for sql in [
        "update puzzles set withdrawn_at = 1, withdrawn_reason = 'bench' where id % 100 <> 0",
        "update shelves set empty = (select count(*) from puzzles where shelf_id = shelves.id and withdrawn_at is not null)",
    ] {
        sqlx::query(sql).execute(&mut connection).await.expect("an update");
    }
    connection.close().await.expect("a close");
}

/// Rating, technique, and givens of a puzzle. The number of givens is always one that the level delivers.
fn shelf(index: u32, puzzles: u32) -> (Tenths, &'static str, u16) {
    let number = index % (puzzles / PER_SHELF).clamp(1, SHELVES);
    let info = registry::kind("sudoku").and_then(|kind| kind.variant("9x9")).expect("9x9");
    let part = |number: u32| u8::try_from(number).expect("a small number");
    let rating = Tenths(10 + part(number % 80));
    let technique = info.techniques[usize::from(part(number / 80 % 9))].name;
    let givens = info.delivered(rating).expect("styles").min + u16::from(part(number / 720));
    (rating, technique, givens)
}

fn row(index: u32, puzzles: u32, models: &[Made]) -> MadeAt {
    let model = &models[index as usize % models.len()];
    let kind = registry::kind("sudoku").expect("Sudoku");
    let view = View { variant: "9x9", symmetry: Symmetry::None, text: &model.text, solution: &model.solution };
    let view = kind.scramble(&view, &mut Rng::from_seed(index.into())).expect("a text of its kind").expect("views");
    let (rating, technique, givens) = shelf(index, puzzles);
    let record = RatingRecord { rating, technique, ..model.record.clone() };
    let made = Made {
        record,
        givens,
        text: view.text,
        solution: view.solution,
        // As long as a real form.
        canonical: format!("9x9/{index:081}"),
        solved: format!("{index:081}"),
    };
    MadeAt { index, try_number: 0, made }
}

fn spec() -> Spec {
    Spec {
        kind: "sudoku".to_owned(),
        variant: "9x9".to_owned(),
        symmetry: Symmetry::None,
        difficulty: Difficulty::Any,
        givens: None,
        technique: None,
    }
}
