//! The one line that tells people what a puzzle needs.

use super::techniques::SINGLES;
use crate::engine::record::TechniqueCount;

/// What a puzzle needs and why it has its rating; `techniques` are those used, easiest first.
pub(super) fn explain(techniques: &[TechniqueCount], clues: u16, freedom: u32) -> String {
    let needs = match techniques.split_last() {
        None => "Every cell is given".to_owned(),
        Some((hardest, easier)) if SINGLES[..3].iter().any(|single| single.name == hardest.technique) => {
            hidden_singles(hardest, easier)
        }
        Some((hardest, easier)) => {
            format!("Needs {} ({}) {}{}", hardest.technique, hardest.rating, times(hardest.count), besides(easier))
        }
    };
    format!("{needs}; {clues} givens, {freedom} candidates open.")
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

/// The easier techniques, hardest first, the singles as one number.
fn besides(easier: &[TechniqueCount]) -> String {
    let (singles, others): (Vec<_>, Vec<_>) = easier.iter().cloned().partition(is_single);
    let mut parts: Vec<_> =
        others.iter().rev().map(|other| format!("{} {}", other.technique, times(other.count))).collect();
    match total(&singles) {
        0 => {}
        1 => parts.push("1 single".to_owned()),
        count => parts.push(format!("{count} singles")),
    }
    match parts.as_slice() {
        [] => String::new(),
        [only] => format!(", besides {only}"),
        [rest @ .., end] => format!(", besides {} and {end}", rest.join(", ")),
    }
}

fn is_single(counted: &TechniqueCount) -> bool {
    SINGLES.iter().any(|single| single.name == counted.technique)
}

fn total(techniques: &[TechniqueCount]) -> u32 {
    techniques.iter().map(|counted| counted.count).sum()
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::level::Tenths;

    fn check(techniques: &[(&'static str, u8, u32)], expected: &str) {
        let counted = |&(technique, tenths, count)| TechniqueCount { technique, rating: Tenths(tenths), count };
        assert_eq!(explain(&techniques.iter().map(counted).collect::<Vec<_>>(), 26, 212), expected);
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
    }
}
