//! Parses `Solve`, `Rate`, `Validate`, and `Hint`, the requests that contain a puzzle text.

use super::Parser;
use crate::{
    proto::v1 as pb,
    service::{errors::ServiceError, settings::Limits},
};
use puzzled_engine::shared::{kind::PuzzleKind, text::TextError};

/// A puzzle text from a caller, in its stored form.
#[derive(Debug)]
pub(in crate::service) struct PuzzleText {
    pub(in crate::service) kind: &'static dyn PuzzleKind,
    pub(in crate::service) variant: String,
    pub(in crate::service) text: String,
}

/// The optional parts of a response with a solution.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) struct WithSolution {
    /// The steps of a solution by techniques.
    pub(in crate::service) steps: bool,
    /// With each step, the other possible steps.
    pub(in crate::service) open_steps: bool,
    /// A drawing of the solution.
    pub(in crate::service) drawing: bool,
}

/// The puzzle of a `Solve`, and the requested parts of its response.
pub(in crate::service) fn solve(
    request: &pb::SolveRequest,
    limits: &Limits,
) -> Result<(PuzzleText, WithSolution), ServiceError> {
    let mut parser = Parser::default();
    let include = WithSolution {
        steps: request.include_steps,
        open_steps: request.include_open_steps,
        drawing: request.include_drawing,
    };
    if include.open_steps && !include.steps {
        parser.refuse("include_open_steps", "set without include_steps; set both".to_owned());
    }
    Ok((parser.puzzle(request.kind, &request.variant, &request.text, limits)?, include))
}

pub(in crate::service) fn rate(request: &pb::RateRequest, limits: &Limits) -> Result<PuzzleText, ServiceError> {
    Parser::default().puzzle(request.kind, &request.variant, &request.text, limits)
}

pub(in crate::service) fn validate(request: &pb::ValidateRequest, limits: &Limits) -> Result<PuzzleText, ServiceError> {
    Parser::default().puzzle(request.kind, &request.variant, &request.text, limits)
}

/// The puzzle of a `Hint`. Only the length of its board is checked here; the board and its candidates are read with the solution.
pub(in crate::service) fn hint(request: &pb::HintRequest, limits: &Limits) -> Result<PuzzleText, ServiceError> {
    let mut parser = Parser::default();
    parser.is_short("board", &request.board, limits);
    parser.puzzle(request.kind, &request.variant, &request.text, limits)
}

/// The field and the fault of a text or variant that cannot be read.
pub(in crate::service) fn text_fault(field: &'static str, error: TextError) -> (&'static str, String) {
    match error {
        TextError::Variant { reason } => ("variant", reason),
        TextError::Candidates { reason } => ("candidates", reason),
        fault => (field, fault.to_string()),
    }
}

impl Parser {
    /// Parses the fields that all these requests have, and ends the request.
    fn puzzle(mut self, kind: i32, variant: &str, text: &str, limits: &Limits) -> Result<PuzzleText, ServiceError> {
        let is_short = self.is_short("text", text, limits);
        let kind = self.required_kind(kind);
        let variant = kind.and_then(|kind| self.variant_or(kind.text_variant(), variant));
        let puzzle = kind.zip(variant).filter(|_| is_short).and_then(|(kind, variant)| {
            let read = kind.normalize(&variant, text).map_err(|error| {
                let (field, fault) = text_fault("text", error);
                self.refuse(field, fault);
            });
            Some(PuzzleText { kind, variant, text: read.ok()? })
        });
        self.done_with(puzzle)
    }

    /// Checks that a text is short enough to be read.
    fn is_short(&mut self, field: &'static str, text: &str, limits: &Limits) -> bool {
        let is_short = text.len() <= limits.text_len_max as usize;
        if !is_short {
            self.refuse(field, format!("{} bytes; at most {} are allowed", text.len(), limits.text_len_max));
        }
        is_short
    }
}
