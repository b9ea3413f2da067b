//! The Sudoku kind: one entry of the registry with two parts. The classic part makes and reads `9x9`, and the grid layer the other
//! variants.

pub mod board;
pub mod canonical;
mod classic;
pub mod core;
mod hint;
pub mod hodoku;
pub mod kernel;
pub mod make;
pub mod metrics;
pub mod notation;
pub mod orbits;
mod picture;
pub mod rate;
pub(crate) mod sizes;
mod style;
pub mod techniques;
#[cfg(feature = "tools")]
#[doc(hidden)]
pub mod tools;
pub mod transform;
mod verdict;

use std::sync::LazyLock;

use crate::{
    FIRST_VERSION,
    grid::{
        kind::Grid as GridLayer,
        text::{named_variant, plain_variant},
    },
    picture::{Picture, Shown},
    shared::{
        budget::Budget,
        kind::{Column, FileForm, HintFor, PuzzleKind, Scrambled, View, WebLink},
        rng::Rng,
        spec::{Spec, SpecError},
        step::Step,
        text::{
            Hint, OpenSteps, Pattern, Reasoned, Region, Size, TextError, Verdict, board::PlayerBoard,
            compare::BoardState,
        },
        tries::Try,
        variant::VariantInfo,
    },
};
use classic::{Classic, RULES, VARIANT, check_variant, nine, of_variant};

/// The Sudoku kind. A text of the variant `9x9` is 81 characters, rows from the top; `.` is an empty cell. A text of another variant
/// begins with its name: `6x6: 1.3..6…`. Each part of the kind also reads other notations.
#[derive(Debug, Clone, Copy)]
pub struct Sudoku;

/// The part for all variants but `9x9`.
static LAYER: GridLayer = GridLayer(&sizes::SIZES);

static VARIANTS: LazyLock<Vec<VariantInfo>> =
    LazyLock::new(|| std::iter::once(nine()).chain(LAYER.variants().iter().copied()).collect());

static MEANING: LazyLock<String> =
    LazyLock::new(|| format!("{}; {}", Classic.variant_meaning(), LAYER.variant_meaning()));

/// The part that has a variant. An unknown name goes to the classic part, which refuses it.
fn part(variant: &str) -> &'static dyn PuzzleKind {
    if LAYER.variant(variant).is_some() { &LAYER } else { &Classic }
}

/// The part that reads a text, the variant, which the text decides if a request names none, and the text as the part reads it.
fn reader<'t>(variant: &'t str, text: &'t str) -> (&'static dyn PuzzleKind, &'t str, &'t str) {
    let named = named_variant(text);
    let variant = if variant.is_empty() { named.unwrap_or_else(|| shown_variant(text)) } else { variant };
    match (named, text.split_once(':')) {
        (Some(VARIANT), Some((_, cells))) => (part(variant), variant, cells),
        // If a request names another variant than its text, the layer refuses it.
        (Some(named), _) => (part(named), variant, text),
        (None, _) => (part(variant), variant, text),
    }
}

/// The plain variant that a text without a name is of.
fn shown_variant(text: &str) -> &'static str {
    plain_variant(&sizes::SIZES, text).map_or(VARIANT, |variant| variant.name)
}

/// The names of all variants.
fn variant_names() -> Vec<&'static str> {
    VARIANTS.iter().map(|info| info.name).collect()
}

impl PuzzleKind for Sudoku {
    fn name(&self) -> &'static str {
        "sudoku"
    }

    fn since(&self) -> u32 {
        FIRST_VERSION
    }

    fn default_variant(&self) -> &'static str {
        VARIANT
    }

    fn text_variant(&self) -> &'static str {
        ""
    }

    fn variant_meaning(&self) -> &'static str {
        &MEANING
    }

    fn variants(&self) -> &'static [VariantInfo] {
        &VARIANTS
    }

    fn variant(&self, name: &str) -> Option<&'static VariantInfo> {
        VARIANTS.iter().find(|known| known.name == name)
    }

    fn table(&self, variant: &str) -> &'static [Column] {
        part(variant).table(variant)
    }

    fn check_variant(&self, name: &str) -> Result<(), String> {
        part(name).check_variant(name)
    }

    fn check_spec(&self, spec: &Spec) -> Result<(), SpecError> {
        part(&spec.variant).check_spec(spec)
    }

    fn make(&self, spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
        part(&spec.variant).make(spec, rng, budget)
    }

    fn normalize(&self, variant: &str, text: &str) -> Result<String, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.normalize(variant, text)
    }

    fn validate(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Verdict, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.validate(variant, text, budget)
    }

    fn reason(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Reasoned, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.reason(variant, text, budget)
    }

    fn open_steps(
        &self,
        variant: &str,
        text: &str,
        steps: &[Step],
        budget: &Budget<'_>,
    ) -> Result<OpenSteps, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.open_steps(variant, text, steps, budget)
    }

    fn sentence(&self, variant: &str, step: &Step) -> String {
        part(variant).sentence(variant, step)
    }

    fn hint(&self, puzzle: HintFor<'_>, board: PlayerBoard<'_>, budget: &mut Budget<'_>) -> Result<Hint, TextError> {
        let (part, variant, text) = reader(puzzle.variant, puzzle.text);
        part.hint(HintFor { variant, text, ..puzzle }, board, budget)
    }

    fn compare(&self, puzzle: HintFor<'_>, board: &str) -> Result<BoardState, TextError> {
        let (part, variant, text) = reader(puzzle.variant, puzzle.text);
        part.compare(HintFor { variant, text, ..puzzle }, board)
    }

    fn canonical(&self, variant: &str, text: &str) -> Result<String, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.canonical(variant, text)
    }

    fn solved(&self, variant: &str, text: &str, solution: &str) -> Result<String, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.solved(variant, text, solution)
    }

    fn pattern(&self, variant: &str, text: &str) -> Result<Pattern, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.pattern(variant, text)
    }

    fn variant_of(&self, variant: &str, text: &str) -> Result<String, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.variant_of(variant, text)
    }

    fn cells<'t>(&self, text: &'t str) -> Vec<&'t str> {
        part(named_variant(text).unwrap_or(VARIANT)).cells(text)
    }

    fn size(&self, variant: &str, text: &str) -> Result<Size, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.size(variant, text)
    }

    fn regions(&self, variant: &str, text: &str) -> Result<Vec<Region>, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.regions(variant, text)
    }

    fn draw(&self, variant: &str, text: &str) -> Result<String, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.draw(variant, text)
    }

    fn digits(&self, variant: &str, text: &str) -> Result<Vec<i8>, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.digits(variant, text)
    }

    fn links(&self, variant: &str, text: &str) -> Result<Vec<WebLink>, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.links(variant, text)
    }

    fn file_forms(&self, variant: &str) -> &'static [FileForm] {
        part(variant).file_forms(variant)
    }

    fn write_as(&self, form: FileForm, variant: &str, text: &str) -> Result<Option<String>, TextError> {
        let (part, variant, text) = reader(variant, text);
        part.write_as(form, variant, text)
    }

    fn picture(&self, variant: &str, shown: Shown<'_>) -> Result<Picture, TextError> {
        let (part, variant, text) = reader(variant, shown.text);
        part.picture(variant, Shown { text, ..shown })
    }

    fn has_views(&self, variant: &str) -> bool {
        part(variant).has_views(variant)
    }

    fn scramble(&self, view: &View<'_>, rng: &mut Rng) -> Result<Option<Scrambled>, TextError> {
        let (part, variant, text) = reader(view.variant, view.text);
        part.scramble(&View { variant, text, ..*view }, rng)
    }
}
