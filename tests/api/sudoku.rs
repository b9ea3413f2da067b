//! Sudoku of other variants than `9x9` through the calls: texts, steps, hints, boards, pictures, searches, draws, and refusals.

use crate::{kakuro, prelude::*};

const SUDOKU: i32 = pb::Kind::Sudoku as i32;

/// A variant, and the cells of a puzzle and of its solution.
type Sample = (&'static str, &'static str, &'static str);

const SAMPLES: [Sample; 6] = [
    ("4x4", "...23...1......4", "4132324114232314"),
    // Needs an XY-Wing.
    ("6x6", "4.32..5........4.6....2.....1...43..", "463251521643215436346125632514154362"),
    // Needs Pointing.
    (
        "8x8",
        ".1...........46....5.7...3..2.4.3....2..7......4.58....12..36..8",
        "4162785357381462124537868376214536548217782156346587432124136578",
    ),
    // Needs refutations of three rounds.
    (
        "9x9-x",
        "9......2.5...3...7..2....8...5673...8...................4...8.......1.....9..8.4.",
        "976845321518932467342716985495673218827159634631284759154367892283491576769528143",
    ),
    (
        "9x9-windoku",
        "....13.....65....721...............5..5.7.2..8...............496....53.....96....",
        "578613492496582137213497856127834965935176284864259713751328649689745321342961578",
    ),
    (
        "16x16",
        ".FD...6E3C..7.....A.D.31.97..C5.6...CF9..1DE...2.7...8.B...F..D.78.B5..F6D..4A.E.3.A.EG....7D26FE..D7C.2F.....98...1.6..C4.....7\
         C.....E8..2.6...5D.....G7.1CE..AA1EG6....89.3.2.2.73..FCE..DG.14.9..2...D.F...A.3...F9A..751...D.A2..18.9E.3.5.....F..732A...64.",
        "9FD2AG6E3CB57481BEA4D231G978FC566G85CF9741DEAB32173C485BA26F9EDG789B531F6DG24ACE43CABEG91587D26FE6GD7C42FB3A5198F25186DAC4E9B3G7\
         C4F91AE8B32G6D755D68342G7F1CE9BAA1EG67BD58943F2C2B7395FCE6ADG814894E2BC5DGF617A33CB6F9A487512GEDDA27G1869E43C5FBG51FED732ACB8649",
    ),
];

/// The signs of digits from 1.
const SIGNS: &str = "123456789ABCDEFG";

/// A puzzle that the rounds do not finish.
const STUCK: &str = "9x9-x: ............1.9.......24..3...........8...6..9.....72.7...3.59..5.4.....3....1..2";

fn text((variant, cells, _): Sample) -> String {
    format!("{variant}: {cells}")
}

fn solution((variant, _, solution): Sample) -> String {
    format!("{variant}: {solution}")
}

/// A server with the samples as `puzzle-1` to `puzzle-6`.
async fn stocked() -> Server {
    let server = Server::start().await;
    for sample in SAMPLES {
        server.store_text("sudoku", sample.0, [&text(sample), &solution(sample)]).await;
    }
    server
}

#[tokio::test]
async fn text_of_each_variant_is_solved_in_steps_and_rated() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (sample, level, technique) in SAMPLES
        .into_iter()
        .zip([
            (pb::Level::Easy, "Hidden Single in Box"),
            (pb::Level::Hard, "XY-Wing"),
            (pb::Level::Hard, "Pointing"),
            (pb::Level::Evil, "Refutation"),
            (pb::Level::Hard, "Pointing"),
            (pb::Level::Medium, "Direct Hidden Pair"),
        ])
        .map(|(sample, (level, technique))| (sample, level, technique))
    {
        // The variant is named by the text, or by the request.
        for (variant, text) in [("", text(sample)), (sample.0, sample.1.to_owned())] {
            let variant = variant.to_owned();
            let solve = pb::SolveRequest {
                kind: SUDOKU,
                variant: variant.clone(),
                text: text.clone(),
                include_steps: true,
                include_drawing: true,
                include_links: true,
                ..Default::default()
            };
            let solved = puzzles.solve(solve).await.unwrap().into_inner();
            assert_eq!((solved.solution, solved.steps_complete), (solution(sample), true));
            assert!(solved.drawing.starts_with("+--") && solved.links.is_empty(), "{}", solved.drawing);
            assert!(solved.steps.iter().all(|step| step.sentence.ends_with('.') && step.sentence.contains(' ')));
            assert!(solved.steps.iter().any(|step| step.technique == technique), "{}", sample.0);
            let rate = pb::RateRequest { kind: SUDOKU, variant, text };
            let rated = puzzles.rate(rate).await.unwrap().into_inner();
            let record = rated.record.clone().unwrap();
            assert_eq!((rated.level(), record.rater.as_str()), (level, "puzzled-grid"));
            let Some(pb::rating_record::Metrics::Grid(metrics)) = record.metrics else { panic!("{record:?}") };
            assert_eq!(metrics.steps as usize, solved.steps.len());
            assert_eq!(metrics.rounds > 0, technique == "Refutation");
        }
    }
}

#[tokio::test]
async fn stored_puzzle_of_each_variant_is_shown_hinted_checked_and_drawn() {
    let server = stocked().await;
    let mut puzzles = server.puzzles().await;
    for (number, sample) in (1..).zip(SAMPLES) {
        let id = format!("puzzle-{number}");
        let get = pb::GetPuzzleRequest {
            id: id.clone(),
            include_structure: true,
            include_drawing: true,
            include_solution: true,
            ..Default::default()
        };
        let shown = server.get_puzzle(get.clone()).await.unwrap();
        let size = shown.rows as usize;
        assert_eq!((shown.variant.as_str(), &shown.text, size * size), (sample.0, &text(sample), sample.1.len()));
        assert_eq!((shown.board.len(), shown.regions.len(), shown.solution_board.len()), (size, size, size));
        assert!(shown.regions.iter().all(|region| region.cells.len() == size), "{:?}", shown.regions);
        assert!(shown.drawing.lines().count() > size, "{}", shown.drawing);
        let view = server.get_puzzle(pb::GetPuzzleRequest { scramble_seed: Some(3), ..get }).await.unwrap();
        assert!(view.scrambled && view.variant == sample.0 && view.text.starts_with(sample.0), "{view:?}");

        let mut board = sample.1.to_owned();
        loop {
            let hint = pb::HintRequest { id: id.clone(), board: board.clone(), ..Default::default() };
            let hint = puzzles.hint(hint).await.unwrap().into_inner();
            let Some(step) = hint.following.last().or(hint.step.as_ref()) else {
                assert_eq!(hint.outcome(), pb::HintOutcome::Solved);
                break;
            };
            let pb::Cell { row, column, digit } = step.placed[0];
            let at = (row as usize - 1) * size + column as usize - 1;
            let sign = digit as usize - 1;
            board.replace_range(at..=at, &SIGNS[sign..=sign]);
        }
        assert_eq!(board, sample.2);
        let check = pb::CheckBoardRequest { id: id.clone(), board, ..Default::default() };
        assert_eq!(puzzles.check_board(check).await.unwrap().into_inner().state(), pb::BoardState::Complete);
        let svg = pb::RenderPuzzleRequest { id: id.clone(), format: 1, rules: true, ..Default::default() };
        let svg = String::from_utf8(puzzles.render_puzzle(svg).await.unwrap().into_inner().picture).unwrap();
        assert!(svg.contains(&format!("Sudoku {}", sample.0)), "{svg}");
        let find = pb::FindPuzzleRequest { kind: SUDOKU, text: text(sample), ..Default::default() };
        let found = puzzles.find_puzzle(find).await.unwrap().into_inner().matches;
        assert_eq!((found[0].puzzle_id.as_str(), found[0].r#type()), (id.as_str(), pb::MatchType::Same));
    }
}

#[tokio::test]
async fn request_without_a_variant_draws_no_other_variant_than_9x9() {
    let server = Server::start().await;
    // The puzzle with more givens, as its level delivers.
    let cells = "4632..5........4.6....2.....1...43.2";
    let text = format!("6x6: {cells}");
    server.store_text("sudoku", "6x6", [&text, &solution(SAMPLES[1])]).await;
    let of = |variant: &str| pb::GetPuzzleRequest { kind: SUDOKU, variant: variant.to_owned(), ..Default::default() };
    for variant in ["", "9x9", "9x9-x", "4x4", "10x10"] {
        check(server.get_puzzle(of(variant)).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    }
    for variant in ["6x6", "any"] {
        assert_eq!(server.get_puzzle(of(variant)).await.unwrap().text, text);
    }
}

#[tokio::test]
async fn puzzle_beyond_the_ladder_is_solved_and_not_rated() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let rate = pb::RateRequest { kind: SUDOKU, text: STUCK.to_owned(), ..Default::default() };
    let refused = puzzles.rate(rate).await;
    assert!(refused.as_ref().is_err_and(|status| status.message().contains("9.4")), "{refused:?}");
    check(refused, Code::FailedPrecondition, "RATING_UNSUPPORTED");
    let solve = pb::SolveRequest { kind: SUDOKU, text: STUCK.to_owned(), include_steps: true, ..Default::default() };
    let solved = puzzles.solve(solve).await.unwrap().into_inner();
    assert!(!solved.steps_complete && !solved.solution.contains('.'), "{solved:?}");
    let mut board: Vec<char> = STUCK["9x9-x: ".len()..].chars().collect();
    let outcome = loop {
        let hint = pb::HintRequest {
            kind: SUDOKU,
            text: STUCK.to_owned(),
            board: board.iter().collect(),
            ..Default::default()
        };
        let hint = puzzles.hint(hint).await.unwrap().into_inner();
        let Some(pb::Cell { row, column, digit }) =
            hint.following.last().or(hint.step.as_ref()).and_then(|step| step.placed.first().copied())
        else {
            break hint.outcome();
        };
        board[(row as usize - 1) * 9 + column as usize - 1] = char::from_digit(digit, 10).unwrap();
    };
    assert!(matches!(outcome, pb::HintOutcome::Stuck | pb::HintOutcome::Step), "{outcome:?}");
}

#[tokio::test]
async fn what_a_variant_lacks_is_refused_with_what_it_has() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let of = |variant: &str| pb::GenerateRequest { kind: SUDOKU, variant: variant.to_owned(), ..Default::default() };
    let level = pb::Level::Evil.into();
    for (request, expected) in [
        (pb::GenerateRequest { level, ..of("4x4") }, ("level", "sudoku 4x4 has no level evil; use easy")),
        (pb::GenerateRequest { level, ..of("6x6") }, ("level", "sudoku 6x6 has no level evil; use easy, medium, hard")),
        (
            pb::GenerateRequest { technique: "XY-Wing".to_owned(), ..of("6x6") },
            ("technique", "\"XY-Wing\": techniques are no criterion of the variant 6x6 of sudoku; leave it out"),
        ),
        (
            of("5x5"),
            (
                "variant",
                "unknown variant \"5x5\" of sudoku; use 9x9, 4x4, 6x6, 8x8, 9x9-x, 9x9-windoku, 10x10, 12x12, 16x16",
            ),
        ),
    ] {
        check_fields(server.generate(request).await, &[expected]);
    }
    let other =
        pb::SolveRequest { kind: SUDOKU, variant: "9x9".to_owned(), text: text(SAMPLES[1]), ..Default::default() };
    let fault = ("variant", "the text names the variant \"6x6\"; the puzzle is of 9x9");
    check_fields(puzzles.solve(other).await, &[fault]);
}

#[tokio::test]
async fn job_of_each_variant_makes_puzzles_of_its_levels() {
    let server = Server::start().await;
    for (variant, level) in [
        ("4x4", pb::Level::Easy),
        ("6x6", pb::Level::Medium),
        ("8x8", pb::Level::Hard),
        ("9x9-x", pb::Level::Evil),
        ("9x9-windoku", pb::Level::Hard),
        ("10x10", pb::Level::Expert),
        ("12x12", pb::Level::Medium),
        ("16x16", pb::Level::Easy),
    ] {
        let variant = variant.to_owned();
        let request = pb::GenerateRequest {
            kind: SUDOKU,
            variant: variant.clone(),
            level: level.into(),
            count: Some(2),
            ..kakuro::generate()
        };
        let job = kakuro::make(&server, request).await;
        assert_eq!((job.state(), job.made), (pb::JobState::Succeeded, 2), "{job:?}");
        let wanted = pb::GetPuzzleRequest {
            kind: SUDOKU,
            variant: variant.clone(),
            level: level.into(),
            include_record: true,
            ..Default::default()
        };
        let drawn = server.get_puzzle(wanted).await.unwrap();
        assert_eq!((drawn.variant.as_str(), drawn.level()), (variant.as_str(), level));
        assert_eq!(drawn.record.unwrap().rater, "puzzled-grid");
    }
}
