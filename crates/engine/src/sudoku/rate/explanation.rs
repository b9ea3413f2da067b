//! Writes the one-sentence explanation of a rating: the hardest technique, the easier ones, and the number of givens.

use crate::{
    shared::{
        phrases::{counted, list, times},
        record::TechniqueCount,
    },
    sudoku::techniques::SINGLES,
};

/// What a puzzle needs and why it has its rating. `technique` is the hardest technique of its solution, and `techniques` are all,
/// easiest first.
pub(super) fn explain(technique: &str, techniques: &[TechniqueCount], givens: u16, freedom: u32) -> String {
    let needs = match split_hardest(technique, techniques) {
        None => "Every cell is given".to_owned(),
        Some((hardest, easier)) if SINGLES[..3].iter().any(|single| single.name == hardest.technique) => {
            hidden_singles(hardest, &easier)
        }
        Some((hardest, easier)) => {
            format!("Needs {} ({}) {}{}", hardest.technique, hardest.rating, times(hardest.count), besides(&easier))
        }
    };
    format!("{needs}; {givens} givens, {freedom} candidates open.")
}

/// The hardest technique with its hardest form, and the others. `None` for a complete grid.
fn split_hardest<'a>(
    technique: &str,
    techniques: &'a [TechniqueCount],
) -> Option<(&'a TechniqueCount, Vec<TechniqueCount>)> {
    let at = techniques.iter().rposition(|used| used.technique == technique)?;
    let mut easier = techniques.to_vec();
    easier.remove(at);
    Some((&techniques[at], easier))
}

fn hidden_singles(hardest: &TechniqueCount, easier: &[TechniqueCount]) -> String {
    let [last_cell, in_box, _, _] = SINGLES.map(|single| single.name);
    let (count, rating) = (hardest.count, hardest.rating);
    if hardest.technique == last_cell {
        format!("Each step fills the last empty cell of a house ({rating})")
    } else if hardest.technique == in_box {
        format!("Hidden singles in boxes are enough ({rating})")
    } else {
        let steps = count + total(easier);
        format!("Hidden singles are enough, {count} of {steps} in a row or column ({rating})")
    }
}

/// The clause that lists the easier techniques, hardest first, with all singles as one number.
fn besides(easier: &[TechniqueCount]) -> String {
    let (singles, others): (Vec<_>, Vec<_>) = easier.iter().cloned().partition(is_single);
    let others = by_name(&others);
    let named = others.len().min(NAMED_MAX);
    let mut parts: Vec<_> =
        others[..named].iter().map(|other| format!("{} {}", other.technique, times(other.count))).collect();
    for (count, what) in [(total(&others[named..]), "easier step"), (total(&singles), "single")] {
        parts.extend((count > 0).then(|| counted(count, what)));
    }
    if parts.is_empty() { String::new() } else { format!(", besides {}", list(parts, "and")) }
}

/// The maximum number of techniques that are named besides the hardest, so that the explanation fits on a line.
const NAMED_MAX: usize = 4;

/// The techniques, hardest first. A technique that occurs with several ratings is listed once.
fn by_name(techniques: &[TechniqueCount]) -> Vec<TechniqueCount> {
    let mut merged: Vec<TechniqueCount> = Vec::new();
    for technique in techniques.iter().rev() {
        match merged.iter_mut().find(|known| known.technique == technique.technique) {
            Some(known) => known.count += technique.count,
            None => merged.push(technique.clone()),
        }
    }
    merged
}

fn is_single(counted: &TechniqueCount) -> bool {
    SINGLES.iter().any(|single| single.name == counted.technique)
}

fn total(techniques: &[TechniqueCount]) -> u32 {
    techniques.iter().map(|counted| counted.count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::level::Tenths;

    fn check(techniques: &[(&'static str, u8, u32)], expected: &str) {
        check_with(techniques.last().map_or("", |(name, ..)| name), techniques, expected);
    }

    fn check_with(hardest: &str, techniques: &[(&'static str, u8, u32)], expected: &str) {
        let counted = |&(technique, tenths, count)| TechniqueCount { technique, rating: Tenths(tenths), count };
        assert_eq!(explain(hardest, &techniques.iter().map(counted).collect::<Vec<_>>(), 26, 212), expected);
    }

    #[test]
    fn the_hardest_technique_is_named_first_and_singles_are_summed() {
        let [last, in_box, in_line, naked] = [
            ("Last Cell", 10, 20),
            ("Hidden Single in Box", 12, 28),
            ("Hidden Single in Line", 15, 3),
            ("Naked Single", 23, 2),
        ];
        let (pair, pointing, x_wing) = (("Direct Hidden Pair", 20, 1), ("Pointing", 26, 3), ("X-Wing", 32, 1));
        let end = "; 26 givens, 212 candidates open.";
        check(&[], &format!("Every cell is given{end}"));
        check(&[last], &format!("Each step fills the last empty cell of a house (1.0){end}"));
        check(&[last, in_box], &format!("Hidden singles in boxes are enough (1.2){end}"));
        check(&[last, in_box, in_line], &format!("Hidden singles are enough, 3 of 51 in a row or column (1.5){end}"));
        check(&[last, naked], &format!("Needs Naked Single (2.3) twice, besides 20 singles{end}"));
        check(
            &[last, in_box, pair, pointing, x_wing],
            &format!("Needs X-Wing (3.2) once, besides Pointing 3 times, Direct Hidden Pair once and 48 singles{end}"),
        );
        let chains = [("Forcing Chain", 71, 1), ("Forcing Chain", 72, 2), ("Nishio Forcing Chains", 76, 1)];
        check(
            &[last, naked, pair, pointing, x_wing, ("XY-Wing", 42, 2), chains[0], chains[1], chains[2]],
            &format!(
                "Needs Nishio Forcing Chains (7.6) once, besides Forcing Chain 3 times, XY-Wing twice, X-Wing once, \
                 Pointing 3 times, 1 easier step and 22 singles{end}"
            ),
        );
    }

    #[test]
    fn technique_of_the_first_step_with_the_rating_is_named_first() {
        let techniques = [("Naked Single", 23, 40), ("Unique Rectangle 2", 45, 1), ("Unique Rectangle 1", 45, 2)];
        check_with(
            "Unique Rectangle 2",
            &techniques,
            "Needs Unique Rectangle 2 (4.5) once, besides Unique Rectangle 1 twice and 40 singles; 26 givens, 212 \
             candidates open.",
        );
    }
}
