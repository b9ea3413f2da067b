//! The parts of a walk through the calls that are the same for all kinds of the grid layer.

use crate::{kakuro, prelude::*};

/// A puzzle that a job made and a draw delivered, with all that a draw can include.
pub(crate) async fn made(server: &Server, kind: i32, variant: &str, level: pb::Level) -> pb::Puzzle {
    let (name, level) = (variant.to_owned(), level.into());
    let request = pb::GenerateRequest { kind, variant: name.clone(), level, count: Some(2), ..kakuro::generate() };
    let job = kakuro::make(server, request).await;
    assert_eq!((job.state(), job.made), (pb::JobState::Succeeded, 2), "{job:?}");
    let wanted = pb::GetPuzzleRequest {
        kind,
        variant: name,
        level,
        include_structure: true,
        include_solution: true,
        include_record: true,
        include_drawing: true,
        ..Default::default()
    };
    let drawn = server.get_puzzle(wanted).await.unwrap();
    assert_eq!((drawn.variant.as_str(), drawn.level), (variant, level));
    drawn
}

/// Checks the pictures of a puzzle, that a search for its text finds it, and a view of it. Returns the view.
pub(crate) async fn shown_again(server: &Server, drawn: &pb::Puzzle) -> pb::Puzzle {
    let mut puzzles = server.puzzles().await;
    for format in [1, 2] {
        let picture = pb::RenderPuzzleRequest { id: drawn.id.clone(), format, solution: true, ..Default::default() };
        assert!(!puzzles.render_puzzle(picture).await.unwrap().into_inner().picture.is_empty());
    }
    let find = pb::FindPuzzleRequest { kind: drawn.kind, text: drawn.text.clone(), ..Default::default() };
    let found = puzzles.find_puzzle(find).await.unwrap().into_inner().matches;
    assert_eq!((&found[0].puzzle_id, found[0].r#type()), (&drawn.id, pb::MatchType::Same));
    let view = pb::GetPuzzleRequest { id: drawn.id.clone(), scramble_seed: Some(3), ..Default::default() };
    let view = server.get_puzzle(view).await.unwrap();
    assert!(view.scrambled && view.rating.to_bits() == drawn.rating.to_bits(), "{view:?}");
    view
}
