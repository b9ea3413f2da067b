//! Withdrawals of many puzzles while the server is killed at each of their points: each part is done or not, and a repeat
//! does the rest.

use puzzled_api::v1 as pb;

use crate::{
    Site,
    results::{checked, quick},
    server::{Client, Server},
};

/// Puzzles of a job that is withdrawn in one part. About half of them have a delivery.
const FEW: u32 = 30;

/// The kills: whether the withdrawal forgets, its point, the puzzles of the job, and how many of them the kill leaves.
const DEATHS: [(bool, &str, u32, u32); 18] = [
    (false, "withdraw_many.begin:1", FEW, FEW),
    (false, "withdraw_many.update:1", FEW, FEW),
    (false, "withdraw_many.count:1", FEW, FEW),
    (false, "withdraw_many.audit:1", FEW, FEW),
    (false, "withdraw_many.commit:1", FEW, FEW),
    (false, "withdraw_many.committed:1", FEW, 0),
    (true, "withdraw_many.begin:1", FEW, FEW),
    (true, "withdraw_many.lock_puzzles:1", FEW, FEW),
    (true, "withdraw_many.find_undelivered:1", FEW, FEW),
    (true, "withdraw_many.delete_ratings:1", FEW, FEW),
    (true, "withdraw_many.delete_puzzles:1", FEW, FEW),
    (true, "withdraw_many.update:1", FEW, FEW),
    (true, "withdraw_many.count:1", FEW, FEW),
    (true, "withdraw_many.note_jobs:1", FEW, FEW),
    (true, "withdraw_many.audit:1", FEW, FEW),
    (true, "withdraw_many.commit:1", FEW, FEW),
    (true, "withdraw_many.committed:1", FEW, 0),
    (true, "withdraw_many.update:2", 520, 20),
];

/// Puzzles that an audience has had.
const DELIVERED: usize = 500;

fn of_job(job_id: &str, forget: bool) -> pb::WithdrawPuzzlesRequest {
    pb::WithdrawPuzzlesRequest { job_id: job_id.to_owned(), forget, reason: "a test".to_owned(), ..Default::default() }
}

async fn withdrawn(client: &Client, request: pb::WithdrawPuzzlesRequest) -> pb::WithdrawPuzzlesResponse {
    client.puzzles().withdraw_puzzles(request).await.unwrap().into_inner()
}

/// Delivers puzzles to an audience, and returns their IDs.
async fn delivered(client: &Client) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..DELIVERED {
        let request =
            pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), audience: "anna".to_owned(), ..Default::default() };
        ids.push(client.puzzles().get_puzzle(request).await.unwrap().into_inner().puzzle.unwrap().id);
    }
    ids
}

#[tokio::test]
async fn kill_at_any_point_of_a_withdrawal_leaves_each_part_done_or_not() {
    let site = Site::new().await;
    let server = Server::start(&site.database, &["--workers", "2"]).await;
    let mut jobs = Vec::new();
    for (seed, (_, _, count, _)) in (1..).zip(DEATHS) {
        let job = server.client.generate(pb::GenerateRequest { seed: Some(seed), ..quick(count) }).await;
        jobs.push(server.client.job_at_its_end(&job.id).await.id);
    }
    let delivered = delivered(&server.client).await;
    server.kill().await;
    for (job, (forget, point, _, _)) in jobs.iter().zip(DEATHS) {
        let mut server = Server::start(&site.database, &["--workers", "0", "--halt-at", point]).await;
        let (client, request) = (server.client.clone(), of_job(job, forget));
        let call = tokio::spawn(async move { client.puzzles().withdraw_puzzles(request).await });
        server.logs(&format!("halted at {}", point.split_once(':').unwrap().0)).await;
        server.kill().await;
        assert!(call.await.unwrap().is_err(), "{point}");
        checked(&site.database);
    }
    let server = Server::start(&site.database, &["--workers", "0"]).await;
    let mut forgotten = 0;
    for (job, (forget, point, _, left)) in jobs.iter().zip(DEATHS) {
        let done = withdrawn(&server.client, of_job(job, forget)).await;
        assert_eq!((done.changed, done.remaining), (left.into(), 0), "{forget} {point}");
        forgotten += done.forgotten;
    }
    assert!(forgotten > 0);
    // All puzzles are gone, and those with a delivery are still found.
    let any = pb::ListPuzzlesRequest { page_size: 1, ..Default::default() };
    assert_eq!(server.client.puzzles().list_puzzles(any).await.unwrap().into_inner().puzzles, []);
    for id in delivered {
        let request = pb::GetPuzzleRequest { id, ..Default::default() };
        server.client.puzzles().get_puzzle(request).await.unwrap();
    }
    server.kill().await;
    checked(&site.database);
}
