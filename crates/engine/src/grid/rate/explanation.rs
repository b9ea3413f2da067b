//! Writes the explanation of a rating in one sentence: the hardest technique, the easier steps, and what is given.

use crate::shared::{
    phrases::{counted, list, times},
    record::TechniqueCount,
};

/// The number of techniques that are named besides the hardest.
const NAMED_MAX: usize = 3;

/// The explanation of a rating. `techniques` are those used, easiest first.
pub(super) fn explain(techniques: &[TechniqueCount], rounds: u8, givens: u16, freedom: u32) -> String {
    let givens = match givens {
        0 => String::new(),
        givens => format!("{givens} givens, "),
    };
    let Some((hardest, easier)) = techniques.split_last() else {
        return format!("Every cell is given; {givens}0 candidates open.");
    };
    let with_rounds = if rounds == 0 { String::new() } else { format!(" with {}", counted(rounds, "round")) };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::level::Tenths;

    #[test]
    fn hardest_technique_comes_first_and_the_easiest_are_summed() {
        let explained = |techniques: &[(&'static str, u8, u32)], rounds, givens| {
            let used = techniques.iter().map(|&(technique, tenths, count)| TechniqueCount {
                technique,
                rating: Tenths(tenths),
                count,
            });
            explain(&used.collect::<Vec<_>>(), rounds, givens, 80)
        };
        let singles = [("Last Cell", 10, 20), ("Hidden Single in Box", 12, 2)];
        assert_eq!(explained(&[], 0, 36), "Every cell is given; 36 givens, 0 candidates open.");
        assert_eq!(
            explained(&singles, 0, 12),
            "Needs Hidden Single in Box (1.2) twice, besides Last Cell 20 times; 12 givens, 80 candidates open."
        );
        let hard = [singles[0], singles[1], ("Pointing", 26, 1), ("Naked Pair", 30, 1), ("Refutation", 72, 1)];
        assert_eq!(
            explained(&hard, 3, 0),
            "Needs Refutation with 3 rounds (7.2) once, besides Naked Pair once, Pointing once, Hidden Single in Box \
             twice and 20 easier steps; 80 candidates open."
        );
    }
}
