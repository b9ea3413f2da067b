//! The jobs of these tests, and checks of their puzzles.

use std::{collections::BTreeSet, path::Path, sync::atomic::AtomicBool};

use puzzled_api::v1 as pb;
use puzzled_engine::{
    registry,
    shared::{budget::Budget, text::Verdict},
};

use crate::server::Client;

/// A job of several milliseconds a puzzle, so that it takes seconds and many slices.
pub(crate) fn request(count: u32) -> pb::GenerateRequest {
    pb::GenerateRequest {
        kind: pb::Kind::Sudoku.into(),
        level: pb::Level::Expert.into(),
        symmetry: pb::Symmetry::Full.into(),
        count: Some(count),
        seed: Some(2_026),
        ..Default::default()
    }
}

/// A job of about a millisecond a puzzle.
pub(crate) fn quick(count: u32) -> pb::GenerateRequest {
    pb::GenerateRequest { level: pb::Level::Unspecified.into(), symmetry: pb::Symmetry::None.into(), ..request(count) }
}

/// All puzzles in stock, by index.
pub(crate) async fn stock(client: &Client) -> Vec<pb::Puzzle> {
    let mut puzzles = Vec::new();
    let mut request =
        pb::ListPuzzlesRequest { include_solutions: true, include_record: true, page_size: 200, ..Default::default() };
    loop {
        let page = client.puzzles().list_puzzles(request.clone()).await.unwrap().into_inner();
        puzzles.extend(page.puzzles);
        if page.next_page_token.is_empty() {
            puzzles.sort_by_key(|puzzle| puzzle.job_index);
            return puzzles;
        }
        request.page_token = page.next_page_token;
    }
}

/// The parts of a job's result that must depend neither on kills nor on the number of workers.
pub(crate) fn set(puzzles: &[pb::Puzzle]) -> Vec<(u32, u32, &str, &str)> {
    puzzles
        .iter()
        .map(|puzzle| (puzzle.job_index, puzzle.job_try, puzzle.text.as_str(), puzzle.solution.as_str()))
        .collect()
}

/// Checks with the library, independently of the server, that every index has one puzzle, and that every puzzle has one
/// solution and no isomorph.
pub(crate) fn are_whole(puzzles: &[pb::Puzzle], count: u32) {
    assert!(puzzles.iter().map(|puzzle| puzzle.job_index).eq(0..count), "an index is missing or occurs twice");
    let sudoku = registry::kind("sudoku").unwrap();
    let cancel = AtomicBool::new(false);
    let mut canonical = BTreeSet::new();
    for pb::Puzzle { text, solution, id, .. } in puzzles {
        let verdict = sudoku.validate("9x9", text, &mut Budget::new(u64::MAX, &cancel)).unwrap();
        let Verdict::Unique { solution: found } = verdict else { panic!("{id} {text}: {verdict:?}") };
        assert_eq!(found, *solution, "{id}");
        assert!(canonical.insert(sudoku.canonical("9x9", text).unwrap()), "{id} {text} has an isomorph");
    }
}

/// Checks that the job makes more puzzles and has lost none, and cancels it.
pub(crate) async fn makes_progress(client: &Client, id: &str) {
    let before = client.job(id).await;
    client.job_when(id, |job| job.made > before.made).await;
    let request = pb::CancelJobRequest { id: id.to_owned() };
    let ended = client.jobs().cancel_job(request).await.unwrap().into_inner().job.unwrap();
    assert_eq!(ended.state(), pb::JobState::Cancelled, "{ended:?}");
    let made = stock(client).await.into_iter().filter(|puzzle| puzzle.job_id == id).count();
    assert_eq!(made, ended.made as usize, "{ended:?}");
}

/// Checks that `puzzled check` has no findings.
pub(crate) fn checked(database: &Path) {
    let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_puzzled"));
    let check = check.env_clear().args(["check", "--database"]).arg(format!("sqlite:{}", database.display()));
    let shown = check.output().unwrap();
    let [out, err] = [shown.stdout, shown.stderr].map(|said| String::from_utf8(said).unwrap());
    assert!(shown.status.success() && out.is_empty(), "{out}{err}");
}
