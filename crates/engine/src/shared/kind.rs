//! [`PuzzleKind`], the trait that every kind of puzzle implements, and the types of its methods. Each kind is one folder of the
//! engine. The service and the command line know a kind only through this trait.

use std::fmt::Debug;

use super::{
    budget::Budget,
    metrics::Metrics,
    names,
    rng::Rng,
    spec::{Spec, SpecError},
    step::Step,
    symmetry::Symmetry,
    text::{
        Hint, OpenSteps, Pattern, Reasoned, Region, Size, TextError, TextForm, Verdict, board::PlayerBoard,
        compare::BoardState, judge::Judgment,
    },
    tries::Try,
    variant::VariantInfo,
};
use crate::{
    ENGINE_VERSION,
    picture::{Picture, Shown},
};

/// A kind of puzzle. All methods are pure: equal arguments give equal results on every machine.
pub trait PuzzleKind: Debug + Send + Sync {
    /// The name, of lower-case letters, digits, and `_`: the key in the registry, in the database, and on the command line. The
    /// enum value of the API is `KIND_` and this name in capitals.
    fn name(&self) -> &'static str;

    /// The name as people write it within a sentence, such as `star battle`. Names of brands keep their capital.
    fn name_in_words(&self) -> String {
        names::kind_in_words(self.name())
    }

    /// The first [`ENGINE_VERSION`] that makes puzzles of this kind.
    fn since(&self) -> u32;

    /// The variant to use if the name is empty, such as `9x9`.
    fn default_variant(&self) -> &'static str;

    /// The variant to use if a request has a text but names no variant. An empty string if the text itself shows its variant.
    fn text_variant(&self) -> &'static str {
        self.default_variant()
    }

    /// How a file with several puzzles of the kind separates their texts.
    fn text_form(&self) -> TextForm {
        TextForm::Line
    }

    /// The normal form of a variant's name, for variants that can be written in several ways. An invalid name is returned
    /// unchanged.
    fn variant_name(&self, name: &str) -> String {
        name.to_owned()
    }

    /// The size and rules of a variant without the options of the generator: `20x20` for `20x20-runs9-white70`. The base of a
    /// variant without options, or of an invalid name, is the name itself. `name` is in the form that [`Self::variant_name`]
    /// returns.
    fn base(&self, name: &str) -> String {
        name.to_owned()
    }

    /// What the names of variants mean, and their limits, for people.
    fn variant_meaning(&self) -> &'static str;

    /// The properties of its variants. Variants with the same properties share an entry.
    fn variants(&self) -> &'static [VariantInfo];

    /// The entry of a variant, or `None` if no entry covers it. Does not check the name, so the call is cheap enough to be made
    /// for every shelf of a draw.
    fn variant(&self, name: &str) -> Option<&'static VariantInfo>;

    /// The first [`ENGINE_VERSION`] that makes puzzles of a variant with all options of its name. If the name is unknown,
    /// this is the current version. A kind whose names have options states the version of each option.
    fn variant_since(&self, name: &str) -> u32 {
        self.variant(name).map_or(ENGINE_VERSION, |info| info.since)
    }

    /// The version that the seeds of the variant's tries contain: the first [`ENGINE_VERSION`] that makes the current puzzles. If the
    /// puzzles of a variant have changed since it was added, its kind overrides this method. So a new kind changes no puzzle of the others.
    fn seed_version(&self, variant: &str) -> u32 {
        self.variant_since(variant)
    }

    /// The oldest [`ENGINE_VERSION`] that makes the puzzles of a spec, see
    /// [`registry::needed_version`](crate::registry::needed_version).
    fn needed_version(&self, spec: &Spec) -> u32 {
        // Each field is named, so that a new field does not compile until its version is stated here. Levels, ratings, and
        // numbers of givens are as old as their variant.
        let Spec { kind: _, variant, symmetry, difficulty: _, givens: _, technique } = spec;
        let info = self.variant(variant);
        let symmetry = info.and_then(|info| info.symmetry_since(*symmetry)).unwrap_or(ENGINE_VERSION);
        let technique = technique
            .as_ref()
            .map(|name| info.and_then(|info| info.technique_since(name)).unwrap_or(ENGINE_VERSION))
            .unwrap_or_default();
        self.since().max(self.variant_since(variant)).max(symmetry).max(technique)
    }

    /// The columns that a table of rated puzzles of the kind shows after the puzzle: those of all its variants. A column stays empty
    /// if a puzzle lacks its value. Releases add columns at the end.
    fn table(&self) -> &'static [Column] {
        &[Column::Rating, Column::Technique, Column::Level]
    }

    /// Checks that puzzles of a variant can be made.
    ///
    /// # Errors
    /// A message that says what was given, and what is allowed.
    fn check_variant(&self, name: &str) -> Result<(), String>;

    /// Checks a spec of this kind, its variant included, before any work on it.
    ///
    /// # Errors
    /// [`SpecError`] with the field, the value, and the limit. A spec that passes can still be one that no try ever meets.
    fn check_spec(&self, spec: &Spec) -> Result<(), SpecError>;

    /// Makes one try: at most one puzzle, which is rated and proved to have one solution by two solvers that share only the
    /// board. `spec` must have passed [`Self::check_spec`]. Each kind has its own limit of nodes. `budget` can lower it and
    /// carries the cancel flag.
    fn make(&self, spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try;

    /// Reads a puzzle text leniently and returns its stored form.
    ///
    /// # Errors
    /// [`TextError`] with the place, the value, and the limit.
    fn normalize(&self, variant: &str, text: &str) -> Result<String, TextError>;

    /// Determines whether a text has no solution, one, or several.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn validate(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Verdict, TextError>;

    /// Words to append to "no solution" or "several solutions", if a rule decides the verdict that some publishers do not have:
    /// ` with unlike lines; one solution without that rule`. Empty if no such rule decides. Searches at most 20,000 nodes.
    fn under_rule(&self, _variant: &str, _text: &str, _verdict: &Verdict) -> String {
        String::new()
    }

    /// Solves a text, which should have exactly one solution, by the kind's techniques, easiest first. Each kind has its own
    /// limit of nodes. `budget` can lower it and carries the cancel flag.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn reason(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Reasoned, TextError>;

    /// The other steps that are possible before each of the steps of [`Self::reason`]. The work is bounded by the number of
    /// steps. `budget` carries the cancel flag, which is read before each step.
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

    /// The argument of a step of a variant in one English sentence, with cells written as r1c1.
    fn sentence(&self, variant: &str, step: &Step) -> String;

    /// The next steps for a player whose state is `board`. The techniques start with the player's pencil marks, so no step removes
    /// a candidate that the player has removed.
    ///
    /// # Errors
    /// [`TextError`] if the board is not one of this puzzle, [`TextError::Candidates`] if its pencil marks are not.
    fn hint(&self, puzzle: HintFor<'_>, board: PlayerBoard<'_>, budget: &mut Budget<'_>) -> Result<Hint, TextError>;

    /// Compares a board, in the form of [`PlayerBoard::text`], with the puzzle and its solution. Takes no search.
    ///
    /// # Errors
    /// [`TextError`] if the board cannot be read, or has another size.
    fn compare(&self, puzzle: HintFor<'_>, board: &str) -> Result<BoardState, TextError>;

    /// Judges a board, in the form of [`PlayerBoard::text`], by the givens and the rules of the puzzle alone. Takes no search, so the
    /// puzzle may have several solutions. To a `finished` board, the player will add nothing, so that missing stars break a rule.
    ///
    /// # Errors
    /// [`TextError`] if the puzzle or the board cannot be read, or the board has other clues or another size.
    fn judge(&self, variant: &str, text: &str, board: &str, finished: bool) -> Result<Judgment, TextError>;

    /// The canonical form under the kind's symmetries: two puzzles, of any variants, have equal forms if and only if they are
    /// isomorphic. The form must never change, because it is how the stock recognizes repeats.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn canonical(&self, variant: &str, text: &str) -> Result<String, TextError>;

    /// The canonical form of the solution under the kind's symmetries: two solutions have equal forms if and only if they are
    /// isomorphic. The form must never change. It is the puzzle's canonical form if each solution belongs to one puzzle only.
    ///
    /// # Errors
    /// [`TextError`] if a text is not one of this kind.
    fn solved(&self, variant: &str, text: &str, _solution: &str) -> Result<String, TextError> {
        self.canonical(variant, text)
    }

    /// What the pattern of a text shows without a search.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind, or not one of the variant with its options.
    fn pattern(&self, variant: &str, text: &str) -> Result<Pattern, TextError>;

    /// What in a text is newer than its variant. `None` if every program that knows the variant reads the text. Such a program must
    /// not find a newer text on a shelf: it would draw it, and could not read it.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn novelty(&self, _variant: &str, _text: &str) -> Result<Option<Novelty>, TextError> {
        Ok(None)
    }

    /// The variant of a text for which a caller names `variant`, possibly none, in its normal form. A text shows no options of the
    /// generator.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn variant_of(&self, variant: &str, _text: &str) -> Result<String, TextError> {
        Ok(self.variant_name(if variant.is_empty() { self.default_variant() } else { variant }))
    }

    /// The cells of a text in its stored form, row by row, each as the text writes it.
    fn cells<'t>(&self, text: &'t str) -> Vec<&'t str> {
        match self.text_form() {
            TextForm::Line => text.char_indices().map(|(at, character)| &text[at..at + character.len_utf8()]).collect(),
            TextForm::Paragraph => text.split_whitespace().collect(),
        }
    }

    /// The size of the board. A cell's number in a step or verdict is `row * columns + column`, both from 0.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn size(&self, variant: &str, text: &str) -> Result<Size, TextError>;

    /// The groups of cells that the rules or clues are about, besides rows and columns, in an order that the kind fixes. A step
    /// names a run by its index in this list.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn regions(&self, _variant: &str, _text: &str) -> Result<Vec<Region>, TextError> {
        Ok(Vec::new())
    }

    /// A drawing in plain text, at most 100 columns wide. Each line ends with `\n`.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn draw(&self, variant: &str, text: &str) -> Result<String, TextError>;

    /// The digits of a text in its stored form, row by row: 0 for an empty cell, -1 for a block. The text may be a puzzle, a
    /// solution, or a board.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn digits(&self, variant: &str, text: &str) -> Result<Vec<i8>, TextError>;

    /// The addresses that open the puzzle in programs on the web, in an order that the kind fixes. Never with the solution.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn links(&self, _variant: &str, _text: &str) -> Result<Vec<WebLink>, TextError> {
        Ok(Vec::new())
    }

    /// The forms of files besides the text and JSON in which puzzles of a variant can be written. If the name is empty, those of
    /// any variant.
    fn file_forms(&self, _variant: &str) -> &'static [FileForm] {
        &[]
    }

    /// A puzzle in a form of [`Self::file_forms`], as one line without a line feed. `None` if the variant lacks the form.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of this kind.
    fn write_as(&self, _form: FileForm, _variant: &str, _text: &str) -> Result<Option<String>, TextError> {
        Ok(None)
    }

    /// A picture of a puzzle or of a position in its solution.
    ///
    /// # Errors
    /// [`TextError`] if a text is not one of this kind.
    ///
    /// # Panics
    /// If a step names a cell beyond the board.
    fn picture(&self, variant: &str, shown: Shown<'_>) -> Result<Picture, TextError>;

    /// Whether [`Self::scramble`] returns views of puzzles of a variant.
    fn has_views(&self, _variant: &str) -> bool {
        false
    }

    /// A random isomorph of a puzzle with its solution, rotated, permuted, and relabeled. Its canonical form is the same, and
    /// its pattern of givens has the same symmetry. `None` if and only if the variant has no such views.
    ///
    /// # Errors
    /// [`TextError`] if one of the texts is not one of this kind.
    fn scramble(&self, _view: &View<'_>, _rng: &mut Rng) -> Result<Option<Scrambled>, TextError> {
        Ok(None)
    }
}

/// A part of a text that older programs refuse, although they know the variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Novelty {
    /// The oldest [`ENGINE_VERSION`] that reads the text.
    pub since: u32,
    /// The part with its place, for people, such as `region b has one cell, row 1, column 2`.
    pub what: String,
}

/// An address that opens a puzzle in a program on the web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebLink {
    /// The name of the program, such as `puzz.link`.
    pub name: &'static str,
    /// The address.
    pub url: String,
}

/// A form of a file in which each line is a puzzle, for other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileForm {
    /// A collection of `SadMan` Software: the digits row by row, with 0 for an empty cell.
    Sdm,
    /// An address of f-puzzles.
    Fpuzzles,
}

/// The puzzle that [`PuzzleKind::scramble`] changes. Both texts are in their stored form.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// Name of the puzzle's variant.
    pub variant: &'a str,
    /// The symmetry that the pattern of givens keeps.
    pub symmetry: Symmetry,
    /// Text of the puzzle.
    pub text: &'a str,
    /// Text of its solution.
    pub solution: &'a str,
}

/// A random isomorph of a puzzle. Both texts are in their stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scrambled {
    /// Text of the puzzle.
    pub text: String,
    /// Text of its solution.
    pub solution: String,
}

/// The puzzle with which a player's board is compared. Both texts are in their stored form.
#[derive(Debug, Clone, Copy)]
pub struct HintFor<'a> {
    /// Name of the puzzle's variant.
    pub variant: &'a str,
    /// Text of the puzzle, which has exactly one solution.
    pub text: &'a str,
    /// Text of that solution.
    pub solution: &'a str,
}

/// A column of a table of rated puzzles.
#[derive(Debug, Clone, Copy)]
pub enum Column {
    /// The rating, as a decimal number.
    Rating,
    /// The usual name of the hardest technique, see [`RatingRecord::technique`](super::record::RatingRecord::technique).
    Technique,
    /// The name of the level.
    Level,
    /// A metric: its name, and a function that writes its value, or returns `None` if the puzzle does not have the metric.
    Metric(&'static str, fn(&Metrics) -> Option<String>),
}

impl Column {
    /// The column's title in a table.
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
