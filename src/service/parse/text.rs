//! Parses `Solve`, `Rate`, `Validate`, `Hint`, `CheckBoard`, and `RenderPuzzle`, the requests about a puzzle text or a stored puzzle.

use super::Parser;
use crate::{calls::errors::ServiceError, settings::Limits};
use puzzled_api::{v1 as pb, words};
use puzzled_engine::shared::{kind::PuzzleKind, names::quoted, text::TextError};
use puzzled_render::PictureFormat;
use puzzled_store::ids::PuzzleId;

/// A puzzle text from a caller, in its stored form.
#[derive(Debug)]
pub(crate) struct PuzzleText {
    pub(crate) kind: &'static dyn PuzzleKind,
    /// The variant in its normal form; never empty.
    pub(crate) variant: String,
    pub(crate) text: String,
}

impl PuzzleText {
    /// Reads a text. If `variant` is empty, the text decides the variant, without options.
    fn read(kind: &'static dyn PuzzleKind, variant: &str, text: &str) -> Result<Self, TextError> {
        let text = kind.normalize(variant, text)?;
        Ok(Self { kind, variant: kind.variant_of(variant, &text)?, text })
    }
}

/// The puzzle of a request.
#[derive(Debug)]
pub(crate) enum AskedPuzzle {
    /// A text from the caller.
    Text(PuzzleText),
    /// A stored puzzle, or its scrambled view with this seed.
    Stored { id: PuzzleId, scramble_seed: Option<u64> },
}

/// The fields by which a request names a text or a stored puzzle.
struct Named<'a> {
    id: &'a str,
    scramble_seed: Option<u64>,
    kind: i32,
    variant: &'a str,
    text: &'a str,
}

/// The optional parts of a response with a solution.
#[expect(clippy::struct_excessive_bools, reason = "one for each `include_` field of a request")]
#[derive(Debug, Clone, Copy)]
pub(crate) struct WithSolution {
    /// The steps of a solution by techniques.
    pub(crate) steps: bool,
    /// With each step, the other possible steps.
    pub(crate) open_steps: bool,
    /// A drawing of the solution.
    pub(crate) drawing: bool,
    /// The links of the puzzle.
    pub(crate) links: bool,
}

/// The optional parts of a response with a verdict.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WithVerdict {
    /// A drawing of what the solutions share.
    pub(crate) drawing: bool,
    /// The links of the puzzle.
    pub(crate) links: bool,
}

/// The picture that a `RenderPuzzle` wants.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WantedPicture {
    pub(crate) format: PictureFormat,
    /// The digits of the solution.
    pub(crate) solution: bool,
    /// The pencil marks of all empty cells.
    pub(crate) candidates: bool,
    /// The number of a step, from 1.
    pub(crate) step: Option<usize>,
    /// The rules below the board.
    pub(crate) rules: bool,
}

/// The puzzle of a `Solve`, and the requested parts of its response.
pub(crate) fn solve(request: &pb::SolveRequest, limits: &Limits) -> Result<(AskedPuzzle, WithSolution), ServiceError> {
    let mut parser = Parser::default();
    let include = WithSolution {
        steps: request.include_steps,
        open_steps: request.include_open_steps,
        drawing: request.include_drawing,
        links: request.include_links,
    };
    if include.open_steps && !include.steps {
        parser.refuse("include_open_steps", "set without include_steps; set both".to_owned());
    }
    let &pb::SolveRequest { ref id, scramble_seed, kind, ref variant, ref text, .. } = request;
    Ok((parser.asked(&Named { id, scramble_seed, kind, variant, text }, limits)?, include))
}

pub(crate) fn rate(request: &pb::RateRequest, limits: &Limits) -> Result<PuzzleText, ServiceError> {
    Parser::default().puzzle(request.kind, &request.variant, &request.text, limits)
}

/// The puzzle of a `Validate`, and the requested parts of its response.
pub(crate) fn validate(
    request: &pb::ValidateRequest,
    limits: &Limits,
) -> Result<(PuzzleText, WithVerdict), ServiceError> {
    let puzzle = Parser::default().puzzle(request.kind, &request.variant, &request.text, limits)?;
    Ok((puzzle, WithVerdict { drawing: request.include_drawing, links: request.include_links }))
}

/// The puzzle of a `Hint`. Only the length of its board is checked here; the board and its candidates are read with the solution.
pub(crate) fn hint(request: &pb::HintRequest, limits: &Limits) -> Result<AskedPuzzle, ServiceError> {
    let mut parser = Parser::default();
    parser.is_short("board", &request.board, limits);
    let &pb::HintRequest { ref id, scramble_seed, kind, ref variant, ref text, .. } = request;
    parser.asked(&Named { id, scramble_seed, kind, variant, text }, limits)
}

/// The puzzle of a `CheckBoard`. The board is read with the solution.
pub(crate) fn check_board(request: &pb::CheckBoardRequest, limits: &Limits) -> Result<AskedPuzzle, ServiceError> {
    let mut parser = Parser::default();
    parser.is_short("board", &request.board, limits);
    if request.board.trim().is_empty() {
        parser.refuse("board", "required; set the digits of the player".to_owned());
    }
    let &pb::CheckBoardRequest { ref id, scramble_seed, kind, ref variant, ref text, .. } = request;
    parser.asked(&Named { id, scramble_seed, kind, variant, text }, limits)
}

/// The puzzle of a `RenderPuzzle`, and the wanted picture. The number of steps is known only after the puzzle is solved.
pub(crate) fn render_puzzle(
    request: &pb::RenderPuzzleRequest,
    limits: &Limits,
) -> Result<(AskedPuzzle, WantedPicture), ServiceError> {
    let mut parser = Parser::default();
    let format = parser.picture_format(request.format);
    if request.step == Some(0) {
        parser.refuse("step", "0 is not a step; steps count from 1".to_owned());
    }
    let &pb::RenderPuzzleRequest { ref id, scramble_seed, kind, ref variant, ref text, .. } = request;
    let asked = parser.asked(&Named { id, scramble_seed, kind, variant, text }, limits)?;
    let format = Parser::default().done_with(format)?;
    let &pb::RenderPuzzleRequest { solution, candidates, rules, .. } = request;
    let step = request.step.map(|step| step as usize);
    Ok((asked, WantedPicture { format, solution, candidates, step, rules }))
}

/// The field and the fault of a text or variant that cannot be read.
pub(crate) fn text_fault(field: &'static str, error: TextError) -> (&'static str, String) {
    match error {
        TextError::Variant { reason } => ("variant", reason),
        TextError::Candidates { reason } => ("candidates", reason),
        fault => (field, fault.to_string()),
    }
}

impl Parser {
    /// Parses the fields that name a text or a stored puzzle, and ends the request.
    fn asked(mut self, named: &Named<'_>, limits: &Limits) -> Result<AskedPuzzle, ServiceError> {
        let &Named { id, scramble_seed, kind, variant, text } = named;
        if id.is_empty() {
            if let Some(seed) = scramble_seed {
                self.refuse("scramble_seed", format!("{seed} is set without an id; set both"));
            }
            return self.puzzle(kind, variant, text, limits).map(AskedPuzzle::Text);
        }
        if kind != i32::from(pb::Kind::Unspecified) || !variant.is_empty() || !text.is_empty() {
            let fault = format!("{} together with kind, variant, or text; set one of them", quoted(id));
            self.refuse("id", fault);
        }
        self.done()?;
        let id = id.parse().map_err(|()| ServiceError::PuzzleNotFound(id.to_owned()))?;
        Ok(AskedPuzzle::Stored { id, scramble_seed })
    }

    /// Parses the fields of a text, and ends the request.
    pub(super) fn puzzle(
        mut self,
        kind: i32,
        variant: &str,
        text: &str,
        limits: &Limits,
    ) -> Result<PuzzleText, ServiceError> {
        let is_short = self.is_short("text", text, limits);
        let kind = self.required_kind(kind);
        let named = self.variant_name(variant);
        let variant = named.or(kind.filter(|_| variant.is_empty()).map(|kind| kind.text_variant().to_owned()));
        let puzzle = kind.zip(variant).filter(|_| is_short).and_then(|(kind, variant)| {
            let read = PuzzleText::read(kind, &variant, text).map_err(|error| {
                let (field, fault) = text_fault("text", error);
                self.refuse(field, fault);
            });
            read.ok()
        });
        self.done_with(puzzle)
    }

    fn picture_format(&mut self, value: i32) -> Option<PictureFormat> {
        let format =
            PictureFormat::ALL.into_iter().find(|format| value == i32::from(words::picture_format(format.extension())));
        if format.is_none() {
            let fault = if value == 0 { "required".to_owned() } else { format!("{value} is unknown") };
            self.refuse("format", format!("{fault}; use PICTURE_FORMAT_SVG or PICTURE_FORMAT_PDF"));
        }
        format
    }

    /// Checks that a text is short enough to be read.
    pub(super) fn is_short(&mut self, field: &'static str, text: &str, limits: &Limits) -> bool {
        let is_short = text.len() <= limits.max_text_bytes as usize;
        if !is_short {
            self.refuse(field, format!("{} bytes; at most {} are allowed", text.len(), limits.max_text_bytes));
        }
        is_short
    }
}
