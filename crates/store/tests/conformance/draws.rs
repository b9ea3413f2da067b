//! Draws from the stock: each puzzle that fits has the same chance, and a withdrawn puzzle has none.

use std::collections::BTreeMap;

use puzzled_base::clock::SystemClock;
use puzzled_store::stock::draws::{DeliveryRequest, Draw, Stock};

use crate::{prelude::*, withdrawals::of_job};

/// Puzzles in stock.
const PUZZLES: u32 = 1_000;

/// A stock of a thousand puzzles on five shelves of very different lengths, with a fifth of all positions empty.
async fn stock_of_a_thousand(store: &dyn Store, world: &World) -> Arc<Stock> {
    let withdrawn = PUZZLES / 4;
    queue(store, NewJob { spec: of("kakuro", "8x10"), ..job(PUZZLES) }).await;
    let low = claimed_of(store, PUZZLES / 4, 1).await;
    let high = claimed_of(store, PUZZLES, 2).await;
    let numbers: Vec<_> = (0..u64::from(PUZZLES - withdrawn)).map(number).collect();
    committed(store, &high, &numbers).await;
    // The lower indices make every third of these puzzles too and replace them, so their positions are empty.
    let again: Vec<_> = numbers.iter().copied().step_by(3).take(withdrawn as usize).collect();
    committed(store, &low, &again).await;
    // The indices of the replaced puzzles get puzzles of other numbers.
    let mut next = u64::from(PUZZLES);
    while let Some(slice) = store.claim(claim(3)).await.unwrap().slice {
        committed(store, &slice, &[number(next)]).await;
        next += 1;
    }
    Arc::new(Stock::new(world.open().await, Arc::new(Chance::from_seed(2_026)), ManualClock::at(START), bounds()))
}

/// Half of all numbers are on the first shelf, a quarter on the second, and so on.
fn number(n: u64) -> u64 {
    n * 5 + u64::from((n + 1).trailing_zeros().min(4))
}

/// Pearson's chi-square sum of this many draws, if all puzzles are equally likely. There must be about 15 draws for
/// each puzzle or more, so that every puzzle is drawn.
async fn chi_square(stock: &Arc<Stock>, filter: &ShelfFilter, among: &[PuzzleId], draws: u32) -> f64 {
    let mut counts: BTreeMap<_, u32> = among.iter().map(|&id| (id, 0)).collect();
    let mut left = draws;
    while left > 0 {
        // Concurrent draws share one read of the database.
        let mut batch = JoinSet::new();
        for _ in 0..left.min(50) {
            let (stock, filter) = (Arc::clone(stock), filter.clone());
            batch.spawn(async move { stock.draw(&filter, false).await.unwrap() });
            left -= 1;
        }
        for draw in batch.join_all().await {
            let Draw::Puzzle(puzzle) = draw else { panic!("nothing was drawn") };
            *counts.get_mut(&puzzle.id).expect("the puzzle fits and is in stock") += 1;
        }
    }
    assert!(counts.values().all(|&count| count > 0), "some puzzles are never drawn");
    let expected = f64::from(draws) / f64::from(u32::try_from(among.len()).unwrap());
    counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

/// Whether the sum is within four standard deviations of its mean, for this many equally likely outcomes.
fn is_plausible(chi_square: f64, outcomes: usize) -> bool {
    let freedom = f64::from(u32::try_from(outcomes).unwrap() - 1);
    (chi_square - freedom).abs() < 4.0 * (2.0 * freedom).sqrt()
}

pub(crate) async fn each_of_a_thousand_puzzles_has_the_same_chance(store: &dyn Store, world: &World) {
    let stock = stock_of_a_thousand(store, world).await;
    let shelves = store.shelves().await.unwrap();
    let lengths: Vec<_> = shelves.iter().map(|shelf| (shelf.positions, shelf.empty)).collect();
    assert_eq!(lengths.iter().map(|(positions, empty)| positions - empty).sum::<i64>(), i64::from(PUZZLES));
    assert_eq!(lengths.iter().map(|(_, empty)| empty).sum::<i64>(), i64::from(PUZZLES / 4), "{lengths:?}");
    let longest = lengths.iter().map(|(positions, _)| positions).max().unwrap();
    let shortest = lengths.iter().map(|(positions, _)| positions).min().unwrap();
    assert!(*longest > 5 * shortest, "{lengths:?}");

    let all = all_puzzles(store).await;
    let ids: Vec<_> = all.iter().map(|puzzle| puzzle.id).collect();
    let sum = chi_square(&stock, &ShelfFilter::ANY, &ids, 15 * PUZZLES).await;
    assert!(is_plausible(sum, ids.len()), "{sum}");

    let filter = ShelfFilter {
        kind: Some("kakuro".to_owned()),
        difficulty: Difficulty::Range { min: Tenths(EASIEST + 1), max: Tenths(EASIEST + 3) },
        ..ShelfFilter::ANY
    };
    let fitting: Vec<_> = all.iter().filter(|puzzle| filter.fits(&puzzle.shelf)).map(|puzzle| puzzle.id).collect();
    assert!((300..600).contains(&fitting.len()), "{}", fitting.len());
    let sum = chi_square(&stock, &filter, &fitting, 8 * PUZZLES).await;
    assert!(is_plausible(sum, fitting.len()), "{sum}");
}

pub(crate) async fn no_process_draws_a_puzzle_after_its_acknowledged_withdrawal(store: &dyn Store, world: &World) {
    queue(store, NewJob { spec: of("sudoku", "9x9"), ..job(20) }).await;
    let slice = claimed_whole(store, 1).await;
    committed(store, &slice, &(0..20).collect::<Vec<_>>()).await;
    let process =
        async |seed| Stock::new(world.open().await, Arc::new(Chance::from_seed(seed)), SystemClock::shared(), bounds());
    let [withdrawing, drawing] = [process(1).await, process(2).await];
    for id in all_puzzles(store).await.iter().map(|puzzle| puzzle.id).take(5) {
        // After many draws, the process has cached counts from before the withdrawal.
        for _ in 0..100 {
            drawing.draw(&ShelfFilter::ANY, false).await.unwrap();
        }
        withdrawing.store().withdraw(id, "a test", &someone()).await.unwrap();
        for stock in [&withdrawing, &drawing] {
            for _ in 0..100 {
                let Draw::Puzzle(puzzle) = stock.draw(&ShelfFilter::ANY, false).await.unwrap() else {
                    panic!("none drawn")
                };
                assert_ne!(puzzle.id, id);
            }
        }
    }
}

pub(crate) async fn nobody_draws_a_puzzle_of_a_kind_or_variant_of_a_newer_version(store: &dyn Store, world: &World) {
    for spec in [of("later", "9x9"), of("sudoku", "later"), of("kakuro", "8x10-later9"), of("sudoku", "9x9")] {
        queue(store, NewJob { spec, ..job(1) }).await;
    }
    make(store, &[1, 2, 3, 4]).await;
    let stock = Stock::new(world.open().await, Arc::new(Chance::from_seed(1)), ManualClock::at(START), bounds());
    for _ in 0..50 {
        let Draw::Puzzle(puzzle) = stock.draw(&ShelfFilter::ANY, false).await.unwrap() else { panic!("none drawn") };
        assert_eq!((&*puzzle.shelf.kind, &*puzzle.shelf.variant), ("sudoku", "9x9"));
    }
    let delivered = stock.deliver(order("a")).await.unwrap();
    assert!(matches!(delivered, Draw::Puzzle(puzzle) if puzzle.shelf.variant == "9x9"));
    assert!(matches!(stock.deliver(order("a")).await.unwrap(), Draw::Exhausted(_)));
    assert_eq!(stock.shelves(&ShelfFilter::ANY).await.unwrap().len(), 4, "all of them are counted");
}

pub(crate) async fn job_of_an_odd_spec_changes_no_draw_of_others(store: &dyn Store, world: &World) {
    let sudoku = of("sudoku", "9x9");
    let usual = ShelfFilter { kind: Some("sudoku".to_owned()), givens: GivensFilter::STYLED, ..ShelfFilter::ANY };
    // Every level delivers 28 to 30 givens.
    let puzzles = (0..200).map(|number| (number, 12 + (number % 50) as u8, "X-Wing", 28 + (number % 3) as u16));
    stock_of(store, sudoku.clone(), &puzzles.collect::<Vec<_>>()).await;
    let process =
        async || Stock::new(world.open().await, Arc::new(Chance::from_seed(5)), ManualClock::at(START), bounds());
    let draws = async || {
        let (stock, mut drawn) = (process().await, Vec::new());
        for _ in 0..1_000 {
            let Draw::Puzzle(puzzle) = stock.draw(&usual, false).await.unwrap() else { panic!("none drawn") };
            drawn.push(puzzle.id);
        }
        drawn
    };
    let before = draws().await;
    let givens = Some(Givens::new(60, 60));
    let odd: Vec<_> = (1_000..3_000).map(|number| (number, 12, "Naked Single", 60)).collect();
    let job =
        stock_of(store, Spec { difficulty: Difficulty::Level(Level::Easy), givens, ..sudoku.clone() }, &odd).await;
    assert_eq!(draws().await, before);
    let asked = ShelfFilter::of(&Spec { givens, ..sudoku });
    assert!(
        matches!(process().await.draw(&asked, false).await.unwrap(), Draw::Puzzle(puzzle) if made_at(&puzzle).job_id == job)
    );
}

/// Two shelves of 1,000 positions and one of 500. All but 1% of each are empty: half withdrawn, and half forgotten.
async fn nearly_empty_stock(store: &dyn Store, world: &World) -> Vec<PuzzleId> {
    let kakuro = of("kakuro", "8x10");
    let numbers =
        |from: u64, to: u64| (from..to).map(|n| (n, 10 + [0, 1, 2, 0, 1][(n % 5) as usize], "", 0)).collect::<Vec<_>>();
    let withdrawn = stock_of(store, kakuro.clone(), &numbers(0, 1_200)).await;
    stock_of(store, kakuro.clone(), &numbers(1_200, 1_225)).await;
    let forgotten = stock_of(store, kakuro, &numbers(1_225, 2_500)).await;
    let stock = Stock::new(world.open().await, Arc::new(Chance::from_seed(1)), ManualClock::at(START), bounds());
    for (job, forget) in [(withdrawn, false), (forgotten, true)] {
        stock.withdraw_many(&of_job(job, forget), false, &someone()).await.unwrap();
    }
    assert_eq!(counts(store).await, [(1_000, 990), (1_000, 990), (500, 495)]);
    all_puzzles(store).await.iter().map(|puzzle| puzzle.id).collect()
}

pub(crate) async fn draws_from_nearly_empty_shelves_are_uniform(store: &dyn Store, world: &World) {
    let live = nearly_empty_stock(store, world).await;
    let stock =
        Arc::new(Stock::new(world.open().await, Arc::new(Chance::from_seed(7)), SystemClock::shared(), bounds()));
    let sum = chi_square(&stock, &ShelfFilter::ANY, &live, 1_000).await;
    assert!(is_plausible(sum, live.len()), "{sum}");
}

fn order(audience: &str) -> DeliveryRequest<'_> {
    let shelves = &ShelfFilter::ANY;
    DeliveryRequest { audience, name: None, shelves, exclusive: false, with_record: false }
}

pub(crate) async fn deliveries_from_nearly_empty_shelves_are_uniform_and_complete(store: &dyn Store, world: &World) {
    let live = nearly_empty_stock(store, world).await;
    let stock =
        Arc::new(Stock::new(world.open().await, Arc::new(Chance::from_seed(7)), SystemClock::shared(), bounds()));
    let mut counts: BTreeMap<_, u32> = live.iter().map(|&id| (id, 0)).collect();
    for audience in 0..500 {
        let audience = audience.to_string();
        let Draw::Puzzle(puzzle) = stock.deliver(order(&audience)).await.unwrap() else { panic!("none") };
        *counts.get_mut(&puzzle.id).unwrap() += 1;
    }
    let sum: f64 = counts.values().map(|&count| (f64::from(count) - 20.0).powi(2) / 20.0).sum();
    assert!(is_plausible(sum, live.len()), "{sum}");
    // One audience gets them one by one, and the other in two writes.
    for _ in 0..live.len() {
        assert!(matches!(stock.deliver(order("one")).await.unwrap(), Draw::Puzzle(_)));
    }
    for seed in [1, 2] {
        let wanted = wish(store, "other", 0).await;
        let wanted: Vec<_> = (0..15).map(|n| NewDelivery { seed: 100 * seed + n, ..wanted.clone() }).collect();
        store.deliver(&wanted).await.unwrap();
    }
    for audience in ["one", "other"] {
        assert!(matches!(stock.deliver(order(audience)).await.unwrap(), Draw::Exhausted(lack) if lack.had == 25));
        let mut had = had(store, audience).await;
        had.sort();
        assert_eq!(had, live, "{audience}");
    }
    world.is_sound().await;
}
