//! Each kind through every call, by `walks.toml` of its folder: jobs, draws, structure, steps, hints with pencil marks, boards, pictures,
//! searches, and views.

use puzzled_engine::shared::{kind::PuzzleKind, text::TextForm};
use serde::Deserialize;

use crate::{databases::kinds::cases, kakuro, known::Known, prelude::*};

/// The file of a kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Walks {
    walk: Vec<Walk>,
    #[serde(default)]
    pub(crate) puzzle: Vec<Known>,
}

/// A request for puzzles, and what all of them have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Walk {
    variant: String,
    level: String,
    min_givens: Option<u32>,
    max_givens: Option<u32>,
    givens: Option<u32>,
    symmetry: String,
    regions: Vec<Regions>,
    /// What the digits of each row of a solution add up to.
    row_sum: Option<i32>,
    /// How a drawing begins, and the signs of which it has at least one.
    drawing: (String, String),
    /// Words in the sentence of some step.
    some_sentence: Option<String>,
    /// Words in the sentence of each step.
    every_sentence: Option<String>,
    /// A word that no sentence and no technique has.
    no_word: Option<String>,
    /// The technique of the next step for a player whose pencil marks are the solution.
    marked_hint: Option<String>,
}

/// Regions of a type, which are listed together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Regions {
    r#type: String,
    count: Option<usize>,
    count_min: Option<usize>,
    /// The number of cells of each.
    cells: Option<usize>,
    cells_min: Option<usize>,
    /// The metrics count them.
    #[serde(default)]
    is_clue: bool,
}

pub(crate) fn kind_of(kind: &dyn PuzzleKind) -> i32 {
    pb::Kind::from_str_name(&format!("KIND_{}", kind.name().to_uppercase())).unwrap().into()
}

pub(crate) fn level_of(name: &str) -> pb::Level {
    pb::Level::from_str_name(&format!("LEVEL_{}", name.to_uppercase())).unwrap()
}

pub(crate) fn symmetry_of(name: &str) -> pb::Symmetry {
    pb::Symmetry::from_str_name(&format!("SYMMETRY_{}", name.to_uppercase())).unwrap()
}

/// Runs a check of each kind at the same time.
pub(crate) async fn each_kind<C>(check: impl Fn(&'static dyn PuzzleKind, Walks) -> C)
where
    C: Future<Output = ()> + Send + 'static,
{
    let mut checks: JoinSet<()> = cases("walks.toml").into_iter().map(|(kind, walks)| check(kind, walks)).collect();
    while let Some(checked) = checks.join_next().await {
        checked.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_of_each_kind_makes_puzzles_that_are_drawn_solved_and_checked() {
    each_kind(|kind, walks| async move {
        let server = Server::start().await;
        assert!(!walks.walk.is_empty(), "{}: walks.toml has no walk", kind.name());
        for walk in walks.walk {
            let drawn = made(&server, kind, &walk).await;
            check_structure(kind, &walk, &drawn);
            check_steps(&server, &walk, &drawn).await;
            check_hints(&server, kind, &walk, &drawn).await;
            check_boards(&server, kind, &drawn).await;
            check_views(&server, kind, &drawn).await;
        }
    })
    .await;
}

/// A puzzle that a job made and a draw delivered, with all that a draw can include.
async fn made(server: &Server, kind: &dyn PuzzleKind, walk: &Walk) -> pb::Puzzle {
    let (variant, level, number) = (walk.variant.clone(), level_of(&walk.level), kind_of(kind));
    let &Walk { min_givens, max_givens, .. } = walk;
    let request = pb::GenerateRequest {
        kind: number,
        variant: variant.clone(),
        level: level.into(),
        min_givens,
        max_givens,
        count: Some(2),
        ..kakuro::generate()
    };
    let job = kakuro::make(server, request).await;
    assert_eq!((job.state(), job.made), (pb::JobState::Succeeded, 2), "{job:?}");
    let wanted = pb::GetPuzzleRequest {
        kind: number,
        variant: variant.clone(),
        level: level.into(),
        min_givens,
        max_givens,
        include_structure: true,
        include_solution: true,
        include_record: true,
        include_drawing: true,
        ..Default::default()
    };
    let drawn = server.get_puzzle(wanted).await.unwrap();
    assert_eq!((&drawn.variant, drawn.level()), (&variant, level));
    assert!(min_givens.is_none_or(|min| min <= drawn.givens) && max_givens.is_none_or(|max| drawn.givens <= max));
    drawn
}

/// The cells of a board, row by row.
fn cells(rows: &[pb::BoardRow]) -> Vec<i32> {
    rows.iter().flat_map(|row| row.cells.clone()).collect()
}

fn check_structure(kind: &dyn PuzzleKind, walk: &Walk, drawn: &pb::Puzzle) {
    assert_eq!(drawn.symmetry(), symmetry_of(&walk.symmetry));
    assert!(walk.givens.is_none_or(|givens| givens == drawn.givens), "{}", drawn.givens);
    assert_eq!((drawn.board.len(), drawn.solution_board.len()), (drawn.rows as usize, drawn.rows as usize));
    let (board, solution) = (cells(&drawn.board), cells(&drawn.solution_board));
    let is_kept = |given: &i32, digit: &i32| *given == 0 || given == digit;
    assert!(board.len() == solution.len() && board.iter().zip(&solution).all(|(given, digit)| is_kept(given, digit)));
    if let Some(wanted) = walk.row_sum {
        assert!(drawn.solution_board.iter().all(|row| row.cells.iter().sum::<i32>() == wanted), "{}", drawn.solution);
    }
    let (begin, some) = &walk.drawing;
    assert!(drawn.drawing.starts_with(begin) && drawn.drawing.contains(|c| some.contains(c)), "{}", drawn.drawing);

    let mut listed = &drawn.regions[..];
    let mut clues = 0;
    for wanted in &walk.regions {
        let of = pb::RegionType::from_str_name(&format!("REGION_TYPE_{}", wanted.r#type.to_uppercase())).unwrap();
        let count = listed.iter().take_while(|region| region.r#type() == of).count();
        let (regions, rest) = listed.split_at(count);
        listed = rest;
        assert!(wanted.count.is_none_or(|exact| exact == count), "{count} of {}", wanted.r#type);
        assert!(count > 0 && wanted.count_min.is_none_or(|min| min <= count), "{count} of {}", wanted.r#type);
        for region in regions {
            let number = region.cells.len();
            assert!(
                wanted.cells.is_none_or(|exact| exact == number) && wanted.cells_min.is_none_or(|min| min <= number)
            );
            assert!(holds(region, &drawn.solution_board), "{region:?} {}", drawn.solution);
        }
        if [pb::RegionType::Region, pb::RegionType::Cage].contains(&of) {
            let covered: BTreeSet<_> =
                regions.iter().flat_map(|region| &region.cells).map(|cell| (cell.row, cell.column)).collect();
            assert_eq!(covered.len(), board.len(), "each cell is in one region");
            assert_eq!(regions.iter().map(|region| region.cells.len()).sum::<usize>(), board.len());
        }
        clues += if wanted.is_clue { count } else { 0 };
    }
    assert_eq!(listed, [], "regions that walks.toml does not name");

    let record = drawn.record.clone().unwrap();
    assert_eq!(record.rater, kind.variant(&walk.variant).unwrap().rater);
    if let Some(pb::rating_record::Metrics::Grid(metrics)) = record.metrics {
        assert_eq!(board.iter().filter(|digit| **digit != 0).count(), drawn.givens as usize);
        assert_eq!(metrics.clues as usize, clues);
        assert!(metrics.cage_sizes.is_empty() || metrics.cage_sizes.iter().sum::<u32>() == metrics.clues);
    } else {
        assert_eq!(kind.name(), "kakuro", "all other kinds have the metrics of the grid layer");
    }
}

/// Whether the solution keeps what a region states.
fn holds(region: &pb::Region, solution: &[pb::BoardRow]) -> bool {
    let digit = |cell: &pb::Cell| solution[cell.row as usize - 1].cells[cell.column as usize - 1];
    let digits: Vec<i32> = region.cells.iter().map(digit).collect();
    let differ = digits.iter().collect::<BTreeSet<_>>().len() == digits.len();
    match region.r#type() {
        pb::RegionType::Region => region.sum.is_none() && region.operator.is_none(),
        pb::RegionType::Run | pb::RegionType::Cage => {
            let ends = || (digits[0].max(digits[1]), digits[0].min(digits[1]));
            let made = match region.operator.as_deref() {
                None => differ.then(|| digits.iter().sum()),
                Some("+") => Some(digits.iter().sum()),
                Some("x") => Some(digits.iter().product()),
                Some("-") => Some(ends().0 - ends().1),
                Some("/") => Some(ends().0 / ends().1).filter(|made| made * ends().1 == ends().0),
                other => panic!("{other:?}"),
            };
            region.sum.map(i64::from) == made.map(i64::from)
        }
        pb::RegionType::Edge => match region.operator() {
            "<" => digits[0] < digits[1],
            ">" => digits[0] > digits[1],
            "=" => digits[0] == digits[1],
            "x" => digits[0] != digits[1],
            other => panic!("{other}"),
        },
        pb::RegionType::Sightline => {
            let is_visible = |at: &usize| digits[..*at].iter().all(|before| *before < digits[*at]);
            let visible = (0..digits.len()).filter(is_visible).count();
            differ && region.sum.map(usize::try_from) == Some(Ok(visible))
        }
        pb::RegionType::Unspecified => panic!("{region:?}"),
    }
}

async fn check_steps(server: &Server, walk: &Walk, drawn: &pb::Puzzle) {
    let solve =
        pb::SolveRequest { kind: drawn.kind, text: drawn.text.clone(), include_steps: true, ..Default::default() };
    let solved = server.puzzles().await.solve(solve).await.unwrap().into_inner();
    assert_eq!((&solved.solution, solved.steps_complete), (&drawn.solution, true));
    // The number of a cage is its index in the regions.
    let houses = solved.steps.iter().flat_map(|step| &step.houses);
    let mut cages = houses.filter(|house| house.r#type() == pb::HouseType::Cage);
    assert!(cages.all(|cage| drawn.regions[cage.number as usize].sum.is_some()));
    let has = |step: &pb::Step, words: &str| step.sentence.contains(words);
    let (some, every) = (&walk.some_sentence, &walk.every_sentence);
    assert!(some.as_ref().is_none_or(|words| solved.steps.iter().any(|step| has(step, words))));
    assert!(every.as_ref().is_none_or(|words| solved.steps.iter().all(|step| has(step, words))));
    if let Some(word) = &walk.no_word {
        let said = |step: &pb::Step| format!("{} {}", step.sentence, step.technique).to_lowercase();
        assert!(solved.steps.iter().all(|step| !said(step).contains(word)), "{word}");
    }
}

/// The player notes the digits of the solution, so the next step places one. A cell whose digit is not among its notes is wrong.
async fn check_hints(server: &Server, kind: &dyn PuzzleKind, walk: &Walk, drawn: &pb::Puzzle) {
    let mut puzzles = server.puzzles().await;
    let plain = pb::HintRequest { id: drawn.id.clone(), ..Default::default() };
    assert!(puzzles.hint(plain.clone()).await.unwrap().into_inner().step.is_some());
    let (board, solution) = (cells(&drawn.board), cells(&drawn.solution_board));
    let marks = |(digit, given): (&i32, &i32)| if *given == 0 { 1 << digit } else { 0 };
    let candidates: Vec<u32> = solution.iter().zip(&board).map(marks).collect();
    let hint = pb::HintRequest { candidates: candidates.clone(), ..plain };
    let step = puzzles.hint(hint.clone()).await.unwrap().into_inner().step.unwrap();
    assert_eq!(step.placed.len(), 1, "{step:?}");
    assert!(walk.marked_hint.as_ref().is_none_or(|technique| *technique == step.technique), "{step:?}");
    let digits_max = i32::try_from(kind.variant(&walk.variant).unwrap().symbols.len()).unwrap();
    let open = candidates.iter().position(|marks| *marks > 1).unwrap();
    // No digit, and the next digit.
    let others = [1, 1 << (solution[open] % digits_max + 1)];
    for marks in others.into_iter().filter(|marks| *marks != candidates[open]) {
        let mut candidates = candidates.clone();
        candidates[open] = marks;
        let wrong = puzzles.hint(pb::HintRequest { candidates, ..hint.clone() }).await.unwrap().into_inner();
        assert_eq!((wrong.outcome(), wrong.wrong.len()), (pb::HintOutcome::Wrong, 1));
    }
}

async fn check_boards(server: &Server, kind: &dyn PuzzleKind, drawn: &pb::Puzzle) {
    let mut boards =
        vec![(drawn.text.clone(), pb::BoardState::CorrectSoFar), (drawn.solution.clone(), pb::BoardState::Complete)];
    if kind.text_form() == TextForm::Line {
        let solved = kind.cells(&drawn.solution).concat();
        boards.push((solved.clone(), pb::BoardState::Complete));
        if let Some(others) = with_other_clues(&drawn.text) {
            let given = kind.cells(&drawn.text).concat();
            for board in [format!("{solved} {others}"), format!("{}: {given} {others}", drawn.variant)] {
                boards.push((board, pb::BoardState::GivensDiffer));
            }
        }
    }
    for (board, state) in boards {
        let check = pb::CheckBoardRequest { id: drawn.id.clone(), board: board.clone(), ..Default::default() };
        let checked = server.puzzles().await.check_board(check).await.unwrap().into_inner();
        assert_eq!(checked.state(), state, "{board}");
        assert!(state != pb::BoardState::GivensDiffer || !checked.cells.is_empty(), "{checked:?}");
    }
}

/// The named parts of a text with each sign turned, or with the regions in the opposite order. `None` without such parts.
fn with_other_clues(text: &str) -> Option<String> {
    let turned = |sign| match sign {
        '<' => '>',
        '>' => '<',
        '=' => 'x',
        'x' => '=',
        other => other,
    };
    let parts = text.split(' ').filter_map(|part| match part.split_once('=')? {
        ("regions", letters) => Some(format!("regions={}", letters.chars().rev().collect::<String>())),
        (name @ ("right" | "down"), signs) => Some(format!("{name}={}", signs.chars().map(turned).collect::<String>())),
        _ => None,
    });
    Some(parts.collect::<Vec<_>>().join(" ")).filter(|parts| !parts.is_empty())
}

/// Checks the pictures of a puzzle, that a search for its text finds it, and that a view of it is found as such.
async fn check_views(server: &Server, kind: &dyn PuzzleKind, drawn: &pb::Puzzle) {
    let mut puzzles = server.puzzles().await;
    for format in [1, 2] {
        let picture = pb::RenderPuzzleRequest { id: drawn.id.clone(), format, solution: true, ..Default::default() };
        assert!(!puzzles.render_puzzle(picture).await.unwrap().into_inner().picture.is_empty());
    }
    let find = pb::FindPuzzleRequest { kind: drawn.kind, text: drawn.text.clone(), ..Default::default() };
    let found = puzzles.find_puzzle(find.clone()).await.unwrap().into_inner().matches;
    assert_eq!((&found[0].puzzle_id, found[0].r#type()), (&drawn.id, pb::MatchType::Same));
    if !kind.has_views(&drawn.variant) {
        return;
    }
    let view = pb::GetPuzzleRequest { id: drawn.id.clone(), scramble_seed: Some(3), ..Default::default() };
    let view = server.get_puzzle(view).await.unwrap();
    assert!(view.scrambled && view.rating.to_bits() == drawn.rating.to_bits(), "{view:?}");
    assert!(view.variant == drawn.variant && view.text != drawn.text, "{view:?}");
    let find = pb::FindPuzzleRequest { text: view.text, ..find };
    let found = puzzles.find_puzzle(find).await.unwrap().into_inner().matches;
    assert_eq!((&found[0].puzzle_id, found[0].r#type()), (&drawn.id, pb::MatchType::Isomorph));
}
