//! Printed puzzles: the stored puzzle that is alike to a text, and the newest puzzles of an audience with their texts.

use puzzled_store::deliveries::{
    find::{Listed, Source},
    history::Had,
};

use crate::{
    histories::{hash, recorded, text},
    prelude::*,
};

/// The ID of the puzzle that is alike.
async fn found(store: &dyn Store, form: &str, solved: &str) -> Option<i64> {
    store.alike(&text(form, solved)).await.unwrap().map(|puzzle| puzzle.id.0)
}

pub(crate) async fn isomorph_is_found_before_a_puzzle_with_the_same_solution(store: &dyn Store, _: &World) {
    stock(store, [5, 6]).await;
    assert_eq!(found(store, "5", "5").await, Some(1));
    assert_eq!(found(store, "5", "6").await, Some(1), "the form decides");
    assert_eq!(found(store, "x", "6").await, Some(2));
    assert_eq!(found(store, "x", "x").await, None);
    let puzzle = store.puzzle(PuzzleId(2)).await.unwrap();
    assert_eq!(store.alike(&text("6", "6")).await.unwrap(), puzzle);
}

pub(crate) async fn withdrawn_puzzle_is_found_and_a_replaced_one_is_not(store: &dyn Store, _: &World) {
    queue(store, job(4)).await;
    let [low, high] = [claimed(store, 1).await, claimed(store, 2).await];
    committed(store, &high, &[1, 2]).await;
    committed(store, &low, &[1, 3]).await;
    store.withdraw(PuzzleId(2), "a misprint", &someone()).await.unwrap();
    assert_eq!((found(store, "1", "1").await, found(store, "2", "2").await), (Some(3), Some(2)));
}

pub(crate) async fn newest_puzzles_of_an_audience_have_their_texts(store: &dyn Store, _: &World) {
    stock(store, 0..4).await;
    stock_of(store, of("number", "2x2"), &[(50, 12, "Counting", 1)]).await;
    recorded(store, "other", &[Had::Stored(PuzzleId(1))]).await;
    let had = [2, 4, 5, 3].map(|id| Had::Stored(PuzzleId(id)));
    recorded(store, "one", &had).await;
    recorded(store, "one", &[Had::Solved(hash(77))]).await;
    let one = Source::Audience("one".to_owned());
    let sized = |base| ("number", base);
    let all = store.newest(&one, sized("1x1"), None, 100).await.unwrap();
    let listed: Vec<_> = all.iter().map(|listed| listed.puzzle.clone()).collect();
    let puzzle = |id: i64| Some((PuzzleId(id), format!("text {}", id - 1)));
    assert_eq!(listed, [None, puzzle(3), None, puzzle(4), puzzle(2)]);
    for size in 1..=5 {
        let read = async |before| store.newest(&one, sized("1x1"), before, size).await.unwrap();
        assert_eq!(joined(|listed: &Listed| listed.number, read).await, all, "pages of {size}");
    }
    let of_other_size = store.newest(&one, sized("2x2"), None, 100).await.unwrap();
    let ids: Vec<_> = of_other_size.into_iter().filter_map(|listed| Some(listed.puzzle?.0.0)).collect();
    assert_eq!(ids, [5]);
    assert_eq!(store.newest(&Source::Audience("nobody".to_owned()), sized("1x1"), None, 100).await.unwrap(), []);
}
