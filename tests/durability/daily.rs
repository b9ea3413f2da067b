//! Kills during the replacement of a withdrawn daily puzzle: the day keeps one puzzle, and each puzzle is delivered
//! once.

use std::path::Path;

use puzzled::proto::v1 as pb;

use crate::{
    Site,
    deliveries::fill,
    server::{Client, Server},
};

const PUZZLES: u32 = 40;

/// The points at which the write of the replacement halts before the test kills the server.
const DEATHS: [&str; 10] = [
    "deliver.begin",
    "deliver.read_cursors",
    "deliver.read_names",
    "deliver.read_puzzles",
    "deliver.read_shared",
    "deliver.release_names",
    "deliver.insert_deliveries",
    "deliver.move_cursors",
    "deliver.commit",
    "deliver.committed",
];

fn shared(date: &str) -> pb::GetDailyPuzzleRequest {
    pb::GetDailyPuzzleRequest {
        kind: pb::Kind::Sudoku.into(),
        date: date.to_owned(),
        audience: "anna".to_owned(),
        shared: true,
        ..Default::default()
    }
}

async fn daily(client: &Client, date: &str) -> pb::GetDailyPuzzleResponse {
    client.puzzles().get_daily_puzzle(shared(date)).await.unwrap().into_inner()
}

#[tokio::test]
async fn kills_during_the_replacement_of_a_daily_puzzle_leave_one() {
    let site = Site::new().await;
    fill(&site.database, PUZZLES).await;
    let mut had = Vec::new();
    for point in DEATHS {
        let (date, withdrawn) = withdrawn_day(&site.database).await;
        had.push(withdrawn);
        let mut server = Server::start(&site.database, &["--workers", "0", "--halt-at", &format!("{point}:1")]).await;
        let (client, asked) = (server.client.clone(), date.clone());
        let call = tokio::spawn(async move { client.puzzles().get_daily_puzzle(shared(&asked)).await });
        server.logs(&format!("halted at {point}")).await;
        server.kill().await;
        call.await.unwrap().unwrap_err();
    }
    let server = Server::start(&site.database, &["--workers", "0"]).await;
    let today = daily(&server.client, "").await;
    let (date, puzzle) = (today.date, today.puzzle.unwrap().id);
    assert_eq!(daily(&server.client, &date).await.puzzle.unwrap().id, puzzle);
    had.push(puzzle);
    let request = pb::ListDeliveriesRequest { audience: "anna".to_owned(), ..Default::default() };
    let mut listed = server.client.puzzles().list_deliveries(request).await.unwrap().into_inner().deliveries;
    listed.reverse();
    let ids: Vec<_> = listed.iter().map(|delivery| &delivery.puzzle_id).collect();
    assert_eq!(ids, had.iter().collect::<Vec<_>>(), "each was delivered once");
    let dated: Vec<_> = listed.iter().filter(|delivery| delivery.date == date).map(|one| &one.puzzle_id).collect();
    assert_eq!(dated, [had.last().unwrap()]);
}

/// Withdraws the daily puzzle of today, and returns the date and the ID of the puzzle.
async fn withdrawn_day(database: &Path) -> (String, String) {
    let server = Server::start(database, &["--workers", "0"]).await;
    let today = daily(&server.client, "").await;
    let puzzle = today.puzzle.unwrap();
    assert_eq!(puzzle.withdraw_time, None, "a withdrawn puzzle is never a daily puzzle");
    let request = pb::WithdrawPuzzleRequest { id: puzzle.id.clone(), reason: "a misprint".to_owned() };
    server.client.puzzles().withdraw_puzzle(request).await.unwrap();
    server.kill().await;
    (today.date, puzzle.id)
}
