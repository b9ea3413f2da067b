//! Imports while the server is killed at each of their points: the records of a call are stored or not, and a repeat stores
//! each once.

use puzzled_api::v1 as pb;
use puzzled_engine::{
    registry,
    shared::{
        budget::Budget,
        rng::Rng,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        tries::Try,
    },
};

use crate::{Site, results::checked, server::Server};

/// Records of one call.
const RECORDS: usize = 6;

/// The kills: the point, and the number of records that the call stored.
const DEATHS: [(&str, usize); 8] = [
    ("import.begin:1", 0),
    ("import.insert:1", 0),
    ("import.find_lines:1", 0),
    ("commit.next_position:2", 0),
    ("commit.insert_puzzle:6", 0),
    ("import.audit:1", 0),
    ("import.commit:1", 0),
    ("import.committed:1", RECORDS),
];

/// As many different puzzles.
fn texts(count: usize) -> Vec<String> {
    let kind = registry::kind("sudoku").unwrap();
    let spec = Spec {
        kind: "sudoku".to_owned(),
        variant: "9x9".to_owned(),
        symmetry: Symmetry::None,
        difficulty: Difficulty::Any,
        givens: None,
        technique: None,
    };
    let made =
        (0..).filter_map(|seed| match kind.make(&spec, &mut Rng::from_seed(seed), &mut Budget::of_nodes(u64::MAX)) {
            Try::Made(made) => Some(made.text),
            _ => None,
        });
    made.take(count).collect()
}

fn import(import_id: &str, texts: &[String]) -> pb::ImportPuzzlesRequest {
    let record = |(line, text): (u32, &String)| pb::ImportRecord {
        line,
        kind: pb::Kind::Sudoku.into(),
        text: text.clone(),
        ..Default::default()
    };
    let records = (1..).zip(texts).map(record).collect();
    pb::ImportPuzzlesRequest { import_id: import_id.to_owned(), records, ..Default::default() }
}

#[tokio::test]
async fn kill_at_any_point_of_an_import_loses_and_doubles_nothing() {
    let site = Site::new().await;
    let texts = texts(RECORDS * DEATHS.len());
    for ((point, _), texts) in DEATHS.iter().zip(texts.chunks(RECORDS)) {
        let mut server = Server::start(&site.database, &["--workers", "0", "--halt-at", point]).await;
        let (client, request) = (server.client.clone(), import(point, texts));
        let call = tokio::spawn(async move { client.puzzles().import_puzzles(request).await });
        server.logs(&format!("halted at {}", point.split_once(':').unwrap().0)).await;
        server.kill().await;
        assert!(call.await.unwrap().is_err(), "{point}");
        checked(&site.database);
    }
    let server = Server::start(&site.database, &["--workers", "0"]).await;
    for ((point, stored), texts) in DEATHS.iter().zip(texts.chunks(RECORDS)) {
        let again = server.client.puzzles().import_puzzles(import(point, texts)).await.unwrap().into_inner().results;
        assert_eq!(again.len(), RECORDS);
        let known = again.iter().filter(|result| result.refusal() == pb::ImportRefusal::Known);
        assert_eq!(known.filter(|result| result.other_line == result.line).count(), *stored, "{point}");
        let new = again.iter().filter(|result| result.refusal() == pb::ImportRefusal::Unspecified).count();
        assert_eq!(new, RECORDS - stored, "{point}");
    }
    server.kill().await;
    checked(&site.database);
}
