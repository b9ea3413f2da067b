//! Deliveries while the server is killed repeatedly: acknowledged deliveries stay, repeated requests get the same
//! puzzle, and no puzzle is delivered twice.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use puzzled_api::v1 as pb;
use tokio::{sync::Notify, task::JoinSet};
use tonic::Code;

use crate::{
    Site,
    server::{Client, Server},
};

const PUZZLES: u32 = 500;

/// Concurrent callers, and the calls of each before the next kill. All calls together are fewer than the puzzles.
const CALLERS: u32 = 4;
const CALLS: u32 = 12;

/// If a server has no halt point, the test kills it after this many answers to one caller.
const ANSWERS: u32 = 10;

/// The points at which a write halts before the test kills the server (`POINT:N` halts at the N-th time). Each N is so
/// low that the calls of the callers reach it. With `None`, the test kills the server between answers.
const DEATHS: [Option<&str>; 8] = [
    Some("deliver.begin:2"),
    None,
    Some("deliver.read_puzzles:3"),
    Some("deliver.insert_deliveries:2"),
    Some("deliver.move_cursors:2"),
    Some("deliver.commit:3"),
    None,
    Some("deliver.committed:2"),
];

/// The ID of the delivered puzzle for each request ID.
type Answers = BTreeMap<String, String>;

fn wanted(request_id: &str) -> pb::GetPuzzleRequest {
    pb::GetPuzzleRequest {
        kind: pb::Kind::Sudoku.into(),
        audience: "anna".to_owned(),
        request_id: request_id.to_owned(),
        ..Default::default()
    }
}

#[tokio::test]
async fn kills_lose_no_delivery_and_repeat_none() {
    let site = Site::new().await;
    fill(&site.database, PUZZLES).await;
    let (mut asked, mut answers) = (Vec::new(), Answers::new());
    for (round, death) in (0..).zip(DEATHS) {
        let names: Vec<Vec<_>> =
            (0..CALLERS).map(|caller| (0..CALLS).map(|call| format!("{round} {caller} {call}")).collect()).collect();
        asked.extend(names.iter().flatten().cloned());
        answers.extend(until_death(&site.database, death, names).await);
    }
    let server = Server::start(&site.database, &["--workers", "0"]).await;
    let acknowledged = answers.clone();
    // Callers repeat their requests, whether or not they got an answer.
    for name in asked {
        let puzzle = get(&server.client, &name).await.unwrap();
        let before = answers.entry(name).or_insert_with(|| puzzle.clone());
        assert_eq!(*before, puzzle);
    }
    let delivered: BTreeSet<_> = answers.values().collect();
    assert_eq!(delivered.len(), answers.len(), "a puzzle was delivered twice");
    let listed = deliveries(&server.client).await;
    assert_eq!(listed, answers);
    assert!(acknowledged.iter().all(|(name, puzzle)| listed[name] == *puzzle));
    // All other puzzles can still be delivered.
    let mut rest = BTreeSet::new();
    while let Ok(puzzle) = get(&server.client, "").await {
        assert!(rest.insert(puzzle));
    }
    assert!(rest.iter().all(|puzzle| !delivered.contains(puzzle)));
    assert_eq!(rest.len() + delivered.len(), PUZZLES as usize);
}

pub(crate) async fn fill(database: &Path, puzzles: u32) {
    let server = Server::start(database, &["--workers", "2"]).await;
    let request = pb::GenerateRequest {
        kind: pb::Kind::Sudoku.into(),
        level: pb::Level::Easy.into(),
        count: Some(puzzles),
        seed: Some(2_026),
        ..Default::default()
    };
    let job = server.client.generate(request).await;
    let ended = server.client.job_at_its_end(&job.id).await;
    assert_eq!(ended.made, puzzles, "{ended:?}");
    server.kill().await;
}

/// Lets each caller send its requests in turn until the test kills the server. Returns the answers.
async fn until_death(database: &Path, death: Option<&str>, names: Vec<Vec<String>>) -> Answers {
    let mut arguments = vec!["--workers", "0"];
    arguments.extend(death.iter().flat_map(|point| ["--halt-at", point]));
    let mut server = Server::start(database, &arguments).await;
    let enough = Arc::new(Notify::new());
    let mut callers = JoinSet::new();
    for names in names {
        let (client, enough) = (server.client.clone(), Arc::clone(&enough));
        callers.spawn(async move {
            let mut answers = Answers::new();
            for (call, name) in (1..).zip(names) {
                match get(&client, &name).await {
                    Ok(puzzle) => answers.insert(name, puzzle),
                    Err(Code::FailedPrecondition) => panic!("the stock is used up"),
                    // The server was killed.
                    Err(_) => break,
                };
                if call == ANSWERS {
                    enough.notify_one();
                }
            }
            answers
        });
    }
    match death {
        Some(point) => {
            let (name, _) = point.split_once(':').unwrap();
            server.logs(&format!("halted at {name}")).await;
        }
        None => enough.notified().await,
    }
    server.kill().await;
    callers.join_all().await.into_iter().flatten().collect()
}

async fn get(client: &Client, name: &str) -> Result<String, Code> {
    let answer = client.puzzles().get_puzzle(wanted(name)).await;
    answer.map(|reply| reply.into_inner().puzzle.unwrap().id).map_err(|status| status.code())
}

async fn deliveries(client: &Client) -> Answers {
    let mut request = pb::ListDeliveriesRequest { audience: "anna".to_owned(), page_size: 50, ..Default::default() };
    let mut all = Answers::new();
    loop {
        let page = client.puzzles().list_deliveries(request.clone()).await.unwrap().into_inner();
        for delivery in page.deliveries {
            assert_eq!(all.insert(delivery.request_id, delivery.puzzle_id), None);
        }
        if page.next_page_token.is_empty() {
            return all;
        }
        request.page_token = page.next_page_token;
    }
}
