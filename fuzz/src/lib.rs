//! Shared by the fuzz targets: limits the processor time of an input, reads choices from its bytes, runs the operations
//! of the engine, and checks the properties that hold for any puzzle of any kind.

use std::time::Duration;

use puzzled_engine::shared::{budget::Budget, kind::{HintFor, PuzzleKind, View}, rng::Rng, step::Step, symmetry::Symmetry, text::{Hint, Verdict}};
use rustix::time::{ClockId, clock_gettime};

/// Most processor time that one input may take.
const INPUT_MAX: Duration = Duration::from_secs(5);

/// Runs the work for one input. Panics if it takes more processor time than [`INPUT_MAX`].
pub fn in_time(work: impl FnOnce()) {
    let begun = worked();
    work();
    let took = worked() - begun;
    assert!(took <= INPUT_MAX, "{took:?} of the processor");
}

fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let [seconds, nanos] = [time.tv_sec, time.tv_nsec].map(|part| u64::try_from(part).unwrap_or(0));
    Duration::from_secs(seconds) + Duration::from_nanos(nanos)
}

/// Reads choices from bytes, one byte each. After the last byte, every choice is 0.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number below `bound`, which must be 1 to 256.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }
}

/// A puzzle text on which [`Asked::ask`] runs every operation that the service offers.
pub struct Asked<'a> {
    pub kind: &'a dyn PuzzleKind,
    pub variant: &'a str,
    /// The puzzle in its stored form.
    pub text: &'a str,
    /// Most nodes for each of the verdict, the steps, and the hint.
    pub nodes_max: u64,
    /// The rater of the kind notices that a board has no solution. Others may fill such a board.
    pub rates_solvable_only: bool,
}

/// Results of [`Asked::ask`].
pub struct Answered {
    /// The steps that the ladder finds within the budget.
    pub steps: Vec<Step>,
    /// The solution, if there is exactly one.
    pub solution: Option<String>,
}

impl Asked<'_> {
    /// Asks for verdict, steps, rating, canonical form, and drawing, and checks that they agree. `digit_at` reads the digit of a
    /// cell from the text of a solution.
    pub fn ask(&self, digit_at: impl Fn(&str, u16) -> u8) -> Answered {
        let Self { kind, variant, text, .. } = *self;
        assert_eq!(kind.normalize(variant, text).as_deref(), Ok(text));
        let verdict = self.within(|budget| kind.validate(variant, text, budget).expect("a text in its stored form"));
        let reasoned = self.within(|budget| kind.reason(variant, text, budget).expect("a text in its stored form"));
        let solution = match &verdict {
            Verdict::Unique { solution } => Some(solution.clone()),
            _ => None,
        };
        let rating_max = kind.variant(variant).expect("the variant of a text that was read").rating_max;
        for step in &reasoned.steps {
            assert!(step.rating <= rating_max, "{step:?}");
            assert!(kind.sentence(variant, step).ends_with('.') && !step.cells.is_empty(), "{step:?}");
            let Some(solution) = &solution else { continue };
            assert!(step.placed.iter().all(|&(cell, digit)| digit_at(solution, cell) == digit), "{step:?}");
            assert!(step.removed.iter().all(|&(cell, digit)| digit_at(solution, cell) != digit), "{step:?}");
        }
        if let Ok(record) = &reasoned.record {
            let is_solvable = !matches!(verdict, Verdict::NoSolution | Verdict::Contradiction { .. });
            assert!(is_solvable || !self.rates_solvable_only, "rated: {verdict:?}");
            assert!(record.rating <= rating_max);
            // Checks all metrics of any kind, because JSON has no form for numbers that are not finite.
            let metrics = format!("{:?}", record.metrics);
            assert!(!metrics.contains("NaN") && !metrics.contains("inf"), "{metrics}");
        }
        let canonical = kind.canonical(variant, text).expect("a text in its stored form");
        if let Some(solution) = &solution {
            let view = View { variant, symmetry: Symmetry::None, text, solution };
            if let Some(scrambled) =
                kind.scramble(&view, &mut Rng::from_seed(1)).expect("two texts in their stored form")
            {
                assert_eq!(kind.canonical(variant, &scrambled.text).as_ref(), Ok(&canonical));
            }
        }
        assert!(kind.draw(variant, text).is_ok_and(|drawing| drawing.ends_with('\n')));
        Answered { steps: reasoned.steps, solution }
    }

    /// Asks for a hint on a board and checks it against the solution.
    pub fn hint(&self, solution: &str, board: &str, digit_at: impl Fn(&str, u16) -> u8) {
        let puzzle = HintFor { variant: self.variant, text: self.text, solution };
        let hint = self.within(|budget| self.kind.hint(puzzle, board.into(), budget).expect("a board of the puzzle"));
        match hint {
            Hint::Steps(steps) => {
                let mut placed = steps.iter().flat_map(|step| &step.placed);
                let mut removed = steps.iter().flat_map(|step| &step.removed);
                assert!(placed.all(|&(cell, digit)| digit_at(solution, cell) == digit), "{steps:?}");
                assert!(removed.all(|&(cell, digit)| digit_at(solution, cell) != digit), "{steps:?}");
            }
            Hint::Wrong(wrong) => {
                assert!(!wrong.is_empty() && wrong.iter().all(|&(cell, digit)| digit_at(solution, cell) != digit));
            }
            Hint::Solved | Hint::Stuck | Hint::Unknown(_) => {}
        }
    }

    fn within<T>(&self, work: impl FnOnce(&mut Budget<'_>) -> T) -> T {
        let mut budget = Budget::of_nodes(self.nodes_max);
        let outcome = work(&mut budget);
        assert!(budget.nodes_used() <= self.nodes_max, "{} nodes", budget.nodes_used());
        outcome
    }
}
