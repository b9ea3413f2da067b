//! Helpers of several test targets: invented puzzles that differ by a number; specs, jobs, requests, and actors.

use std::sync::Arc;

use puzzled_base::clock::Millis;
use puzzled_engine::{
    ENGINE_VERSION,
    shared::{
        level::Tenths,
        metrics::Metrics,
        record::{RatingRecord, TechniqueCount},
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        tries::Made,
    },
    sudoku::metrics::SudokuMetrics,
};
use puzzled_store::{
    access::{actor::Actor, principal::Principal},
    bounds::Bounds,
    jobs::{
        growth::Growth,
        job::{Labels, NamedRequest, NewJob},
        repeat::Difference,
    },
};

/// The easiest rating of an invented puzzle.
pub(crate) const EASIEST: u8 = 10;

/// The number of ratings, and so of shelves, over which the numbers are spread.
pub(crate) const RATINGS: u64 = 5;

/// The puzzle whose canonical form is `number`.
pub(crate) fn made(number: u64) -> Made {
    let rating = Tenths(EASIEST + u8::try_from(number % RATINGS).unwrap());
    Made {
        text: format!("text {number}"),
        solution: format!("solution {number}"),
        canonical: number.to_string(),
        solved: number.to_string(),
        givens: u16::try_from(number % 81).unwrap(),
        record: RatingRecord {
            rater: "counting",
            rater_version: 3,
            rating,
            technique: "Counting",
            predicted_seconds: number.is_multiple_of(2).then_some(60 + u32::try_from(number % RATINGS).unwrap()),
            techniques: vec![TechniqueCount { technique: "Counting", rating, count: 2 }],
            metrics: Metrics::of("sudoku", &SudokuMetrics { er: rating, ..SudokuMetrics::default() }),
            explanation: format!("count to {number}"),
        },
    }
}

/// The spec of test jobs, unless a test states another.
pub(crate) fn spec() -> Spec {
    Spec {
        kind: "number".to_owned(),
        variant: "1x1".to_owned(),
        symmetry: Symmetry::None,
        difficulty: Difficulty::Any,
        givens: None,
        technique: None,
    }
}

/// A job of `wanted` puzzles.
pub(crate) fn job(wanted: u32) -> NewJob {
    NewJob {
        spec: spec(),
        wanted,
        seed: 7,
        priority: 0,
        tries_max: 10,
        not_before_at: Millis(0),
        labels: Labels::new(),
        work_ms_max: None,
        needed_version: ENGINE_VERSION,
        request: None,
        shortfall: None,
        by: Some(someone()),
        holder: None,
    }
}

/// An actor for tests that are not about actors.
pub(crate) fn someone() -> Arc<Actor> {
    caller("Test")
}

/// The actor of a call of this method.
pub(crate) fn caller(method: &str) -> Arc<Actor> {
    Arc::new(Actor::of_call(&Principal::anonymous(), "192.0.2.1:7".to_owned(), method, "call-1".into()))
}

/// A request with a name, and with one field.
pub(crate) fn request(id: &str, level: &str) -> NamedRequest {
    let fields = [("level".to_owned(), level.to_owned())].into();
    NamedRequest { request_id: id.to_owned(), fields }
}

/// The difference between two [`request`]s under one name.
pub(crate) fn other_level(sent: &str, before: &str) -> Vec<Difference> {
    let (sent, before) = (Some(sent.to_owned()), Some(before.to_owned()));
    vec![Difference { field: "level".to_owned(), sent, before }]
}

/// The defaults of the service.
pub(crate) fn bounds() -> Arc<Bounds> {
    Arc::new(Bounds {
        max_open_jobs: 1_000,
        max_count: 100_000,
        max_tries: 2_000,
        max_refills: 4,
        max_targets: 1_000,
        workers: 2,
        lease_ms: 15_000,
        max_attempts: 8,
        daily_ahead_days: 7,
        growth: Growth::default(),
    })
}
