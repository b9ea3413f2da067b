//! A kind of puzzle for tests of everything around the engine. A puzzle is a number, so making one takes no time. With few
//! numbers, the kind soon makes repeats.

use serde::{Deserialize, Serialize};

use crate::picture::{Mark, Picture, Point, Shown, TextStyle};
use crate::shared::{
    budget::Budget,
    kind::{HintFor, PuzzleKind, Scrambled, View},
    level::{Level, LevelBorder, Tenths},
    metrics::Metrics,
    record::{RatingRecord, TechniqueCount},
    rng::Rng,
    spec::{Difficulty, Spec, SpecError},
    step::Step,
    symmetry::{Symmetry, SymmetryInfo},
    text::{
        Hint, Pattern, Reasoned, Size, TextError, Unrated, Verdict, board::PlayerBoard, compare::BoardState,
        judge::Judgment,
    },
    tries::{Disagreement, Made, Miss, MissReason, Try},
    variant::{TechniqueGoal, TechniqueInfo, VariantInfo},
};

/// The toy kind. Its texts are decimal numbers, of which `00` and `0` are the same puzzle. An even number has one solution,
/// and an odd number has none. It has no styles, and neither givens nor techniques are criteria.
#[derive(Debug, Clone)]
pub struct Toy {
    /// One try in this many makes a puzzle, on average; from 1.
    pub hit_one_in: u64,
    /// The number of different puzzles; from 1.
    pub puzzles: u64,
    /// How many consecutive numbers share a solution up to symmetry; from 1.
    pub alike: u64,
    /// The number on which its two solvers disagree, if any.
    pub disputed: Option<u64>,
    /// The maximum number of leading zeros of a text that is rated. Other views have up to [`VIEW_ZEROS_MAX`].
    pub rated_zeros_max: usize,
}

/// The metrics of a toy puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ToyMetrics {
    /// The number that the puzzle is.
    pub number: u64,
}

/// The maximum number of zeros that a scrambled view of a toy puzzle begins with.
pub const VIEW_ZEROS_MAX: u64 = 3;

impl Default for Toy {
    fn default() -> Self {
        Self { hit_one_in: 1, puzzles: 1_000_000, alike: 1, disputed: None, rated_zeros_max: usize::MAX }
    }
}

/// A spec of the toy kind that allows any rating.
#[must_use]
pub fn toy_spec() -> Spec {
    Spec {
        kind: "toy".to_owned(),
        variant: "1x1".to_owned(),
        symmetry: Symmetry::None,
        difficulty: Difficulty::Any,
        givens: None,
        technique: None,
    }
}

static BORDERS: [LevelBorder; 5] = [
    LevelBorder { level: Level::Easy, min: Tenths(10), max: Tenths(15), reason: "a test" },
    LevelBorder { level: Level::Medium, min: Tenths(16), max: Tenths(25), reason: "a test" },
    LevelBorder { level: Level::Hard, min: Tenths(26), max: Tenths(40), reason: "a test" },
    LevelBorder { level: Level::Expert, min: Tenths(41), max: Tenths(69), reason: "a test" },
    LevelBorder { level: Level::Evil, min: Tenths(70), max: Tenths(99), reason: "a test" },
];

static VARIANTS: [VariantInfo; 1] = [VariantInfo {
    name: "1x1",
    rules: "Read the number.",
    since: 2,
    symbols: "123456789",
    boxes: None,
    repeats_by_solution: true,
    levels: &BORDERS,
    symmetries: &[
        SymmetryInfo { symmetry: Symmetry::None, since: 2 },
        SymmetryInfo { symmetry: Symmetry::Full, since: 3 },
    ],
    givens: None,
    has_technique: false,
    techniques: &[TechniqueInfo {
        name: "Reading",
        min_rating: Tenths(10),
        max_rating: Tenths(39),
        goal: TechniqueGoal::Refused,
        since: 4,
    }],
    styles: &[],
    unstyled_from: Tenths::MAX,
    rater: "toy",
    rater_version: 1,
    rating_max: Tenths(99),
    generated_max: Tenths(44),
}];

fn record(number: u64) -> RatingRecord {
    let rating = Tenths(u8::try_from(10 + number % 30).expect("below 40"));
    RatingRecord {
        rater: "toy",
        rater_version: 1,
        rating,
        technique: "Reading",
        techniques: vec![TechniqueCount { technique: "Reading", rating, count: 1 }],
        predicted_seconds: None,
        metrics: Metrics::of("toy", &ToyMetrics { number }),
        explanation: "it says so".to_owned(),
    }
}

impl Toy {
    fn made(&self, number: u64) -> Made {
        Made {
            text: number.to_string(),
            solution: number.to_string(),
            canonical: number.to_string(),
            solved: (number / self.alike).to_string(),
            givens: 1,
            record: record(number),
        }
    }
}

fn disagreement(number: u64) -> Disagreement {
    let [own, core] = ["no solution", "the only solution"].map(str::to_owned);
    Disagreement { kind: "toy", text: number.to_string(), own, core }
}

fn number(text: &str) -> Result<u64, TextError> {
    text.parse().map_err(|_| TextError::Malformed { reason: format!("{text:?} is not a number") })
}

impl PuzzleKind for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn since(&self) -> u32 {
        1
    }

    fn default_variant(&self) -> &'static str {
        "1x1"
    }

    fn variant_meaning(&self) -> &'static str {
        "one number"
    }

    fn variants(&self) -> &'static [VariantInfo] {
        &VARIANTS
    }

    fn variant(&self, _name: &str) -> Option<&'static VariantInfo> {
        VARIANTS.first()
    }

    fn check_variant(&self, _name: &str) -> Result<(), String> {
        Ok(())
    }

    fn check_spec(&self, spec: &Spec) -> Result<(), SpecError> {
        match spec.difficulty {
            Difficulty::Level(Level::Evil) => {
                Err(SpecError::RatingUnsupported { wanted_min: Tenths(70), supported_max: Tenths(44) })
            }
            _ => Ok(()),
        }
    }

    fn make(&self, _spec: &Spec, rng: &mut Rng, budget: &mut Budget<'_>) -> Try {
        if budget.take_node().is_err() {
            return Try::Cancelled;
        }
        let number = rng.below(self.puzzles);
        if self.disputed == Some(number) {
            return Try::Missed(disagreement(number).miss());
        }
        if rng.below(self.hit_one_in) != 0 {
            let miss = Miss { reason: MissReason::OffTarget, distance: 1, nearest: format!("the number {number}") };
            return Try::Missed(miss);
        }
        Try::Made(Box::new(self.made(number)))
    }

    fn normalize(&self, _variant: &str, text: &str) -> Result<String, TextError> {
        Ok(number(text)?.to_string())
    }

    fn validate(&self, _variant: &str, text: &str, _budget: &mut Budget<'_>) -> Result<Verdict, TextError> {
        let number = number(text)?;
        if self.disputed == Some(number) {
            return Ok(Verdict::SolversDisagree(disagreement(number)));
        }
        let unique = number.is_multiple_of(2);
        Ok(if unique { Verdict::Unique { solution: number.to_string() } } else { Verdict::NoSolution })
    }

    fn reason(&self, _variant: &str, text: &str, _budget: &mut Budget<'_>) -> Result<Reasoned, TextError> {
        let zeros = text.len() - number(text)?.to_string().len();
        let record = if zeros > self.rated_zeros_max { Err(Unrated::Stuck) } else { Ok(record(number(text)?)) };
        Ok(Reasoned { steps: Vec::new(), record })
    }

    fn sentence(&self, _variant: &str, step: &Step) -> String {
        format!("{}.", step.technique)
    }

    fn hint(&self, puzzle: HintFor<'_>, board: PlayerBoard<'_>, _budget: &mut Budget<'_>) -> Result<Hint, TextError> {
        Ok(if number(board.text)? == number(puzzle.solution)? { Hint::Solved } else { Hint::Stuck })
    }

    fn compare(&self, puzzle: HintFor<'_>, board: &str) -> Result<BoardState, TextError> {
        Ok(if number(board)? == number(puzzle.solution)? { BoardState::Complete } else { BoardState::CorrectSoFar })
    }

    fn judge(&self, _variant: &str, _text: &str, board: &str, _whole: bool) -> Result<Judgment, TextError> {
        number(board).map(|_| Judgment::default())
    }

    fn canonical(&self, _variant: &str, text: &str) -> Result<String, TextError> {
        Ok(number(text)?.to_string())
    }

    fn solved(&self, _variant: &str, text: &str, _solution: &str) -> Result<String, TextError> {
        Ok(self.made(number(text)?).solved)
    }

    fn pattern(&self, variant: &str, text: &str) -> Result<Pattern, TextError> {
        number(text)?;
        Ok(Pattern { variant: variant.to_owned(), symmetry: Symmetry::None, givens: 1 })
    }

    fn size(&self, _variant: &str, _text: &str) -> Result<Size, TextError> {
        Ok(Size { rows: 1, columns: 1 })
    }

    fn digits(&self, _variant: &str, text: &str) -> Result<Vec<i8>, TextError> {
        Ok(vec![i8::try_from(number(text)? % 10).expect("a digit is at most 9")])
    }

    fn picture(&self, _variant: &str, shown: Shown<'_>) -> Result<Picture, TextError> {
        number(shown.text)?;
        let center = Point { x: 0.5, y: 0.5 };
        let text = Mark::Text { center, size: 0.6, text: shown.text.to_owned(), style: TextStyle::Given };
        let description = "A number.".to_owned();
        Ok(Picture {
            columns: 1,
            rows: 1,
            beside: 0.0,
            footer: 0.0,
            title: "Toy 1x1".to_owned(),
            description,
            marks: vec![text],
        })
    }

    fn draw(&self, _variant: &str, text: &str) -> Result<String, TextError> {
        Ok(format!("{text}\n"))
    }

    fn has_views(&self, _variant: &str) -> bool {
        true
    }

    fn scramble(&self, view: &View<'_>, rng: &mut Rng) -> Result<Option<Scrambled>, TextError> {
        let zeros = (0..rng.below(VIEW_ZEROS_MAX + 1)).map(|_| '0');
        let text = zeros.chain(view.text.chars()).collect();
        Ok(Some(Scrambled { text, solution: view.solution.to_owned() }))
    }
}
