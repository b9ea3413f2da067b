//! [`ClueForm`]: how the clues of a type are written, drawn, and described. A new type of clues has one entry here.

use super::{Cage, Clues, Loose, Sightline, Sign, relations, seen_lines};
use crate::{
    grid::{
        kind::{cage_marks, draw, sightline_marks, sign_marks},
        puzzle::Puzzle,
        text::{self, cages, parts::Parts, signs, totals},
        variant::{ClueType, GridVariant},
    },
    picture::{Mark, Stroke},
    shared::{
        step::{Cell, Step},
        text::{Region, TextError},
    },
};

/// The clues that a solution allows.
pub(crate) type LooseOf = fn(&GridVariant, solution: &[u8]) -> Vec<Loose>;

/// How the clues of a type are made, written, drawn, and described.
pub(crate) struct ClueForm {
    /// The clues that a solution allows, if thinning takes clues away one by one, as it does digits.
    pub(crate) loose: Option<LooseOf>,
    /// Whether cages may have a digit several times. Such a cage is no house.
    pub(crate) has_repeats: bool,
    /// Whether f-puzzles has a place for them.
    pub(crate) is_in_fpuzzles: bool,
    /// The clues with their cells, as the API lists them.
    pub(crate) regions: fn(&GridVariant, &Clues) -> Vec<Region>,
    /// The names of their parts in a text, in the order in which they are written.
    pub(crate) parts: &'static [&'static str],
    /// Reads the parts.
    pub(crate) parse: fn(&'static GridVariant, &Parts<'_>) -> Result<Clues, TextError>,
    /// The parts of a text, each after a space.
    pub(crate) write: fn(&GridVariant, &Clues) -> String,
    /// The board in plain text.
    pub(crate) draw: fn(&Puzzle) -> String,
    /// What the picture has besides its lines.
    pub(crate) marks: fn(&Puzzle) -> Vec<Mark>,
    /// What the picture of a step has besides its pattern.
    pub(crate) marks_of_step: fn(&Puzzle, &Step) -> Vec<Mark>,
    /// The line between two neighbors, the left or upper cell first. `stroke` is the line without the clues.
    pub(crate) line: fn(&Puzzle, cells: [Cell; 2], stroke: Stroke) -> Option<Stroke>,
    /// Whether clues stand in the upper left corners of cells.
    pub(crate) has_corners: bool,
    /// An empty cell in words.
    pub(crate) words: fn(&Puzzle, Cell) -> String,
    /// Width of the space on each side of the board for clues beside it, in cells.
    pub(crate) beside: f32,
    /// The clues beside the board in words.
    pub(crate) words_beside: fn(&Puzzle) -> String,
}

static NONE: ClueForm = ClueForm {
    loose: None,
    has_repeats: false,
    is_in_fpuzzles: false,
    regions: |_, _| Vec::new(),
    parts: &[],
    parse: |_, _| Ok(Clues::default()),
    write: |_, _| String::new(),
    draw: draw::draw_areas,
    marks: |_| Vec::new(),
    marks_of_step: |_, _| Vec::new(),
    line: |_, _, stroke| Some(stroke),
    has_corners: false,
    words: |_, _| "blank".to_owned(),
    beside: 0.0,
    words_beside: |_| String::new(),
};

static CAGES: ClueForm = ClueForm {
    is_in_fpuzzles: true,
    regions: |_, clues| clues.cages.iter().map(Cage::region).collect(),
    parts: &[cages::CAGES, cages::SUMS],
    parse: cages::parse,
    write: cages::write,
    draw: cage_marks::draw,
    marks: cage_marks::marks,
    has_corners: true,
    words: cage_marks::words,
    ..NONE
};

static ARITHMETIC: ClueForm = ClueForm {
    has_repeats: true,
    is_in_fpuzzles: false,
    parts: &[cages::CAGES, totals::TOTALS],
    parse: totals::parse,
    write: totals::write,
    marks: cage_marks::totals,
    line: |puzzle, cells, _| Some(cage_marks::line(puzzle, cells)),
    ..CAGES
};

static SIGNS: ClueForm = ClueForm {
    loose: Some(relations::of_solution),
    regions: |_, clues| clues.signs.iter().copied().map(Sign::region).collect(),
    parts: &[signs::RIGHT, signs::DOWN],
    parse: signs::parse,
    write: signs::write,
    draw: sign_marks::draw,
    marks: sign_marks::marks,
    line: sign_marks::line,
    ..NONE
};

static SIGHTLINES: ClueForm = ClueForm {
    loose: Some(seen_lines::of_solution),
    regions: |variant, clues| clues.sightlines.iter().map(|clue: &Sightline| clue.region(variant.size)).collect(),
    parts: &text::sightlines::NAMES,
    parse: text::sightlines::parse,
    write: text::sightlines::write,
    draw: sightline_marks::draw,
    marks: sightline_marks::marks,
    marks_of_step: sightline_marks::marks_of_step,
    beside: sightline_marks::BESIDE,
    words_beside: sightline_marks::words,
    ..NONE
};

impl ClueType {
    /// The clues that a solution allows and thinning can take away.
    pub(crate) fn loose(self, variant: &GridVariant, solution: &[u8]) -> Vec<Loose> {
        self.form().loose.map_or_else(Vec::new, |loose| loose(variant, solution))
    }

    pub(crate) fn form(self) -> &'static ClueForm {
        match self {
            Self::None => &NONE,
            Self::Cages => &CAGES,
            Self::Arithmetic => &ARITHMETIC,
            Self::Signs(_) => &SIGNS,
            Self::Sightlines => &SIGHTLINES,
        }
    }
}
