//! `Validate`: says whether a text has exactly one solution.

use super::caller_puzzle::CallerPuzzle;
use crate::{
    calls::{Asked, Cancel, Class, Reply, Service, ServiceError},
    wire::Parser,
};
use puzzled_api::v1 as pb;
use puzzled_engine::shared::{budget::OutOfBudget, step::Cell, text::Verdict};

impl Service {
    pub(crate) async fn validate(&self, request: &Asked<pb::ValidateRequest>) -> Reply<pb::ValidateResponse> {
        let limits = &self.settings().limits;
        let wanted = request.get_ref().clone();
        let text = Parser::default().puzzle(wanted.kind, &wanted.variant, &wanted.text, limits)?;
        let puzzle = CallerPuzzle::of(text, limits)?;
        self.compute(Class::Short, request, move |cancel: &Cancel| validated(&puzzle, &wanted, cancel)).await?
    }
}

/// The verdict on the puzzle and, if requested, a drawing of the digits that two solutions share, and the links.
fn validated(
    puzzle: &CallerPuzzle,
    wanted: &pb::ValidateRequest,
    cancel: &Cancel,
) -> Result<pb::ValidateResponse, ServiceError> {
    let verdict = puzzle.verdict(cancel)?;
    let drawing = match &verdict {
        Verdict::Unique { solution: shown } | Verdict::Several { common: shown, .. } if wanted.include_drawing => {
            puzzle.drawn(shown)?
        }
        _ => String::new(),
    };
    let links = puzzle.links(wanted.include_links)?;
    Ok(pb::ValidateResponse { drawing, links, ..verdict_message(puzzle, verdict)? })
}

fn verdict_message(puzzle: &CallerPuzzle, verdict: Verdict) -> Result<pb::ValidateResponse, ServiceError> {
    let rule = puzzle.kind.under_rule(&puzzle.variant, &puzzle.text, &verdict);
    let answer = |verdict: pb::Verdict, message: String, solutions, cells: &[Cell]| pb::ValidateResponse {
        verdict: verdict.into(),
        message,
        solutions,
        drawing: String::new(),
        links: Vec::new(),
        cells: puzzle.board.cells(cells.to_vec()),
    };
    Ok(match verdict {
        Verdict::Unique { solution } => {
            answer(pb::Verdict::Unique, "exactly one solution".to_owned(), vec![solution], &[])
        }
        Verdict::NoSolution => answer(pb::Verdict::None, format!("no solution{rule}"), vec![], &[]),
        Verdict::Several { solutions, differ, .. } => {
            let differing = puzzle.board.names(&differ);
            let message = format!("more than one solution{rule}; two of them differ in {differing}");
            answer(pb::Verdict::Several, message, solutions.into(), &differ)
        }
        Verdict::Contradiction { cells, reason } => {
            let message = format!("the givens contradict each other: {reason}");
            answer(pb::Verdict::Contradiction, message, vec![], &cells)
        }
        Verdict::SolversDisagree(disagreement) => return Err(ServiceError::SolversDisagree(disagreement)),
        Verdict::Unknown(OutOfBudget::Nodes) => {
            let message = format!("no verdict within {} nodes of search", puzzle.search_nodes_max);
            answer(pb::Verdict::Unknown, message, vec![], &[])
        }
        Verdict::Unknown(OutOfBudget::Cancelled) => return Err(ServiceError::CallerGone),
    })
}

#[cfg(test)]
mod tests {
    use tonic::{Code, Status};
    use tonic_types::StatusExt as _;

    use super::*;
    use crate::{puzzles::text::PuzzleText, settings::Limits, telemetry};
    use puzzled_engine::toy::Toy;

    #[test]
    fn solver_disagreement_is_logged_and_fails_with_its_reason() {
        let toy: &'static Toy = Box::leak(Box::new(Toy { disputed: Some(8), ..Toy::default() }));
        let puzzle = PuzzleText { kind: toy, variant: "1x1".to_owned(), text: "8".to_owned() };
        let puzzle = CallerPuzzle::of(puzzle, &Limits::default()).unwrap();
        let never = Cancel::new(false);
        let errors = [
            validated(&puzzle, &pb::ValidateRequest::default(), &never).unwrap_err(),
            puzzle.solution(&never).unwrap_err(),
        ];
        for error in errors {
            let mut status = Status::ok("");
            let log = telemetry::logged(|| status = error.into());
            let reason = status.get_details_error_info().map(|info| info.reason);
            assert_eq!((status.code(), reason.as_deref()), (Code::Internal, Some("SOLVERS_DISAGREE")));
            let fields = "kind=\"toy\" text=\"8\" own=\"no solution\" core=\"the only solution\"";
            assert_eq!(
                log,
                format!("ERROR solvers disagreed; report this line in an issue with all its fields {fields}\n")
            );
        }
    }
}
