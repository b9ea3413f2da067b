//! The data of steps, and `Hint` with pencil marks: no candidate is removed twice, wrong marks are named without the digit, and
//! other marks are refused.

use crate::{kakuro::SMALL, prelude::*};

const SUDOKU: i32 = pb::Kind::Sudoku as i32;
const KAKURO: i32 = pb::Kind::Kakuro as i32;

/// A puzzle whose steps include locked candidates, a pair, and an X-Wing.
const X_WING: &str = "6.17.......83...4.....1..86...67..38.7.5932......21..5......4515.3....2.1....5.6.";

fn request(kind: i32, text: &str, board: &str, candidates: Vec<u32>) -> pb::HintRequest {
    pb::HintRequest { kind, text: text.to_owned(), board: board.to_owned(), candidates, ..Default::default() }
}

/// No marks except these: index of the cell, from 0, and its number.
fn marks(cells: usize, some: &[(usize, u32)]) -> Vec<u32> {
    let mut marks = vec![0; cells];
    for &(cell, number) in some {
        marks[cell] = number;
    }
    marks
}

#[tokio::test]
async fn a_candidate_that_the_player_removed_is_not_hinted_again() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let request = |candidates| request(KAKURO, SMALL, "", candidates);
    let without = puzzles.hint(request(vec![])).await.unwrap().into_inner().step.unwrap();
    let at = without.removed.first().expect("the first step removes candidates");
    let cell = ((at.row - 1) * 3 + at.column - 1) as usize;
    let gone = without.removed.iter().filter(|other| (other.row, other.column) == (at.row, at.column));
    let left = gone.fold(0x3fe, |left, removed| left & !(1 << removed.digit));
    let with = puzzles.hint(request(marks(9, &[(cell, left)]))).await.unwrap().into_inner();
    assert_eq!(with.outcome(), pb::HintOutcome::Step);
    let mut again = with.step.iter().chain(&with.following).flat_map(|step| &step.removed);
    let is_gone =
        |removed: &pb::Cell| (removed.row, removed.column) == (at.row, at.column) && left & 1 << removed.digit == 0;
    assert!(!again.any(is_gone), "{with:?}");
}

#[tokio::test]
async fn marks_without_the_right_digit_are_wrong_and_show_no_digit() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    // Row 1 of the solution is 534678912.
    let board = PUZZLE.replacen("53..7", "532.7", 1);
    for (kind, text, board, candidates, message, wrong) in [
        (
            SUDOKU,
            PUZZLE,
            "",
            marks(81, &[(2, 0b110), (3, 1 << 6)]),
            "the candidates of r1c3 contradict the solution",
            vec![(1, 3, 0)],
        ),
        (SUDOKU, PUZZLE, "", marks(81, &[(3, 1)]), "the candidates of r1c4 contradict the solution", vec![(1, 4, 0)]),
        (
            SUDOKU,
            PUZZLE,
            &board,
            marks(81, &[(3, 1)]),
            "2 in r1c3, the candidates of r1c4 contradict the solution",
            vec![(1, 3, 2), (1, 4, 0)],
        ),
        (KAKURO, SMALL, "", marks(9, &[(4, 0b100)]), "the candidates of r2c2 contradict the solution", vec![(2, 2, 0)]),
    ] {
        let hint = puzzles.hint(request(kind, text, board, candidates)).await.unwrap().into_inner();
        let found: Vec<_> = hint.wrong.iter().map(|at| (at.row, at.column, at.digit)).collect();
        assert_eq!((hint.outcome(), hint.message.as_str(), found), (pb::HintOutcome::Wrong, message, wrong));
    }
}

#[tokio::test]
async fn a_full_board_is_solved_with_marks_of_no_cell() {
    let server = Server::start().await;
    let hint = server.puzzles().await.hint(request(SUDOKU, PUZZLE, SOLUTION, vec![0; 81])).await.unwrap().into_inner();
    assert_eq!(hint.outcome(), pb::HintOutcome::Solved);
}

#[tokio::test]
async fn marks_of_another_length_or_with_other_bits_are_refused() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (kind, text, candidates, fault) in [
        (SUDOKU, PUZZLE, vec![0; 80], "80 numbers; send one for each of the 81 cells, or none"),
        (
            SUDOKU,
            PUZZLE,
            marks(81, &[(2, 1 << 10)]),
            "1024 for r1c3: set only bits 1 to 9; send the number 1 if no digit is left",
        ),
        (
            SUDOKU,
            PUZZLE,
            marks(81, &[(2, 0b11)]),
            "3 for r1c3: set only bits 1 to 9; send the number 1 if no digit is left",
        ),
        (SUDOKU, PUZZLE, marks(81, &[(0, 1 << 5)]), "32 for r1c1: the cell is not empty; use 0"),
        (KAKURO, SMALL, vec![0; 4], "4 numbers; send one for each of the 9 cells, or none"),
        (KAKURO, SMALL, marks(9, &[(0, 2)]), "2 for r1c1: the cell is not empty; use 0"),
    ] {
        check_fields(puzzles.hint(request(kind, text, "", candidates)).await, &[("candidates", fault)]);
    }
}

async fn steps(kind: i32, text: &str) -> Vec<pb::Step> {
    let server = Server::start().await;
    let request = pb::SolveRequest { kind, text: text.to_owned(), include_steps: true, ..Default::default() };
    server.puzzles().await.solve(request).await.unwrap().into_inner().steps
}

#[tokio::test]
async fn steps_of_sudoku_have_their_digits_and_houses() {
    let steps = steps(SUDOKU, X_WING).await;
    let house = |house: &pb::House| (house.r#type(), house.number);
    let of = |technique: &str| {
        let step = steps.iter().find(|step| step.technique == technique).expect(technique);
        let houses = |houses: &[pb::House]| houses.iter().map(house).collect::<Vec<_>>();
        (step.digits.clone(), houses(&step.houses), houses(&step.cover_houses))
    };
    let (row, column) = (pb::HouseType::Row, pb::HouseType::Column);
    assert_eq!(of("X-Wing"), (vec![4], vec![(row, 1), (row, 8)], vec![(column, 2), (column, 5)]));
    assert_eq!(of("Naked Pair"), (vec![7, 9], vec![(column, 1)], vec![]));
    assert_eq!(of("Hidden Single in Box"), (vec![1], vec![(pb::HouseType::Box, 3)], vec![]));
}

#[tokio::test]
async fn implications_that_fill_a_cell_name_where_one_possibility_is_left() {
    let text = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
    let server = Server::start().await;
    let hint = server.puzzles().await.hint(request(SUDOKU, text, "", vec![])).await.unwrap().into_inner();
    let chains = hint.step.unwrap().chains;
    let implications: Vec<_> = chains.iter().flat_map(|chain| &chain.implications).collect();
    assert!(implications.iter().any(|implication| implication.single_in.is_some()));
    for implication in implications {
        let holds = implication.conclusion.as_ref().unwrap().holds;
        assert_eq!(implication.single_in.is_some(), holds, "{implication:?}");
    }
}

#[tokio::test]
async fn steps_of_kakuro_name_runs_by_their_index_among_the_regions() {
    let steps = steps(KAKURO, SMALL).await;
    let runs: BTreeSet<_> = steps.iter().flat_map(|step| &step.houses).map(|run| (run.r#type(), run.number)).collect();
    // Two runs across, then two down.
    assert!(!runs.is_empty() && runs.iter().all(|run| run.0 == pb::HouseType::Run && run.1 < 4), "{runs:?}");
    let of_run = steps.iter().find(|step| step.technique == "Unique Combination").unwrap();
    assert_eq!((of_run.cells.len(), of_run.secondary_cells.len()), (2, 2));
    assert!(of_run.number == Some(3) || of_run.number == Some(4), "{of_run:?}");
}
