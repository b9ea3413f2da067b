//! Handles the calls about one puzzle, sent as text or named by ID: `Solve`, `Rate`, `Validate`, `Hint`, `CheckBoard`, and
//! `RenderPuzzle`.

use tonic::Request;

use super::scramble;
use crate::calls::limits::compute::Cancel;
use crate::{
    calls::{
        errors::{ServiceError, fields::Invalid},
        open::caller_of,
        service::Service,
    },
    service::{
        parse::{AskedPuzzle, PuzzleText, WantedPicture, WithSolution, WithVerdict, text_fault},
        render::{self, board::Board},
    },
    settings::Limits,
};
use puzzled_api::v1 as pb;
use puzzled_engine::{
    picture::Shown,
    registry,
    shared::{
        budget::{Budget, OutOfBudget},
        kind::{HintFor, PuzzleKind},
        record::{RatingRecord, TechniqueCount},
        step::Step,
        text::{OpenSteps, Reasoned, TextError, Unrated, Verdict, board::PlayerBoard},
        variant::VariantInfo,
    },
};
use puzzled_store::{jobs::slice::Likeness, stock::puzzle::Puzzle};

/// The puzzle of a call: a text from the caller, a stored puzzle, or its scrambled view. In its stored form.
pub(super) struct CallerPuzzle {
    pub(super) kind: &'static dyn PuzzleKind,
    pub(super) variant: String,
    pub(super) text: String,
    pub(super) board: Board,
    /// The solution, if the puzzle is stored.
    known: Option<String>,
    /// The maximum number of nodes of its rating. The limit of its kind applies too.
    rating_nodes_max: u64,
    /// The maximum number of nodes of each search.
    search_nodes_max: u64,
}

impl CallerPuzzle {
    pub(super) fn of(puzzle: PuzzleText, limits: &Limits) -> Result<Self, ServiceError> {
        let PuzzleText { kind, variant, text } = puzzle;
        let board = Board::of(kind.size(&variant, &text).map_err(|error| unread(&error))?.columns);
        let (rating_nodes_max, search_nodes_max) = (limits.rating_nodes_max(), limits.max_search_nodes);
        Ok(Self { kind, variant, text, board, known: None, rating_nodes_max, search_nodes_max })
    }

    /// A stored puzzle, or its scrambled view with a seed.
    fn stored(puzzle: Puzzle, scramble_seed: Option<u64>, limits: &Limits) -> Result<Self, ServiceError> {
        let Some(kind) = registry::kind(&puzzle.shelf.kind).filter(|_| puzzle.shelf.is_known()) else {
            let fault = format!("{} is of a kind or variant that only a newer version of the server knows", puzzle.id);
            return Err(Invalid::one("id", fault));
        };
        let (text, solution) = match scramble_seed {
            Some(seed) => {
                let view = scramble::scrambled(scramble::kind_with_views(&puzzle.shelf, seed)?, &puzzle, seed)?;
                (view.text, view.solution)
            }
            None => (puzzle.text, puzzle.solution),
        };
        let of_text = Self::of(PuzzleText { kind, variant: puzzle.shelf.variant, text }, limits)?;
        Ok(Self { known: Some(solution), ..of_text })
    }

    pub(super) fn verdict(&self, cancel: &Cancel) -> Result<Verdict, ServiceError> {
        let mut budget = Budget::new(self.search_nodes_max, cancel);
        self.kind.validate(&self.variant, &self.text, &mut budget).map_err(|error| unread(&error))
    }

    /// The only solution.
    pub(super) fn solution(&self, cancel: &Cancel) -> Result<String, ServiceError> {
        if let Some(solution) = &self.known {
            return Ok(solution.clone());
        }
        let verdict = self.verdict(cancel)?;
        let rule = self.kind.under_rule(&self.variant, &self.text, &verdict);
        self.board.unique(verdict, rule, self.search_nodes_max)
    }

    /// How the stock recognizes the puzzle, whose only solution this is.
    pub(super) fn likeness(&self, solution: &str) -> Result<Likeness, ServiceError> {
        let Self { kind, variant, text, .. } = self;
        let canonical = kind.canonical(variant, text).map_err(|error| unread(&error))?;
        let solved = kind.solved(variant, text, solution).map_err(|error| unread(&error))?;
        Ok(Likeness::of_forms(kind.name(), variant, &canonical, &solved))
    }

    /// Draws a text of the same board.
    fn drawn(&self, text: &str) -> Result<String, ServiceError> {
        self.kind.draw(&self.variant, text).map_err(|error| unread(&error))
    }

    /// The links of the puzzle, if they are wanted.
    fn links(&self, are_wanted: bool) -> Result<Vec<pb::Link>, ServiceError> {
        if !are_wanted {
            return Ok(Vec::new());
        }
        render::puzzle::links(self.kind, &self.variant, &self.text).map_err(|error| unread(&error))
    }

    /// The steps, as far as the techniques solve the puzzle.
    fn reasoned(&self, cancel: &Cancel) -> Result<Reasoned, ServiceError> {
        let mut budget = Budget::new(self.rating_nodes_max, cancel);
        let reasoned = self.kind.reason(&self.variant, &self.text, &mut budget).map_err(|error| unread(&error))?;
        match reasoned.record {
            Err(Unrated::OutOfBudget { why: OutOfBudget::Cancelled, .. }) => Err(ServiceError::CallerGone),
            Err(Unrated::OutOfBudget { why: OutOfBudget::Nodes, at_least }) => {
                Err(ServiceError::RatingOutOfBudget { at_least })
            }
            Ok(_) | Err(Unrated::Stuck) => Ok(reasoned),
        }
    }

    /// The steps up to the one with this number, from 1.
    fn steps_to(&self, number: usize, cancel: &Cancel) -> Result<Vec<Step>, ServiceError> {
        let mut steps = self.reasoned(cancel)?.steps;
        if number > steps.len() {
            let fault = format!("{number} is beyond the last step; the techniques find {} steps", steps.len());
            return Err(Invalid::one("step", fault));
        }
        steps.truncate(number);
        Ok(steps)
    }

    /// For each step, the other steps that are possible before it.
    fn open_steps(&self, steps: &[Step], cancel: &Cancel) -> Result<Vec<Vec<TechniqueCount>>, ServiceError> {
        let budget = Budget::new(0, cancel);
        let open = self.kind.open_steps(&self.variant, &self.text, steps, &budget).map_err(|error| unread(&error))?;
        match open {
            OpenSteps::Counted(open) => Ok(open),
            OpenSteps::Cancelled => Err(ServiceError::CallerGone),
            OpenSteps::NotCounted => {
                let fault = format!("{} {} does not count open steps", self.kind.name(), self.variant);
                Err(Invalid::one("include_open_steps", fault))
            }
        }
    }

    /// The properties of its variant.
    fn variant_info(&self) -> Result<&'static VariantInfo, ServiceError> {
        let unknown = || ServiceError::Internal(format!("a text of {:?}, which has no rater", self.variant));
        self.kind.variant(&self.variant).ok_or_else(unknown)
    }

    /// The rating of a puzzle that is known to be unique.
    pub(super) fn rated(&self, cancel: &Cancel) -> Result<RatingRecord, ServiceError> {
        let supported_max = self.variant_info()?.rating_max;
        self.reasoned(cancel)?.record.map_err(|_| ServiceError::Unrated { supported_max })
    }
}

/// The solution and, if requested, the steps of a solution by techniques.
pub(super) fn solve(
    puzzle: &CallerPuzzle,
    include: WithSolution,
    cancel: &Cancel,
) -> Result<pb::SolveResponse, ServiceError> {
    let solution = puzzle.solution(cancel)?;
    let drawing = if include.drawing { puzzle.drawn(&solution)? } else { String::new() };
    let links = puzzle.links(include.links)?;
    if !include.steps {
        return Ok(pb::SolveResponse { solution, drawing, links, ..pb::SolveResponse::default() });
    }
    let reasoned = puzzle.reasoned(cancel)?;
    let open = if include.open_steps { puzzle.open_steps(&reasoned.steps, cancel)? } else { Vec::new() };
    let open = open.into_iter().chain(std::iter::repeat(Vec::new()));
    let steps = reasoned.steps.into_iter().zip(open);
    let steps = steps.map(|(step, open)| puzzle.board.step((puzzle.kind, &puzzle.variant), step, &open)).collect();
    Ok(pb::SolveResponse { solution, steps, steps_complete: reasoned.record.is_ok(), drawing, links })
}

/// The verdict on the puzzle and, if requested, a drawing of the digits that two solutions share, and the links.
pub(super) fn validate(
    puzzle: &CallerPuzzle,
    include: WithVerdict,
    cancel: &Cancel,
) -> Result<pb::ValidateResponse, ServiceError> {
    let verdict = puzzle.verdict(cancel)?;
    let drawing = match &verdict {
        Verdict::Unique { solution: shown } | Verdict::Several { common: shown, .. } if include.drawing => {
            puzzle.drawn(shown)?
        }
        _ => String::new(),
    };
    let links = puzzle.links(include.links)?;
    let rule = puzzle.kind.under_rule(&puzzle.variant, &puzzle.text, &verdict);
    Ok(pb::ValidateResponse { drawing, links, ..puzzle.board.verdict(verdict, &rule, puzzle.search_nodes_max)? })
}

/// Level, rating and record.
///
/// # Errors
/// [`ServiceError::AlreadySolved`] if no cell is empty, and the errors of a text that cannot be rated.
pub(super) fn rate(puzzle: &CallerPuzzle, cancel: &Cancel) -> Result<pb::RateResponse, ServiceError> {
    puzzle.solution(cancel)?;
    let record = puzzle.rated(cancel)?;
    if record.is_of_complete_grid() {
        return Err(ServiceError::AlreadySolved);
    }
    Ok(render::puzzle::rated_message(puzzle.variant_info()?, record))
}

/// The next step on a board, or its wrong digits. The puzzle must have exactly one solution.
pub(super) fn hint(
    puzzle: &CallerPuzzle,
    board: PlayerBoard<'_>,
    cancel: &Cancel,
) -> Result<pb::HintResponse, ServiceError> {
    let solution = puzzle.solution(cancel)?;
    let hint_for = HintFor { variant: &puzzle.variant, text: &puzzle.text, solution: &solution };
    let mut budget = Budget::new(puzzle.rating_nodes_max, cancel);
    let hint = puzzle.kind.hint(hint_for, board, &mut budget).map_err(board_fault)?;
    puzzle.board.hint((puzzle.kind, &puzzle.variant), hint, puzzle.search_nodes_max)
}

/// What the board of a player says about the puzzle. Takes no search if the puzzle is stored.
pub(super) fn check(
    puzzle: &CallerPuzzle,
    board: &str,
    cancel: &Cancel,
) -> Result<pb::CheckBoardResponse, ServiceError> {
    let solution = puzzle.solution(cancel)?;
    let of = HintFor { variant: &puzzle.variant, text: &puzzle.text, solution: &solution };
    Ok(puzzle.board.checked(puzzle.kind.compare(of, board).map_err(board_fault)?))
}

/// The picture of the puzzle. Takes no search unless it shows the solution of a text, or a step.
pub(super) fn picture(
    puzzle: &CallerPuzzle,
    wanted: WantedPicture,
    cancel: &Cancel,
) -> Result<pb::RenderPuzzleResponse, ServiceError> {
    let WantedPicture { format, solution, candidates, step, rules } = wanted;
    // Steps lead to the solution only if there is one.
    let solved = (solution || step.is_some()).then(|| puzzle.solution(cancel)).transpose()?;
    let steps = step.map(|step| puzzle.steps_to(step, cancel)).transpose()?.unwrap_or_default();
    let solution = solved.as_deref().filter(|_| solution);
    let shown = Shown { text: &puzzle.text, solution, candidates, steps: &steps, rules };
    let picture = puzzle.kind.picture(&puzzle.variant, shown).map_err(|error| unread(&error))?;
    Ok(pb::RenderPuzzleResponse { picture: format.write(&picture), media_type: format.media_type().to_owned() })
}

/// The puzzle was read without an error, so the error is in the board.
fn board_fault(error: TextError) -> ServiceError {
    let (field, fault) = text_fault("board", error);
    Invalid::one(field, fault)
}

impl Service {
    /// The puzzle that a request names.
    pub(super) async fn asked<T>(
        &self,
        puzzle: AskedPuzzle,
        request: &Request<T>,
        limits: &Limits,
    ) -> Result<CallerPuzzle, ServiceError> {
        match puzzle {
            AskedPuzzle::Text(text) => CallerPuzzle::of(text, limits),
            AskedPuzzle::Stored { id, scramble_seed } => {
                let caller = caller_of(request.extensions())?;
                CallerPuzzle::stored(self.visible(id, &caller).await?, scramble_seed, limits)
            }
        }
    }
}

/// The text was read before, so an error now is a fault of the kind.
pub(super) fn unread(error: &TextError) -> ServiceError {
    ServiceError::Internal(format!("a text in its stored form cannot be read: {error:?}"))
}

#[cfg(test)]
mod tests {
    use tonic::{Code, Status};
    use tonic_types::StatusExt as _;

    use super::*;
    use crate::telemetry;
    use puzzled_engine::toy::Toy;

    #[test]
    fn solver_disagreement_is_logged_and_fails_with_its_reason() {
        let toy: &'static Toy = Box::leak(Box::new(Toy { disputed: Some(8), ..Toy::default() }));
        let puzzle = PuzzleText { kind: toy, variant: "1x1".to_owned(), text: "8".to_owned() };
        let puzzle = CallerPuzzle::of(puzzle, &Limits::default()).unwrap();
        let include = WithSolution { steps: false, open_steps: false, drawing: false, links: false };
        let never = Cancel::new(false);
        let errors = [
            validate(&puzzle, WithVerdict { drawing: false, links: false }, &never).unwrap_err(),
            solve(&puzzle, include, &never).unwrap_err(),
            rate(&puzzle, &never).unwrap_err(),
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

    #[test]
    fn open_steps_are_not_counted_for_a_caller_that_is_gone() {
        let kind = registry::kind("sudoku").unwrap();
        let text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".to_owned();
        let puzzle =
            CallerPuzzle::of(PuzzleText { kind, variant: "9x9".to_owned(), text }, &Limits::default()).unwrap();
        let steps = puzzle.reasoned(&Cancel::new(false)).unwrap().steps;
        assert_eq!(puzzle.open_steps(&steps, &Cancel::new(false)).unwrap().len(), steps.len());
        let gone = puzzle.open_steps(&steps, &Cancel::new(true));
        assert!(matches!(gone, Err(ServiceError::CallerGone)), "{gone:?}");
    }
}
