//! `Solve`, `Rate`, and `Validate`: the results for puzzle texts that the caller sends, and refused texts.

use crate::prelude::*;

const NO_KIND: (&str, &str) = ("kind", "required; GetServerInfo lists the kinds (`puzzled info`)");

const SUDOKU: i32 = pb::Kind::Sudoku as i32;

/// [`SOLUTION`] with the corners of a rectangle emptied whose digits can be swapped.
fn two_solutions() -> String {
    let mut cells = SOLUTION.as_bytes().to_vec();
    for [row, other_row] in [[0, 1], [0, 2], [1, 2], [3, 4], [3, 5], [4, 5], [6, 7], [6, 8], [7, 8]] {
        for (column, other_column) in (0..9).flat_map(|one| (one + 1..9).map(move |other| (one, other))) {
            let corners =
                [row * 9 + column, row * 9 + other_column, other_row * 9 + column, other_row * 9 + other_column];
            let [a, b, c, d] = corners.map(|at| cells[at]);
            if a == d && b == c && column / 3 != other_column / 3 {
                for at in corners {
                    cells[at] = b'.';
                }
                return String::from_utf8(cells).unwrap();
            }
        }
    }
    panic!("no such rectangle");
}

/// Two 5s in row 1.
fn contradiction() -> String {
    format!("55{}", ".".repeat(79))
}

/// Row 1 lacks a 9, and the column of its last cell has one.
fn no_solution() -> String {
    format!("12345678.{}9{}", ".".repeat(17), ".".repeat(54))
}

#[tokio::test]
async fn a_unique_puzzle_is_solved_with_steps_only_on_request() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let request = pb::SolveRequest { kind: SUDOKU, text: PUZZLE.to_owned(), ..Default::default() };
    let plain = puzzles.solve(request.clone()).await.unwrap().into_inner();
    assert_eq!((plain.solution.as_str(), plain.steps.len(), plain.steps_complete), (SOLUTION, 0, false));
    assert_eq!(plain.drawing, "");

    let request = pb::SolveRequest { include_steps: true, include_drawing: true, ..request };
    let with_steps = puzzles.solve(request).await.unwrap().into_inner();
    assert!(with_steps.steps_complete);
    assert!(with_steps.drawing.lines().count() > 8, "{}", with_steps.drawing);
    let mut grid: Vec<u8> = PUZZLE.bytes().collect();
    for step in &with_steps.steps {
        assert!(!step.technique.is_empty() && !step.sentence.is_empty() && step.rating >= 1.0, "{step:?}");
        for placed in &step.placed {
            let at = usize::try_from((placed.row - 1) * 9 + placed.column - 1).unwrap();
            grid[at] = b'0' + u8::try_from(placed.digit).unwrap();
        }
    }
    assert_eq!(String::from_utf8(grid).unwrap(), SOLUTION, "the steps' digits are the solution");
}

#[tokio::test]
async fn zeros_dots_and_white_space_are_read_alike() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let lines: Vec<_> = PUZZLE.as_bytes().chunks(9).map(|row| std::str::from_utf8(row).unwrap()).collect();
    for text in [PUZZLE.replace('.', "0"), lines.join("\n"), format!("  {PUZZLE}\r\n")] {
        let request = pb::SolveRequest { kind: SUDOKU, variant: "9x9".to_owned(), text, ..Default::default() };
        assert_eq!(puzzles.solve(request).await.unwrap().into_inner().solution, SOLUTION);
    }
}

#[tokio::test]
async fn a_rating_comes_with_its_record() {
    let server = Server::start().await;
    let request = pb::RateRequest { kind: SUDOKU, text: PUZZLE.to_owned(), ..Default::default() };
    let rated = server.puzzles().await.rate(request).await.unwrap().into_inner();
    let record = rated.record.clone().unwrap();
    let Some(pb::rating_record::Metrics::Sudoku(metrics)) = record.metrics else { panic!("no metrics: {rated:?}") };
    assert_eq!((metrics.er.to_bits(), metrics.givens), (rated.rating.to_bits(), 30));
    assert!(metrics.freedom > 0 && metrics.branching_factor > 1.0 && metrics.steps > 0, "{metrics:?}");
    assert!(!record.rater.is_empty() && record.rater_version > 0 && !record.explanation.is_empty());
    let hardest = record.techniques.last().unwrap();
    assert_eq!(hardest.rating.to_bits(), rated.rating.to_bits(), "easiest first: {:?}", record.techniques);
    assert_eq!(rated.level(), pb::Level::Easy);
}

#[tokio::test]
async fn solve_and_rate_refuse_puzzles_without_a_unique_solution() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (text, reason) in [
        (two_solutions(), "NOT_UNIQUE"),
        (".".repeat(81), "NOT_UNIQUE"),
        (no_solution(), "NO_SOLUTION"),
        (contradiction(), "CONTRADICTION"),
    ] {
        let solve = pb::SolveRequest { kind: SUDOKU, text: text.clone(), ..Default::default() };
        let rate = pb::RateRequest { kind: SUDOKU, text: text.clone(), ..Default::default() };
        let answers = [puzzles.solve(solve).await.map(drop), puzzles.rate(rate).await.map(drop)];
        for answer in answers {
            let details = check(answer, Code::InvalidArgument, reason);
            let violation = &details.bad_request().unwrap().field_violations[0];
            assert!(violation.field == "text" && !violation.description.starts_with("text"), "{violation:?}");
            let metadata = &details.error_info().unwrap().metadata;
            if reason == "NOT_UNIQUE" {
                let (one, other) = (&metadata["solution_1"], &metadata["solution_2"]);
                assert_ne!(one, other);
                assert!([one, other].iter().all(|solution| solves(solution, &text)), "{one} {other}");
            }
            if reason == "CONTRADICTION" {
                assert_eq!(metadata["cells"], "r1c1, r1c2");
            }
        }
    }
}

#[tokio::test]
async fn a_complete_grid_is_solved_and_valid_but_cannot_be_rated() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let text = SOLUTION.to_owned();
    let rate = pb::RateRequest { kind: SUDOKU, text: text.clone(), ..Default::default() };
    let details = check(puzzles.rate(rate).await, Code::InvalidArgument, "ALREADY_SOLVED");
    assert_eq!(details.bad_request().unwrap().field_violations[0].field, "text");
    let solve = pb::SolveRequest { kind: SUDOKU, text: text.clone(), include_steps: true, ..Default::default() };
    let solved = puzzles.solve(solve).await.unwrap().into_inner();
    assert_eq!((solved.solution, solved.steps.len(), solved.steps_complete), (text.clone(), 0, true));
    let validate = pb::ValidateRequest { kind: SUDOKU, text: text.clone(), ..Default::default() };
    assert_eq!(puzzles.validate(validate).await.unwrap().into_inner().verdict(), pb::Verdict::Unique);
    let hint = pb::HintRequest { kind: SUDOKU, text, ..Default::default() };
    assert_eq!(puzzles.hint(hint).await.unwrap().into_inner().outcome(), pb::HintOutcome::Solved);
}

#[tokio::test]
async fn a_puzzle_beyond_the_raters_budget_is_solved_but_not_rated() {
    // Golden Nugget, rated 11.9 by Sudoku Explainer: some hundred million nodes.
    let text = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....".to_owned();
    let server = Server::with(|options| options.settings.limits.max_rating_nodes = 1_000_000).await;
    let mut puzzles = server.puzzles().await;
    let solve = pb::SolveRequest { kind: SUDOKU, text: text.clone(), ..Default::default() };
    assert!(solves(&puzzles.solve(solve.clone()).await.unwrap().into_inner().solution, &text));
    let steps =
        async { server.puzzles().await.solve(pb::SolveRequest { include_steps: true, ..solve }).await.map(drop) };
    let rate = pb::RateRequest { kind: SUDOKU, text, ..Default::default() };
    let rated = async { server.puzzles().await.rate(rate).await.map(drop) };
    for answer in <[_; 2]>::from(tokio::join!(steps, rated)) {
        let details = check(answer, Code::ResourceExhausted, "RATING_OUT_OF_BUDGET");
        assert_eq!(details.error_info().unwrap().metadata["rating_at_least"], "10.0");
    }
}

#[tokio::test]
async fn the_steps_of_a_hard_puzzle_come_with_the_chains_that_prove_them() {
    let text = "000006009006700030090803000010000050007520000005004002001670020000001400800000000".to_owned();
    let server = Server::start().await;
    let solve = pb::SolveRequest { kind: SUDOKU, text, include_steps: true, ..Default::default() };
    let solved = server.puzzles().await.solve(solve).await.unwrap().into_inner();
    let hardest = solved.steps.iter().max_by(|one, other| one.rating.total_cmp(&other.rating)).unwrap();
    assert!(solved.steps_complete && hardest.rating >= 7.0 && !hardest.chains.is_empty(), "{hardest:?}");
    for chain in &hardest.chains {
        let mut known = vec![chain.assumption];
        for implication in &chain.implications {
            assert!(implication.premises.iter().all(|premise| known.contains(&Some(*premise))), "{chain:?}");
            known.push(implication.conclusion);
        }
    }
}

#[tokio::test]
async fn each_step_comes_with_the_others_that_are_open_on_request() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let solve = pb::SolveRequest { kind: SUDOKU, text: PUZZLE.to_owned(), include_steps: true, ..Default::default() };
    let plain = puzzles.solve(solve.clone()).await.unwrap().into_inner();
    assert!(plain.steps.iter().all(|step| step.open_steps.is_empty()));
    let wanted = pb::SolveRequest { include_open_steps: true, ..solve };
    let with_open = puzzles.solve(wanted.clone()).await.unwrap().into_inner();
    let [first, .., last] = with_open.steps.as_slice() else { panic!("{with_open:?}") };
    assert!(last.open_steps.is_empty(), "nothing is left beside the last digit: {last:?}");
    assert!(first.open_steps.iter().map(|open| open.count).sum::<u32>() > 1, "{first:?}");
    for step in &with_open.steps {
        assert!(step.open_steps.iter().all(|open| open.rating <= 4.4 && open.count > 0), "{step:?}");
        assert!(step.open_steps.is_sorted_by(|one, other| one.rating <= other.rating), "{step:?}");
    }
    let steps = |steps: &[pb::Step]| steps.iter().map(|step| step.sentence.clone()).collect::<Vec<_>>();
    assert_eq!(steps(&with_open.steps), steps(&plain.steps));
    let alone = pb::SolveRequest { include_steps: false, ..wanted };
    check_fields(puzzles.solve(alone).await, &[("include_open_steps", "set without include_steps; set both")]);
}

#[tokio::test]
async fn validate_answers_with_a_verdict_whatever_the_puzzle_is() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (text, verdict, solutions, cells) in [
        (PUZZLE.to_owned(), pb::Verdict::Unique, 1, 0),
        (SOLUTION.to_owned(), pb::Verdict::Unique, 1, 0),
        (two_solutions(), pb::Verdict::Several, 2, 4),
        (no_solution(), pb::Verdict::None, 0, 0),
        (contradiction(), pb::Verdict::Contradiction, 0, 2),
    ] {
        let request = pb::ValidateRequest { kind: SUDOKU, text: text.clone(), ..Default::default() };
        let plain = puzzles.validate(request.clone()).await.unwrap().into_inner();
        let request = pb::ValidateRequest { include_drawing: true, ..request };
        let answer = puzzles.validate(request).await.unwrap().into_inner();
        assert_eq!(plain, pb::ValidateResponse { drawing: String::new(), ..answer.clone() });
        assert_eq!(answer.verdict(), verdict, "{text}");
        assert_eq!((answer.solutions.len(), answer.cells.len()), (solutions, cells), "{answer:?}");
        assert!(!answer.message.is_empty());
        assert!(answer.solutions.iter().all(|solution| solves(solution, &text)), "{answer:?}");
        assert!(answer.cells.iter().all(|cell| (1..=9).contains(&cell.row) && (1..=9).contains(&cell.column)));
        // The drawing of several solutions shows their common cells: the cells that differ are empty.
        let empty = answer.drawing.matches('.').count();
        assert_eq!((empty, answer.drawing.is_empty()), (if solutions == 2 { cells } else { 0 }, solutions == 0));
    }
}

#[tokio::test]
async fn a_text_that_is_empty_too_long_or_of_no_kind_is_refused() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let cases: Vec<(i32, String, &[_])> = vec![
        (SUDOKU, String::new(), &[("text", "0 cells; the puzzle must have exactly 81")]),
        (SUDOKU, ".".repeat(8_193), &[("text", "8193 bytes; at most 8192 are allowed")]),
        (99, PUZZLE.to_owned(), &[("kind", "99 is not a kind; GetServerInfo lists the kinds (`puzzled info`)")]),
        (0, PUZZLE.to_owned(), &[NO_KIND]),
        (0, ".".repeat(8_193), &[("text", "8193 bytes; at most 8192 are allowed"), NO_KIND]),
    ];
    for (kind, text, expected) in cases {
        let solve = pb::SolveRequest { kind, text: text.clone(), ..Default::default() };
        check_fields(puzzles.solve(solve).await, expected);
        let rate = pb::RateRequest { kind, text: text.clone(), ..Default::default() };
        check_fields(puzzles.rate(rate).await, expected);
        let validate = pb::ValidateRequest { kind, text, ..Default::default() };
        check_fields(puzzles.validate(validate).await, expected);
    }
}

/// Whether a line is a full grid that keeps to the rules and to the givens.
fn solves(solution: &str, givens: &str) -> bool {
    let cells: Vec<usize> = solution.bytes().map(|byte| usize::from(byte - b'0')).collect();
    let mut houses = [[0_u32; 9]; 27];
    for (at, &digit) in cells.iter().enumerate() {
        let (row, column) = (at / 9, at % 9);
        for house in [row, 9 + column, 18 + row / 3 * 3 + column / 3] {
            houses[house][digit - 1] += 1;
        }
    }
    let kept = givens.bytes().zip(solution.bytes()).all(|(given, digit)| given == b'.' || given == digit);
    cells.len() == 81 && kept && houses.iter().flatten().all(|&count| count == 1)
}
