//! `FindPuzzle`: the stored puzzle that a printed text is, or those that differ from it in a few cells.

use crate::{kakuro::SMALL, prelude::*};

fn printed(text: &str, audience: &str) -> pb::FindPuzzleRequest {
    let (text, audience) = (text.to_owned(), audience.to_owned());
    pb::FindPuzzleRequest { kind: pb::Kind::Sudoku.into(), text, audience, ..Default::default() }
}

/// The matches in words.
async fn found(server: &Server, request: pb::FindPuzzleRequest) -> Vec<String> {
    let found = server.puzzles().await.find_puzzle(request).await.unwrap().into_inner();
    found.matches.into_iter().map(|found| found.message).collect()
}

/// The puzzle with these characters in the places of others.
fn changed(changes: &[(usize, &str)]) -> String {
    let mut text = PUZZLE.to_owned();
    for &(at, sign) in changes {
        text.replace_range(at..=at, sign);
    }
    text
}

/// A server with the puzzle as `puzzle-1`, which the audience `anna` has had.
async fn stocked() -> Server {
    let server = Server::start().await;
    server.store_text("sudoku", "9x9", [PUZZLE, SOLUTION]).await;
    let had = vec![pb::RecordedPuzzle { id: "puzzle-1".to_owned(), ..Default::default() }];
    let request = pb::RecordDeliveriesRequest { audience: "anna".to_owned(), puzzles: had };
    server.puzzles().await.record_deliveries(request).await.unwrap();
    server
}

#[tokio::test]
async fn printed_puzzle_is_found_by_its_text_its_form_or_its_solution() {
    let server = stocked().await;
    server.store_text("kakuro", "3x3", [SMALL, "# \\4 \\3\n3\\ 1 2\n4\\ 3 1"]).await;
    let view = pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), scramble_seed: Some(5), ..Default::default() };
    let view = server.get_puzzle(view).await.unwrap().text;
    let with_another_given = changed(&[(2, "4")]);
    for (text, match_type, message) in [
        (PUZZLE, pb::MatchType::Same, "puzzle-1"),
        (&view, pb::MatchType::Isomorph, "an isomorph of puzzle-1"),
        (
            &with_another_given,
            pb::MatchType::SameSolution,
            "another puzzle with the solution of puzzle-1, up to symmetry",
        ),
        (SOLUTION, pb::MatchType::SameSolution, "another puzzle with the solution of puzzle-1, up to symmetry"),
    ] {
        let found = server.puzzles().await.find_puzzle(printed(text, "")).await.unwrap().into_inner().matches;
        let [found] = &found[..] else { panic!("{found:?}") };
        assert_eq!((found.r#type(), found.message.as_str()), (match_type, message));
        assert_eq!((found.puzzle_id.as_str(), found.differences.len()), ("puzzle-1", 0));
    }
    let kakuro = pb::FindPuzzleRequest { kind: pb::Kind::Kakuro.into(), ..printed(SMALL, "") };
    assert_eq!(found(&server, kakuro).await, ["puzzle-2"]);
    server.withdraw("puzzle-1").await.unwrap();
    assert_eq!(found(&server, printed(PUZZLE, "")).await, ["puzzle-1"]);
}

#[tokio::test]
async fn misprint_is_found_among_the_puzzles_of_an_audience() {
    let server = stocked().await;
    let one = printed(&changed(&[(36, "9")]), "anna");
    let matches = server.puzzles().await.find_puzzle(one.clone()).await.unwrap().into_inner().matches;
    let [near] = &matches[..] else { panic!("{matches:?}") };
    let difference = pb::CellDifference { row: 5, column: 1, printed: "9".to_owned(), stored: "4".to_owned() };
    assert_eq!((near.r#type(), &near.differences), (pb::MatchType::Near, &vec![difference]));
    assert_eq!(near.message, "puzzle-1 with 9 instead of 4 at r5c1");
    let three = printed(&changed(&[(0, "."), (1, "5"), (36, "9")]), "anna");
    let message = "puzzle-1 with an empty cell instead of 5 at r1c1, 5 instead of 3 at r1c2, 9 instead of 4 at r5c1";
    assert_eq!(found(&server, three).await, [message]);
    let several = printed(&changed(&[(0, "."), (1, "."), (4, ".")]), "anna");
    let message = "puzzle-1 with an empty cell instead of 5 at r1c1, an empty cell instead of 3 at r1c2, an empty cell instead of 7 \
                   at r1c5";
    assert_eq!(found(&server, several).await, [message], "the text has several solutions");
    let four = printed(&changed(&[(0, "."), (1, "."), (4, "."), (36, "9")]), "anna");
    assert_eq!(found(&server, four).await, [""; 0]);
    for audience in ["", "bert"] {
        let request = pb::FindPuzzleRequest { audience: audience.to_owned(), ..one.clone() };
        assert_eq!(found(&server, request).await, [""; 0], "{audience:?}");
    }
}

#[tokio::test]
async fn misprint_is_compared_with_puzzles_of_the_same_regions_alone() {
    let server = Server::start().await;
    let (cells, stars) = (".".repeat(36), ".*........*.*.....................*.");
    let regions = "aabbbcabbbccaaddccaaadccaefccceeffcc";
    let star_battle = |cells: &str, regions: &str| format!("6x6: {cells} regions={regions}");
    server.store_text("star_battle", "6x6", [&star_battle(&cells, regions), &star_battle(stars, regions)]).await;
    let had = vec![pb::RecordedPuzzle { id: "puzzle-1".to_owned(), ..Default::default() }];
    let request = pb::RecordDeliveriesRequest { audience: "anna".to_owned(), puzzles: had };
    server.puzzles().await.record_deliveries(request).await.unwrap();
    let kind = pb::Kind::StarBattle.into();
    for (cells, regions, expected) in [
        (&cells.replacen('.', "*", 1), regions, &["puzzle-1 with * instead of an empty cell at r1c1"][..]),
        (&cells, "aabbccaabbccaabbccddeeffddeeffddeeff", &[]),
    ] {
        let request = pb::FindPuzzleRequest { kind, ..printed(&star_battle(cells, regions), "anna") };
        assert_eq!(found(&server, request).await, expected, "{regions}");
    }
}

#[tokio::test]
async fn nearest_misprints_come_first_then_the_newest() {
    let server = Server::start().await;
    // All have the same text, but other names in the stock.
    server.fill(Symmetry::None, 12, 12).await;
    for _ in 0..12 {
        server.get_puzzle(sudoku_for("anna")).await.unwrap();
    }
    let newest: Vec<_> = server.deliveries("anna").await.into_iter().map(|delivery| delivery.puzzle_id).collect();
    let found = found(&server, printed(&changed(&[(36, "9")]), "anna")).await;
    let expected: Vec<_> = newest[..10].iter().map(|id| format!("{id} with 9 instead of 4 at r5c1")).collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn text_that_is_no_puzzle_is_refused() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let length = "2 cells; the puzzle must have exactly 81";
    check_fields(puzzles.find_puzzle(printed("12", "")).await, &[("text", length)]);
    let name = "\"zoë\" has characters that are not allowed; use printable ASCII";
    check_fields(puzzles.find_puzzle(printed("12", "zoë")).await, &[("audience", name), ("text", length)]);
}
