//! Messages of errors: the words about a wrong schedule, and the limit of 400 characters.

use puzzled::proto::v1 as pb;

use crate::server::Server;

const SUDOKU: i32 = pb::Kind::Sudoku as i32;
const KAKURO: i32 = pb::Kind::Kakuro as i32;

fn rate(kind: i32, variant: &str, text: &str) -> pb::RateRequest {
    pb::RateRequest { kind, variant: variant.to_owned(), text: text.to_owned() }
}

#[tokio::test]
async fn wrong_schedule_is_refused_with_the_field_of_the_cron_expression() {
    let server = Server::start().await;
    let mut stock = server.stock().await;
    let cases = [
        ("every day", "cron: \"every day\" has 2 fields; use minute, hour, day, month, and weekday, such as 0 1 * * *"),
        ("61 * * * *", "cron: minute \"61\" is not allowed; use 0 to 59"),
        ("0 24 * * *", "cron: hour \"24\" is not allowed; use 0 to 23"),
        ("0 0 32 * *", "cron: day \"32\" is not allowed; use 1 to 31"),
        ("0 0 * 13 *", "cron: month \"13\" is not allowed; use 1 to 12 or JAN to DEC"),
        ("0 0 * * 8", "cron: weekday \"8\" is not allowed; use 0 to 7 or SUN to SAT"),
        ("0 0 30 2 *", "cron: \"0 0 30 2 *\" never occurs; use a day that its month has"),
    ];
    for (cron, wanted) in cases {
        let request = pb::CreateStockTargetRequest {
            kind: SUDOKU,
            target: 1,
            cron: cron.to_owned(),
            time_zone: "UTC".to_owned(),
            window_minutes: 60,
            ..Default::default()
        };
        assert_eq!(stock.create_stock_target(request).await.unwrap_err().message(), wanted);
    }
}

#[tokio::test]
async fn message_has_at_most_400_characters() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let long = "é".repeat(4_000);
    let worst = pb::GenerateRequest {
        kind: 99,
        variant: long.clone(),
        symmetry: -1,
        level: 99,
        min_rating: Some(1e300),
        max_rating: Some(-1e300),
        technique: long.clone(),
        clues: Some(u32::MAX),
        priority: i32::MAX,
        labels: (0..20).map(|number| (format!("{number}{long}"), long.clone())).collect(),
        request_id: long.clone(),
        ..Default::default()
    };
    let asked = pb::GetPuzzleRequest { id: long.clone(), audience: long.clone(), kind: -1, ..Default::default() };
    let statuses = [
        puzzles.generate(worst).await.unwrap_err(),
        puzzles.get_puzzle(asked).await.unwrap_err(),
        puzzles.rate(rate(SUDOKU, "", &long)).await.unwrap_err(),
        puzzles.rate(rate(KAKURO, &long[..1_000], &"x".repeat(4_000))).await.unwrap_err(),
        puzzles.rate(rate(KAKURO, "", &"x".repeat(4_000))).await.unwrap_err(),
    ];
    for status in &statuses {
        assert!(status.message().chars().count() <= 400, "{status:?}");
    }
    assert!(statuses[0].message().ends_with('…'), "{:?}", statuses[0]);
}
