//! The puzzles that `walks.toml` of each kind states: they are solved, rated, stored, shown, hinted to their end, and drawn.

use puzzled_engine::shared::kind::PuzzleKind;
use serde::Deserialize;

use crate::{
    kinds::{each_kind, kind_of, level_of},
    prelude::*,
};

/// A puzzle with its solution.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    variant: String,
    level: String,
    /// A technique of its solution. A `Refutation` is the only one with rounds.
    technique: String,
    text: String,
    solution: String,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn known_puzzle_of_each_kind_is_solved_in_steps_and_rated() {
    each_kind(|kind, walks| async move {
        let server = Server::start().await;
        let mut puzzles = server.puzzles().await;
        for known in walks.puzzle {
            // The variant is named by the text, or by the request.
            for (variant, text) in [("", known.text.clone()), (&known.variant, kind.cells(&known.text).concat())] {
                let (kind, variant) = (kind_of(kind), variant.to_owned());
                let solve = pb::SolveRequest {
                    kind,
                    variant: variant.clone(),
                    text: text.clone(),
                    include_steps: true,
                    include_drawing: true,
                    include_links: true,
                    ..Default::default()
                };
                let solved = puzzles.solve(solve).await.unwrap().into_inner();
                assert_eq!((solved.solution, solved.steps_complete), (known.solution.clone(), true));
                assert!(solved.drawing.starts_with("+--") && solved.links.is_empty(), "{}", solved.drawing);
                assert!(solved.steps.iter().all(|step| step.sentence.ends_with('.') && step.sentence.contains(' ')));
                assert!(solved.steps.iter().any(|step| step.technique == known.technique), "{}", known.variant);
                let rated = puzzles.rate(pb::RateRequest { kind, variant, text }).await.unwrap().into_inner();
                let record = rated.record.clone().unwrap();
                assert_eq!((rated.level(), record.rater.as_str()), (level_of(&known.level), "puzzled-grid"));
                let Some(pb::rating_record::Metrics::Grid(metrics)) = record.metrics else { panic!("{record:?}") };
                assert_eq!(metrics.steps as usize, solved.steps.len());
                assert_eq!(metrics.rounds > 0, known.technique == "Refutation");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn known_puzzle_of_each_kind_is_stored_shown_and_hinted_to_its_end() {
    each_kind(|kind, walks| async move {
        let server = Server::start().await;
        for (number, known) in (1..).zip(walks.puzzle) {
            server.store_text(kind.name(), &known.variant, [&known.text, &known.solution]).await;
            check_stored(&server, kind, &known, format!("puzzle-{number}")).await;
        }
    })
    .await;
}

async fn check_stored(server: &Server, kind: &dyn PuzzleKind, known: &Known, id: String) {
    let mut puzzles = server.puzzles().await;
    let get = pb::GetPuzzleRequest {
        id: id.clone(),
        include_structure: true,
        include_drawing: true,
        include_solution: true,
        ..Default::default()
    };
    let shown = server.get_puzzle(get.clone()).await.unwrap();
    let size = shown.rows as usize;
    let mut board = kind.cells(&known.text).concat();
    assert_eq!((&shown.variant, &shown.text, size * size), (&known.variant, &known.text, board.len()));
    assert_eq!((shown.board.len(), shown.regions.len(), shown.solution_board.len()), (size, size, size));
    assert!(shown.regions.iter().all(|region| region.cells.len() == size), "{:?}", shown.regions);
    assert!(shown.drawing.lines().count() > size, "{}", shown.drawing);
    let view = server.get_puzzle(pb::GetPuzzleRequest { scramble_seed: Some(3), ..get }).await.unwrap();
    assert!(view.scrambled && view.variant == known.variant && view.text.starts_with(&known.variant), "{view:?}");

    let symbols = kind.variant(&known.variant).unwrap().symbols;
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
        board.replace_range(at..=at, &symbols[sign..=sign]);
    }
    assert_eq!(board, kind.cells(&known.solution).concat());
    let check = pb::CheckBoardRequest { id: id.clone(), board, ..Default::default() };
    assert_eq!(puzzles.check_board(check).await.unwrap().into_inner().state(), pb::BoardState::Complete);
    let svg = pb::RenderPuzzleRequest { id: id.clone(), format: 1, rules: true, ..Default::default() };
    let svg = String::from_utf8(puzzles.render_puzzle(svg).await.unwrap().into_inner().picture).unwrap();
    let name = kind.name_in_words();
    let title = format!("{}{} {}", name[..1].to_uppercase(), &name[1..], known.variant);
    assert!(svg.contains(&title), "{svg}");
    let find = pb::FindPuzzleRequest { kind: shown.kind, text: known.text.clone(), ..Default::default() };
    let found = puzzles.find_puzzle(find).await.unwrap().into_inner().matches;
    assert_eq!((&found[0].puzzle_id, found[0].r#type()), (&id, pb::MatchType::Same));
}
