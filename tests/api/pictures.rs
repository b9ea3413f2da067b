//! `RenderPuzzle`: pictures of stored puzzles, views, and texts, with solutions and steps, and refused requests.

use pb::PictureFormat::{Pdf, Svg};

use crate::{kakuro::SMALL, prelude::*};

const SUDOKU: i32 = pb::Kind::Sudoku as i32;

fn by_id(format: pb::PictureFormat) -> pb::RenderPuzzleRequest {
    pb::RenderPuzzleRequest { id: "puzzle-1".to_owned(), format: format.into(), ..Default::default() }
}

fn of_text(text: &str, format: pb::PictureFormat) -> pb::RenderPuzzleRequest {
    pb::RenderPuzzleRequest { kind: SUDOKU, text: text.to_owned(), format: format.into(), ..Default::default() }
}

/// The picture of a request as text.
async fn svg(server: &Server, request: pb::RenderPuzzleRequest) -> String {
    let drawn = server.puzzles().await.render_puzzle(request).await.unwrap().into_inner();
    assert_eq!(drawn.media_type, "image/svg+xml");
    String::from_utf8(drawn.picture).unwrap()
}

/// The texts of a picture, in the order in which they are drawn.
fn texts(svg: &str) -> Vec<&str> {
    svg.split("<text ").skip(1).map(|text| text.split(['>', '<']).nth(1).unwrap()).collect()
}

/// The digits of a full Sudoku, row by row, by their places in the picture.
fn digits(svg: &str) -> String {
    // Digits are at least a cell apart, so whole numbers suffice.
    let attribute = |text: &str, name: &str| -> i64 {
        text.split(&format!("{name}=\"")).nth(1).unwrap().split(['"', '.']).next().unwrap().parse().unwrap()
    };
    let texts = svg.split("<text ").skip(1);
    let placed =
        |text: &str| ((attribute(text, "y"), attribute(text, "x")), text.split(['>', '<']).nth(1).unwrap().to_owned());
    let mut placed: Vec<_> = texts.map(placed).collect();
    placed.sort();
    placed.into_iter().map(|(_, digit)| digit).collect()
}

#[tokio::test]
async fn puzzle_and_its_text_have_the_same_picture() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let picture = svg(&server, by_id(Svg)).await;
    let givens = PUZZLE.bytes().filter(u8::is_ascii_digit).count();
    assert!(picture.starts_with("<svg ") && texts(&picture).len() == givens, "{picture}");
    assert_eq!(svg(&server, of_text(PUZZLE, Svg)).await, picture);
    let by_text = server.puzzles().await.render_puzzle(of_text(PUZZLE, Pdf)).await.unwrap().into_inner();
    let by_id = server.puzzles().await.render_puzzle(by_id(Pdf)).await.unwrap().into_inner();
    assert_eq!((by_id.media_type.as_str(), &by_id.picture[..5]), ("application/pdf", &b"%PDF-"[..]));
    assert_eq!(by_text, by_id, "equal requests get equal bytes");
}

#[tokio::test]
async fn solution_is_that_of_the_puzzle_or_of_its_view() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let seeded = pb::GetPuzzleRequest {
        id: "puzzle-1".to_owned(),
        scramble_seed: Some(5),
        include_solution: true,
        ..Default::default()
    };
    let view = server.get_puzzle(seeded).await.unwrap();
    let of_view = pb::RenderPuzzleRequest { scramble_seed: view.scramble_seed, ..by_id(Svg) };
    for (request, solution) in [(by_id(Svg), SOLUTION), (of_text(PUZZLE, Svg), SOLUTION), (of_view, &view.solution)] {
        let picture = svg(&server, pb::RenderPuzzleRequest { solution: true, ..request }).await;
        assert_eq!(digits(&picture), solution);
    }
    let by_text = svg(&server, pb::RenderPuzzleRequest { solution: true, ..of_text(&view.text, Svg) }).await;
    let by_seed = pb::RenderPuzzleRequest { solution: true, scramble_seed: view.scramble_seed, ..by_id(Svg) };
    assert_eq!(svg(&server, by_seed).await, by_text);
}

#[tokio::test]
async fn step_shows_the_position_before_it_and_the_last_is_named() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let solve = pb::SolveRequest { id: "puzzle-1".to_owned(), include_steps: true, ..Default::default() };
    let steps = server.puzzles().await.solve(solve).await.unwrap().into_inner().steps;
    let count = u32::try_from(steps.len()).unwrap();
    let mut pictures = BTreeSet::new();
    for step in 1..=count {
        let picture = svg(&server, pb::RenderPuzzleRequest { step: Some(step), ..by_id(Svg) }).await;
        let with_solution = pb::RenderPuzzleRequest { step: Some(step), solution: true, ..by_id(Svg) };
        assert_eq!(svg(&server, with_solution).await, picture, "the solution has no effect");
        pictures.insert(picture);
    }
    assert_eq!(pictures.len(), steps.len());
    let beyond = pb::RenderPuzzleRequest { step: Some(count + 1), ..by_id(Svg) };
    let fault = format!("{} is beyond the last step; the techniques find {count} steps", count + 1);
    check_fields(server.puzzles().await.render_puzzle(beyond).await, &[("step", &fault)]);
}

#[tokio::test]
async fn candidates_and_rules_are_shown_on_request() {
    let server = Server::start().await;
    let plain = svg(&server, of_text(PUZZLE, Svg)).await;
    let candidates = svg(&server, pb::RenderPuzzleRequest { candidates: true, ..of_text(PUZZLE, Svg) }).await;
    assert!(texts(&candidates).len() > 81, "{candidates}");
    let rules = svg(&server, pb::RenderPuzzleRequest { rules: true, ..of_text(PUZZLE, Svg) }).await;
    assert!(texts(&rules).len() > texts(&plain).len() && texts(&rules).concat().contains("each row"), "{rules}");
    let kakuro = pb::RenderPuzzleRequest { kind: pb::Kind::Kakuro.into(), ..of_text(SMALL, Svg) };
    assert!(svg(&server, kakuro).await.contains("Kakuro"));
}

#[tokio::test]
async fn wrong_fields_are_named_with_value_and_limit() {
    let server = Server::start().await;
    server.fill(Symmetry::Rotation180, 26, 1).await;
    let formats = "use PICTURE_FORMAT_SVG or PICTURE_FORMAT_PDF";
    let (required, unknown) = (format!("required; {formats}"), format!("9 is unknown; {formats}"));
    let id_and_text = "\"puzzle-1\" together with kind, variant, or text; set one of them";
    let cases = [
        (pb::RenderPuzzleRequest { format: 0, ..by_id(Svg) }, vec![("format", required.as_str())]),
        (pb::RenderPuzzleRequest { format: 9, ..by_id(Svg) }, vec![("format", &unknown)]),
        (
            pb::RenderPuzzleRequest { step: Some(0), ..by_id(Svg) },
            vec![("step", "0 is not a step; steps count from 1")],
        ),
        (pb::RenderPuzzleRequest { text: PUZZLE.to_owned(), ..by_id(Svg) }, vec![("id", id_and_text)]),
        (
            pb::RenderPuzzleRequest { scramble_seed: Some(3), ..of_text(PUZZLE, Svg) },
            vec![("scramble_seed", "3 is set without an id; set both")],
        ),
        (
            pb::RenderPuzzleRequest { id: String::new(), ..by_id(Svg) },
            vec![("kind", "required; GetServerInfo lists the kinds (`puzzled info`)")],
        ),
    ];
    for (request, faults) in cases {
        check_fields(server.puzzles().await.render_puzzle(request).await, &faults);
    }
    let short = server.puzzles().await.render_puzzle(of_text("12", Svg)).await.unwrap_err();
    assert!(short.message().starts_with("text: "), "{short:?}");
    for id in ["puzzle-9", "nine"] {
        let unknown = pb::RenderPuzzleRequest { id: id.to_owned(), ..by_id(Svg) };
        check(server.puzzles().await.render_puzzle(unknown).await, Code::NotFound, "PUZZLE_NOT_FOUND");
    }
    let several = pb::RenderPuzzleRequest { solution: true, ..of_text(&".".repeat(81), Svg) };
    assert_eq!(server.puzzles().await.render_puzzle(several).await.unwrap_err().code(), Code::InvalidArgument);
    // A picture without a solution needs none.
    assert!(texts(&svg(&server, of_text(&".".repeat(81), Svg)).await).is_empty());
}
