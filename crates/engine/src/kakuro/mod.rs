//! The Kakuro kind: implements [`PuzzleKind`] by delegating to the modules of this folder.

pub mod board;
pub mod canonical;
pub mod core;
pub mod digits;
mod generate;
mod hint;
pub mod layout;
pub mod layouts;
pub mod metrics;
pub mod notation;
mod picture;
pub mod rate;
mod reasoning;
pub mod solver;
pub mod techniques;
pub mod variant;
mod verdict;

use std::sync::LazyLock;

use crate::{
    ENGINE_VERSION, FIRST_VERSION,
    picture::{Picture, Shown},
    shared::{
        budget::Budget,
        givens::Style,
        kind::{Column, HintFor, Novelty, PuzzleKind, WebLink},
        level::{Level, Tenths},
        rng::Rng,
        spec::{Spec, SpecError},
        step::Step,
        symmetry::{Symmetry, SymmetryInfo},
        text::{
            Hint, Pattern, Reasoned, Region, Size, TextError, TextForm, Verdict, answer,
            board::PlayerBoard,
            compare::BoardState,
            judge::{Judged, Judgment},
            malformed,
        },
        tries::Try,
        variant::{SYMBOLS, TechniqueGoal, TechniqueInfo, VariantInfo},
    },
};
use board::Puzzle;
use generate::wanted;
use layout::{Layout, cell_number};
use layouts::has_symmetry;
use metrics::KakuroMetrics;
use notation::draw;
use notation::text;
use notation::text::{Board, parse, parse_board};
use notation::url;
use rate::rating;
use variant::Variant;

/// The default variant: the board size in the paper that defines the metric `coefficient`.
const VARIANT: &str = "8x10";

/// The engine version that introduced the layouts of today's seeds.
const LAYOUTS_SINCE: u32 = 20;

const RULES: &str = "Fill each run with different digits from 1 to 9 that add up to the clue at its left or upper end.";

/// The maximum number of nodes for the steps of one text. Only the last technique, a search, uses nodes.
const NODES_PER_REASON_MAX: u64 = 200_000;

/// Kakuro. A text has rows of tokens separated by blanks: `#` is a block, `.` is a white cell, and `across\down` is a
/// block with clues. The kind also reads addresses of puzz.link.
#[derive(Debug, Clone, Copy)]
pub struct Kakuro;

impl PuzzleKind for Kakuro {
    fn name(&self) -> &'static str {
        "kakuro"
    }

    fn name_in_words(&self) -> String {
        "Kakuro".to_owned()
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

    fn text_form(&self) -> TextForm {
        TextForm::Paragraph
    }

    fn variant_name(&self, name: &str) -> String {
        Variant::parse(name).map_or_else(|_| name.to_owned(), |variant| variant.name())
    }

    fn base(&self, name: &str) -> String {
        Variant::parse(name).map_or_else(|_| name.to_owned(), |variant| variant.base())
    }

    fn variant_meaning(&self) -> &'static str {
        variant::MEANING
    }

    fn variants(&self) -> &'static [VariantInfo] {
        &*VARIANTS
    }

    /// Ratings and levels mean the same on boards of all sizes. A layout of the request's own has no style, because it has its
    /// symmetry already.
    fn variant(&self, name: &str) -> Option<&'static VariantInfo> {
        VARIANTS.get(usize::from(variant::has_layout(name)))
    }

    fn variant_since(&self, name: &str) -> u32 {
        Variant::parse(name).map_or(ENGINE_VERSION, |variant| variant.since())
    }

    fn seed_version(&self, name: &str) -> u32 {
        if variant::has_layout(name) { self.variant_since(name) } else { LAYOUTS_SINCE }
    }

    fn table(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn check_variant(&self, name: &str) -> Result<(), String> {
        wanted::variant(name).map(drop)
    }

    fn check_spec(&self, spec: &Spec) -> Result<(), SpecError> {
        wanted::check(spec)
    }

    fn make(&self, spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
        generate::make(spec, rng, budget)
    }

    fn normalize(&self, variant: &str, text: &str) -> Result<String, TextError> {
        let puzzle = read(variant, text)?;
        let stored = text::write(&puzzle);
        match text::stated_solution(text, &puzzle) {
            Some(answer) => answer::check(self, variant, &stored, &answer).map(|()| stored),
            None => Ok(stored),
        }
    }

    fn validate(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Verdict, TextError> {
        Ok(verdict::SOLVERS.verdict(&read(variant, text)?, budget))
    }

    fn reason(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Reasoned, TextError> {
        let puzzle = read(variant, text)?;
        Ok(budget.within(NODES_PER_REASON_MAX, |budget| rating::reasoned(&puzzle, budget)))
    }

    fn sentence(&self, _variant: &str, step: &Step) -> String {
        techniques::sentence(step)
    }

    fn hint(&self, puzzle: HintFor<'_>, board: PlayerBoard<'_>, budget: &mut Budget<'_>) -> Result<Hint, TextError> {
        let of_puzzle = read(puzzle.variant, puzzle.text)?;
        let digits = hint::digits_on(&of_puzzle, board_of(puzzle, board.text)?)?;
        let marks = hint::marks(&of_puzzle, &digits, board.candidates)?;
        let solution = parse_board(puzzle.solution)?.digits;
        Ok(budget.within(NODES_PER_REASON_MAX, |budget| hint::hint(&of_puzzle, &solution, &digits, &marks, budget)))
    }

    fn compare(&self, puzzle: HintFor<'_>, board: &str) -> Result<BoardState, TextError> {
        let of_puzzle = read(puzzle.variant, puzzle.text)?;
        hint::compare(&of_puzzle, &parse_board(puzzle.solution)?.digits, &board_of(puzzle, board)?)
    }

    fn judge(&self, variant: &str, text: &str, board: &str, finished: bool) -> Result<Judgment, TextError> {
        let puzzle = read(variant, text)?;
        let digits = hint::digits_on(&puzzle, parse_board(board)?)?;
        let layout = puzzle.layout();
        let cells = layout.cells().iter().zip(digits).map(|(&cell, digit)| (cell, 0, digit)).collect();
        let columns = cell_number(layout.width());
        let judged = Judged { model: &core::model(&puzzle), cells, columns, symbols: "123456789", has_stars: false };
        Ok(judged.judgment(finished))
    }

    fn canonical(&self, variant: &str, text: &str) -> Result<String, TextError> {
        Ok(canonical::canonical(&read(variant, text)?))
    }

    fn pattern(&self, variant: &str, text: &str) -> Result<Pattern, TextError> {
        let puzzle = read(variant, text)?;
        let layout = puzzle.layout();
        let symmetry = Symmetry::strongest(|symmetry| has_symmetry(layout, symmetry));
        let givens = u16::try_from(puzzle.clue_count()).expect("a board has at most 900 cells");
        Ok(Pattern { variant: Variant::of_layout(variant, layout)?, symmetry, givens })
    }

    fn novelty(&self, variant: &str, text: &str) -> Result<Option<Novelty>, TextError> {
        Ok(read(variant, text)?.layout().one_cell_run())
    }

    fn variant_of(&self, variant: &str, text: &str) -> Result<String, TextError> {
        if !variant.is_empty() {
            return Ok(self.variant_name(variant));
        }
        let Size { rows, columns } = self.size(variant, text)?;
        Ok(format!("{columns}x{rows}"))
    }

    fn size(&self, _variant: &str, text: &str) -> Result<Size, TextError> {
        let board = parse_board(text)?;
        let layout = board.puzzle.layout();
        Ok(Size { rows: cell_number(layout.height()), columns: cell_number(layout.width()) })
    }

    fn regions(&self, variant: &str, text: &str) -> Result<Vec<Region>, TextError> {
        Ok(read(variant, text)?.regions())
    }

    fn draw(&self, variant: &str, text: &str) -> Result<String, TextError> {
        let board: Board = parse_board(text)?;
        check_fits(variant, board.puzzle.layout())?;
        Ok(draw::draw(&board))
    }

    fn digits(&self, _variant: &str, text: &str) -> Result<Vec<i8>, TextError> {
        let board = parse_board(text)?;
        let layout = board.puzzle.layout();
        let mut digits = vec![-1; layout.width() * layout.height()];
        for (&cell, &digit) in layout.cells().iter().zip(&board.digits) {
            digits[usize::from(cell)] = i8::try_from(digit).expect("a digit is at most 9");
        }
        Ok(digits)
    }

    fn links(&self, variant: &str, text: &str) -> Result<Vec<WebLink>, TextError> {
        Ok(vec![WebLink { name: "puzz.link", url: url::write(&read(variant, text)?) }])
    }

    fn picture(&self, variant: &str, shown: Shown<'_>) -> Result<Picture, TextError> {
        let solution = shown.solution.map(parse_board).transpose()?;
        Ok(picture::picture(&read(variant, shown.text)?, solution.as_ref(), shown))
    }
}

static SYMMETRIES: LazyLock<[SymmetryInfo; Symmetry::ALL.len()]> =
    LazyLock::new(|| SymmetryInfo::all_since(FIRST_VERSION));

/// The entry of the layouts that the generator makes, and that of layouts in names.
static VARIANTS: LazyLock<[VariantInfo; 2]> = LazyLock::new(|| {
    let made = VariantInfo {
        name: "WxH",
        rules: RULES,
        since: FIRST_VERSION,
        symbols: &SYMBOLS[..9],
        boxes: None,
        repeats_by_solution: true,
        levels: &rating::LEVELS,
        symmetries: &*SYMMETRIES,
        givens: None,
        has_technique: false,
        techniques: &TECHNIQUE_INFOS,
        styles: &STYLES,
        unstyled_from: Tenths::MAX,
        rater: rating::RATER.0,
        rater_version: rating::RATER.1,
        rating_max: rating::RATING_MAX,
        generated_max: rating::RATING_MAX,
    };
    [made, VariantInfo { name: "WxH:LAYOUT", styles: &[], ..made }]
});

/// Magazines print layouts that a half turn keeps.
const STYLES: [Style; 5] = {
    const fn style(level: Level) -> Style {
        Style { level, symmetry: Symmetry::Rotation180, made: None, delivered: None }
    }
    [style(Level::Easy), style(Level::Medium), style(Level::Hard), style(Level::Expert), style(Level::Evil)]
};

/// No technique can be requested, because the rating already states the class of reasoning.
static TECHNIQUE_INFOS: LazyLock<Vec<TechniqueInfo>> = LazyLock::new(|| {
    let info = |known: &techniques::Technique| TechniqueInfo {
        name: known.name,
        min_rating: known.rating(),
        max_rating: Tenths(known.rating().0 + 9),
        goal: TechniqueGoal::Refused,
        since: FIRST_VERSION,
    };
    techniques::TECHNIQUES.iter().map(info).collect()
});

const COLUMNS: [Column; 5] = [
    Column::Rating,
    Column::Metric("effort", |metrics| Some(format!("{:.1}", metrics.read::<KakuroMetrics>()?.effort))),
    Column::Metric("relative_time", |metrics| Some(format!("{:.1}", metrics.read::<KakuroMetrics>()?.relative_time))),
    Column::Technique,
    Column::Level,
];

/// A board of a puzzle. An empty text stands for the puzzle at its start.
fn board_of(puzzle: HintFor<'_>, text: &str) -> Result<Board, TextError> {
    parse_board(if text.trim().is_empty() { puzzle.text } else { text })
}

fn read(variant: &str, text: &str) -> Result<Puzzle, TextError> {
    let puzzle = parse(text)?;
    check_fits(variant, puzzle.layout())?;
    Ok(puzzle)
}

/// An empty variant accepts every layout. Any other variant requires its size, and its layout if it names one.
fn check_fits(variant: &str, layout: &Layout) -> Result<(), TextError> {
    if variant.is_empty() {
        return Ok(());
    }
    let variant = Variant::parse(variant).map_err(|reason| TextError::Variant { reason })?;
    let found = format!("{}x{}", layout.width(), layout.height());
    let wanted = format!("{}x{}", variant.width, variant.height);
    if wanted != found {
        return Err(malformed(format!("the text is {found}, but the variant is {wanted}")));
    }
    let Some(own) = variant.layout.filter(|own| own != layout) else { return Ok(()) };
    let differ = own.signs().iter().zip(layout.signs()).position(|(one, other)| *one != other);
    let at = layout.name_of_cell(cell_number(differ.unwrap_or_default()));
    Err(malformed(format!("{at}: the layout of the text differs from that of the variant {wanted}")))
}
