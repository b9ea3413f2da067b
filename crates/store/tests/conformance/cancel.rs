//! Calls that are dropped at each of their waits: the next call gets the same connection, succeeds, and finds the change
//! of the dropped call made completely or not at all.

use std::{fs, path::Path};

use puzzled_store::{
    check_store::CheckStore,
    deliveries::{
        find::Source,
        history::{DeliveryPlace, Had},
        holder::{Release, ReleaseOf},
    },
    jobs::growth::Growth,
    series::{
        daily_series::Series,
        day::{DayDelivery, NewDay},
        update::SeriesChange,
    },
    stock::import::Import,
};
use serde_json::json;

use crate::{
    backend::{Backend, Postgres, Sqlite},
    cases::Running,
    histories::{hash, text},
    imports::records,
    prelude::*,
    processes::process,
    ratings::{counting, rated},
    series::{date, declaration_of, wish_of, zone},
    targets::{declaration, of_level, wish as target_wish},
    watch::differing,
    withdrawals::{of_all, of_job},
};

/// The maximum number of waits before a call is dropped.
const WAITS_MAX: u32 = 40;

/// The puzzle that the daily series gets.
const DAILY: i64 = 5;

/// What the arguments of a call depend on.
struct Known {
    shelves: Vec<Shelf>,
    series: Option<Series>,
}

/// A call with its arguments.
type Call = for<'a> fn(&'a dyn CheckStore, &'a Known) -> Running<'a>;

/// The name of a method, whether the call changes the database, and the call.
type Row = (&'static str, bool, Call);

macro_rules! calls {
    (|$known:ident| $($verb:ident $method:ident($($argument:expr),*);)*) => {
        &[$((
            stringify!($method),
            matches!(stringify!($verb).as_bytes(), b"writes"),
            |store, $known| {
                let _ = $known;
                Box::pin(async move {
                    let _ = store.$method($($argument),*).await.unwrap_or_else(|error| {
                        panic!("{}: {error:?}", stringify!($method))
                    });
                })
            },
        ),)*]
    };
}

/// Each method of the store in the order of a story, in which each call finds what the ones before it have left.
const CALLS: &[Row] = calls! { |known|
    writes enqueue(NewJob { request: Some(request("a", "x")), priority: 9, ..job(6) }, OPEN_JOBS_MAX);
    writes enqueue_all(&[NewJob { priority: 7, ..job(1) }, NewJob { priority: 6, ..job(2) }], OPEN_JOBS_MAX);
    writes enqueue_batch(&[job(3), job(1)], OPEN_JOBS_MAX);
    reads next_due();
    writes claim(Claim { size: slices_of(5), ..claim(1) });
    writes renew(&[lease(1, 1)], 2 * LEASE_MS);
    writes commit(lease(1, 1), puzzles_at(0, &[0, 1, 2, 3, 4]));
    writes claim(claim(2));
    writes fail_attempt(lease(2, 1), failure("it broke"));
    writes claim(claim(3));
    writes give_back(lease(3, 2));
    writes cancel(JobId(3), &someone());
    writes retry(JobId(3), 5, &someone());
    reads job(JobId(1));
    reads jobs(&JobFilter::default(), None, 9);
    writes set_pause(Some("a move"), &someone());
    reads queue_state();
    reads stops();
    writes set_pause(None, &someone());
    writes keep_growth(Some(Growth { puzzles_max: Some(1_000), database_bytes_max: None }));

    reads shelves();
    reads puzzles_at(&[Position { shelf_id: ShelfId(1), number: 0 }], true);
    reads live_position(ShelfId(1), 0);
    reads puzzle(PuzzleId(1));
    reads puzzles(&ShelfFilter::ANY, None, 9, true);
    reads puzzles_of(&OriginFilter::Job(JobId(1)), &ShelfFilter::ANY, None, 9, true);
    writes import(&Import { import_id: "a".to_owned(), source: String::new(), dry_run: false }, &records([8, 9]), &someone());
    writes add_ratings(&[rated(1, 4), rated(2, 4)], Some(&someone()));
    reads ratings(&[PuzzleId(1)]);
    reads unrated(&counting(5), None, 9);
    reads alike(&text("1", "1"));

    writes deliver(&[drawn_for("one", known, 1), drawn_for("other", known, 2)]);
    reads deliveries("one", None, 9);
    writes record_deliveries("one", &[Had::Stored(PuzzleId(1)), Had::Solved(hash(77))], &someone());
    reads newest(&Source::Audience("one".to_owned()), ("number", "1x1"), None, 9);
    reads all_deliveries(DeliveryPlace { audience_id: 0, id: 0 }, 9);
    writes forget_audience("other", &someone());

    writes create_series(&wish_of("daily"), None, &someone());
    writes update_series("daily", &SeriesChange { zone: Some(zone("Asia/Tokyo")), ..SeriesChange::default() }, &someone());
    writes declare_series(&declaration_of("day", &[wish_of("mini")]), &someone());
    reads all_series();
    reads series("daily");
    writes draw_day(&day_of_series(known));
    reads days(date(1));
    reads puzzle_of_day(known.series.as_ref().unwrap().id, date(20));
    reads day_of(PuzzleId(DAILY));
    reads jobs_of_series("daily", 9);
    reads free_held(9);
    writes deliver_days(&[DayDelivery {
        audience: "one".to_owned(),
        series: "daily".to_owned(),
        date: date(20),
        puzzle_id: PuzzleId(DAILY)
    }]);
    // The series has one kind and variant, so there is nothing to settle.
    reads settle_series(known.series.as_ref().unwrap().id);
    writes end_series("daily", &someone());

    writes enqueue(NewJob { holder: Some(Holder::Audience("one".to_owned())), priority: 50, ..job(3) }, OPEN_JOBS_MAX);
    writes claim(Claim { size: slices_of(9), ..claim(4) });
    writes commit(lease(4, 6), puzzles_at(0, &[20, 21, 22]));
    reads count_held(None, &ShelfFilter::ANY);
    reads releasable(&held_by_one(), 9);
    reads count_releasable(&held_by_one());
    reads count_kept(&held_by_one());
    writes release(&Release { of: held_by_one(), reason: "a book was cancelled".to_owned() }, 2, &someone());

    writes withdraw(PuzzleId(6), "a test", &someone());
    reads withdrawable(&of_all(false), None, 9);
    reads count_withdrawable(&of_all(false));
    writes withdraw_many(&of_job(JobId(6), false), None, 9, &someone());

    writes create_target(&target_wish(50), 9, &someone());
    writes update_target(TargetId(1), &Change { count: Edit::Set(60), ..Change::default() }, &someone());
    writes refill(refill(&the_target(), Asked::Manual(someone())));
    reads refills();
    writes stop_refill(JobId(7), Stop::Full);
    writes declare_targets(&declaration("day", &[target_wish(2), of_level(Level::Hard)]), 9, &someone());
    reads targets();
    reads target_page(None, 9);
    reads rates(&[spec().words()]);
    writes delete_target(TargetId(2), &someone());

    writes keep_process(&process("aaaa0001"));
    reads processes(None, 9);
    reads running_workers();
    writes remove_process("aaaa0001");
    writes note(&someone(), json!({ "kind": "number" }));
    writes note_denied(&[Denial { by: (*someone()).clone(), calls: 2 }]);
    reads audit_entries(&AuditFilter::default(), None, 9);
    writes cancel(JobId(2), &someone());
    writes prune(Prune { finished_before: Some(later()), pruned_before: None, delivered_before: Some(later()), seen_before: None, audited_before: Some(later()), rows_max: 9 });

    reads check();
    reads all_puzzles(PuzzleId(0), 9);
    reads all_ratings(PuzzleId(0), PuzzleId(9));
    reads ping();
    reads listen();
    reads now();
};

fn lease(token: i64, job: i64) -> Lease {
    Lease { slice_id: token, job_id: JobId(job), token }
}

/// A puzzle of each of these numbers, from this index on.
fn puzzles_at(first_index: u32, numbers: &[u64]) -> SliceWork {
    let (lease, spec) = (lease(0, 0), spec());
    let (end_index, first_try, tries_max, failed_attempts) = (u32::MAX, 0, 9, 0);
    let (seed, traceparent, waited_ms) = (0, None, None);
    work(
        &Slice {
            lease,
            spec,
            seed,
            first_index,
            end_index,
            first_try,
            tries_max,
            failed_attempts,
            traceparent,
            waited_ms,
        },
        numbers,
    )
}

fn drawn_for(audience: &str, known: &Known, seed: u64) -> NewDelivery {
    let from = DrawFrom::Shelves(Arc::new(FittingShelves::of(&known.shelves, &ShelfFilter::ANY)));
    NewDelivery { audience: audience.to_owned(), name: None, from, with_record: true, seed }
}

fn day_of_series(known: &Known) -> NewDay {
    let series = known.series.as_ref().unwrap();
    let fitting = series.filter_on(date(20)).unwrap();
    let among = Some(Arc::new(FittingShelves::of(&known.shelves, &fitting)));
    NewDay { series_id: series.id, date: date(20), fitting, among, seed: 3 }
}

fn held_by_one() -> ReleaseOf {
    ReleaseOf::Holder(Holder::Audience("one".to_owned()))
}

fn the_target() -> StockTarget {
    let (id, wish, declared_by) = (TargetId(1), target_wish(60), None);
    StockTarget { id, wish, declared_by, created_at: START, updated_at: START }
}

/// A time after all others.
fn later() -> Millis {
    Millis(START.0 + 1)
}

pub(crate) async fn cancelled_call_on_a_file_is_all_or_nothing_and_blocks_no_other() {
    each_call_is_cancelled(|| Box::new(Sqlite::new())).await;
}

pub(crate) async fn cancelled_call_on_a_server_is_all_or_nothing_and_blocks_no_other() {
    each_call_is_cancelled(|| Box::new(Postgres::new())).await;
}

/// Makes each call on one database. On another, drops the call after more and more waits, until it is made there too.
async fn each_call_is_cancelled(new: fn() -> Box<dyn Backend>) {
    let (whole, cut) = (World::new(new()), World::new(new()));
    let (complete, store) = (whole.open_narrow().await, cut.open_narrow().await);
    let (mut expected, mut found) = (whole.watch().await, cut.watch().await);
    let mut before = expected.tables().await;
    for &(method, is_write, call) in CALLS {
        let known =
            Known { shelves: complete.shelves().await.unwrap(), series: complete.series("daily").await.unwrap() };
        call(&*complete, &known).await;
        let after = expected.tables().await;
        let changed = differing(&before, &after);
        assert_eq!(!changed.is_empty(), is_write, "{method} changed {changed:#?}");
        for waits in 0.. {
            let waits = if waits < WAITS_MAX { waits } else { u32::MAX };
            let has_ended = dropped_after(waits, call(&*store, &known)).await.is_some();
            let next = store.remove_process("nobody").await;
            assert_eq!(next.ok(), Some(false), "after {method}, dropped after {waits} waits");
            let read = store.next_due().await;
            assert!(read.is_ok(), "after {method}, dropped after {waits} waits: {read:?}");
            let now = found.tables().await;
            let expected = if has_ended || now == after { &after } else { &before };
            assert_eq!(differing(&now, expected), [[""; 3]; 0], "{method}, dropped after {waits} waits");
            if has_ended || is_write && now == after {
                break;
            }
        }
        before = after;
    }
}

/// `close` and `close_read` are missing: after them, no call succeeds. So is `rescue_if_replaced`, after which the process ends.
pub(crate) async fn every_method_of_the_store_is_in_the_table() {
    let mut methods = Vec::new();
    methods_in(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut methods);
    assert!(methods.len() > 80, "{methods:?}");
    methods.retain(|method| CALLS.iter().all(|(name, ..)| name != method));
    methods.sort_unstable();
    assert_eq!(methods, ["close", "close_read", "rescue_if_replaced"]);
}

/// Adds the methods of the traits of stores in a folder.
fn methods_in(folder: &Path, methods: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            methods_in(&path, methods);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for (name, rest) in text.split("\npub trait ").skip(1).filter_map(|rest| rest.split_once(['{', ':'])) {
            if name.trim().ends_with("Store") {
                let body = rest.split("\n}\n").next().unwrap_or_default();
                let names = body.split("    async fn ").skip(1).filter_map(|method| method.split('(').next());
                methods.extend(names.map(str::to_owned));
            }
        }
    }
}
