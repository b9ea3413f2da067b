//! Boards, regions, and links of puzzles: they come only on request, belong to the puzzle or view that the response shows, and a
//! link never has the solution.

use puzzled_api::v1::batch_get_puzzles_result::Result as Answer;

use crate::{kakuro, prelude::*};

const SUDOKU: i32 = pb::Kind::Sudoku as i32;

/// The programs that open a Sudoku.
const PROGRAMS: [&str; 3] = ["SudokuPad", "sudokuwiki", "puzz.link"];

/// The board of a text of 81 characters.
fn rows(text: &str) -> Vec<pb::BoardRow> {
    let cell = |sign: &u8| i32::from(if *sign == b'.' { 0 } else { sign - b'0' });
    text.as_bytes().chunks(9).map(|row| pb::BoardRow { cells: row.iter().map(cell).collect() }).collect()
}

fn names(links: &[pb::Link]) -> Vec<&str> {
    links.iter().map(|link| link.name.as_str()).collect()
}

fn check_boxes(puzzle: &pb::Puzzle) {
    assert_eq!(puzzle.regions.len(), 9);
    for (number, region) in (0..).zip(&puzzle.regions) {
        assert_eq!((region.r#type(), region.sum, &region.operator), (pb::RegionType::Region, None, &None));
        let of = |cell: &pb::Cell| (cell.row - 1) / 3 * 3 + (cell.column - 1) / 3;
        assert!(region.cells.len() == 9 && region.cells.iter().all(|cell| of(cell) == number), "{region:?}");
    }
}

fn by_id() -> pb::GetPuzzleRequest {
    pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), ..Default::default() }
}

#[tokio::test]
async fn boards_of_puzzle_and_solution_come_only_on_request() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    for (include_structure, include_solution) in [(false, false), (false, true), (true, false), (true, true)] {
        let request = pb::GetPuzzleRequest { include_structure, include_solution, ..by_id() };
        let puzzle = server.get_puzzle(request).await.unwrap();
        assert_eq!(puzzle.board, if include_structure { rows(PUZZLE) } else { vec![] });
        assert_eq!(puzzle.solution_board, if include_structure && include_solution { rows(SOLUTION) } else { vec![] });
        if include_structure {
            check_boxes(&puzzle);
        }
    }
}

#[tokio::test]
async fn every_method_sends_the_same_boards_and_links() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    server.create_daily(pb::Kind::Sudoku).await;
    let mut puzzles = server.puzzles().await;
    let request =
        pb::GetPuzzleRequest { include_structure: true, include_solution: true, include_links: true, ..by_id() };
    let batch = pb::BatchGetPuzzlesRequest { requests: vec![request.clone()] };
    let batch = puzzles.batch_get_puzzles(batch).await.unwrap().into_inner().results.remove(0).result;
    let Some(Answer::Puzzle(puzzle)) = batch else { panic!("{batch:?}") };
    let puzzle = *puzzle;
    assert_eq!((&puzzle.board, &puzzle.solution_board), (&rows(PUZZLE), &rows(SOLUTION)));
    assert_eq!(names(&puzzle.links), PROGRAMS);
    assert_eq!(server.get_puzzle(request).await.unwrap(), puzzle);
    let list = pb::ListPuzzlesRequest {
        include_structure: true,
        include_solutions: true,
        include_links: true,
        ..Default::default()
    };
    let expected = std::slice::from_ref(&puzzle);
    assert_eq!(server.list_puzzles(list).await.unwrap().puzzles, expected);
    let export = pb::ExportPuzzlesRequest {
        include_structure: true,
        include_solutions: true,
        include_links: true,
        ..Default::default()
    };
    assert_eq!(server.export(export).await.unwrap(), [expected]);
    let daily = pb::GetDailyPuzzleRequest {
        include_structure: true,
        include_solution: true,
        include_links: true,
        ..Default::default()
    };
    let daily = puzzles.get_daily_puzzle(daily).await.unwrap().into_inner().puzzle.unwrap();
    assert_eq!((daily.board, daily.solution_board, daily.links), (puzzle.board, puzzle.solution_board, puzzle.links));
}

#[tokio::test]
async fn board_and_links_of_a_view_belong_to_the_view() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let request = pb::GetPuzzleRequest {
        include_structure: true,
        include_solution: true,
        include_links: true,
        scramble_seed: Some(5),
        ..by_id()
    };
    let view = server.get_puzzle(request).await.unwrap();
    assert_ne!(view.text, PUZZLE);
    assert_eq!((&view.board, &view.solution_board), (&rows(&view.text), &rows(&view.solution)));
    check_boxes(&view);
    assert!(view.links[1].url.ends_with(&view.text.replace('.', "0")), "{:?}", view.links);
    let scramble_seed = view.scramble_seed;
    let solve = pb::SolveRequest { id: view.id, scramble_seed, include_links: true, ..Default::default() };
    assert_eq!(server.puzzles().await.solve(solve).await.unwrap().into_inner().links, view.links);
}

#[tokio::test]
async fn links_of_a_text_come_with_its_solution_and_any_verdict() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let solve = pb::SolveRequest { kind: SUDOKU, text: PUZZLE.to_owned(), ..Default::default() };
    let plain = puzzles.solve(solve.clone()).await.unwrap().into_inner();
    assert_eq!(plain.links, []);
    for include_steps in [false, true] {
        let solve = pb::SolveRequest { include_links: true, include_steps, ..solve.clone() };
        let links = puzzles.solve(solve).await.unwrap().into_inner().links;
        assert_eq!(names(&links), PROGRAMS);
        assert!(links[1].url.ends_with(&PUZZLE.replace('.', "0")), "{links:?}");
    }
    let several = format!("12{}", ".".repeat(79));
    for text in [PUZZLE.to_owned(), several, format!("55{}", ".".repeat(79))] {
        let validate = pb::ValidateRequest { kind: SUDOKU, text: text.clone(), ..Default::default() };
        assert_eq!(puzzles.validate(validate.clone()).await.unwrap().into_inner().links, []);
        let validate = pb::ValidateRequest { include_links: true, ..validate };
        let links = puzzles.validate(validate).await.unwrap().into_inner().links;
        assert!(names(&links) == PROGRAMS && links[1].url.ends_with(&text.replace('.', "0")), "{links:?}");
    }
}

#[tokio::test]
async fn board_of_a_kakuro_has_blocks_and_the_digits_of_its_runs() {
    let server = Server::start().await;
    kakuro::make(&server, pb::GenerateRequest { variant: "5x7".to_owned(), ..kakuro::generate() }).await;
    let request =
        pb::GetPuzzleRequest { include_structure: true, include_solution: true, include_links: true, ..by_id() };
    let puzzle = server.get_puzzle(request).await.unwrap();
    let cells = |text: &str| -> Vec<Vec<i32>> {
        let cell = |token: &str| if token == "." { 0 } else { token.parse().unwrap_or(-1) };
        text.lines().map(|row| row.split(' ').map(cell).collect()).collect()
    };
    let of = |board: &[pb::BoardRow]| board.iter().map(|row| row.cells.clone()).collect::<Vec<_>>();
    assert_eq!((of(&puzzle.board), of(&puzzle.solution_board)), (cells(&puzzle.text), cells(&puzzle.solution)));
    assert_eq!((puzzle.board.len(), puzzle.board[0].cells.len()), (7, 5));
    for region in &puzzle.regions {
        let digit = |at: &pb::Cell| puzzle.solution_board[at.row as usize - 1].cells[at.column as usize - 1];
        assert_eq!(region.cells.iter().map(digit).sum::<i32>(), i32::try_from(region.sum.unwrap()).unwrap());
    }
    assert_eq!(names(&puzzle.links), ["puzz.link"]);
    assert!(puzzle.links[0].url.starts_with("https://puzz.link/p?kakuro/4/6/"), "{:?}", puzzle.links);
}
