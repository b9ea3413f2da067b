//! Builds the API's messages for stored puzzles, with the ratings that newer raters have added if the caller asks for
//! them.

use std::collections::HashMap;

use crate::{
    calls::errors::ServiceError,
    service::render::puzzle::{Include, later_rating, puzzle_message},
};
use puzzled_api::v1 as pb;
use puzzled_store::{
    ids::PuzzleId,
    stock::{draws::Stock, puzzle::Puzzle},
};

/// The API's message for a puzzle. Ratings need one more read.
pub(super) async fn shown_one(stock: &Stock, puzzle: Puzzle, include: Include) -> Result<pb::Puzzle, ServiceError> {
    let ratings = if include.ratings { later(stock, std::slice::from_ref(&puzzle)).await? } else { HashMap::new() };
    with(puzzle, include, ratings.into_values().flatten().collect())
}

/// The API's messages for puzzles, in the same order. Ratings need one more read.
pub(super) async fn shown(
    stock: &Stock,
    puzzles: Vec<Puzzle>,
    include: Include,
) -> Result<Vec<pb::Puzzle>, ServiceError> {
    let mut ratings = if include.ratings { later(stock, &puzzles).await? } else { HashMap::new() };
    let shown = puzzles.into_iter().map(|puzzle| {
        let own = ratings.remove(&puzzle.id).unwrap_or_default();
        with(puzzle, include, own)
    });
    shown.collect()
}

/// The ratings of newer raters, by puzzle.
async fn later(stock: &Stock, puzzles: &[Puzzle]) -> Result<HashMap<PuzzleId, Vec<pb::Rating>>, ServiceError> {
    let shelves: HashMap<_, _> = puzzles.iter().map(|puzzle| (puzzle.id, &puzzle.shelf)).collect();
    let ids: Vec<_> = puzzles.iter().map(|puzzle| puzzle.id).collect();
    let mut ratings = HashMap::<_, Vec<_>>::new();
    for rating in stock.store().ratings(&ids).await? {
        if let Some(shelf) = shelves.get(&rating.puzzle_id) {
            ratings.entry(rating.puzzle_id).or_default().push(later_rating(shelf, rating));
        }
    }
    Ok(ratings)
}

fn with(puzzle: Puzzle, include: Include, ratings: Vec<pb::Rating>) -> Result<pb::Puzzle, ServiceError> {
    Ok(pb::Puzzle { ratings, ..puzzle_message(puzzle, include)? })
}
