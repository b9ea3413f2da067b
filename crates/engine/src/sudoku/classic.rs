//! The classic part of the Sudoku kind: implements [`PuzzleKind`] for 9×9 boards by delegating to the modules of this folder.

use std::sync::LazyLock;

use super::{
    board::{self, CELLS, Grid},
    canonical, core as by_core, hint,
    make::{generate, offer, wanted},
    metrics::SudokuMetrics,
    notation::{self, draw},
    orbits, picture,
    rate::{rating, record},
    style,
    techniques::{self, geometry::FIRST_BOX},
    transform::Transform,
    variant_names, verdict,
};
use crate::{
    FIRST_VERSION,
    csp::Model,
    picture::{Picture, Shown},
    shared::{
        budget::Budget,
        kind::{Column, HintFor, PuzzleKind, Scrambled, View, WebLink},
        metrics::Metrics,
        names,
        rng::Rng,
        spec::{Spec, SpecError},
        step::Step,
        symmetry::{Symmetry, SymmetryInfo},
        text::{
            Hint, OpenSteps, Pattern, Reasoned, Region, RegionType, Size, TextError, Verdict,
            board::PlayerBoard,
            compare::BoardState,
            judge::{Judged, Judgment},
        },
        tries::Try,
        variant::{BoxSize, SYMBOLS, VariantInfo},
    },
};

/// The variant of this part.
pub(super) const VARIANT: &str = "9x9";

pub(super) const RULES: &str = "Fill the grid so that each row, column, and box contains the digits 1 to 9.";

/// Sudoku with nine rows, columns, and boxes. A text is 81 characters, rows from the top; `.` is an empty cell. [`notation::read`] also reads other notations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Classic;

impl PuzzleKind for Classic {
    fn name(&self) -> &'static str {
        "sudoku"
    }

    fn since(&self) -> u32 {
        FIRST_VERSION
    }

    fn default_variant(&self) -> &'static str {
        VARIANT
    }

    fn variant_meaning(&self) -> &'static str {
        "9x9: nine rows, columns and boxes of nine cells"
    }

    fn variants(&self) -> &'static [VariantInfo] {
        &*VARIANTS
    }

    fn variant(&self, name: &str) -> Option<&'static VariantInfo> {
        VARIANTS.iter().find(|known| known.name == name)
    }

    fn table(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn check_variant(&self, name: &str) -> Result<(), String> {
        check_variant(name)
    }

    fn check_spec(&self, spec: &Spec) -> Result<(), SpecError> {
        wanted::check(spec)
    }

    fn make(&self, spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
        generate::make(spec, rng, budget)
    }

    fn normalize(&self, variant: &str, text: &str) -> Result<String, TextError> {
        Ok(read(variant, text)?.dotted())
    }

    fn validate(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Verdict, TextError> {
        Ok(verdict::SOLVERS.verdict(&read(variant, text)?, budget))
    }

    fn reason(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Reasoned, TextError> {
        let puzzle = read(variant, text)?;
        Ok(budget.within(rating::NODES_PER_RATING_MAX, |budget| record::reasoned(&puzzle, budget)))
    }

    fn open_steps(
        &self,
        variant: &str,
        text: &str,
        steps: &[Step],
        budget: &Budget<'_>,
    ) -> Result<OpenSteps, TextError> {
        let open = techniques::open_besides(&read(variant, text)?, steps, budget);
        Ok(open.map_or(OpenSteps::Cancelled, OpenSteps::Counted))
    }

    fn sentence(&self, _variant: &str, step: &Step) -> String {
        techniques::sentence(step)
    }

    fn hint(&self, puzzle: HintFor<'_>, board: PlayerBoard<'_>, budget: &mut Budget<'_>) -> Result<Hint, TextError> {
        let solution = read(puzzle.variant, puzzle.solution)?;
        let filled = hint::filled(&read(puzzle.variant, puzzle.text)?, &board_of(puzzle, board.text)?);
        let marks = hint::marks(&filled, board.candidates)?;
        Ok(budget.within(rating::NODES_PER_RATING_MAX, |budget| hint::hint(&solution, &filled, &marks, budget)))
    }

    fn compare(&self, puzzle: HintFor<'_>, board: &str) -> Result<BoardState, TextError> {
        let [of_puzzle, solution] = [read(puzzle.variant, puzzle.text)?, read(puzzle.variant, puzzle.solution)?];
        Ok(hint::compare(&of_puzzle, &solution, &board_of(puzzle, board)?))
    }

    fn judge(&self, variant: &str, text: &str, board: &str, finished: bool) -> Result<Judgment, TextError> {
        let [puzzle, board] = [read(variant, text)?, read(variant, board)?];
        let digits = puzzle.cells().iter().zip(board.cells());
        let cells = (0..).zip(digits).map(|(cell, (&given, &digit))| (cell, given, digit)).collect();
        let judged = Judged { model: &RULES_ALONE, cells, columns: 9, symbols: &SYMBOLS[..9], has_stars: false };
        Ok(judged.judgment(finished))
    }

    fn canonical(&self, variant: &str, text: &str) -> Result<String, TextError> {
        Ok(of_variant(&canonical::canonical(&read(variant, text)?)))
    }

    fn pattern(&self, variant: &str, text: &str) -> Result<Pattern, TextError> {
        let puzzle = read(variant, text)?;
        let symmetry = Symmetry::strongest(|symmetry| orbits::has_symmetry(&puzzle, symmetry));
        Ok(Pattern { variant: variant.to_owned(), symmetry, givens: puzzle.givens() })
    }

    fn size(&self, variant: &str, _text: &str) -> Result<Size, TextError> {
        check_variant(variant).map_err(|reason| TextError::Variant { reason })?;
        Ok(Size { rows: 9, columns: 9 })
    }

    fn solved(&self, variant: &str, _text: &str, solution: &str) -> Result<String, TextError> {
        Ok(canonical::solved(&read(variant, solution)?))
    }

    fn regions(&self, variant: &str, _text: &str) -> Result<Vec<Region>, TextError> {
        check_variant(variant).map_err(|reason| TextError::Variant { reason })?;
        let region = |cells: &[u8; 9]| Region {
            region_type: RegionType::Region,
            cells: cells.map(Into::into).to_vec(),
            sum: None,
            operator: None,
        };
        Ok(board::HOUSES[FIRST_BOX..].iter().map(region).collect())
    }

    fn draw(&self, variant: &str, text: &str) -> Result<String, TextError> {
        Ok(draw::draw(&read(variant, text)?))
    }

    fn digits(&self, variant: &str, text: &str) -> Result<Vec<i8>, TextError> {
        let digit = |&digit| i8::try_from(digit).expect("a digit is at most 9");
        Ok(read(variant, text)?.cells().iter().map(digit).collect())
    }

    fn links(&self, variant: &str, text: &str) -> Result<Vec<WebLink>, TextError> {
        Ok(notation::links(&read(variant, text)?))
    }

    fn picture(&self, variant: &str, shown: Shown<'_>) -> Result<Picture, TextError> {
        let solution = shown.solution.map(|solution| read(variant, solution)).transpose()?;
        Ok(picture::picture(&read(variant, shown.text)?, solution.as_ref(), shown))
    }

    fn has_views(&self, _variant: &str) -> bool {
        true
    }

    fn scramble(&self, view: &View<'_>, rng: &mut Rng) -> Result<Option<Scrambled>, TextError> {
        let transform = Transform::random(view.symmetry, rng);
        let scrambled = |text| Ok(transform.apply(&read(view.variant, text)?).dotted());
        Ok(Some(Scrambled { text: scrambled(view.text)?, solution: scrambled(view.solution)? }))
    }
}

static SYMMETRIES: LazyLock<[SymmetryInfo; Symmetry::ALL.len()]> =
    LazyLock::new(|| SymmetryInfo::all_since(FIRST_VERSION));

static VARIANTS: LazyLock<[VariantInfo; 1]> = LazyLock::new(|| [nine()]);

/// The properties of the variant.
pub(super) fn nine() -> VariantInfo {
    VariantInfo {
        name: VARIANT,
        rules: RULES,
        since: FIRST_VERSION,
        symbols: &SYMBOLS[..9],
        boxes: Some(BoxSize { rows: 3, columns: 3 }),
        repeats_by_solution: true,
        levels: &rating::LEVELS,
        symmetries: &*SYMMETRIES,
        givens: Some(style::LIMITS),
        has_technique: true,
        techniques: &offer::TECHNIQUE_INFOS,
        styles: &style::STYLES,
        unstyled_from: style::UNSTYLED_FROM,
        rater: rating::RATER.0,
        rater_version: rating::RATER.1,
        rating_max: rating::RATING_MAX,
        generated_max: offer::GENERATED_MAX,
    }
}

const COLUMNS: [Column; 8] = [
    Column::Metric("er", |metrics| Some(classic(metrics)?.er.to_string())),
    Column::Metric("ep", |metrics| Some(classic(metrics)?.ep.to_string())),
    Column::Metric("ed", |metrics| Some(classic(metrics)?.ed.to_string())),
    Column::Technique,
    Column::Level,
    Column::Metric("hodoku_score", |metrics| Some(classic(metrics)?.hodoku_score.to_string())),
    Column::Metric("hodoku_level", |metrics| Some(classic(metrics)?.hodoku_level.name().to_owned())),
    Column::Metric("predicted_seconds", |metrics| Some(format!("{:.0}", classic(metrics)?.predicted_seconds))),
];

/// The metrics of a puzzle of this part. Those of other variants have other names.
fn classic(metrics: &Metrics) -> Option<SudokuMetrics> {
    metrics.read().filter(|_| metrics.name() == "sudoku")
}

/// The digits of a board of a puzzle. An empty text stands for the puzzle at its start.
/// The rules of every puzzle, without givens.
static RULES_ALONE: LazyLock<Model> = LazyLock::new(|| by_core::model(&Grid([0; CELLS])));

fn board_of(puzzle: HintFor<'_>, text: &str) -> Result<Grid, TextError> {
    read(puzzle.variant, if text.trim().is_empty() { puzzle.text } else { text })
}

fn read(variant: &str, text: &str) -> Result<Grid, TextError> {
    check_variant(variant).map_err(|reason| TextError::Variant { reason })?;
    notation::read(text)
}

/// A canonical form of 81 characters, followed by the name of the variant, so that forms of two variants never
/// coincide.
pub(super) fn of_variant(canonical: &str) -> String {
    format!("{VARIANT}/{canonical}")
}

/// Refuses every other name, with those that the kind has.
pub(super) fn check_variant(name: &str) -> Result<(), String> {
    if name == VARIANT {
        return Ok(());
    }
    Err(format!("unknown variant {} of sudoku; {}", names::quoted(name), names::hint(name, &variant_names())))
}
