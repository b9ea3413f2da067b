//! Concurrent Kakuro jobs of all levels and three sizes on a real server: each job succeeds, each puzzle has one
//! solution, and no two are isomorphs.

use std::{collections::BTreeSet, sync::atomic::AtomicBool};

use puzzled::proto::v1 as pb;
use puzzled_engine::{
    registry,
    shared::{budget::Budget, text::Verdict},
};

use crate::{Site, is_soak, results::stock, server::Server};

const SIZES: [&str; 3] = ["6x6", "8x10", "12x12"];

const LEVELS: [pb::Level; 5] =
    [pb::Level::Easy, pb::Level::Medium, pb::Level::Hard, pb::Level::Expert, pb::Level::Evil];

#[tokio::test]
async fn concurrent_jobs_of_many_sizes_and_levels_succeed() {
    let site = Site::new().await;
    // 510 puzzles, or a sample.
    let count = if is_soak() { 34 } else { 1 };
    let server = Server::start(&site.database, &["--workers", "2"]).await;
    let mut jobs = Vec::new();
    for (level, variant) in LEVELS.into_iter().flat_map(|level| SIZES.map(|size| (level, size))) {
        let request = pb::GenerateRequest {
            kind: pb::Kind::Kakuro.into(),
            variant: variant.to_owned(),
            level: level.into(),
            symmetry: pb::Symmetry::Rotation180.into(),
            count: Some(count),
            seed: Some(7),
            ..Default::default()
        };
        jobs.push((server.client.generate(request).await, level, variant));
    }
    for (job, _, _) in &jobs {
        let job = server.client.job_at_its_end(&job.id).await;
        assert_eq!((job.state(), job.made), (pb::JobState::Succeeded, count), "{job:?}");
    }
    let puzzles = stock(&server.client).await;
    for (job, level, variant) in jobs {
        let of_job = puzzles.iter().filter(|puzzle| puzzle.job_id == job.id);
        let fitting = of_job.filter(|puzzle| puzzle.level() == level && puzzle.variant == variant);
        assert_eq!(fitting.count(), count as usize, "{variant} {level:?}");
    }
    all_are_unique(&puzzles);
}

/// Checks the puzzles with the library, independently of the server.
fn all_are_unique(puzzles: &[pb::Puzzle]) {
    let kakuro = registry::kind("kakuro").unwrap();
    let cancel = AtomicBool::new(false);
    let mut forms = BTreeSet::new();
    for pb::Puzzle { text, solution, id, .. } in puzzles {
        let verdict = kakuro.validate("", text, &mut Budget::new(u64::MAX, &cancel)).unwrap();
        let Verdict::Unique { solution: found } = verdict else { panic!("{id} {text}: {verdict:?}") };
        assert_eq!(found, *solution, "{id}");
        assert!(forms.insert(kakuro.canonical("", text).unwrap()), "{id} {text} has an isomorph");
    }
}
