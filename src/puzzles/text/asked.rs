//! Parses the puzzle that a request is about: a text, or the name of a stored puzzle.

use crate::{
    calls::{Invalid, ServiceError},
    settings::Limits,
    wire::Parser,
};
use puzzled_api::v1 as pb;
use puzzled_engine::shared::{kind::PuzzleKind, text::TextError};

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

/// The fields by which a request names a text or a stored puzzle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) id: &'a str,
    pub(super) scramble_seed: Option<u64>,
    pub(super) kind: i32,
    pub(super) variant: &'a str,
    pub(super) text: &'a str,
}

/// A request about a text or a stored puzzle.
pub(super) trait NamesPuzzle: Sync {
    fn named(&self) -> Named<'_>;
}

macro_rules! names_puzzle {
    ($($request:ident)*) => {$(
        impl NamesPuzzle for pb::$request {
            fn named(&self) -> Named<'_> {
                let Self { id, scramble_seed, kind, variant, text, .. } = self;
                Named { id, scramble_seed: *scramble_seed, kind: *kind, variant, text }
            }
        }
    )*};
}

names_puzzle!(SolveRequest HintRequest CheckBoardRequest RenderPuzzleRequest);

impl Parser {
    /// Parses the fields of a text, and ends the request.
    pub(crate) fn puzzle(
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

    /// Checks that a text is short enough to be read.
    pub(crate) fn is_short(&mut self, field: &'static str, text: &str, limits: &Limits) -> bool {
        let is_short = text.len() <= limits.max_text_bytes as usize;
        if !is_short {
            self.refuse(field, format!("{} bytes; at most {} are allowed", text.len(), limits.max_text_bytes));
        }
        is_short
    }
}

/// The field and the fault of a text or variant that cannot be read.
fn text_fault(field: &'static str, error: TextError) -> (&'static str, String) {
    match error {
        TextError::Variant { reason } => ("variant", reason),
        TextError::Candidates { reason } => ("candidates", reason),
        fault => (field, fault.to_string()),
    }
}

/// The puzzle was read without an error, so the error is in the board.
pub(super) fn board_fault(error: TextError) -> ServiceError {
    let (field, fault) = text_fault("board", error);
    Invalid::one(field, fault)
}
