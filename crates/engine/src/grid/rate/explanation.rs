//! Writes the explanation of a rating in one sentence: the hardest technique, the easier steps, and what is given.

use crate::{
    grid::puzzle::Puzzle,
    shared::{
        phrases::{counted, list, times},
        record::TechniqueCount,
    },
};

/// The number of techniques that are named besides the hardest.
const NAMED_MAX: usize = 3;

/// The explanation of a rating. `techniques` are those used, easiest first.
pub(super) fn explain(techniques: &[TechniqueCount], rounds: u8, puzzle: &Puzzle, freedom: u32) -> String {
    let givens = match puzzle.givens() {
        0 => String::new(),
        givens => format!("{givens} givens, "),
    };
    let Some((hardest, easier)) = techniques.split_last() else {
        return format!("Every cell is given; {givens}0 candidates open.");
    };
    let with_rounds = if rounds == 0 { String::new() } else { format!(" with {}", counted(rounds.into(), "round")) };
    let needs = format!("Needs {}{with_rounds} ({}) {}", hardest.technique, hardest.rating, times(hardest.count));
    format!("{needs}{}; {givens}{freedom} candidates open.", besides(easier))
}

/// The clause that lists the hardest of the easier techniques, and the number of the other steps.
fn besides(easier: &[TechniqueCount]) -> String {
    let named = easier.iter().rev().take(NAMED_MAX);
    let mut parts: Vec<_> = named.map(|used| format!("{} {}", used.technique, times(used.count))).collect();
    let rest: u32 = easier.iter().rev().skip(NAMED_MAX).map(|used| used.count).sum();
    parts.extend((rest > 0).then(|| counted(rest, "easier step")));
    if parts.is_empty() { String::new() } else { format!(", besides {}", list(parts, "and")) }
}
