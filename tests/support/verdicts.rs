//! What each kind says about texts that are puzzles, but not with one solution: the cases of `verdicts.toml`.

use serde::Deserialize;

/// The file of a kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verdicts {
    pub(crate) verdict: Vec<Judged>,
}

/// A text, and the verdict on it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Judged {
    /// Empty if the text names its variant.
    #[serde(default)]
    pub(crate) variant: String,
    pub(crate) text: String,
    pub(crate) verdict: Is,
    /// The cells of a contradiction, such as r1c2.
    #[serde(default)]
    pub(crate) cells: Vec<String>,
    /// What contradicts itself.
    #[serde(default)]
    pub(crate) reason: String,
    /// What is added to the verdict if a rule decides it that not all publishers have.
    #[serde(default)]
    pub(crate) under_rule: String,
    /// The nodes of the search. Any number if it is not stated.
    pub(crate) nodes: Option<u64>,
}

/// A verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Is {
    Contradiction,
    None,
    Several,
    Unique,
    Unknown,
}
