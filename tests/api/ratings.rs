//! Ratings of stored puzzles by a newer rater version: calls include them only on request, and they do not change the
//! puzzle's own rating.

use puzzled::{
    proto::v1 as pb,
    store::{
        RatingStore as _,
        puzzle::{PuzzleId, StoredRecord},
        rating::{NewRating, Outcome},
    },
};
use puzzled_engine::{level::Tenths, metrics::Metrics, sudoku::metrics::SudokuMetrics, symmetry::Symmetry};

use crate::server::Server;

/// Three puzzles rated 2.6, each with another outcome of a newer rating.
async fn rated_again() -> Server {
    let server = Server::start().await;
    server.fill(Symmetry::None, 26, 3).await;
    let record = StoredRecord {
        rater: "puzzled-se".to_owned(),
        rater_version: 99,
        explanation: "it is harder".to_owned(),
        techniques: vec![("Swordfish".to_owned(), Tenths(38), 2)],
        metrics: Metrics::of("sudoku", &SudokuMetrics { er: Tenths(42), ..SudokuMetrics::default() }),
    };
    let outcomes = [Outcome::Rated { rating: Tenths(42), record }, Outcome::AtLeast(Tenths(71)), Outcome::Stuck];
    let ratings = (1..).zip(outcomes).map(|(id, outcome)| NewRating {
        puzzle_id: PuzzleId(id),
        rater: "puzzled-se".to_owned(),
        rater_version: 99,
        outcome,
    });
    assert_eq!(server.store.add_ratings(&ratings.collect::<Vec<_>>(), None).await.unwrap(), 3);
    server
}

#[tokio::test]
async fn newer_ratings_come_if_they_are_asked_for_and_change_nothing_else() {
    let server = rated_again().await;
    let mut puzzles = server.puzzles().await;
    let include = |include_ratings| pb::ListPuzzlesRequest { include_ratings, ..Default::default() };
    let plain = puzzles.list_puzzles(include(false)).await.unwrap().into_inner().puzzles;
    let listed = puzzles.list_puzzles(include(true)).await.unwrap().into_inner().puzzles;
    assert!(plain.iter().all(|puzzle| puzzle.ratings.is_empty()));
    let wanted = [
        (pb::RatingOutcome::Rated, 4.2, pb::Level::Expert, true),
        (pb::RatingOutcome::AtLeast, 7.1, pb::Level::Evil, false),
        (pb::RatingOutcome::Stuck, 0.0, pb::Level::Unspecified, false),
    ];
    for ((puzzle, plain), wanted) in listed.iter().zip(&plain).zip(wanted) {
        let [rating] = &puzzle.ratings[..] else { panic!("{puzzle:?}") };
        assert_eq!((rating.outcome(), rating.rating, rating.level(), rating.record.is_some()), wanted);
        assert_eq!((rating.rater.as_str(), rating.rater_version), ("puzzled-se", 99));
        assert!(rating.create_time.is_some());
        assert_eq!((puzzle.rating, puzzle.level()), (2.6, pb::Level::Hard));
        assert_eq!(pb::Puzzle { ratings: Vec::new(), ..puzzle.clone() }, *plain);
    }
    let record = listed[0].ratings[0].record.as_ref().unwrap();
    assert_eq!((record.rater_version, record.techniques[0].technique.as_str()), (99, "Swordfish"));
    // The same by ID, by a random draw, and as a stream.
    let by_id = pb::GetPuzzleRequest { id: "puzzle-2".to_owned(), include_ratings: true, ..Default::default() };
    assert_eq!(puzzles.get_puzzle(by_id).await.unwrap().into_inner().puzzle.as_ref(), Some(&listed[1]));
    let any = pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), include_ratings: true, ..Default::default() };
    let drawn = puzzles.get_puzzle(any).await.unwrap().into_inner().puzzle.unwrap();
    assert!(listed.contains(&drawn));
    let export = pb::ExportPuzzlesRequest { include_ratings: true, ..Default::default() };
    let mut stream = puzzles.export_puzzles(export).await.unwrap().into_inner();
    assert_eq!(stream.message().await.unwrap().unwrap().puzzles, listed);
}
