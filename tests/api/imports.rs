//! `ImportPuzzles`: stores puzzles of callers, refuses others with their reasons, and is found by its name.

use pb::ImportRefusal as Why;

use crate::prelude::*;

/// A puzzle with 26 givens and without symmetry.
const OTHER: &str = "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......";

fn record(line: u32, text: &str) -> pb::ImportRecord {
    pb::ImportRecord { line, kind: pb::Kind::Sudoku.into(), text: text.to_owned(), ..Default::default() }
}

fn import(records: Vec<pb::ImportRecord>) -> pb::ImportPuzzlesRequest {
    pb::ImportPuzzlesRequest { import_id: "a book".to_owned(), source: "by Ada".to_owned(), dry_run: false, records }
}

async fn imported(server: &Server, request: pb::ImportPuzzlesRequest) -> pb::ImportPuzzlesResponse {
    server.puzzles().await.import_puzzles(request).await.unwrap().into_inner()
}

/// The refusals without their details, by line.
fn refusals(response: &pb::ImportPuzzlesResponse) -> Vec<(u32, Why, &str, u32)> {
    let refused = response.results.iter().filter(|result| result.refusal != 0);
    refused.map(|result| (result.line, result.refusal(), result.other_id.as_str(), result.other_line)).collect()
}

#[tokio::test]
async fn imported_puzzle_is_rated_and_keeps_the_record_that_brought_it() {
    let server = Server::start().await;
    let records = vec![pb::ImportRecord { note: "page 7".to_owned(), ..record(3, PUZZLE) }, record(4, OTHER)];
    let response = imported(&server, import(records)).await;
    let ids: Vec<_> = response.results.iter().map(|result| result.puzzle_id.as_str()).collect();
    assert_eq!((ids, refusals(&response)), (vec!["puzzle-1", "puzzle-2"], Vec::new()));
    let by_id = pb::GetPuzzleRequest {
        id: "puzzle-1".to_owned(),
        include_solution: true,
        include_record: true,
        ..Default::default()
    };
    let puzzle = server.get_puzzle(by_id).await.unwrap();
    assert_eq!((puzzle.text.as_str(), puzzle.solution.as_str(), puzzle.givens), (PUZZLE, SOLUTION, 30));
    assert_eq!((puzzle.symmetry(), puzzle.level()), (pb::Symmetry::Rotation180, pb::Level::Easy));
    assert_eq!((puzzle.import_id.as_str(), puzzle.import_line, puzzle.import_note.as_str()), ("a book", 3, "page 7"));
    assert_eq!((puzzle.seed, puzzle.job_id.as_str(), puzzle.job_index, puzzle.job_try), (0, "", 0, 0));
    let rated = pb::RateRequest { kind: 1, text: PUZZLE.to_owned(), ..Default::default() };
    let rated = server.puzzles().await.rate(rated).await.unwrap().into_inner();
    assert_eq!((puzzle.rating, puzzle.record), (rated.rating, rated.record));
    let plain = server.get_puzzle(pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), ..Default::default() }).await;
    assert_eq!(plain.unwrap().import_id, "");
}

#[tokio::test]
async fn records_that_cannot_be_stored_are_refused_alone() {
    let server = Server::start().await;
    let isomorph = PUZZLE.chars().map(|sign| match sign {
        '5' => '3',
        '3' => '5',
        other => other,
    });
    let isomorph: String = isomorph.collect();
    let kakuro = pb::ImportRecord { kind: pb::Kind::Kakuro.into(), ..record(9, "# #\n# .") };
    let records = vec![
        record(1, PUZZLE),
        record(2, &isomorph),
        record(3, PUZZLE),
        record(4, "123"),
        record(5, &format!("55{}", &PUZZLE[2..])),
        record(6, &format!(".{}", &OTHER[1..])),
        record(7, SOLUTION),
        pb::ImportRecord { kind: 0, ..record(8, PUZZLE) },
        kakuro,
        pb::ImportRecord { variant: "5x5".to_owned(), ..record(10, PUZZLE) },
        record(11, &" ".repeat(9_000)),
    ];
    let response = imported(&server, import(records.clone())).await;
    let expected = [
        (2, Why::Isomorph, "puzzle-1", 1),
        (3, Why::Known, "puzzle-1", 1),
        (4, Why::Unreadable, "", 0),
        (5, Why::NoSolution, "", 0),
        (6, Why::Several, "", 0),
        (7, Why::Unrated, "", 0),
        (8, Why::Unreadable, "", 0),
        (9, Why::Unreadable, "", 0),
        (10, Why::Unreadable, "", 0),
        (11, Why::Unreadable, "", 0),
    ];
    assert_eq!(refusals(&response), expected);
    let details: Vec<_> = response.results.iter().map(|result| result.detail.as_str()).collect();
    assert_eq!(details[3], "3 cells; the puzzle must have exactly 81");
    assert!(details[4].starts_with("two 5s in row 1"), "{}", details[4]);
    assert_eq!(details[6], "the grid is complete, so there is nothing to rate");
    assert_eq!(details[7], "kind: required; GetServerInfo lists the kinds (`puzzled info`)");
    assert_eq!(details[10], "text: 9000 bytes; at most 8192 are allowed");
    // A repeat finds its own puzzle.
    let again = imported(&server, import(records)).await;
    assert_eq!(refusals(&again)[0], (1, Why::Known, "puzzle-1", 1));
    assert_eq!(refusals(&again).len(), 11);
    assert_eq!(server.get_stock(pb::GetStockRequest::default()).await.unwrap().total, 1);
}

/// A star battle of 6x6 and one of 11x11, each with a region of one cell.
const STARS: &str = "6x6: .................................... regions=aaabbcdeaffcddafccddafccdaacccaacccc";
const ELEVEN: &str = concat!(
    "11x11: ......................................................................................................................... ",
    "regions=aabbbbbccccaaaadbbbbccaaaabbbccceaaaaabbcfeeggaaabbbfeehhhaabbbbbbhhhaaabbbbihhhhaaabbbijjhhhkkbiiihhhhkkbbiiihhhhhbbbiii"
);

/// Boards that 0.2 refuses, although it has their variants.
const TOO_NEW: [(pb::Kind, &str); 3] = [
    (pb::Kind::StarBattle, STARS),
    (pb::Kind::Kakuro, "# \\4 \\3 #\n3\\ . . #\n4\\ . . \\5\n# # 5\\ ."),
    (pb::Kind::Kakuro, "# # # #\n# # \\4 \\6\n# 3\\ . .\n# 4\\ . .\n# # # ."),
];

/// A server of 0.2 on the same database would draw such a text from a shelf that it knows, and could not read it.
#[tokio::test]
async fn text_that_the_last_minor_version_cannot_read_is_not_stored() {
    let server = Server::start().await;
    for (line, (kind, text)) in (1..).zip(TOO_NEW) {
        let record = pb::ImportRecord { kind: kind.into(), ..record(line, text) };
        let response = imported(&server, import(vec![record])).await;
        assert_eq!(refusals(&response), [(line, Why::TooNew, "", 0)], "{response:?}");
        let detail = &response.results[0].detail;
        assert!(
            detail.contains(" one cell") && detail.ends_with("import the puzzle with the next minor version"),
            "{detail}"
        );
        let rated = pb::RateRequest { kind: kind.into(), text: text.to_owned(), ..Default::default() };
        assert!(server.puzzles().await.rate(rated).await.unwrap().into_inner().rating >= 1.0);
        let solve = pb::SolveRequest {
            kind: kind.into(),
            text: text.to_owned(),
            include_steps: true,
            include_drawing: true,
            ..Default::default()
        };
        let solved = server.puzzles().await.solve(solve).await.unwrap().into_inner();
        assert!(solved.steps_complete && !solved.drawing.is_empty(), "{text}");
    }
    // A record of a delivery has no text.
    let puzzles = TOO_NEW.map(|(kind, text)| pb::RecordedPuzzle {
        kind: kind.into(),
        text: text.to_owned(),
        ..Default::default()
    });
    let had = pb::RecordDeliveriesRequest { audience: "anna".to_owned(), puzzles: puzzles.to_vec() };
    assert_eq!(server.puzzles().await.record_deliveries(had).await.unwrap().into_inner().recorded, 3);
    assert!(server.deliveries("anna").await.iter().all(|delivery| delivery.puzzle_id.is_empty()));
    // 0.2 leaves all puzzles of the variant 11x11 alone.
    let eleven = pb::ImportRecord { kind: pb::Kind::StarBattle.into(), ..record(9, ELEVEN) };
    assert_eq!(refusals(&imported(&server, import(vec![eleven])).await), []);
    assert_eq!(server.get_stock(pb::GetStockRequest::default()).await.unwrap().total, 1);
}

#[tokio::test]
async fn dry_run_stores_nothing_and_an_import_is_found_by_its_name() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 1).await;
    let records = vec![record(1, PUZZLE), record(2, OTHER)];
    let dry = imported(&server, pb::ImportPuzzlesRequest { dry_run: true, ..import(records.clone()) }).await;
    assert!(dry.results.iter().all(|result| result.refusal == 0 && result.puzzle_id.is_empty()), "{dry:?}");
    let list = pb::ListPuzzlesRequest { import_id: "a book".to_owned(), ..Default::default() };
    let listed = async || server.puzzles().await.list_puzzles(list.clone()).await.unwrap().into_inner().puzzles;
    assert_eq!(listed().await, []);
    let stored = imported(&server, import(records)).await;
    let ids: Vec<_> = listed().await.into_iter().map(|puzzle| puzzle.id).collect();
    assert_eq!(ids, stored.results.iter().map(|result| result.puzzle_id.clone()).collect::<Vec<_>>());
    assert_eq!(ids.len(), 2);
    let export = pb::ExportPuzzlesRequest { import_id: "a book".to_owned(), ..Default::default() };
    let mut exported = server.puzzles().await.export_puzzles(export).await.unwrap().into_inner();
    assert_eq!(exported.message().await.unwrap().unwrap().puzzles.len(), 2);
    let reason = "misprinted".to_owned();
    let withdraw = pb::WithdrawPuzzlesRequest { import_id: "a book".to_owned(), reason, ..Default::default() };
    let withdrawn = server.puzzles().await.withdraw_puzzles(withdraw).await.unwrap().into_inner();
    assert_eq!((withdrawn.changed, listed().await.len()), (2, 0));
    let both = pb::ListPuzzlesRequest { job_id: "job-1".to_owned(), ..list };
    let fault = "\"a book\" cannot be combined with job_id; set one of them";
    check_fields(server.puzzles().await.list_puzzles(both).await, &[("import_id", fault)]);
}

#[tokio::test]
async fn puzzle_outside_the_style_is_counted_and_found_by_its_givens() {
    let server = Server::start().await;
    // A puzzle with one empty cell less than the solution.
    let nearly_full = format!(".{}", &SOLUTION[1..]);
    let response = imported(&server, import(vec![record(1, &nearly_full)])).await;
    let outside = pb::ImportedOutsideStyle {
        kind: pb::Kind::Sudoku.into(),
        variant: "9x9".to_owned(),
        level: pb::Level::Easy.into(),
        count: 1,
        min_givens: 80,
        max_givens: 80,
    };
    assert_eq!(
        (response.outside_style.as_slice(), response.results[0].puzzle_id.as_str()),
        (&[outside][..], "puzzle-1")
    );
    let easy = pb::GetPuzzleRequest { kind: 1, level: pb::Level::Easy.into(), ..Default::default() };
    server.get_puzzle(easy.clone()).await.unwrap_err();
    let stated = pb::GetPuzzleRequest { min_givens: Some(80), max_givens: Some(80), ..easy };
    assert_eq!(server.get_puzzle(stated).await.unwrap().text, nearly_full);
}

#[tokio::test]
async fn faulty_calls_are_refused_as_a_whole() {
    let server = Server::start().await;
    let unnamed = pb::ImportPuzzlesRequest { import_id: String::new(), ..import(vec![record(1, PUZZLE)]) };
    let odd = pb::ImportPuzzlesRequest {
        import_id: "é".repeat(65),
        source: "x".repeat(501),
        ..import(vec![record(1, PUZZLE)])
    };
    let noted = pb::ImportRecord { note: "a\0b".to_owned(), ..record(2, OTHER) };
    let name = format!("\"{}\"… (130 bytes) has characters that are not allowed; use printable ASCII", "é".repeat(40));
    for (request, faults) in [
        (unnamed, &[("import_id", "required; set the name of the import")][..]),
        (odd, &[("import_id", name.as_str()), ("source", "501 characters; at most 500 are allowed")]),
        (import(Vec::new()), &[("records", "0 are outside 1 to 500")]),
        (import((1..=501).map(|line| record(line, "")).collect()), &[("records", "501 are outside 1 to 500")]),
        (import(vec![record(0, PUZZLE)]), &[("records[0].line", "required; lines count from 1")]),
        (import(vec![record(2, PUZZLE), record(2, OTHER)]), &[("records[1].line", "2 is also that of records[0]")]),
        (
            import(vec![record(1, PUZZLE), noted]),
            &[("records[1].note", "the character U+0000 is not allowed; remove it")],
        ),
    ] {
        check_fields(server.puzzles().await.import_puzzles(request).await, faults);
    }
    imported(&server, import(vec![record(1, PUZZLE)])).await;
    let other = pb::ImportPuzzlesRequest { source: "by Bob".to_owned(), ..import(vec![record(2, OTHER)]) };
    let fault = "\"by Bob\" differs from \"by Ada\", the source of this import; send that or another import_id";
    check_fields(server.puzzles().await.import_puzzles(other).await, &[("source", fault)]);
    assert_eq!(server.get_stock(pb::GetStockRequest::default()).await.unwrap().total, 1);
}
