//! What a puzzle kind has to offer. A kind is one folder of the engine behind this trait.

use std::fmt::Debug;

use super::{
    ENGINE_VERSION,
    budget::Budget,
    level::{LevelBorder, Tenths},
    metrics::Metrics,
    record::RatingRecord,
    rng::Rng,
    solvers::Disagreement,
    spec::{Spec, SpecError},
    step::Step,
    structure::{Region, Size},
    symmetry::{Symmetry, SymmetryInfo},
    text::{Hint, OpenSteps, Reasoned, TextError, TextForm, Verdict},
};

/// A kind of puzzle. All methods are pure: equal arguments, equal results, on every machine.
pub trait PuzzleKind: Debug + Send + Sync {
    /// The name, lower case: the key of the registry, the word in the database and on the command line; the wire's enum
    /// value is `KIND_` and this name in capitals.
    fn name(&self) -> &'static str;

    /// The [`ENGINE_VERSION`] since which puzzles of this kind are made.
    fn since(&self) -> u32;

    /// The variant that an empty name stands for: `9x9`.
    fn default_variant(&self) -> &'static str;

    /// The variant that an empty name stands for where a text comes with it: the default one, unless texts say themselves of
    /// which variant they are.
    fn text_variant(&self) -> &'static str {
        self.default_variant()
    }

    /// How several of its texts stand in one file.
    fn text_form(&self) -> TextForm {
        TextForm::Line
    }

    /// The one way to write the name of a variant that has several; a name that means nothing stays as it is.
    fn variant_name(&self, name: &str) -> String {
        name.to_owned()
    }

    /// The size and rules of a variant without the options of the generator: `20x20` for `20x20-runs9-white70`. A variant
    /// without options is its own base, and so is a name that means nothing. `name` is as [`Self::variant_name`] writes it.
    fn base(&self, name: &str) -> String {
        name.to_owned()
    }

    /// What its variants' names mean, with their limits.
    fn variant_meaning(&self) -> &'static str;

    /// What is true of its variants, an entry for all that have it in common.
    fn variants(&self) -> &'static [VariantInfo];

    /// The entry of a variant, which is looked up and not checked: cheap enough for every shelf of a draw. None if no entry
    /// has such a variant.
    fn variant(&self, name: &str) -> Option<&'static VariantInfo>;

    /// The [`ENGINE_VERSION`] since which puzzles of a variant are made with all options of its name. A name that means nothing
    /// needs this version. A kind whose names have options states each of them.
    fn variant_since(&self, name: &str) -> u32 {
        self.variant(name).map_or(ENGINE_VERSION, |info| info.since)
    }

    /// The oldest [`ENGINE_VERSION`] that makes the puzzles of a spec, see [`registry::needed_version`](super::registry::needed_version).
    fn needed_version(&self, spec: &Spec) -> u32 {
        // Named one by one, so that whoever adds a part says here which version it needs. Levels, ratings, and numbers of givens
        // are as old as their variant.
        let Spec { kind: _, variant, symmetry, target: _, clues: _, technique } = spec;
        let info = self.variant(variant);
        let symmetry = info.and_then(|info| info.symmetry_since(*symmetry)).unwrap_or(ENGINE_VERSION);
        let technique = technique
            .as_ref()
            .map(|name| info.and_then(|info| info.technique_since(name)).unwrap_or(ENGINE_VERSION))
            .unwrap_or_default();
        self.since().max(self.variant_since(variant)).max(symmetry).max(technique)
    }

    /// The columns that a table of rated puzzles shows after the puzzle.
    fn table(&self) -> &'static [Column] {
        &[Column::Rating, Column::Technique, Column::Level]
    }

    /// Whether puzzles of a variant can be made.
    ///
    /// # Errors
    /// What was given, and what is allowed.
    fn check_variant(&self, name: &str) -> Result<(), String>;

    /// Whether a spec of this kind can be worked on at all, its variant included.
    ///
    /// # Errors
    /// [`SpecError`] with field, value and limit. A spec that passes may still turn out to be out of reach.
    fn check_spec(&self, spec: &Spec) -> Result<(), SpecError>;

    /// Makes one try: at most one puzzle, proved unique by two solvers that share nothing but the board, and rated.
    /// `spec` has passed [`Self::check_spec`]. The work is bounded by a number of nodes that the kind states; `budget`
    /// bounds it further and carries the cancel flag.
    fn make(&self, spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try;

    /// Proves and rates a puzzle that a try of this kind has left over, as `make` does with those that it was asked for. A
    /// kind whose tries leave nothing over need not offer it.
    fn finish(&self, _left: &Leftover, _budget: &mut Budget<'_>) -> Try {
        Try::Missed(Miss { reason: MissReason::Unproven, distance: u32::MAX, nearest: "nothing left over".to_owned() })
    }

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

    /// Solves by the kind's techniques, easiest first. Meant for texts whose verdict is unique. The work is bounded by a
    /// number of nodes that the kind states; `budget` bounds it further and carries the cancel flag.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn reason(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Reasoned, TextError>;

    /// What else is open before each of the steps of [`Self::reason`]. The work is bounded by the number of steps; `budget`
    /// carries the cancel flag, which is looked at before each of them.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn open_steps(
        &self,
        _variant: &str,
        _text: &str,
        _steps: &[Step],
        _budget: &Budget<'_>,
    ) -> Result<OpenSteps, TextError> {
        Ok(OpenSteps::NotCounted)
    }

    /// What helps a person on who has filled in `board`: a text of the puzzle in which empty cells may hold digits; givens
    /// that it lacks count as filled in, and an empty one as a puzzle just begun. `solution` is the puzzle's only one.
    ///
    /// # Errors
    /// [`TextError`] if the board is not one of this puzzle.
    fn hint(&self, puzzle: HintFor<'_>, board: &str, budget: &mut Budget<'_>) -> Result<Hint, TextError>;

    /// The canonical form under the kind's symmetries: equal for two puzzles of any variants if and only if one can be turned
    /// into the other. Fixed for ever, the stock's uniqueness stands on it.
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

    /// The size of the board: the cell of a step or verdict is its row times the columns and its column, both from 0.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn size(&self, variant: &str, text: &str) -> Result<Size, TextError>;

    /// The groups of cells that the puzzle's clues are about, in an order that the kind fixes; none where they all follow from
    /// the kind and the size.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn regions(&self, _variant: &str, _text: &str) -> Result<Vec<Region>, TextError> {
        Ok(Vec::new())
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

    /// Whether [`Self::scramble`] gives views.
    fn has_views(&self) -> bool {
        false
    }

    /// A puzzle and its solution as somebody else would write them: turned, permuted and relabelled by what `rng` draws, with
    /// the same canonical form and a pattern of givens of the same symmetry. None if, and only if, the kind has no such views.
    ///
    /// # Errors
    /// [`TextError`] if one of the texts is not one of this kind.
    fn scramble(&self, _view: &View<'_>, _rng: &mut Rng) -> Result<Option<Scrambled>, TextError> {
        Ok(None)
    }
}

/// What is to be scrambled.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The puzzle's variant.
    pub variant: &'a str,
    /// The symmetry that its pattern keeps.
    pub symmetry: Symmetry,
    /// The puzzle's text.
    pub text: &'a str,
    /// Its solution's text.
    pub solution: &'a str,
}

/// A puzzle as somebody else would write it, in its stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scrambled {
    /// The puzzle's text.
    pub text: String,
    /// Its solution's text.
    pub solution: String,
}

/// A puzzle in the middle of which somebody wants a hint. All texts are in their stored form.
#[derive(Debug, Clone, Copy)]
pub struct HintFor<'a> {
    /// The variant.
    pub variant: &'a str,
    /// The puzzle, which has exactly one solution.
    pub text: &'a str,
    /// That solution.
    pub solution: &'a str,
}

/// A column of a table of rated puzzles.
#[derive(Debug, Clone, Copy)]
pub enum Column {
    /// The rating itself.
    Rating,
    /// The hardest technique.
    Technique,
    /// The level.
    Level,
    /// A metric of this name, and its text.
    Metric(&'static str, fn(&Metrics) -> Option<String>),
}

impl Column {
    /// What stands above it.
    #[must_use]
    pub fn header(self) -> &'static str {
        match self {
            Self::Rating => "rating",
            Self::Technique => "technique",
            Self::Level => "level",
            Self::Metric(name, _) => name,
        }
    }
}

/// What is true of a variant, or of several that have all of it in common.
#[derive(Debug, Clone, Copy)]
pub struct VariantInfo {
    /// The variant's name, `9x9`; the pattern of their names where there are several, `WxH`.
    pub name: &'static str,
    /// The [`ENGINE_VERSION`] since which it is made, without options.
    pub since: u32,
    /// The levels with their borders, easiest first, without gaps. The last one ends at `rating_max`.
    pub levels: &'static [LevelBorder; 5],
    /// The symmetries that the generator offers.
    pub symmetries: &'static [SymmetryInfo],
    /// The techniques of the rater, easiest first.
    pub techniques: &'static [TechniqueInfo],
    /// Name of the rater.
    pub rater: &'static str,
    /// Version of the rater.
    pub rater_version: u32,
    /// The hardest rating that the rater gives.
    pub rating_max: Tenths,
    /// The hardest rating that the generator is steered to.
    pub generated_max: Tenths,
}

/// A technique of a rater.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TechniqueInfo {
    /// The usual name.
    pub name: &'static str,
    /// The rating of the easiest step by it.
    pub rating: Tenths,
    /// Whether a spec may say that it must be needed.
    pub goal: TechniqueGoal,
    /// The [`ENGINE_VERSION`] since which a spec may say so, if it may.
    pub since: u32,
}

impl VariantInfo {
    /// The version since which it is made with a symmetry; none if it is not.
    fn symmetry_since(&self, symmetry: Symmetry) -> Option<u32> {
        self.symmetries.iter().find(|info| info.symmetry == symmetry).map(|info| info.since)
    }

    /// The version since which a technique can be asked for; none if it is not known.
    fn technique_since(&self, name: &str) -> Option<u32> {
        self.techniques.iter().find(|info| info.name == name).map(|info| info.since)
    }
}

/// Whether puzzles that need a technique are generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TechniqueGoal {
    /// They are.
    Generated,
    /// They are, but neither with a symmetry nor with a number of givens.
    Rare,
    /// They are not.
    Refused,
}

/// The end of one try.
#[derive(Debug, Clone, PartialEq)]
pub enum Try {
    /// A puzzle that meets the spec.
    Made(Box<Made>),
    /// A puzzle that is good but for its rating, which the spec does not want. It can still be proved by
    /// [`PuzzleKind::finish`] and stocked under the rating that it has.
    Beside(Miss, Box<Leftover>),
    /// A puzzle that does not meet it in another way, or none.
    Missed(Miss),
    /// The cancel flag was raised; the try has to be made again from its start.
    Cancelled,
}

/// The final puzzle of a try that missed its rating, not yet proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// The text, in its stored form.
    pub text: String,
    /// The solution that it was made from.
    pub solution: String,
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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MissReason {
    /// The techniques do not finish it, so it has no rating.
    Unrated,
    /// Rated outside the wanted level or range.
    OffTarget,
    /// The wanted number of givens was not reached.
    Clues,
    /// A solver gave no verdict within its budget.
    Unproven,
    /// The two solvers contradict each other.
    SolversDisagree(Box<Disagreement>),
}
