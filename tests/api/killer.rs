//! Killers with larger cages than the service makes.

use crate::prelude::*;

const KILLER: i32 = pb::Kind::Killer as i32;

/// The techniques solve few killers whose cages all have 3 to 5 cells.
#[tokio::test]
async fn killer_with_large_cages_is_rated_or_refused_and_always_solved() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let texts = include_str!("../../crates/engine/tests/data/killer_large_cages.txt").lines();
    let mut refused = 0;
    for text in texts.filter(|line| !line.starts_with('#')).take(6).map(str::to_owned) {
        let rate = pb::RateRequest { kind: KILLER, text: text.clone(), ..Default::default() };
        let rated = puzzles.rate(rate).await;
        if rated.is_err() {
            refused += 1;
            check(rated, Code::FailedPrecondition, "RATING_UNSUPPORTED");
        }
        let solve = pb::SolveRequest { kind: KILLER, text, ..Default::default() };
        assert!(puzzles.solve(solve).await.is_ok());
    }
    assert!((1..6).contains(&refused), "{refused}");
}
