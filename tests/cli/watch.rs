//! `puzzled watch`: it reconnects after a restart of the server, and without a terminal prints lines that agree with
//! `puzzled stock`.

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
    sync::Arc,
};

use puzzled::proto::v1::{GenerateRequest, Kind, Level, puzzle_service_client::PuzzleServiceClient};

use crate::{
    ops::{ask, manual_target, set, start},
    puzzled,
    serve::Server,
};

#[tokio::test]
async fn watch_reconnects_after_a_restart_of_the_server() {
    let (mut server, channel, address) = start("--workers 0").await;
    let request =
        GenerateRequest { kind: Kind::Sudoku.into(), level: Level::Easy.into(), count: Some(5), ..Default::default() };
    PuzzleServiceClient::new(channel).generate(request).await.unwrap();
    let mut watch = puzzled(&format!("watch job-1 --address {address}"));
    let mut watch = watch.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut remarks = BufReader::new(watch.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "job-1 queued: made 0 of 5, 0 surplus, in 0 tries");
    server.kill();
    assert_eq!(remarks.next().unwrap(), "connection lost; reconnecting for up to a minute");
    let mut again = Server::start_at(Arc::clone(&server.folder), &address, "--workers 1");
    again.line_with(" listens on ");
    let end = lines.last().unwrap();
    assert!(end.starts_with("job-1 succeeded: made 5 of 5, "), "{end}");
    assert_eq!(remarks.collect::<Vec<_>>(), ["connected again"]);
    assert_eq!(watch.wait().unwrap().code(), Some(0));
}

#[tokio::test]
async fn watch_prints_lines_that_agree_with_stock() {
    let (_server, channel, address) = start("--workers 0").await;
    set(&channel, manual_target(Level::Easy, 30)).await;
    set(&channel, manual_target(Level::Evil, 2_000)).await;
    let watched = ask(&address, "watch --timeout 1").await;
    let stock = ask(&address, "stock").await.out;
    let lines: Vec<_> = watched.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}{}", watched.out, watched.err);
    for (line, id) in lines.into_iter().zip(["target-1", "target-2"]) {
        let row = stock.lines().find(|row| row.contains(id)).unwrap();
        let (named, standing) = line.split_once(": ").unwrap();
        let (have, state) = standing.split_once(' ').unwrap();
        let words: Vec<_> = named.split(' ').skip(1).collect();
        assert!(row.contains(&words.join(" ")) && row.contains(have) && row.contains(state), "{line}\n{row}");
    }
}
