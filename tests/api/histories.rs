//! `RecordDeliveries`: what an audience has had elsewhere, by ID, by text, and by hash.

use crate::{kakuro::SMALL, prelude::*};

const SUDOKU: i32 = pb::Kind::Sudoku as i32;

fn by_id(id: &str) -> pb::RecordedPuzzle {
    pb::RecordedPuzzle { id: id.to_owned(), ..Default::default() }
}

fn by_text(text: &str) -> pb::RecordedPuzzle {
    pb::RecordedPuzzle { kind: SUDOKU, text: text.to_owned(), ..Default::default() }
}

fn by_hash(repeat_hash: &str) -> pb::RecordedPuzzle {
    pb::RecordedPuzzle { repeat_hash: repeat_hash.to_owned(), ..Default::default() }
}

fn of(audience: &str, puzzles: &[pb::RecordedPuzzle]) -> pb::RecordDeliveriesRequest {
    pb::RecordDeliveriesRequest { audience: audience.to_owned(), puzzles: puzzles.to_vec() }
}

/// The numbers of recorded and of known puzzles.
async fn recorded(server: &Server, request: pb::RecordDeliveriesRequest) -> (u32, u32) {
    let recorded = server.puzzles().await.record_deliveries(request).await.unwrap().into_inner();
    (recorded.recorded, recorded.known)
}

#[tokio::test]
async fn recorded_puzzles_count_as_delivered() {
    let server = Server::start().await;
    server.store_text("sudoku", "9x9", [PUZZLE, SOLUTION]).await;
    server.fill(Symmetry::None, 12, 3).await;
    let view = pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), scramble_seed: Some(5), ..Default::default() };
    let view = server.get_puzzle(view).await.unwrap().text;
    let other = server.get_puzzle(sudoku_for("bert")).await.unwrap().id;
    let hash = server.deliveries("bert").await[0].repeat_hash.clone();
    assert!(hash.len() == 32 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{hash}");
    let kakuro = pb::RecordedPuzzle { kind: pb::Kind::Kakuro.into(), text: SMALL.to_owned(), ..Default::default() };
    let request = of("anna", &[by_text(&view), by_hash(&hash.to_uppercase()), kakuro, by_id("puzzle-2")]);
    let known = u32::from(other == "puzzle-1") + u32::from(other == "puzzle-2");
    assert_eq!(recorded(&server, request.clone()).await, (4 - known, known));
    assert_eq!(recorded(&server, request).await, (0, 4), "a repeat records nothing");
    let listed = server.deliveries("anna").await;
    let ids: BTreeSet<_> = listed.iter().map(|delivery| delivery.puzzle_id.as_str()).collect();
    assert_eq!(ids, BTreeSet::from(["", "puzzle-1", "puzzle-2", &other]), "the Kakuro is not stored");
    assert!(listed.iter().all(|delivery| delivery.deliver_time.is_some() && delivery.request_id.is_empty()));
    let mut gotten = ids.len() - 1;
    while let Ok(puzzle) = server.get_puzzle(sudoku_for("anna")).await {
        assert!(!ids.contains(puzzle.id.as_str()), "{} was recorded", puzzle.id);
        gotten += 1;
    }
    assert_eq!(gotten, 4);
}

#[tokio::test]
async fn one_wrong_puzzle_refuses_the_whole_record_with_its_index() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 1).await;
    let mut puzzles = server.puzzles().await;
    let right = by_text(PUZZLE);
    let hash = "ab".repeat(16);
    let of_id_and_hash = pb::RecordedPuzzle { repeat_hash: hash.clone(), ..by_id("puzzle-1") };
    let of_text_and_hash = pb::RecordedPuzzle { repeat_hash: hash.clone(), ..right.clone() };
    let together = format!("\"{hash}\" together with kind, variant, or text; set one of them");
    for (request, fields) in [
        (of("", std::slice::from_ref(&right)), &[("audience", "required; set the name of an audience")][..]),
        (of("anna", &[]), &[("puzzles", "0 are outside 1 to 500")]),
        (of("anna", &vec![right.clone(); 501]), &[("puzzles", "501 are outside 1 to 500")]),
        (
            of("anna", &[right.clone(), by_text("12"), by_hash("12")]),
            &[
                ("puzzles[1].text", "2 cells; the puzzle must have exactly 81"),
                ("puzzles[2].repeat_hash", "\"12\" is not a repeat hash; use 32 hexadecimal digits"),
            ],
        ),
        (
            of("anna", &[pb::RecordedPuzzle::default(), of_id_and_hash, of_text_and_hash]),
            &[
                ("puzzles[0].id", "required unless text or repeat_hash is set; set one of them"),
                ("puzzles[1].id", "\"puzzle-1\" together with kind, variant, text, or repeat_hash; set one of them"),
                ("puzzles[2].repeat_hash", &together),
            ],
        ),
    ] {
        check_fields(puzzles.record_deliveries(request).await, fields);
    }
    for id in ["puzzle-9", "puzzle", "job-1"] {
        let refused = puzzles.record_deliveries(of("anna", &[right.clone(), by_id(id)])).await;
        let message = refused.as_ref().unwrap_err().message().to_owned();
        assert!(message.starts_with("puzzles[1]: "), "{message}");
        let details = check(refused, Code::NotFound, "PUZZLE_NOT_FOUND");
        assert_eq!(details.error_info().unwrap().metadata["index"], "1");
    }
    let refused = puzzles.record_deliveries(of("anna", &[right.clone(), by_text(&".".repeat(81))])).await;
    let message = refused.as_ref().unwrap_err().message().to_owned();
    assert!(message.starts_with("puzzles[1]: text: the puzzle has more than one solution"), "{message}");
    check(refused, Code::InvalidArgument, "NOT_UNIQUE");
    assert_eq!(server.deliveries("anna").await, []);
}

#[tokio::test]
async fn recorded_audience_is_named_in_no_audit_entry() {
    let server = Server::start().await;
    assert_eq!(recorded(&server, of("anna", &[by_text(PUZZLE)])).await, (1, 0));
    assert_eq!(recorded(&server, of("anna", &[by_text(PUZZLE)])).await, (0, 1));
    let list = pb::ListAuditEntriesRequest { method: "RecordDeliveries".to_owned(), ..Default::default() };
    let entries = server.info().await.list_audit_entries(list).await.unwrap().into_inner().entries;
    assert_eq!(entries.len(), 1, "a repeat has none");
    assert!(!format!("{entries:?}").contains("anna"), "{entries:?}");
}
