//! Kills while a day of a series is drawn: the day has its puzzle or none, and no puzzle is lost.

use std::collections::BTreeSet;

use puzzled_api::v1::{self as pb, series_service_client::SeriesServiceClient};

use crate::{
    Site,
    results::{checked, quick},
    server::{Client, Server},
};

const POINTS: [&str; 7] = [
    "draw_day.begin",
    "draw_day.lock_shelf",
    "draw_day.take",
    "draw_day.count",
    "draw_day.write",
    "draw_day.commit",
    "draw_day.committed",
];

/// Puzzles in stock: more than the days of all series.
const PUZZLES: u32 = 60;

async fn create(client: Client, name: String) {
    let request = pb::CreateDailySeriesRequest { name, kind: pb::Kind::Sudoku.into(), ..Default::default() };
    // The server may halt before it answers.
    SeriesServiceClient::new(client.channel()).create_daily_series(request).await.ok();
}

async fn ids(client: &Client, all: &[pb::DailySeries]) -> Vec<String> {
    let mut ids = Vec::new();
    for series in all {
        let request = pb::GetDailyPuzzleRequest { series: series.name.clone(), ..Default::default() };
        ids.push(client.puzzles().get_daily_puzzle(request).await.unwrap().into_inner().puzzle.unwrap().id);
    }
    ids
}

#[tokio::test]
async fn kill_at_any_point_of_the_draw_of_a_day_leaves_the_day_whole() {
    let site = Site::new().await;
    let server = Server::start(&site.database, &["--workers", "2"]).await;
    let job = server.client.generate(quick(PUZZLES)).await;
    server.client.job_at_its_end(&job.id).await;
    server.kill().await;
    for point in POINTS {
        let halt = format!("{point}:1");
        let mut server = Server::start(&site.database, &["--workers", "0", "--halt-at", &halt]).await;
        // The planner draws the current day of the series at once.
        let call = tokio::spawn(create(server.client.clone(), point.replace('_', "-")));
        server.logs(&format!("halted at {point}")).await;
        server.kill().await;
        call.await.unwrap();
        checked(&site.database);
    }
    let server = Server::start(&site.database, &["--workers", "0"]).await;
    create(server.client.clone(), "last".to_owned()).await;
    let listed =
        SeriesServiceClient::new(server.client.channel()).list_daily_series(pb::ListDailySeriesRequest {}).await;
    let all = listed.unwrap().into_inner().series;
    let first = ids(&server.client, &all).await;
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), all.len());
    server.kill().await;
    let server = Server::start(&site.database, &["--workers", "0"]).await;
    assert_eq!(ids(&server.client, &all).await, first);
    server.kill().await;
    checked(&site.database);
}
