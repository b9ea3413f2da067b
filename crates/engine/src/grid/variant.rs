//! [`GridVariant`], the data of a variant: the size and houses of its board, its ladder, its levels, and its style.

use super::{
    clues::{ExtraRule, relations::Relation},
    find::Technique,
    rate::RATER,
};
use crate::shared::{
    givens::{GivensLimits, Style},
    kind::FileForm,
    level::{LevelBorder, Tenths},
    step::Step,
    symmetry::SymmetryInfo,
    variant::{BoxSize, SYMBOLS, TechniqueGoal, TechniqueInfo, VariantInfo},
};

/// A variant of a kind on a square grid. Everything that reads, makes, proves, rates, and draws its puzzles reads this data.
#[derive(Debug)]
pub(crate) struct GridVariant {
    /// The name of the kind in the registry.
    pub(crate) kind: &'static str,
    /// The name of the variant, such as `6x6`; the first part of a text.
    pub(crate) name: &'static str,
    /// The rules in one English sentence of at most 120 ASCII characters.
    pub(crate) rules: &'static str,
    /// The first engine version that makes it.
    pub(crate) since: u32,
    /// Rows and columns of the board.
    pub(crate) size: u8,
    /// The boxes or regions that divide the board.
    pub(crate) areas: Areas,
    /// Further houses, such as diagonals.
    pub(crate) extra: &'static [Extra],
    /// Whether each row and column is a house.
    pub(crate) lines: bool,
    /// What the cells hold.
    pub(crate) content: Content,
    /// Whether equal digits must not touch, not even at a corner.
    pub(crate) apart: bool,
    /// The type of the clues that a text states besides digits and regions.
    pub(crate) clues: ClueType,
    /// The extra rules that a person checks without notes. Each round of a refutation applies them once.
    pub(crate) round_rules: &'static [ExtraRule],
    /// All rules that are no houses, the quickest first. The solver applies them after the singles. Each refuses a full
    /// board that breaks it.
    pub(crate) extra_rules: &'static [ExtraRule],
    /// The maps of the board that keep the rules.
    pub(crate) group: Group,
    /// The techniques, easiest first. Their ratings differ.
    pub(crate) ladder: &'static [Technique],
    /// The levels, easiest first and without gaps.
    pub(crate) levels: &'static [LevelBorder],
    /// The symmetries that the generator offers.
    pub(crate) symmetries: &'static [SymmetryInfo],
    /// The numbers of givens that a request can state; `None` if the board shows no digits.
    pub(crate) givens: Option<GivensLimits>,
    /// The style of each level, easiest first.
    pub(crate) styles: &'static [Style],
}

/// What divides a board into areas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Areas {
    /// Boxes of this many rows and columns, with as many cells as a row.
    Boxes {
        rows: u8,
        columns: u8,
    },
    /// As many regions as rows, which the text of each puzzle states. With digits, each has as many cells as a row.
    Regions,
    /// Regions that the text of each puzzle states. Each has at most as many cells as there are digits.
    SmallRegions,
    None,
}

/// Houses besides rows, columns, boxes, and regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extra {
    /// Both diagonals.
    Diagonals,
    /// The four windows of 3×3 cells of a 9×9 board, one cell away from the border and from each other.
    Windows,
}

/// What the cells of a solution hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// A digit in each cell, from 1 to this one. A house of k cells has each digit from 1 to k once.
    Digits(u8),
    /// Stars in this many cells of each house, and nothing in the other cells. A star is the digit 1.
    Stars(u8),
    /// One of two digits in each cell. Each digit is in half of the cells of a row or column, and never in three
    /// neighbors of a line. The digits are written 0 and 1. If `unlike` is set, no two rows are equal, and no two
    /// columns; its value is the variant without this rule.
    Halves { unlike: Option<&'static GridVariant> },
}

/// The clues of a variant that are neither digits nor regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClueType {
    None,
    /// Cages: cells without a repeated digit that add up to a number.
    Cages,
    /// Cages with operators, in which digits may repeat.
    Arithmetic,
    /// Signs between neighboring cells, of these relations.
    Signs(&'static [Relation]),
    /// Clues beside the grid: how many digits of a line are visible from there. A line has at most 8 cells.
    Sightlines,
}

impl ClueType {
    /// Whether cages may have a digit several times. Such a cage is no house.
    pub(crate) fn has_repeats(self) -> bool {
        self.form().has_repeats
    }
}

/// The maps of a board that keep the rules of its variant. Two puzzles are isomorphs if such a map and a renaming of digits
/// turn one into the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// Only digits are renamed; no cell moves.
    Renaming,
    /// Rows move within their band and columns within their stack; bands and stacks move; with square boxes, the board is
    /// transposed, too.
    Boxes,
    /// As `Boxes`, but only the maps that keep the extra houses.
    BoxesKeepingExtras,
    /// The eight turns and mirrors; four if the boxes are not square.
    Turns,
    /// As `Turns`, but no digit is renamed.
    TurnsKeepingDigits,
    /// The maps of `Turns`, each with and without the complement: each digit d becomes n + 1 − d, where n is the largest digit. Digits are
    /// not renamed otherwise.
    Complement,
}

impl GridVariant {
    pub(crate) fn cells(&self) -> usize {
        usize::from(self.size) * usize::from(self.size)
    }

    /// The number of stars in each house; 0 if cells hold digits.
    pub(crate) fn stars(&self) -> u8 {
        if let Content::Stars(count) = self.content { count } else { 0 }
    }

    /// The number of digits, 1 to 16.
    pub(crate) fn digits(&self) -> u8 {
        match self.content {
            Content::Digits(last) => last,
            Content::Stars(_) => 1,
            Content::Halves { .. } => 2,
        }
    }

    /// The symbols of the digits from 1.
    pub(crate) fn symbols(&self) -> &'static str {
        match self.content {
            Content::Digits(last) => &SYMBOLS[..usize::from(last)],
            Content::Stars(_) => "*",
            Content::Halves { .. } => "01",
        }
    }

    /// The argument of a step by a technique of the ladder.
    pub(crate) fn sentence(&self, step: &Step) -> String {
        let technique = self.ladder.iter().find(|technique| technique.name == step.technique);
        technique.map_or_else(|| format!("{}.", step.technique), |technique| (technique.sentence)(step))
    }

    /// The forms of files, besides the text and JSON, that have a place for its clues.
    pub(crate) fn file_forms(&self) -> &'static [FileForm] {
        match self.areas {
            Areas::Boxes { .. } if self.clues.form().is_in_fpuzzles => &[FileForm::Fpuzzles],
            _ => &[],
        }
    }

    /// The properties of the variant. Call it once for each variant: it leaks the list of techniques.
    pub(crate) fn info(&self) -> VariantInfo {
        let technique = |technique: &Technique| TechniqueInfo {
            name: technique.name,
            min_rating: technique.rating,
            max_rating: technique.rating_max,
            goal: TechniqueGoal::Refused,
            since: self.since,
        };
        let rating_max = self.levels.last().map_or(Tenths(0), |hardest| hardest.max);
        VariantInfo {
            name: self.name,
            rules: self.rules,
            since: self.since,
            symbols: self.symbols(),
            boxes: match self.areas {
                Areas::Boxes { rows, columns } => Some(BoxSize { rows, columns }),
                Areas::Regions | Areas::SmallRegions | Areas::None => None,
            },
            repeats_by_solution: false,
            levels: self.levels,
            symmetries: self.symmetries,
            givens: self.givens,
            has_technique: false,
            techniques: self.ladder.iter().map(technique).collect::<Vec<_>>().leak(),
            styles: self.styles,
            unstyled_from: Tenths::MAX,
            rater: RATER.0,
            rater_version: RATER.1,
            rating_max,
            generated_max: rating_max,
        }
    }

    /// The box or region of each cell, numbered from 0. `regions` are those of a puzzle; empty if the variant has boxes.
    pub(crate) fn areas_of(&self, regions: &[u8]) -> Vec<u8> {
        match self.areas {
            Areas::Boxes { rows, columns } => {
                let area = |row: u8, column: u8| row / rows * (self.size / columns) + column / columns;
                (0..self.size).flat_map(|row| (0..self.size).map(move |column| area(row, column))).collect()
            }
            Areas::Regions | Areas::SmallRegions => regions.to_vec(),
            Areas::None => vec![0; self.cells()],
        }
    }

    /// The number of boxes or regions. `regions` are those of a puzzle.
    pub(crate) fn areas_count(&self, regions: &[u8]) -> u16 {
        match self.areas {
            Areas::Boxes { .. } | Areas::Regions => self.size.into(),
            Areas::SmallRegions => regions.iter().max().map_or(0, |last| u16::from(*last) + 1),
            Areas::None => 0,
        }
    }

    /// Whether the text of a puzzle states regions.
    pub(crate) fn has_regions(&self) -> bool {
        matches!(self.areas, Areas::Regions | Areas::SmallRegions)
    }

    /// Whether a turn by 90 degrees or a mirror at a diagonal keeps the shape of the areas.
    pub(crate) fn is_square(&self) -> bool {
        match self.areas {
            Areas::Boxes { rows, columns } => rows == columns,
            Areas::Regions | Areas::SmallRegions | Areas::None => true,
        }
    }
}

impl PartialEq for GridVariant {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, self.name) == (other.kind, other.name)
    }
}

impl Eq for GridVariant {}
