//! What a puzzle kind has to offer. A kind is one folder of the engine behind this trait.

use std::fmt::Debug;

use super::{
    budget::Budget,
    level::{LevelBorder, Tenths},
    record::RatingRecord,
    rng::Rng,
    spec::{Spec, SpecError},
    symmetry::Symmetry,
    text::{Reasoned, TextError, Verdict},
};

/// A kind of puzzle. All methods are pure: equal arguments, equal results, on every machine.
pub trait PuzzleKind: Debug + Send + Sync {
    /// The name, lower case: the key of the registry, the word in the database and on the command line; the wire's enum
    /// value is `KIND_` and this name in capitals.
    fn name(&self) -> &'static str;

    /// Name and version of its rater.
    fn rater(&self) -> (&'static str, u32);

    /// The variant that an empty name stands for: `9x9`.
    fn default_variant(&self) -> &'static str;

    /// The variant that an empty name stands for where a text comes with it: the default one, unless texts say themselves of
    /// which variant they are.
    fn text_variant(&self) -> &'static str {
        self.default_variant()
    }

    /// A sentence and, where they can be listed, the names of its variants.
    fn variants(&self) -> Variants;

    /// The symmetries that its generator offers.
    fn symmetries(&self) -> &'static [Symmetry];

    /// The levels with their borders, easiest first, without gaps.
    fn levels(&self) -> &'static [LevelBorder; 5];

    /// The hardest rating that its rater gives.
    fn rating_max(&self) -> Tenths;

    /// Whether a spec of this kind can be worked on at all.
    ///
    /// # Errors
    /// [`SpecError`] with field, value and limit. A spec that passes may still turn out to be out of reach.
    fn check_spec(&self, spec: &Spec) -> Result<(), SpecError>;

    /// Makes one try: at most one puzzle, proved unique by two solvers that share nothing but the board, and rated.
    /// `spec` has passed [`Self::check_spec`]. The work is bounded by a number of nodes that the kind states; `budget`
    /// bounds it further and carries the cancel flag.
    fn make(&self, spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try;

    /// Reads a puzzle text leniently and writes it the one way it is stored.
    ///
    /// # Errors
    /// [`TextError`] with place, value and limit.
    fn normalise(&self, variant: &str, text: &str) -> Result<String, TextError>;

    /// What can be said about the solutions of a text.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn validate(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Verdict, TextError>;

    /// Solves by the kind's techniques, easiest first. Meant for texts whose verdict is unique.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn reason(&self, variant: &str, text: &str) -> Result<Reasoned, TextError>;

    /// The canonical form under the kind's symmetries: equal for two puzzles if and only if one can be turned into the
    /// other. Fixed for ever, the stock's uniqueness stands on it.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn canonical(&self, variant: &str, text: &str) -> Result<String, TextError>;

    /// The form of the solution under the kind's symmetries: equal for two solutions if and only if one can be turned into
    /// the other. Fixed for ever, as the canonical form is. The same as that where a solution belongs to one puzzle only.
    ///
    /// # Errors
    /// [`TextError`] if a text is not one of this kind.
    fn solved(&self, variant: &str, text: &str, _solution: &str) -> Result<String, TextError> {
        self.canonical(variant, text)
    }

    /// A drawing in plain text, lines ended by `\n`, at most 100 columns wide.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn draw(&self, variant: &str, text: &str) -> Result<String, TextError>;

    /// The address under which the puzzle opens in a solver's editor on the web, if the kind has such an exchange format.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn link(&self, _variant: &str, _text: &str) -> Result<Option<String>, TextError> {
        Ok(None)
    }
}

/// The variants of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Variants {
    /// What a variant's name means, with its limits.
    pub meaning: &'static str,
    /// The names, where they are few.
    pub names: &'static [&'static str],
}

/// The end of one try.
#[derive(Debug, Clone, PartialEq)]
pub enum Try {
    /// A puzzle that meets the spec.
    Made(Box<Made>),
    /// A puzzle that does not, or none.
    Missed(Miss),
    /// The cancel flag was raised; the try has to be made again from its start.
    Cancelled,
}

/// A finished puzzle.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The text, in its stored form.
    pub text: String,
    /// The solution's text.
    pub solution: String,
    /// The canonical form.
    pub canonical: String,
    /// The solution's form, see [`PuzzleKind::solved`].
    pub solved: String,
    /// Number of givens.
    pub givens: u16,
    /// What the rater said.
    pub record: RatingRecord,
}

/// Why a try gave nothing, and how near it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// The reason, one of a few that are counted.
    pub reason: MissReason,
    /// Distance from the spec; smaller is nearer. Only compared within one job.
    pub distance: u32,
    /// What it was, in words: `rated 3.4 with 24 givens`.
    pub nearest: String,
}

/// The reasons for which tries fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MissReason {
    /// The techniques do not finish it, so it has no rating.
    Unrated,
    /// Rated outside the wanted level or range.
    OffTarget,
    /// The wanted number of givens was not reached.
    Clues,
    /// A solver gave no verdict within its budget, or the two did not agree.
    Unproven,
}
