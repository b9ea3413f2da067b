//! The puzzle of a call, and what the engine says about it.

use super::asked::{Named, NamesPuzzle, PuzzleText};
use crate::{
    calls::{Asked, Cancel, Invalid, Service, ServiceError, caller_of},
    puzzles::views::{kind_with_views, scrambled, unread},
    settings::Limits,
    wire::Parser,
};
use puzzled_api::{board::Board, v1 as pb};
use puzzled_engine::{
    registry,
    shared::{
        budget::{Budget, OutOfBudget},
        kind::PuzzleKind,
        names::quoted,
        record::RatingRecord,
        text::{Reasoned, Unrated, Verdict},
        variant::VariantInfo,
    },
};
use puzzled_store::{jobs::slice::Likeness, stock::puzzle::Puzzle};

/// The puzzle of a call: a text from the caller, a stored puzzle, or its scrambled view. In its stored form.
pub(crate) struct CallerPuzzle {
    pub(super) kind: &'static dyn PuzzleKind,
    pub(super) variant: String,
    pub(crate) text: String,
    pub(super) board: Board,
    /// The solution, if the puzzle is stored.
    known: Option<String>,
    /// The maximum number of nodes of its rating. The limit of its kind applies too.
    pub(super) rating_nodes_max: u64,
    /// The maximum number of nodes of each search.
    pub(super) search_nodes_max: u64,
}

impl Service {
    /// The puzzle that a request is about, a text or a stored puzzle. `parser` has the faults of its other fields.
    pub(super) async fn asked<T: NamesPuzzle>(
        &self,
        mut parser: Parser,
        request: &Asked<T>,
    ) -> Result<CallerPuzzle, ServiceError> {
        let settings = self.settings();
        let Named { id, scramble_seed, kind, variant, text } = request.get_ref().named();
        if id.is_empty() {
            if let Some(seed) = scramble_seed {
                parser.refuse("scramble_seed", format!("{seed} is set without an id; set both"));
            }
            return CallerPuzzle::of(parser.puzzle(kind, variant, text, &settings.limits)?, &settings.limits);
        }
        if kind != i32::from(pb::Kind::Unspecified) || !variant.is_empty() || !text.is_empty() {
            let fault = format!("{} together with kind, variant, or text; set one of them", quoted(id));
            parser.refuse("id", fault);
        }
        parser.done()?;
        let id = id.parse().map_err(|()| ServiceError::PuzzleNotFound(id.to_owned()))?;
        let caller = caller_of(request.extensions())?;
        CallerPuzzle::stored(self.visible(id, &caller).await?, scramble_seed, &settings.limits)
    }
}

impl CallerPuzzle {
    pub(crate) fn of(puzzle: PuzzleText, limits: &Limits) -> Result<Self, ServiceError> {
        let PuzzleText { kind, variant, text } = puzzle;
        let board = Board::of(kind.size(&variant, &text).map_err(|error| unread(&error))?.columns);
        let (rating_nodes_max, search_nodes_max) = (limits.rating_nodes_max(), limits.max_search_nodes);
        Ok(Self { kind, variant, text, board, known: None, rating_nodes_max, search_nodes_max })
    }

    /// A stored puzzle, or its scrambled view with a seed.
    pub(super) fn stored(puzzle: Puzzle, scramble_seed: Option<u64>, limits: &Limits) -> Result<Self, ServiceError> {
        let Some(kind) = registry::kind(&puzzle.shelf.kind).filter(|_| puzzle.shelf.is_known()) else {
            let fault = format!("{} is of a kind or variant that only a newer version of the server knows", puzzle.id);
            return Err(Invalid::one("id", fault));
        };
        let (text, solution) = match scramble_seed {
            Some(seed) => {
                let view = scrambled(kind_with_views(&puzzle.shelf, seed)?, &puzzle, seed)?;
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
    pub(crate) fn solution(&self, cancel: &Cancel) -> Result<String, ServiceError> {
        if let Some(solution) = &self.known {
            return Ok(solution.clone());
        }
        let verdict = self.verdict(cancel)?;
        let rule = self.kind.under_rule(&self.variant, &self.text, &verdict);
        unique(verdict, self.board, rule, self.search_nodes_max)
    }

    /// How the stock recognizes the puzzle, whose only solution this is.
    pub(crate) fn likeness(&self, solution: &str) -> Result<Likeness, ServiceError> {
        let Self { kind, variant, text, .. } = self;
        let canonical = kind.canonical(variant, text).map_err(|error| unread(&error))?;
        let solved = kind.solved(variant, text, solution).map_err(|error| unread(&error))?;
        Ok(Likeness::of_forms(kind.name(), variant, &canonical, &solved))
    }

    /// Draws a text of the same board.
    pub(super) fn drawn(&self, text: &str) -> Result<String, ServiceError> {
        self.kind.draw(&self.variant, text).map_err(|error| unread(&error))
    }

    /// The links of the puzzle, if they are wanted.
    pub(super) fn links(&self, are_wanted: bool) -> Result<Vec<pb::Link>, ServiceError> {
        if !are_wanted {
            return Ok(Vec::new());
        }
        puzzled_api::puzzle::links(self.kind, &self.variant, &self.text).map_err(|error| unread(&error))
    }

    /// The steps, as far as the techniques solve the puzzle.
    pub(super) fn reasoned(&self, cancel: &Cancel) -> Result<Reasoned, ServiceError> {
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

    /// The properties of its variant.
    pub(super) fn variant_info(&self) -> Result<&'static VariantInfo, ServiceError> {
        let unknown = || ServiceError::Internal(format!("a text of {:?}, which has no rater", self.variant));
        self.kind.variant(&self.variant).ok_or_else(unknown)
    }

    /// The rating of a puzzle that is known to be unique.
    pub(crate) fn rated(&self, cancel: &Cancel) -> Result<RatingRecord, ServiceError> {
        let supported_max = self.variant_info()?.rating_max;
        self.reasoned(cancel)?.record.map_err(|_| ServiceError::Unrated { supported_max })
    }
}

/// The solution, if there is exactly one. Every other verdict is an error. `rule` is that of
/// [`PuzzleKind::under_rule`].
fn unique(verdict: Verdict, board: Board, rule: String, nodes_max: u64) -> Result<String, ServiceError> {
    match verdict {
        Verdict::Unique { solution } => Ok(solution),
        Verdict::NoSolution => Err(ServiceError::NoSolution { rule }),
        Verdict::Several { solutions, differ, .. } => {
            Err(ServiceError::NotUnique { solutions, rule, cells: board.names(&differ) })
        }
        Verdict::Contradiction { cells, reason } => {
            Err(ServiceError::Contradiction { reason, cells: board.names(&cells) })
        }
        Verdict::SolversDisagree(disagreement) => Err(ServiceError::SolversDisagree(disagreement)),
        Verdict::Unknown(OutOfBudget::Nodes) => Err(ServiceError::OutOfBudget { nodes_max }),
        Verdict::Unknown(OutOfBudget::Cancelled) => Err(ServiceError::CallerGone),
    }
}
