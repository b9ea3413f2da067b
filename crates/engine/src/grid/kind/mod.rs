//! [`GridKind`], the data of a kind on a square grid, and [`Grid`], the one implementation of [`PuzzleKind`] for all of
//! them.

pub(crate) mod cage_marks;
pub(crate) mod draw;
mod hint;
mod picture;
pub(crate) mod sightline_marks;
pub(crate) mod sign_marks;

use std::{fmt, sync::LazyLock};

use super::{
    canonical::canonical,
    cells::{Cells, sets_of},
    make::{self, Shape},
    model,
    orbits::has_symmetry,
    proof::{self, SOLVERS},
    puzzle::Puzzle,
    rate::{self, GridMetrics},
    text::{self, parse, parse_board},
    variant::{Areas, Content, GridVariant},
    views,
};
use crate::{
    picture::{Picture, Shown},
    shared::{
        budget::Budget,
        kind::{Column, FileForm, HintFor, Novelty, PuzzleKind, Scrambled, View},
        names,
        rng::Rng,
        spec::{Spec, SpecError},
        step::Step,
        symmetry::Symmetry,
        text::{
            Hint, Pattern, Reasoned, Region, RegionType, Size, TextError, Verdict, answer,
            board::PlayerBoard,
            compare::BoardState,
            fpuzzles,
            judge::{Judged, Judgment},
        },
        tries::Try,
        variant::VariantInfo,
    },
};
use draw::draw;
use picture::picture;

/// A kind on a square grid. Everything else about it is in its variants.
pub(crate) struct GridKind {
    /// The name in the registry.
    pub(crate) name: &'static str,
    /// The first engine version that makes puzzles of the kind.
    pub(crate) since: u32,
    pub(crate) default_variant: &'static str,
    /// What the names of the variants mean, for people.
    pub(crate) meaning: &'static str,
    /// The variants, in the order in which people see them listed.
    pub(crate) variants: &'static [GridVariant],
    /// Their properties in the same order: [`GridVariant::info`] of each.
    pub(crate) infos: LazyLock<Vec<VariantInfo>>,
    /// How its puzzles are made.
    pub(crate) shape: &'static dyn Shape,
}

impl GridKind {
    pub(crate) fn variant(&self, name: &str) -> Option<&'static GridVariant> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    pub(crate) fn info(&self, name: &str) -> Option<&VariantInfo> {
        self.infos.iter().find(|info| info.name == name)
    }

    /// Whether the layer reads its puzzles from f-puzzles: those with cages, or with digits and regions.
    pub(crate) fn has_fpuzzles(&self) -> bool {
        self.variants.iter().any(|variant| {
            let has_digits = matches!(variant.content, Content::Digits(_));
            variant.clues.form().is_in_fpuzzles || has_digits && variant.areas == Areas::Regions
        })
    }

    /// What is wrong with the name of a variant that the kind lacks.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let known: Vec<_> = self.variants.iter().map(|variant| variant.name).collect();
        format!("unknown variant {} of {}; {}", names::quoted(name), self.name, names::hint(name, &known))
    }
}

/// A grid kind as an entry of the registry.
#[derive(Clone, Copy)]
pub(crate) struct Grid(pub(crate) &'static GridKind);

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Grid").field(&self.0.name).finish()
    }
}

impl Grid {
    pub(super) fn read(self, variant: &str, text: &str) -> Result<Puzzle, TextError> {
        parse(self.0, variant, text)
    }

    /// The puzzle, the digits of its solution, and the board of a player. An empty board is the puzzle at its start.
    fn with_board(self, of: HintFor<'_>, board: &str) -> Result<(Puzzle, Vec<u8>, Puzzle), TextError> {
        let puzzle = self.read(of.variant, of.text)?;
        let solution = self.read(of.variant, of.solution)?.digits;
        let board = parse_board(&puzzle, board)?;
        Ok((puzzle, solution, board))
    }
}

impl PuzzleKind for Grid {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn since(&self) -> u32 {
        self.0.since
    }

    fn default_variant(&self) -> &'static str {
        self.0.default_variant
    }

    fn text_variant(&self) -> &'static str {
        ""
    }

    fn variant_meaning(&self) -> &'static str {
        self.0.meaning
    }

    fn variants(&self) -> &'static [VariantInfo] {
        &self.0.infos
    }

    fn variant(&self, name: &str) -> Option<&'static VariantInfo> {
        self.0.info(name)
    }

    fn table(&self) -> &'static [Column] {
        &COLUMNS
    }

    fn check_variant(&self, name: &str) -> Result<(), String> {
        self.0.variant(name).map(drop).ok_or_else(|| self.0.unknown(name))
    }

    fn check_spec(&self, spec: &Spec) -> Result<(), SpecError> {
        make::check_spec(self.0, spec)
    }

    fn make(&self, spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
        make::make(self.0, spec, rng, budget)
    }

    fn normalize(&self, variant: &str, text: &str) -> Result<String, TextError> {
        let puzzle = self.read(variant, text)?;
        let stored = text::write(&puzzle);
        match fpuzzles::solution(text).filter(|_| self.0.has_fpuzzles()) {
            Some(solution) => answer::check(self, puzzle.variant.name, &stored, &solution).map(|()| stored),
            None => Ok(stored),
        }
    }

    fn validate(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Verdict, TextError> {
        Ok(SOLVERS.verdict(&self.read(variant, text)?, budget))
    }

    fn under_rule(&self, variant: &str, text: &str, verdict: &Verdict) -> String {
        if !matches!(verdict, Verdict::NoSolution | Verdict::Several { .. }) {
            return String::new();
        }
        self.read(variant, text).map_or_else(|_| String::new(), |puzzle| proof::under_rule(&puzzle, verdict))
    }

    fn reason(&self, variant: &str, text: &str, budget: &mut Budget<'_>) -> Result<Reasoned, TextError> {
        Ok(rate::reasoned(&self.read(variant, text)?, budget))
    }

    fn sentence(&self, variant: &str, step: &Step) -> String {
        self.0.variant(variant).map_or_else(|| format!("{}.", step.technique), |variant| variant.sentence(step))
    }

    fn hint(&self, puzzle: HintFor<'_>, board: PlayerBoard<'_>, budget: &mut Budget<'_>) -> Result<Hint, TextError> {
        let (puzzle, solution, on_board) = self.with_board(puzzle, board.text)?;
        hint::hint(&puzzle, &solution, &on_board, board.candidates, budget)
    }

    fn compare(&self, puzzle: HintFor<'_>, board: &str) -> Result<BoardState, TextError> {
        let (puzzle, solution, board) = self.with_board(puzzle, board)?;
        Ok(hint::compare(&puzzle, &solution, &board))
    }

    fn judge(&self, variant: &str, text: &str, board: &str, finished: bool) -> Result<Judgment, TextError> {
        let puzzle = self.read(variant, text)?;
        let board = parse_board(&puzzle, board)?;
        hint::same_clues(&puzzle, &board)?;
        let digits = puzzle.digits.iter().zip(&board.digits);
        let cells = (0..).zip(digits).map(|(cell, (&given, &digit))| (cell, given, digit)).collect();
        let (columns, symbols) = (puzzle.variant.size.into(), puzzle.variant.symbols());
        let has_stars = matches!(puzzle.variant.content, Content::Stars(_));
        let judged = Judged { model: &model::stated(&puzzle), cells, columns, symbols, has_stars };
        Ok(judged.judgment(finished))
    }

    fn canonical(&self, variant: &str, text: &str) -> Result<String, TextError> {
        canonical(&self.read(variant, text)?)
    }

    fn pattern(&self, variant: &str, text: &str) -> Result<Pattern, TextError> {
        let puzzle = self.read(variant, text)?;
        let is_offered = |symmetry| puzzle.variant.symmetries.iter().any(|info| info.symmetry == symmetry);
        let symmetry = Symmetry::strongest(|symmetry| {
            symmetry == Symmetry::None || is_offered(symmetry) && has_symmetry(&puzzle, symmetry)
        });
        Ok(Pattern { variant: puzzle.variant.name.to_owned(), symmetry, givens: puzzle.givens() })
    }

    fn novelty(&self, variant: &str, text: &str) -> Result<Option<Novelty>, TextError> {
        Ok(text::one_cell(&self.read(variant, text)?))
    }

    fn variant_of(&self, variant: &str, text: &str) -> Result<String, TextError> {
        Ok(self.read(variant, text)?.variant.name.to_owned())
    }

    /// The cells of the grid. The other parts of a text belong to no cell.
    fn cells<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let grid = text.split(' ').nth(1).unwrap_or(text);
        grid.char_indices().map(|(at, sign)| &grid[at..at + sign.len_utf8()]).collect()
    }

    fn size(&self, variant: &str, text: &str) -> Result<Size, TextError> {
        let size = match self.0.variant(variant) {
            Some(known) => known.size,
            None => self.read(variant, text)?.variant.size,
        };
        Ok(Size { rows: size.into(), columns: size.into() })
    }

    /// The boxes or regions in the order of their numbers, then the clues. Diagonals and windows are left out, because they are the same
    /// on every board of a variant and do not divide it.
    fn regions(&self, variant: &str, text: &str) -> Result<Vec<Region>, TextError> {
        let puzzle = self.read(variant, text)?;
        let areas = sets_of(&puzzle.areas());
        let areas = areas.iter().take(puzzle.variant.areas_count(&puzzle.regions).into());
        let region = |cells: &Cells| {
            let cells = cells.list();
            Region { region_type: RegionType::Region, cells, sum: None, operator: None }
        };
        Ok(areas.map(region).chain((puzzle.variant.clues.form().regions)(puzzle.variant, &puzzle.clues)).collect())
    }

    fn draw(&self, variant: &str, text: &str) -> Result<String, TextError> {
        Ok(draw(&self.read(variant, text)?))
    }

    fn digits(&self, variant: &str, text: &str) -> Result<Vec<i8>, TextError> {
        let digit = |&digit| i8::try_from(digit).expect("a digit is at most 16");
        Ok(self.read(variant, text)?.digits.iter().map(digit).collect())
    }

    fn file_forms(&self, variant: &str) -> &'static [FileForm] {
        let named = self.0.variants.iter().filter(|known| variant.is_empty() || known.name == variant);
        named.map(GridVariant::file_forms).find(|forms| !forms.is_empty()).unwrap_or_default()
    }

    fn write_as(&self, form: FileForm, variant: &str, text: &str) -> Result<Option<String>, TextError> {
        let is_known = self.file_forms(variant).contains(&form);
        is_known.then(|| Ok(text::fpuzzles::write(&self.read(variant, text)?))).transpose()
    }

    fn picture(&self, variant: &str, shown: Shown<'_>) -> Result<Picture, TextError> {
        let solution = shown.solution.map(|solution| self.read(variant, solution)).transpose()?;
        Ok(picture(&self.read(variant, shown.text)?, solution.map(|solution| solution.digits).as_deref(), shown))
    }

    fn has_views(&self, _variant: &str) -> bool {
        true
    }

    fn scramble(&self, view: &View<'_>, rng: &mut Rng) -> Result<Option<Scrambled>, TextError> {
        let puzzle = self.read(view.variant, view.text)?;
        let solution = self.read(view.variant, view.solution)?.digits;
        let (view, solution) = views::scramble(&puzzle, &solution, view.symmetry, rng);
        Ok(Some(Scrambled { solution: text::write(&view.with(solution)), text: text::write(&view) }))
    }
}

const COLUMNS: [Column; 4] = [
    Column::Rating,
    Column::Technique,
    Column::Level,
    Column::Metric("rounds", |metrics| {
        let own = metrics.read::<GridMetrics>().filter(|_| metrics.name() == GridMetrics::NAME);
        Some(own?.rounds.to_string())
    }),
];

/// For tests.
#[cfg(feature = "tools")]
impl Grid {
    /// Whether the ladder solves a puzzle without the steps that are rated above `upto`.
    ///
    /// # Errors
    /// [`TextError`] if the text is not one of the kind.
    pub(crate) fn is_solved_within(
        self,
        variant: &str,
        text: &str,
        upto: crate::shared::level::Tenths,
    ) -> Result<bool, TextError> {
        Ok(make::Draft::of(self.read(variant, text)?, upto).is_some())
    }
}
