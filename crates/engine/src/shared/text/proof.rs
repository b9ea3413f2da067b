//! Proves and rates a puzzle text from elsewhere, so that it can be stored like a puzzle that a try made.

use std::sync::atomic::AtomicBool;

use super::{Pattern, TextError, Unrated, Verdict};
use crate::{
    LAST_MINOR_VERSION,
    shared::{
        budget::{Budget, OutOfBudget},
        kind::{Novelty, PuzzleKind},
        phrases::counted,
        symmetry::Symmetry,
        tries::{Disagreement, Made},
    },
};

/// A text that is a puzzle with exactly one solution and a rating.
#[derive(Debug, Clone, PartialEq)]
pub struct Proved {
    /// The variant, in its normal form.
    pub variant: String,
    /// The strongest symmetry of the pattern.
    pub symmetry: Symmetry,
    /// The puzzle, as a try would make it.
    pub made: Made,
}

/// Why a text cannot be stored. The messages do not repeat the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// The text is not a puzzle of the kind and variant.
    Unreadable(String),
    /// The puzzle has no solution.
    NoSolution(String),
    /// The puzzle has several solutions.
    Several(String),
    /// The techniques do not finish the puzzle, a budget ran out, or the grid is complete.
    Unrated(String),
    /// Programs of the last minor version know the variant, but could not read the text.
    TooNew(String),
    /// The two solvers contradict each other.
    SolversDisagree(Disagreement),
    /// The cancel flag was raised.
    Cancelled,
}

/// The limits of the work on one text.
#[derive(Debug, Clone, Copy)]
pub struct ProofLimits<'a> {
    /// The maximum number of nodes of each search for solutions.
    pub search_nodes_max: u64,
    /// The maximum number of nodes of the rating. The limit of the kind applies too.
    pub rating_nodes_max: u64,
    /// The cancel flag.
    pub cancel: &'a AtomicBool,
}

/// Reads a text, proves by both solvers that it has exactly one solution, and rates it. If `variant` is empty, the text decides
/// the variant.
///
/// # Errors
/// [`Unfit`] with the reason.
pub fn prove(kind: &dyn PuzzleKind, variant: &str, text: &str, limits: ProofLimits<'_>) -> Result<Proved, Unfit> {
    let unreadable = |error: TextError| Unfit::Unreadable(error.to_string());
    let named = if variant.is_empty() { kind.text_variant().to_owned() } else { kind.variant_name(variant) };
    let text = kind.normalize(&named, text).map_err(unreadable)?;
    let Pattern { variant, symmetry, givens } = kind.pattern(&named, &text).map_err(unreadable)?;
    kind.check_variant(&variant).map_err(Unfit::Unreadable)?;
    let verdict = kind.validate(&variant, &text, &mut Budget::new(limits.search_nodes_max, limits.cancel));
    let solution = only_solution(kind, verdict.map_err(unreadable)?, (&variant, &text), limits.search_nodes_max)?;
    let reasoned = kind.reason(&variant, &text, &mut Budget::new(limits.rating_nodes_max, limits.cancel));
    let record = reasoned.map_err(unreadable)?.record.map_err(unrated)?;
    if record.is_of_complete_grid() {
        return Err(Unfit::Unrated("the grid is complete, so there is nothing to rate".to_owned()));
    }
    let known_since = LAST_MINOR_VERSION.max(kind.variant_since(&variant));
    let novelty = kind.novelty(&variant, &text).map_err(unreadable)?;
    if let Some(Novelty { what, .. }) = novelty.filter(|novelty| novelty.since > known_since) {
        let fault = "the last minor version cannot read that, and may use the same database";
        return Err(Unfit::TooNew(format!("{what}; {fault}; import the puzzle with the next minor version")));
    }
    let canonical = kind.canonical(&variant, &text).map_err(unreadable)?;
    let solved = kind.solved(&variant, &text, &solution).map_err(unreadable)?;
    Ok(Proved { variant, symmetry, made: Made { text, solution, canonical, solved, givens, record } })
}

fn only_solution(
    kind: &dyn PuzzleKind,
    verdict: Verdict,
    (variant, text): (&str, &str),
    nodes_max: u64,
) -> Result<String, Unfit> {
    let rule = kind.under_rule(variant, text, &verdict);
    match verdict {
        Verdict::Unique { solution } => Ok(solution),
        Verdict::NoSolution => Err(Unfit::NoSolution(format!("no digits fit the givens{rule}"))),
        Verdict::Contradiction { reason, .. } => Err(Unfit::NoSolution(reason)),
        Verdict::Several { differ, .. } => {
            let first = differ.first().copied().unwrap_or_default();
            let width = kind.size(variant, text).map_or(1, |size| size.columns.max(1));
            let at = format!("r{}c{}", first / width + 1, first % width + 1);
            Err(Unfit::Several(format!(
                "two solutions{rule} differ in {}, first in {at}",
                counted(differ.len(), "cell")
            )))
        }
        Verdict::SolversDisagree(disagreement) => Err(Unfit::SolversDisagree(disagreement)),
        Verdict::Unknown(OutOfBudget::Cancelled) => Err(Unfit::Cancelled),
        Verdict::Unknown(OutOfBudget::Nodes) => {
            let nodes = counted(nodes_max, "node");
            Err(Unfit::Unrated(format!("no verdict on its solutions within {nodes}")))
        }
    }
}

fn unrated(why: Unrated) -> Unfit {
    match why {
        Unrated::Stuck => Unfit::Unrated("the techniques do not finish the puzzle".to_owned()),
        Unrated::OutOfBudget { why: OutOfBudget::Cancelled, .. } => Unfit::Cancelled,
        Unrated::OutOfBudget { why: OutOfBudget::Nodes, at_least } => {
            Unfit::Unrated(format!("the budget ended the rating; the puzzle is rated {at_least} or harder"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        registry,
        shared::{rng::Rng, spec::Spec, tries::Try},
        toy::{Toy, toy_spec},
    };

    fn proved(kind: &str, variant: &str, text: &str, nodes_max: u64) -> Result<Proved, Unfit> {
        let never = AtomicBool::new(false);
        let limits = ProofLimits { search_nodes_max: nodes_max, rating_nodes_max: nodes_max, cancel: &never };
        prove(registry::kind(kind).unwrap(), variant, text, limits)
    }

    #[test]
    fn text_of_a_made_puzzle_is_proved_to_be_the_same_puzzle() {
        for (name, variant, symmetry) in [("sudoku", "9x9", Symmetry::Full), ("kakuro", "6x6", Symmetry::Rotation180)] {
            let kind = registry::kind(name).unwrap();
            let spec = Spec { kind: name.to_owned(), variant: variant.to_owned(), symmetry, ..toy_spec() };
            let made = (0..).find_map(|seed| {
                match kind.make(&spec, &mut Rng::from_seed(seed), &mut Budget::of_nodes(u64::MAX)) {
                    Try::Made(made) => Some(*made),
                    _ => None,
                }
            });
            let made = made.unwrap();
            let found = proved(name, "", &made.text, 1_000_000).unwrap();
            assert_eq!((found.variant.as_str(), &found.made), (variant, &made));
            let order = |of| Symmetry::STRONGEST_FIRST.iter().position(|&known| known == of);
            assert!(order(found.symmetry) <= order(symmetry), "{:?}", found.symmetry);
        }
    }

    #[test]
    fn each_text_that_cannot_be_stored_has_its_reason() {
        const UNKNOWN: &str =
            "unknown variant \"5x5\" of sudoku; use 9x9, 4x4, 6x6, 8x8, 9x9-x, 9x9-windoku, 10x10, 12x12, 16x16";
        const UNIQUE: &str = "1.8..24......6..5..4.8...7...7.2.84.91......5....3.1....6.8.7.3..........94......";
        let twice = format!("55{}", ".".repeat(79));
        let dead = format!("12345678.{}9{}", ".".repeat(17), ".".repeat(54));
        let full = proved("sudoku", "", UNIQUE, 1_000_000).unwrap().made.solution;
        let unreadable = |fault: &str| Unfit::Unreadable(fault.to_owned());
        let unrated = |fault: &str| Unfit::Unrated(fault.to_owned());
        let budget = "the budget ended the rating; the puzzle is rated";
        for (variant, text, nodes_max, wanted) in [
            ("", "123", 1_000, unreadable("3 cells; the puzzle must have exactly 81")),
            ("6x6", UNIQUE, 1_000, unreadable("row 1, column 3: '8' is not allowed; use 1 to 6, . for an empty cell")),
            ("5x5", UNIQUE, 1_000, unreadable(UNKNOWN)),
            ("", &twice, 1_000, Unfit::NoSolution("two 5s in row 1, two 5s in box 1".to_owned())),
            ("", &dead, 10_000, Unfit::NoSolution("no digits fit the givens".to_owned())),
            ("", &full, 10_000, unrated("the grid is complete, so there is nothing to rate")),
        ] {
            assert_eq!(proved("sudoku", variant, text, nodes_max), Err(wanted), "{text}");
        }
        let several = proved("sudoku", "", &UNIQUE.replacen('1', ".", 1), 10_000);
        assert!(
            matches!(&several, Err(Unfit::Several(fault)) if fault.starts_with("two solutions differ in ")),
            "{several:?}"
        );
        let hard = "..5...2......8...9.6..4.............61......4.....73....72.3......5......8.....91";
        let unknown = proved("sudoku", "", hard, 1);
        assert_eq!(unknown, Err(unrated("no verdict on its solutions within 1 node")));
        let never = AtomicBool::new(false);
        let limits = ProofLimits { search_nodes_max: 1_000_000, rating_nodes_max: 1, cancel: &never };
        let over = prove(registry::kind("sudoku").unwrap(), "", hard, limits);
        assert!(matches!(&over, Err(Unfit::Unrated(fault)) if fault.starts_with(budget)), "{over:?}");
    }

    #[test]
    fn disagreement_and_cancellation_are_no_verdicts_on_the_text() {
        let never = AtomicBool::new(false);
        let limits = ProofLimits { search_nodes_max: 1, rating_nodes_max: 1, cancel: &never };
        let toy = Toy { disputed: Some(8), ..Toy::default() };
        assert!(matches!(prove(&toy, &toy_spec().variant, "8", limits), Err(Unfit::SolversDisagree(_))));
        let gone = AtomicBool::new(true);
        let text = "..5...2......8...9.6..4.............61......4.....73....72.3......5......8.....91";
        let limits = ProofLimits { search_nodes_max: u64::MAX, rating_nodes_max: u64::MAX, cancel: &gone };
        assert_eq!(prove(registry::kind("sudoku").unwrap(), "", text, limits), Err(Unfit::Cancelled));
    }

    #[test]
    fn layout_must_fit_the_options_of_its_variant() {
        let kakuro = registry::kind("kakuro").unwrap();
        let text = "# # \\8 \\10\n# 3\\3 . .\n15\\ . . .\n3\\ . . #";
        for (named, variant) in [("", "4x4"), ("4x4", "4x4"), ("4x4-white75-runs4", "4x4-runs4-white75")] {
            let pattern = Pattern { variant: variant.to_owned(), symmetry: Symmetry::Rotation180, givens: 6 };
            assert_eq!(kakuro.pattern(named, text), Ok(pattern), "{named}");
        }
        let sparse = "# \\3 \\4 # #\n3\\ . . # #\n4\\ . . # #\n# # # # #\n# # # # #";
        assert_eq!(kakuro.pattern("5x5", sparse).unwrap().symmetry, Symmetry::Diagonal);
        let fault = "runs of up to 2 cells and 25 % white cells do not fit the variant 5x5-white40; use 5x5";
        assert_eq!(kakuro.pattern("5x5-white40", sparse).unwrap_err().to_string(), fault);
    }
}
