//! Checks puzzles of the grid layer from `tests/data/grid` through the boundary of a kind. To check other puzzles, set
//! `PUZZLED_GRID_DATA` to a folder with such files. Each test prints what it checked, which `.ci/kinds` shows as a table.
#![cfg(test)]

mod binairo;
mod calcudoku;
#[path = "../../../../tests/support"]
mod cases {
    pub(crate) mod golden_file;
    pub(crate) mod kinds;
    pub(crate) mod refusals;
    pub(crate) mod verdicts;
}
mod checker;
mod clues;
mod copies;
mod jigsaws;
mod killer;
mod large_cages;
mod making;
mod maps;
mod proofs;
mod refusals;
mod sightlines;
mod signs;
mod stars;
mod steps;
mod texts;
mod verdicts;

use std::{collections::BTreeMap, env, fs, path::PathBuf, sync::LazyLock};

use puzzled_engine::{
    grid::GridMetrics,
    registry,
    shared::{
        budget::Budget,
        kind::{HintFor, PuzzleKind},
        level::{Level, Tenths},
        symmetry::Symmetry,
        text::Reasoned,
        variant::VariantInfo,
    },
};

/// The fewest puzzles of a variant and level in `tests/data/grid`.
const COUNT_MIN: usize = 20;

/// Of `tests/data/grid`, one puzzle in this many is checked. `.ci/kinds` checks a thousand of each variant.
const SAMPLE: usize = 3;

/// The rater of the layer, by which its variants are found.
const RATER: &str = "puzzled-grid";

/// A line of `puzzled generate --format json`.
#[derive(Debug)]
struct Line {
    kind: &'static dyn PuzzleKind,
    info: &'static VariantInfo,
    level: Level,
    symmetry: Symmetry,
    givens: u16,
    rating: Tenths,
    technique: String,
    rounds: u32,
    text: String,
    solution: String,
}

impl Line {
    fn read(line: &str) -> Self {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        let word = |field: &str| json[field].as_str().unwrap().to_owned();
        // The names of the API: KIND_SUDOKU, LEVEL_EASY, SYMMETRY_ROTATION_180.
        let plain = |name: &str| name.to_lowercase().replace(['-', '_'], "");
        let named = |field: &str| plain(word(field).split_once('_').unwrap().1);
        let kind = *registry::kinds().iter().find(|kind| plain(kind.name()) == named("kind")).unwrap();
        Self {
            kind,
            info: kind.variant(&word("variant")).unwrap(),
            level: Level::ALL.into_iter().find(|level| level.name() == named("level")).unwrap(),
            symmetry: Symmetry::ALL.into_iter().find(|symmetry| plain(symmetry.name()) == named("symmetry")).unwrap(),
            givens: u16::try_from(json["givens"].as_u64().unwrap()).unwrap(),
            rating: tenths(&json["rating"]),
            technique: word("technique"),
            rounds: u32::try_from(json["record"]["grid"]["rounds"].as_u64().unwrap()).unwrap(),
            text: word("text"),
            solution: word("solution"),
        }
    }

    fn variant(&self) -> &'static str {
        self.info.name
    }

    /// The digits of one of its texts, 0 for an empty cell.
    fn digits(&self, text: &str) -> Vec<u8> {
        let digits = self.kind.digits(self.variant(), text).unwrap();
        digits.into_iter().map(|digit| u8::try_from(digit).unwrap()).collect()
    }

    /// Whether the text states regions.
    fn has_regions(&self) -> bool {
        self.text.contains(" regions=")
    }

    /// Whether equal letters are one region only if they touch. A region of k cells has the digits 1 to k, and no lines are houses.
    fn has_small_regions(&self) -> bool {
        self.kind.name() == "suguru"
    }

    /// The region of each cell, from 0 in the order of their first cells. Empty if the text has none.
    fn regions(&self) -> Vec<u16> {
        let letters = self.text.split_once(" regions=").map_or("", |(_, letters)| letters);
        if !self.has_small_regions() {
            return letters.bytes().map(|letter| u16::from(letter - b'a')).collect();
        }
        let regions = maps::cages(self.size(), letters);
        let region = |cell: usize| regions.iter().position(|region| region.contains(&cell)).unwrap();
        (0..letters.len()).map(|cell| u16::try_from(region(cell)).unwrap()).collect()
    }

    /// Whether the text states signs between cells.
    fn has_signs(&self) -> bool {
        self.text.contains(" right=")
    }

    /// Whether the text states clues beside the grid.
    fn has_sightlines(&self) -> bool {
        self.text.contains(" north=")
    }

    /// Whether the cells of regions hold stars or stay empty. Else each cell holds a digit.
    fn has_stars(&self) -> bool {
        self.kind.name() == "star_battle"
    }

    /// The number of stars in each house.
    fn stars(&self) -> usize {
        if self.variant().ends_with("-2") { 2 } else { usize::from(self.has_stars()) }
    }

    /// Whether its clues are cages.
    fn has_cages(&self) -> bool {
        self.kind.name() == "killer"
    }

    /// Whether its clues are cages with operators, in which digits may repeat.
    fn has_operators(&self) -> bool {
        self.text.contains(" totals=")
    }

    /// Whether each line holds as many zeros as ones.
    fn has_halves(&self) -> bool {
        self.kind.name() == "binairo"
    }

    /// The largest digit of its cells.
    fn digits_max(&self) -> usize {
        self.info.symbols.len()
    }

    /// Whether boxes divide the board.
    fn has_boxes(&self) -> bool {
        let has_lines_alone = self.has_signs() || self.has_operators() || self.has_halves() || self.has_sightlines();
        !self.has_regions() && !has_lines_alone
    }

    /// Whether a diagonal mirror keeps the rules.
    fn is_square(&self) -> bool {
        let has_square_boxes = || matches!(maps::shape(self.variant()), (height, width, _) if height == width);
        !self.has_boxes() || has_square_boxes()
    }

    fn size(&self) -> usize {
        usize::from(self.kind.size(self.variant(), &self.text).unwrap().rows)
    }

    /// The puzzle with its solution, as a hint wants it.
    fn of(&self) -> HintFor<'_> {
        HintFor { variant: self.variant(), text: &self.text, solution: &self.solution }
    }

    fn shelf(&self) -> String {
        format!("{} {} {}", self.kind.name(), self.variant(), self.level.name())
    }
}

fn tenths(rating: &serde_json::Value) -> Tenths {
    Tenths(format!("{:.1}", rating.as_f64().unwrap()).replace('.', "").parse().unwrap())
}

static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/grid");
    let folder = env::var_os("PUZZLED_GRID_DATA").map_or_else(|| committed.into(), PathBuf::from);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|name| name == "jsonl")).collect();
    files.sort();
    let texts = files.iter().map(|path| fs::read_to_string(path).unwrap());
    texts.flat_map(|text| text.lines().map(Line::read).collect::<Vec<_>>()).collect()
});

/// Whether the puzzles are those of `tests/data/grid`.
fn is_committed() -> bool {
    env::var_os("PUZZLED_GRID_DATA").is_none()
}

/// Checks the puzzles of the data, or a sample of the committed ones. Prints how many things were checked for each variant and level.
fn each(what: &str, mut check: impl FnMut(&Line) -> usize) {
    let mut checked: BTreeMap<String, usize> = BTreeMap::new();
    for line in LINES.iter().step_by(if is_committed() { SAMPLE } else { 1 }) {
        *checked.entry(line.shelf()).or_default() += check(line);
    }
    for (shelf, count) in checked {
        println!("checked\t{shelf}\t{what}\t{count}");
    }
}

fn reason(line: &Line, text: &str) -> Reasoned {
    line.kind.reason(line.variant(), text, &mut Budget::of_nodes(u64::MAX)).unwrap()
}

/// Rating, technique, and rounds of a text.
fn rated(line: &Line, text: &str) -> (Tenths, &'static str, u32) {
    let record = reason(line, text).record.unwrap();
    (record.rating, record.technique, record.metrics.read::<GridMetrics>().unwrap().rounds)
}

/// The variants of the layer.
fn variants() -> impl Iterator<Item = (&'static dyn PuzzleKind, &'static VariantInfo)> {
    let of_kind = |kind: &&'static dyn PuzzleKind| kind.variants().iter().map(|info| (*kind, info)).collect::<Vec<_>>();
    registry::kinds().iter().flat_map(of_kind).filter(|(_, info)| info.rater == RATER)
}

#[test]
fn data_has_20_puzzles_of_each_variant_and_level() {
    if !is_committed() {
        return;
    }
    for (kind, info) in variants() {
        for level in info.levels.iter().map(|border| border.level) {
            let count = LINES
                .iter()
                .filter(|line| (line.kind.name(), line.variant(), line.level) == (kind.name(), info.name, level))
                .count();
            assert!(count >= COUNT_MIN, "{} {} {}: {count}", kind.name(), info.name, level.name());
        }
    }
}
