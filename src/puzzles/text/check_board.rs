//! `CheckBoard`: says whether a player's board agrees with the solution.

use super::{asked::board_fault, caller_puzzle::CallerPuzzle};
use crate::{
    calls::{Asked, Cancel, Class, Reply, Service, ServiceError},
    wire::Parser,
};
use puzzled_api::{board::Board, v1 as pb};
use puzzled_engine::shared::{
    kind::HintFor,
    text::{compare::BoardState, judge::Judgment},
};

impl Service {
    pub(crate) async fn check_board(&self, request: &Asked<pb::CheckBoardRequest>) -> Reply<pb::CheckBoardResponse> {
        let pb::CheckBoardRequest { id, board, .. } = request.get_ref().clone();
        let mut parser = Parser::default();
        // Only the length is checked here; `compare` parses the board.
        parser.is_short("board", &board, &self.settings().limits);
        if board.trim().is_empty() {
            parser.refuse("board", "required; set the digits of the player".to_owned());
        }
        let puzzle = self.asked(parser, request).await?;
        let work = move |cancel: &Cancel| checked(&puzzle, &board, cancel);
        // A stored puzzle needs no search, so the answer needs no compute thread.
        if !id.is_empty() {
            return work(&Cancel::new(false));
        }
        self.compute(Class::Short, request, work).await?
    }
}

/// What the board of a player says about the puzzle. Takes no search if the puzzle is stored.
fn checked(puzzle: &CallerPuzzle, board: &str, cancel: &Cancel) -> Result<pb::CheckBoardResponse, ServiceError> {
    let solution = puzzle.solution(cancel)?;
    let of = HintFor { variant: &puzzle.variant, text: &puzzle.text, solution: &solution };
    let state = puzzle.kind.compare(of, board).map_err(board_fault)?;
    let judgment = match state {
        // A board of another puzzle is not judged by the rules of this one.
        BoardState::GivensDiffer(_) => Judgment::default(),
        _ => puzzle.kind.judge(&puzzle.variant, &puzzle.text, board, false).map_err(board_fault)?,
    };
    let broken_rules = puzzle.board.broken(&judgment);
    Ok(pb::CheckBoardResponse { broken_rules, ..state_message(puzzle.board, state) })
}

/// The API's message for the state of a player's board.
fn state_message(board: Board, state: BoardState) -> pb::CheckBoardResponse {
    let (state, cells) = match state {
        BoardState::GivensDiffer(cells) => (pb::BoardState::GivensDiffer, board.cells(cells)),
        BoardState::Wrong(cells) => {
            (pb::BoardState::Wrong, cells.into_iter().map(|(cell, digit)| board.cell(cell, digit)).collect())
        }
        BoardState::CorrectSoFar => (pb::BoardState::CorrectSoFar, Vec::new()),
        BoardState::Complete => (pb::BoardState::Complete, Vec::new()),
    };
    pb::CheckBoardResponse { state: state.into(), cells, broken_rules: Vec::new() }
}
