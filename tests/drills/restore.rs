//! A restore drill: a backup, deliveries after it, a kill, the restore, and a check of what the audience gets
//! afterwards.

use std::collections::BTreeSet;

use puzzled_api::v1::{
    GenerateRequest, GetPuzzleRequest, Kind, WatchJobRequest, job_service_client::JobServiceClient,
    puzzle_service_client::PuzzleServiceClient,
};
use puzzled_base::clock::SystemClock;
use tonic::{Code, transport::Channel};

use crate::process::{Machine, free_address};

/// Puzzles in stock, and the numbers that the audience gets before and after the backup.
const STOCK: usize = 60;
const BEFORE: usize = 20;
const AFTER: usize = 10;

/// Delivers `count` puzzles to an audience.
async fn delivered(channel: &Channel, count: usize) -> BTreeSet<String> {
    let mut puzzles = PuzzleServiceClient::new(channel.clone());
    let mut ids = BTreeSet::new();
    for _ in 0..count {
        let request = GetPuzzleRequest { kind: Kind::Sudoku.into(), audience: "anna".to_owned(), ..Default::default() };
        ids.insert(puzzles.get_puzzle(request).await.unwrap().into_inner().puzzle.unwrap().id);
    }
    assert_eq!(ids.len(), count, "a puzzle was delivered twice");
    ids
}

async fn connected(address: &str) -> Channel {
    Channel::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap()
}

async fn fill(channel: &Channel) {
    let count = Some(u32::try_from(STOCK).unwrap());
    let request = GenerateRequest { kind: Kind::Sudoku.into(), count, ..Default::default() };
    let queued = PuzzleServiceClient::new(channel.clone()).generate(request).await.unwrap().into_inner();
    let watch = WatchJobRequest { id: queued.job.unwrap().id };
    let mut watch = JobServiceClient::new(channel.clone()).watch_job(watch).await.unwrap().into_inner();
    while watch.message().await.unwrap().is_some() {}
}

#[tokio::test]
async fn restored_database_repeats_no_delivery_from_before_the_backup() {
    let (machine, clock) = (Machine::with_file(), SystemClock::shared());
    let address = free_address();
    let server = machine.serve(&address, "--workers 1").await;
    let channel = connected(&address).await;
    fill(&channel).await;
    let before = delivered(&channel, BEFORE).await;
    machine.puzzled("backup backup.db").await;
    let after = delivered(&channel, AFTER).await;
    server.kill().await;

    let began = clock.elapsed();
    machine.puzzled("restore backup.db").await;
    machine.puzzled("check").await;
    let server = machine.serve(&address, "--workers 0").await;
    let took = clock.elapsed().saturating_sub(began);
    println!("restored, checked, and serving after {took:?}; {AFTER} deliveries lost");

    let channel = connected(&address).await;
    let again = delivered(&channel, STOCK - BEFORE).await;
    assert!(again.is_disjoint(&before), "a delivery from before the backup was repeated");
    // As the page on restores says, these deliveries are lost, so their puzzles come again.
    assert!(again.is_superset(&after));
    let request = GetPuzzleRequest { kind: Kind::Sudoku.into(), audience: "anna".to_owned(), ..Default::default() };
    let exhausted = PuzzleServiceClient::new(channel).get_puzzle(request).await.unwrap_err();
    assert_eq!(exhausted.code(), Code::FailedPrecondition, "{exhausted:?}");
    server.stop().await;
    machine.puzzled("check").await;
}
