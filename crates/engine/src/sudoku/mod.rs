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
        names::quoted,
        rng::Rng,
        spec::{Spec, SpecError},
        step::Step,
        text::{
            Hint, OpenSteps, Pattern, Reasoned, Region, Size, TextError, Verdict, answer, board::PlayerBoard,
            compare::BoardState, judge::Judgment,
        },
        tries::Try,
        variant::VariantInfo,
    },
};
use board::Grid;
use classic::{Classic, RULES, VARIANT, check_variant, nine, of_variant};

/// The Sudoku kind. A text of the variant `9x9` is 81 characters, rows from the top; `.` is an empty cell. A text of another variant
/// begins with its name: `6x6: 1.3..6…`. Each part of the kind also reads other notations.
#[derive(Debug, Clone, Copy)]
pub struct Sudoku;

/// The part for all variants but `9x9`.
pub(crate) static LAYER: GridLayer = GridLayer(&sizes::SIZES);

static VARIANTS: LazyLock<Vec<VariantInfo>> =
    LazyLock::new(|| std::iter::once(nine()).chain(LAYER.variants().iter().copied()).collect());

static MEANING: LazyLock<String> =
    LazyLock::new(|| format!("{}; {}", Classic.variant_meaning(), LAYER.variant_meaning()));

/// The columns of the classic part, then those that only the others have.
static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let is_new = |column: &&Column| Classic.table().iter().all(|known| known.header() != column.header());
    Classic.table().iter().chain(LAYER.table().iter().filter(is_new)).copied().collect()
});

/// The part that has a variant. An unknown name goes to the classic part, which refuses it.
fn part(variant: &str) -> &'static dyn PuzzleKind {
    if LAYER.variant(variant).is_some() { &LAYER } else { &Classic }
}

/// The part that reads a text.
struct Reader<'t> {
    part: &'static dyn PuzzleKind,
    /// The variant of the text, which decides it if a request names none.
    variant: &'t str,
    /// The text as the part reads it.
    text: &'t str,
}

impl<'t> Reader<'t> {
    /// # Errors
    /// [`TextError::Variant`] if a request and its text name different variants.
    fn of(variant: &'t str, text: &'t str) -> Result<Self, TextError> {
        let Some(named) = named_variant(text) else {
            let variant = if variant.is_empty() { shown_variant(text) } else { variant };
            return Ok(Self { part: part(variant), variant, text });
        };
        if !variant.is_empty() && variant != named {
            let reason = format!("the text names the variant {}; the puzzle is of {variant}", quoted(named));
            return Err(TextError::Variant { reason });
        }
        // The classic part knows no names.
        let cells = text.split_once(':').map_or(text, |(_, cells)| cells);
        Ok(Self { part: part(named), variant: named, text: if named == VARIANT { cells } else { text } })
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

/// Methods that the part answers to which a text belongs.
macro_rules! forwarded {
    ($($method:ident: $result:ty),*,) => {$(
        fn $method(&self, variant: &str, text: &str) -> Result<$result, TextError> {
            let Reader { part, variant, text } = Reader::of(variant, text)?;
            part.$method(variant, text)
        }
    )*};
}

impl PuzzleKind for Sudoku {
    fn name(&self) -> &'static str {
        "sudoku"
    }

    fn name_in_words(&self) -> String {
        "Sudoku".to_owned()
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

    fn table(&self) -> &'static [Column] {
        &COLUMNS
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
        let stated = match notation::stated(text) {
            // The classic part refuses such a text with its own message.
            Err(_) if LAYER.variant(variant).is_none() => None,
            stated => stated?,
        };
        let reader = Reader::of(variant, stated.as_deref().unwrap_or(text))?;
        let stored = reader.part.normalize(reader.variant, reader.text)?;
        match notation::solution(text)? {
            Some(solution) => answer::check(self, reader.variant, &stored, &solution).map(|()| stored),
            None => Ok(stored),
        }
    }

    fn validate(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Verdict, TextError> {
        let Reader { part, variant, text } = Reader::of(variant, text)?;
        part.validate(variant, text, budget)
    }

    fn reason(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Reasoned, TextError> {
        let Reader { part, variant, text } = Reader::of(variant, text)?;
        part.reason(variant, text, budget)
    }

    fn open_steps(
        &self,
        variant: &str,
        text: &str,
        steps: &[Step],
        budget: &Budget<'_>,
    ) -> Result<OpenSteps, TextError> {
        let Reader { part, variant, text } = Reader::of(variant, text)?;
        part.open_steps(variant, text, steps, budget)
    }

    fn sentence(&self, variant: &str, step: &Step) -> String {
        part(variant).sentence(variant, step)
    }

    fn hint(&self, puzzle: HintFor<'_>, board: PlayerBoard<'_>, budget: &mut Budget<'_>) -> Result<Hint, TextError> {
        let Reader { part, variant, text } = Reader::of(puzzle.variant, puzzle.text)?;
        let board = PlayerBoard { text: Reader::of(variant, board.text)?.text, ..board };
        part.hint(HintFor { variant, text, ..puzzle }, board, budget)
    }

    fn compare(&self, puzzle: HintFor<'_>, board: &str) -> Result<BoardState, TextError> {
        let Reader { part, variant, text } = Reader::of(puzzle.variant, puzzle.text)?;
        let solution = Reader::of(variant, puzzle.solution)?.text;
        part.compare(HintFor { variant, text, solution }, Reader::of(variant, board)?.text)
    }

    fn judge(&self, variant: &str, text: &str, board: &str, finished: bool) -> Result<Judgment, TextError> {
        let Reader { part, variant, text } = Reader::of(variant, text)?;
        part.judge(variant, text, Reader::of(variant, board)?.text, finished)
    }

    forwarded! {
        canonical: String, pattern: Pattern, variant_of: String, size: Size, regions: Vec<Region>, draw: String,
        digits: Vec<i8>, links: Vec<WebLink>,
    }

    fn solved(&self, variant: &str, text: &str, solution: &str) -> Result<String, TextError> {
        let Reader { part, variant, text } = Reader::of(variant, text)?;
        part.solved(variant, text, solution)
    }

    fn cells<'t>(&self, text: &'t str) -> Vec<&'t str> {
        part(named_variant(text).unwrap_or(VARIANT)).cells(text)
    }

    fn file_forms(&self, variant: &str) -> &'static [FileForm] {
        notation::file_forms(variant)
    }

    fn write_as(&self, form: FileForm, variant: &str, text: &str) -> Result<Option<String>, TextError> {
        let Reader { part, variant, text } = Reader::of(variant, text)?;
        let digits = part.digits(variant, text)?;
        let digits: Option<Vec<_>> = digits.into_iter().map(|digit| u8::try_from(digit).ok()).collect();
        let grid = digits.and_then(|digits| Some(Grid(digits.try_into().ok()?)));
        Ok(grid.and_then(|grid| notation::write_as(form, variant, &grid)))
    }

    fn picture(&self, variant: &str, shown: Shown<'_>) -> Result<Picture, TextError> {
        let Reader { part, variant, text } = Reader::of(variant, shown.text)?;
        part.picture(variant, Shown { text, ..shown })
    }

    fn has_views(&self, variant: &str) -> bool {
        part(variant).has_views(variant)
    }

    fn scramble(&self, view: &View<'_>, rng: &mut Rng) -> Result<Option<Scrambled>, TextError> {
        let Reader { part, variant, text } = Reader::of(view.variant, view.text)?;
        part.scramble(&View { variant, text, ..*view }, rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_decides_its_variant_by_its_name_or_by_its_cells() {
        let cells = |count: usize| ".".repeat(count);
        for (named, text, expected) in [
            ("", cells(81), Ok("9x9")),
            ("", format!("9x9: {}", cells(81)), Ok("9x9")),
            ("", format!("9x9-x: {}", cells(81)), Ok("9x9-x")),
            ("9x9-x", cells(81), Ok("9x9-x")),
            ("", cells(16), Ok("4x4")),
            ("", cells(36), Ok("6x6")),
            ("", cells(64), Ok("8x8")),
            ("", cells(100), Ok("10x10")),
            ("", cells(144), Ok("12x12")),
            ("", cells(256), Ok("16x16")),
            ("9x9-windoku", cells(81), Ok("9x9-windoku")),
            ("6x6", format!("6x6: {}", cells(36)), Ok("6x6")),
            ("", cells(80), Err("80 cells; the puzzle must have exactly 81")),
            ("6x6", cells(81), Err("81 cells; the puzzle must have exactly 36")),
            ("9x9", cells(36), Err("36 cells; the puzzle must have exactly 81")),
            (
                "",
                format!("5x5: {}", cells(25)),
                Err(
                    "unknown variant \"5x5\" of sudoku; use 9x9, 4x4, 6x6, 8x8, 9x9-x, 9x9-windoku, 10x10, 12x12, 16x16",
                ),
            ),
            (
                "5x5",
                cells(25),
                Err(
                    "unknown variant \"5x5\" of sudoku; use 9x9, 4x4, 6x6, 8x8, 9x9-x, 9x9-windoku, 10x10, 12x12, 16x16",
                ),
            ),
        ] {
            let read = Sudoku.normalize(named, &text).and_then(|text| Sudoku.variant_of(named, &text));
            let read = read.map_err(|error| error.to_string());
            assert_eq!(read.as_deref().map_err(String::as_str), expected, "{named:?} {text}");
        }
    }

    #[test]
    fn text_of_another_variant_than_the_named_one_is_refused() {
        for (named, other) in [("9x9", "6x6"), ("6x6", "9x9-x"), ("9x9-x", "9x9")] {
            let read = Sudoku.normalize(named, &format!("{other}: {}", ".".repeat(81))).unwrap_err().to_string();
            assert!(read.contains(named) && read.contains(other), "{read}");
        }
    }

    #[test]
    fn only_the_classic_part_has_links_files_and_techniques_as_criterion() {
        let text = format!("6x6: {}", ".".repeat(36));
        assert_eq!(Sudoku.links("6x6", &text), Ok(Vec::new()));
        assert_eq!(Sudoku.write_as(FileForm::Sdm, "6x6", &text), Ok(None));
        assert_eq!(["", "9x9", "9x9-x", "6x6"].map(|variant| Sudoku.file_forms(variant).len()), [2, 2, 1, 0]);
        let has_technique = |info: &VariantInfo| info.has_technique == (info.name == VARIANT);
        assert!(Sudoku.variants().iter().all(has_technique));
    }
}
