//! Ratings by newer rater versions. They are stored next to the old record, which still decides the shelf.

use puzzled_engine::{
    kakuro::metrics::KakuroMetrics,
    shared::{
        budget::OutOfBudget,
        record::{RatingRecord, TechniqueCount},
        text::Unrated,
    },
};
use puzzled_store::stock::rating::Rater;

use crate::prelude::*;

/// The rater of `support::made` at a version. It rated the puzzles at version 3.
pub(crate) fn counting(version: u32) -> Rater {
    Rater { kind: spec().kind, name: "counting".to_owned(), version }
}

/// A rating whose outcome depends on the puzzle and the version.
pub(crate) fn rated(puzzle: i64, version: u32) -> NewRating {
    let rating = Tenths(u8::try_from(puzzle).unwrap() + 20);
    let outcome = Outcome::of(match puzzle % 3 {
        0 => Err(Unrated::OutOfBudget { why: OutOfBudget::Nodes, at_least: rating }),
        1 => Ok(RatingRecord {
            rater: "counting",
            rater_version: version,
            rating,
            technique: "Counting",
            predicted_seconds: Some(9),
            techniques: vec![TechniqueCount { technique: "Counting \"twice\"", rating, count: version }],
            metrics: Metrics::of(
                "kakuro",
                &KakuroMetrics { load: 0.1 + 0.2, effort: -0.0, ..KakuroMetrics::default() },
            ),
            explanation: format!("count {puzzle}'s again; --\n\u{1f9e9}"),
        }),
        _ => Err(Unrated::Stuck),
    });
    NewRating { puzzle_id: PuzzleId(puzzle), rater: "counting".to_owned(), rater_version: version, outcome }
}

fn as_read(new: NewRating, created_at: Millis) -> Rating {
    let NewRating { puzzle_id, rater, rater_version, outcome } = new;
    Rating { puzzle_id, rater, rater_version, outcome, created_at }
}

async fn six_puzzles(store: &dyn Store) {
    queue(store, job(6)).await;
    make(store, &[1, 2, 3, 4, 5, 6]).await;
}

const NONE: [i64; 0] = [];

async fn lacking(store: &dyn Store, by: &Rater) -> Vec<i64> {
    store.unrated(by, None, u32::MAX).await.unwrap().into_iter().map(|puzzle| puzzle.id.0).collect()
}

async fn ratings_of(store: &dyn Store, ids: &[i64]) -> Vec<Rating> {
    let ids: Vec<_> = ids.iter().copied().map(PuzzleId).collect();
    store.ratings(&ids).await.unwrap()
}

pub(crate) async fn only_puzzles_of_an_older_rater_lack_a_record(store: &dyn Store, _: &World) {
    six_puzzles(store).await;
    assert_eq!(lacking(store, &counting(2)).await, NONE);
    assert_eq!(lacking(store, &counting(3)).await, NONE);
    assert_eq!(lacking(store, &counting(4)).await, [1, 2, 3, 4, 5, 6]);
    assert_eq!(lacking(store, &Rater { name: "guessing".to_owned(), ..counting(1) }).await, [1, 2, 3, 4, 5, 6]);
    assert_eq!(lacking(store, &Rater { kind: "letter".to_owned(), ..counting(4) }).await, NONE);
    store.add_ratings(&[rated(2, 4), rated(3, 5)], None).await.unwrap();
    assert_eq!(lacking(store, &counting(4)).await, [1, 4, 5, 6]);
    assert_eq!(lacking(store, &counting(5)).await, [1, 2, 4, 5, 6]);
    store.withdraw(PuzzleId(4), "a test", &someone()).await.unwrap();
    assert_eq!(lacking(store, &counting(5)).await, [1, 2, 5, 6]);
}

pub(crate) async fn pages_of_unrated_puzzles_join_despite_additions(store: &dyn Store, _: &World) {
    six_puzzles(store).await;
    let whole = all_puzzles(store).await;
    for limit in [1, 4, 9] {
        let (mut after, mut met) = (None, Vec::new());
        loop {
            let page = store.unrated(&counting(10 + limit), after, limit).await.unwrap();
            let Some(last) = page.last() else { break };
            assert!(page.len() <= limit as usize);
            after = Some(last.id);
            // Only every second puzzle gets a record, as if a kill had interrupted the page.
            let new: Vec<_> = page.iter().step_by(2).map(|puzzle| rated(puzzle.id.0, 10 + limit)).collect();
            store.add_ratings(&new, None).await.unwrap();
            met.extend(page);
        }
        assert_eq!(met, whole, "{limit} a page");
    }
}

pub(crate) async fn a_rating_is_found_as_it_was_added_and_after_reopening(store: &dyn Store, world: &World) {
    six_puzzles(store).await;
    let before = (all_puzzles(store).await, store.shelves().await.unwrap());
    let new: Vec<_> = (1..=6).map(|puzzle| rated(puzzle, 4)).collect();
    assert_eq!(store.add_ratings(&new, None).await.unwrap(), 6);
    assert_eq!((all_puzzles(store).await, store.shelves().await.unwrap()), before);
    let expected: Vec<_> = new.into_iter().map(|new| as_read(new, world.now())).collect();
    assert_eq!(ratings_of(store, &[6, 5, 4, 3, 2, 1]).await, expected);
    let store = world.open().await;
    assert_eq!(ratings_of(&*store, &[5]).await, expected[4..5]);
    assert_eq!(ratings_of(&*store, &[]).await, []);
    assert_eq!(ratings_of(&*store, &[0, 7, i64::MAX]).await, []);
}

pub(crate) async fn records_of_several_versions_are_kept_oldest_first(store: &dyn Store, world: &World) {
    six_puzzles(store).await;
    let mut expected = Vec::new();
    for version in [5, 4, 6] {
        world.pass_ms(1_000);
        store.add_ratings(&[rated(1, version)], None).await.unwrap();
        expected.push(as_read(rated(1, version), world.now()));
    }
    assert_eq!(ratings_of(store, &[1]).await, expected);
}

pub(crate) async fn record_of_a_version_is_stored_once(store: &dyn Store, world: &World) {
    six_puzzles(store).await;
    assert_eq!(store.add_ratings(&[rated(1, 4), rated(2, 4)], None).await.unwrap(), 2);
    let first = ratings_of(store, &[1, 2]).await;
    world.pass_ms(1_000);
    let other = NewRating { outcome: Outcome::Stuck, ..rated(1, 4) };
    assert_eq!(store.add_ratings(&[other, rated(2, 4), rated(3, 4)], None).await.unwrap(), 1);
    assert_eq!(ratings_of(store, &[1, 2]).await, first);
    assert_eq!(store.add_ratings(&[], None).await.unwrap(), 0);
}

pub(crate) async fn rating_of_a_missing_puzzle_is_left_out(store: &dyn Store, _: &World) {
    six_puzzles(store).await;
    assert_eq!(store.add_ratings(&[rated(7, 4), rated(1, 4)], None).await.unwrap(), 1);
    assert_eq!(ratings_of(store, &[1, 7]).await.len(), 1);
}
