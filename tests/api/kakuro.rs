//! Kakuro through every call: jobs by size or by own layout, draws, counts, lists, texts that the caller sends, and
//! refused specs and texts.

use std::sync::atomic::AtomicBool;

use prost::Message as _;
use puzzled_engine::{
    kakuro::{
        board::Puzzle,
        layouts::{self, Wanted},
        metrics::KakuroMetrics,
        notation::text,
        techniques::{TECHNIQUES, Technique},
    },
    registry,
    shared::{
        budget::Budget,
        job_index::{IndexOutcome, JobIndex, first_hit},
        metrics::Metrics,
        record::{RatingRecord, TechniqueCount},
        rng::Rng,
        tries::Made,
    },
};
use puzzled_store::jobs::{
    queue::Queue,
    slice::{Guarded, MadeAt, Slice},
};

use crate::prelude::*;

const KAKURO: i32 = pb::Kind::Kakuro as i32;

/// One solution, by combinations alone.
pub(crate) const SMALL: &str = "# \\4 \\3\n3\\ . .\n4\\ . .";

/// The digits of the 2x2 block can be exchanged.
const SEVERAL: &str = "# # # #\n# # \\3 \\3\n# 3\\ . .\n# 3\\ . .";

pub(crate) fn generate() -> pb::GenerateRequest {
    pb::GenerateRequest { kind: KAKURO, seed: Some(7), ..Default::default() }
}

/// Works through the queue with this function for each index.
pub(crate) async fn work(queue: &Queue, by: impl Fn(&Slice, u32) -> MadeAt) {
    while let Some(slice) = queue.claim("tester").await.unwrap() {
        let made: Vec<_> = (slice.first_index..slice.end_index).map(|index| by(&slice, index)).collect();
        let tally = Tally { tries: made.len() as u64, ..Tally::default() };
        let work = SliceWork { made, tally, next_index: slice.end_index, next_try: 0, work_ms: 1 };
        assert!(matches!(queue.commit(slice.lease, work).await.unwrap(), Guarded::Done(_)));
    }
}

/// The puzzle that the engine itself makes.
pub(crate) fn by_engine(slice: &Slice, index: u32) -> MadeAt {
    let kind = registry::kind(&slice.spec.kind).unwrap();
    let at = JobIndex { kind, spec: &slice.spec, seed: slice.seed, index };
    match first_hit(&at, 0..slice.tries_max, &AtomicBool::new(false), &mut |_| ()) {
        IndexOutcome::Hit { try_number, made } => MadeAt { index, try_number, made: *made },
        other => panic!("index {index}: {other:?}"),
    }
}

pub(crate) async fn make(server: &Server, request: pb::GenerateRequest) -> pb::Job {
    let job = server.generate(request).await.unwrap();
    work(&server.queue, by_engine).await;
    server.job(&job.id).await
}

#[tokio::test]
async fn puzzles_of_a_job_are_drawn_counted_and_listed_by_size_and_level() {
    let server = Server::start().await;
    for (variant, level) in [("6x6", pb::Level::Easy), ("5x7", pb::Level::Medium)] {
        let (variant, level) = (variant.to_owned(), level.into());
        let job = make(&server, pb::GenerateRequest { variant, level, count: Some(3), ..generate() }).await;
        assert_eq!((job.state(), job.made), (pb::JobState::Succeeded, 3), "{job:?}");
    }
    let wanted = pb::GetPuzzleRequest {
        kind: KAKURO,
        variant: "5x7".into(),
        include_solution: true,
        include_drawing: true,
        include_structure: true,
        include_record: true,
        ..Default::default()
    };
    let drawn = server.get_puzzle(wanted).await.unwrap();
    assert_eq!((drawn.kind(), drawn.variant.as_str(), drawn.level()), (pb::Kind::Kakuro, "5x7", pb::Level::Medium));
    assert_eq!((drawn.text.lines().count(), drawn.solution.lines().count()), (7, 7));
    assert!(drawn.text.lines().all(|row| row.split(' ').count() == 5), "{}", drawn.text);
    assert!(drawn.text.contains('.') && !drawn.solution.contains('.'), "{}", drawn.solution);
    assert_eq!(drawn.drawing.lines().count(), 22, "{}", drawn.drawing);
    check_runs(&drawn);
    let record = drawn.record.unwrap();
    let Some(pb::rating_record::Metrics::Kakuro(metrics)) = record.metrics else { panic!("no metrics") };
    assert_eq!(metrics.runs, drawn.givens);
    assert_eq!(metrics.cells as usize, drawn.text.matches('.').count());
    // Where all cells are open the load is 1, and the rating still below the next tier.
    let rating = f64::from(metrics.tier) + (10.0 * metrics.load).floor().min(9.0) / 10.0;
    assert!((rating - drawn.rating).abs() < 1e-9, "{rating} {}", drawn.rating);
    assert!(metrics.effort > 0.0 && metrics.relative_time > 0.0 && metrics.steps > 0 && metrics.paper_level > 0);

    let stock = pb::GetStockRequest { kind: KAKURO, ..Default::default() };
    let stock = server.get_stock(stock).await.unwrap();
    let levels: Vec<_> = stock.levels.iter().map(|at| (at.variant.as_str(), at.level(), at.count)).collect();
    assert_eq!((stock.total, levels), (6, vec![("5x7", pb::Level::Medium, 3), ("6x6", pb::Level::Easy, 3)]));
    let easy = pb::ListPuzzlesRequest { kind: KAKURO, level: pb::Level::Easy.into(), ..Default::default() };
    let listed = server.list_puzzles(easy).await.unwrap().puzzles;
    assert!(listed.len() == 3 && listed.iter().all(|puzzle| puzzle.variant == "6x6" && puzzle.solution.is_empty()));
    // Criteria that no shelf has are exhausted, not invalid.
    let none = pb::GetPuzzleRequest { kind: KAKURO, variant: "20x20-runs9-white70".into(), ..Default::default() };
    check(server.get_puzzle(none).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
}

/// Checks the structure of a Kakuro against its solution.
fn check_runs(puzzle: &pb::Puzzle) {
    let rows: Vec<Vec<&str>> = puzzle.solution.lines().map(|row| row.split(' ').collect()).collect();
    assert_eq!((puzzle.rows as usize, puzzle.columns as usize), (rows.len(), rows[0].len()));
    assert_eq!(puzzle.regions.len(), puzzle.givens as usize);
    for region in &puzzle.regions {
        assert_eq!((region.r#type(), region.operator.as_ref()), (pb::RegionType::Run, None));
        let digits = region.cells.iter().map(|at| rows[at.row as usize - 1][at.column as usize - 1].parse::<u32>());
        assert_eq!(region.sum, Some(digits.map(Result::unwrap).sum()), "{region:?}\n{}", puzzle.solution);
        assert!(region.cells.len() > 1 && region.cells.iter().all(|at| at.digit == 0), "{region:?}");
    }
}

#[tokio::test]
async fn a_variant_has_one_name_however_it_is_written() {
    let server = Server::start().await;
    let written = pb::GenerateRequest { variant: "06x6-white62-runs7".into(), ..generate() };
    let job = make(&server, written).await;
    assert_eq!(job.spec.unwrap().variant, "6x6");
    for variant in ["6x6", "6x6-runs7"] {
        let wanted = pb::GetPuzzleRequest { kind: KAKURO, variant: variant.into(), ..Default::default() };
        assert_eq!(server.get_puzzle(wanted).await.unwrap().variant, "6x6");
    }
}

#[tokio::test]
async fn a_layout_of_the_callers_own_is_filled_as_it_is() {
    let server = Server::start().await;
    let own = "5x5:#####,#..##,#...#,##...,###..";
    let job = make(&server, pb::GenerateRequest { variant: own.into(), count: Some(2), ..generate() }).await;
    assert_eq!((job.made, job.spec.unwrap().variant.as_str()), (2, own));
    let list = pb::ListPuzzlesRequest { variant: own.into(), ..Default::default() };
    let listed = server.list_puzzles(list).await.unwrap().puzzles;
    assert_eq!(listed.len(), 2);
    for puzzle in listed {
        let signs: String = puzzle.text.split_whitespace().map(|token| if token == "." { '.' } else { '#' }).collect();
        assert_eq!(signs, own[4..].replace(',', ""));
    }
}

#[tokio::test]
async fn a_text_needs_no_variant_and_may_be_an_address() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    for (variant, text) in
        [("", SMALL), ("3x3", SMALL), ("", "kakuro/2/2/n4334"), ("3x3", "https://puzz.link/p?kakuro/2/2/n4334")]
    {
        let (variant, text) = (variant.to_owned(), text.to_owned());
        let request = pb::SolveRequest {
            kind: KAKURO,
            variant,
            text,
            include_steps: true,
            include_drawing: true,
            ..Default::default()
        };
        let solved = puzzles.solve(request).await.unwrap().into_inner();
        assert_eq!(solved.solution, "# \\4 \\3\n3\\ 1 2\n4\\ 3 1");
        assert!(solved.steps_complete && solved.drawing.starts_with("+--+"), "{}", solved.drawing);
        let placed: Vec<_> = solved.steps.iter().flat_map(|step| &step.placed).collect();
        assert_eq!(placed.len(), 4);
        let in_place = |at: &&pb::Cell| (2..=3).contains(&at.row) && (2..=3).contains(&at.column);
        assert!(placed.iter().all(in_place), "{placed:?}");
    }
    let request = pb::RateRequest { kind: KAKURO, text: SMALL.to_owned(), ..Default::default() };
    let rated = puzzles.rate(request).await.unwrap().into_inner();
    assert_eq!((rated.level(), rated.record.unwrap().rater.as_str()), (pb::Level::Easy, "puzzled-kakuro"));
}

#[tokio::test]
async fn spec_or_text_that_is_too_long_and_rating_that_is_too_high_are_refused() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let (kind, text) = (KAKURO, "#".repeat(8_193));
    let fault = [("text", "8193 bytes; at most 8192 are allowed")];
    let solve = pb::SolveRequest { kind, text: text.clone(), ..Default::default() };
    check_fields(puzzles.solve(solve).await, &fault);
    check_fields(puzzles.rate(pb::RateRequest { kind, text: text.clone(), ..Default::default() }).await, &fault);
    let hint = pb::HintRequest { kind, text: text.clone(), ..Default::default() };
    check_fields(puzzles.hint(hint).await, &fault);
    check_fields(puzzles.validate(pb::ValidateRequest { kind, text, ..Default::default() }).await, &fault);

    let long = pb::GenerateRequest { variant: "x".repeat(1_025), ..generate() };
    check_fields(server.generate(long).await, &[("variant", "1025 bytes; at most 1024 are allowed")]);
    let above = pb::GenerateRequest { min_rating: Some(8.0), ..generate() };
    check_fields(server.generate(above).await, &[("min_rating", "8 is outside 0.0 to 7.9")]);
    let jobs = server.list_jobs(pb::ListJobsRequest::default()).await.unwrap();
    assert!(jobs.is_empty(), "{jobs:?}");
}

#[tokio::test]
async fn two_of_several_solutions_are_shown_with_their_differing_cells() {
    let server = Server::start().await;
    let mut puzzles = server.puzzles().await;
    let request =
        pb::ValidateRequest { kind: KAKURO, text: SEVERAL.to_owned(), include_drawing: true, ..Default::default() };
    let answer = puzzles.validate(request).await.unwrap().into_inner();
    assert_eq!(answer.verdict(), pb::Verdict::Several);
    let [one, other] = &answer.solutions[..] else { panic!("{answer:?}") };
    assert!(one != other && !one.contains('.') && !other.contains('.'), "{answer:?}");
    let cells: Vec<_> = answer.cells.iter().map(|cell| (cell.row, cell.column)).collect();
    assert_eq!(cells, [(3, 3), (3, 4), (4, 3), (4, 4)]);
    assert_eq!(answer.message, "more than one solution; two of them differ in r3c3, r3c4, r4c3, r4c4");
    assert!(answer.drawing.ends_with("|##| 3|  |  |\n|##|##|  |  |\n+--+--+--+--+\n"), "{}", answer.drawing);
}

/// A 30x30 board as long as they get, with an own layout as its variant, under another name each time.
fn largest(number: u32) -> Made {
    let wanted = Wanted { width: 30, height: 30, run_max: 9, white_min: 60, symmetry: Symmetry::None };
    let layout =
        layouts::make(&wanted, &mut Rng::from_seed(1), &Budget::new(0, &AtomicBool::new(false))).unwrap().unwrap();
    // Of nine neighbours in a row or column no two are alike.
    let digit = |cell: &u16| u8::try_from((cell / 30 + cell % 30) % 9 + 1).unwrap();
    let digits: Vec<u8> = layout.cells().iter().map(digit).collect();
    let puzzle = Puzzle::of_solution(layout, &digits);
    let (many, long) = (841, 123.456);
    let metrics = KakuroMetrics {
        tier: 7,
        load: long,
        effort: long,
        effort_per_cell: long,
        relative_time: long,
        coefficient: long,
        paper_level: 3,
        cells: many,
        runs: many,
        freedom: many,
        branching_factor: long,
        backtracks: many,
        steps: many,
        chain: many,
    };
    let count = |technique: &Technique| TechniqueCount { technique: technique.name, rating: Tenths(70), count: 100 };
    Made {
        text: text::write(&puzzle),
        solution: text::write_board(&puzzle, &digits),
        canonical: number.to_string(),
        solved: number.to_string(),
        givens: 300,
        record: RatingRecord {
            rater: "puzzled-kakuro",
            rater_version: 1,
            rating: Tenths(79),
            technique: TECHNIQUES[0].name,
            techniques: TECHNIQUES.iter().map(count).collect(),
            predicted_seconds: None,
            metrics: Metrics::of("kakuro", &metrics),
            explanation: "x".repeat(200),
        },
    }
}

#[tokio::test]
async fn longest_page_of_the_largest_puzzles_fits_client_limits() {
    let server = Server::start().await;
    let token = |token: &str| if token == "." { '.' } else { '#' };
    let text = largest(0).text;
    let rows = text.lines().map(|row| row.split(' ').map(token).collect::<String>());
    let variant = format!("30x30:{}", rows.collect::<Vec<_>>().join(","));
    let request = pb::GenerateRequest { variant: variant.clone(), count: Some(200), ..generate() };
    server.generate(request).await.unwrap();
    work(&server.queue, |_, index| MadeAt { index, try_number: 0, made: largest(index) }).await;
    let list = pb::ListPuzzlesRequest {
        include_solutions: true,
        include_record: true,
        page_size: 200,
        variant,
        ..Default::default()
    };
    let page = server.list_puzzles(list.clone()).await.unwrap();
    assert_eq!(page.puzzles.len(), 200);
    // Clients accept 4 MiB by default; at least an eighth of it stays free.
    assert!(page.encoded_len() < 7 << 19, "{}", page.encoded_len());
    // With all that can be asked for, a page has half as many, and a message of an export no more.
    let all = pb::ListPuzzlesRequest { include_drawing: true, include_structure: true, include_links: true, ..list };
    let page = server.list_puzzles(all).await.unwrap();
    assert_eq!((page.puzzles.len(), page.next_page_token.is_empty()), (100, false));
    assert!(page.puzzles.iter().all(|puzzle| puzzle.regions.len() > 200 && !puzzle.drawing.is_empty()));
    assert!(page.puzzles.iter().all(|puzzle| puzzle.solution_board.len() == 30 && puzzle.links.len() == 1));
    assert!(page.encoded_len() < 7 << 19, "{}", page.encoded_len());
    // Errors travel in headers, which must stay small even if the variant has a long name.
    let wanted = pb::GetPuzzleRequest { kind: KAKURO, variant: "8x10".into(), ..Default::default() };
    let status = server.get_puzzle(wanted).await.unwrap_err();
    assert!(status.message().len() + status.details().len() < 2_000, "{status:?}");
    let validated = pb::ValidateRequest { kind: KAKURO, text, ..Default::default() };
    let answer = server.puzzles().await.validate(validated).await.unwrap().into_inner();
    assert_eq!(answer.verdict(), pb::Verdict::Several);
    let solved = pb::SolveRequest { kind: KAKURO, text: largest(0).text, ..Default::default() };
    let status = server.puzzles().await.solve(solved).await.unwrap_err();
    assert!(status.message().len() + status.details().len() < 4_000, "{status:?}");
}
