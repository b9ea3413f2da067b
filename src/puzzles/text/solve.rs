//! `Solve`: gets the solution of a puzzle and, if wanted, the steps to it by techniques.

use super::caller_puzzle::CallerPuzzle;
use crate::{
    calls::{Asked, Cancel, Class, Invalid, Reply, Service, ServiceError},
    puzzles::views::unread,
    wire::Parser,
};
use puzzled_api::v1 as pb;
use puzzled_engine::shared::{budget::Budget, record::TechniqueCount, step::Step, text::OpenSteps};

impl Service {
    pub(crate) async fn solve(&self, request: &Asked<pb::SolveRequest>) -> Reply<pb::SolveResponse> {
        let wanted = request.get_ref().clone();
        let mut parser = Parser::default();
        if wanted.include_open_steps && !wanted.include_steps {
            parser.refuse("include_open_steps", "set without include_steps; set both".to_owned());
        }
        let puzzle = self.asked(parser, request).await?;
        let class = if wanted.include_steps { Class::Long } else { Class::Short };
        self.compute(class, request, move |cancel: &Cancel| solved(&puzzle, &wanted, cancel)).await?
    }
}

/// The solution and, if requested, the steps of a solution by techniques.
fn solved(
    puzzle: &CallerPuzzle,
    wanted: &pb::SolveRequest,
    cancel: &Cancel,
) -> Result<pb::SolveResponse, ServiceError> {
    let solution = puzzle.solution(cancel)?;
    let drawing = if wanted.include_drawing { puzzle.drawn(&solution)? } else { String::new() };
    let links = puzzle.links(wanted.include_links)?;
    if !wanted.include_steps {
        return Ok(pb::SolveResponse { solution, drawing, links, ..pb::SolveResponse::default() });
    }
    let reasoned = puzzle.reasoned(cancel)?;
    let open = if wanted.include_open_steps { open_steps(puzzle, &reasoned.steps, cancel)? } else { Vec::new() };
    let open = open.into_iter().chain(std::iter::repeat(Vec::new()));
    let steps = reasoned.steps.into_iter().zip(open);
    let steps = steps.map(|(step, open)| puzzle.board.step((puzzle.kind, &puzzle.variant), step, &open)).collect();
    Ok(pb::SolveResponse { solution, steps, steps_complete: reasoned.record.is_ok(), drawing, links })
}

/// For each step, the other steps that are possible before it.
fn open_steps(
    puzzle: &CallerPuzzle,
    steps: &[Step],
    cancel: &Cancel,
) -> Result<Vec<Vec<TechniqueCount>>, ServiceError> {
    let CallerPuzzle { kind, variant, text, .. } = puzzle;
    match kind.open_steps(variant, text, steps, &Budget::new(0, cancel)).map_err(|error| unread(&error))? {
        OpenSteps::Counted(open) => Ok(open),
        OpenSteps::Cancelled => Err(ServiceError::CallerGone),
        OpenSteps::NotCounted => {
            let fault = format!("{} {variant} does not count open steps", kind.name());
            Err(Invalid::one("include_open_steps", fault))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{puzzles::text::PuzzleText, settings::Limits};
    use puzzled_engine::registry;

    #[test]
    fn open_steps_are_not_counted_for_a_caller_that_is_gone() {
        let kind = registry::kind("sudoku").unwrap();
        let text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".to_owned();
        let puzzle =
            CallerPuzzle::of(PuzzleText { kind, variant: "9x9".to_owned(), text }, &Limits::default()).unwrap();
        let steps = puzzle.reasoned(&Cancel::new(false)).unwrap().steps;
        assert_eq!(open_steps(&puzzle, &steps, &Cancel::new(false)).unwrap().len(), steps.len());
        let gone = open_steps(&puzzle, &steps, &Cancel::new(true));
        assert!(matches!(gone, Err(ServiceError::CallerGone)), "{gone:?}");
    }
}
