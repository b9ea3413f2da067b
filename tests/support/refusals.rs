//! What each kind refuses: the specs and the texts of `refusals.toml`, each with its exact message.

use serde::Deserialize;

/// The file of a kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Refusals {
    pub(crate) spec: Vec<RefusedSpec>,
    pub(crate) text: Vec<RefusedText>,
}

/// A request for puzzles that are not made.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RefusedSpec {
    pub(crate) variant: String,
    pub(crate) level: Option<String>,
    pub(crate) symmetry: Option<String>,
    pub(crate) technique: Option<String>,
    pub(crate) min_givens: Option<u16>,
    pub(crate) max_givens: Option<u16>,
    pub(crate) field: String,
    pub(crate) message: String,
}

/// A text that is no puzzle of the kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RefusedText {
    /// The variant that the request names. Empty if it names none.
    #[serde(default)]
    pub(crate) variant: String,
    pub(crate) text: String,
    /// The variant is at fault, not the text.
    #[serde(default)]
    pub(crate) is_variant: bool,
    pub(crate) message: String,
}
