//! Clues beside the grid: the digits that a clue excludes from the cells of its line, and the digit that it leaves.

use super::sentences::{cell_name, digit_list, so};
use crate::{
    grid::{
        cells::Digits,
        clues::seen_lines::{Reach, Seen, each},
        find::{Find, Take, Technique},
        position::Position,
    },
    shared::{
        phrases::{counted, list},
        step::{House, Side, Step},
    },
};

/// If a clue and the digits of its line leave a cell one digit, the cell holds it: Direct Clue.
pub(crate) fn direct_clue(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    finds(Reach::Digits, technique, position, &mut |seen, find| {
        seen.only.iter().any(|&(cell, digit)| {
            take(Find { digits: Digits::only(digit), placed: Some((cell, digit)), ..find.clone() })
        })
    });
}

/// A candidate can be removed if no order of the missing digits of its line has it and fulfills the clue: Clue.
pub(crate) fn clue(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    removals(Reach::Digits, technique, position, take);
}

/// A candidate can be removed if no way to fill its line with candidates has it and fulfills the clue: Clue and Candidates.
pub(crate) fn clue_and_candidates(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    removals(Reach::Candidates, technique, position, take);
}

/// A candidate can be removed if no way to fill its line with candidates has it and fulfills the clues at both ends: Opposite Clues.
pub(crate) fn opposite_clues(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    removals(Reach::BothEnds, technique, position, take);
}

fn removals(reach: Reach, technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    finds(reach, technique, position, &mut |seen, find| {
        !seen.removed.is_empty() && take(Find { removed: seen.removed.clone(), ..find })
    });
}

/// Calls `take` with what is seen in each line, and with a find without an effect, until `take` returns true.
fn finds(reach: Reach, technique: &Technique, position: &Position<'_>, take: &mut dyn FnMut(&Seen, Find) -> bool) {
    // A line that cannot be filled has no effect. Other techniques find the contradiction.
    let _ = each(reach, position, &mut |seen| {
        let find = Find { cells: seen.open, houses: seen.houses, ..Find::of(technique) };
        take(&seen, find)
    });
}

/// The argument of Direct Clue.
pub(crate) fn direct_sentence(step: &Step) -> String {
    let Some(&(cell, digit)) = step.placed.first() else { return String::new() };
    let (cell, digit) = (cell_name(step, cell), digit_list(&[digit], "and"));
    so(step, &format!("{}, which leaves {cell} only {digit}", visible(step)))
}

/// The argument of Clue.
pub(crate) fn sentence(step: &Step) -> String {
    so(
        step,
        &format!("{}, and some candidates are in no order of the missing digits that fulfills this", visible(step)),
    )
}

/// The argument of Clue and Candidates, and of Opposite Clues.
pub(crate) fn ways_sentence(step: &Step) -> String {
    so(step, &format!("{}, and some candidates are in no way to fill it that fulfills this", visible(step)))
}

/// How many digits of a line are visible: `3 digits of row 2 are visible from the left and 2 from the right`.
fn visible(step: &Step) -> String {
    let seen = |house: &House| {
        let (side, line) = house.seen(step.columns)?;
        Some((side, line, house.sum.unwrap_or_default()))
    };
    let mut seen: Vec<(Side, String, u32)> = step.houses.iter().filter_map(seen).collect();
    seen.sort_by_key(|(side, ..)| side.is_reversed());
    let Some((side, line, first)) = seen.first() else { return String::new() };
    let are = if *first == 1 { "is" } else { "are" };
    let others = seen[1..].iter().map(|(side, _, number)| format!("{number} {}", side.from()));
    let from: Vec<_> = [side.from().to_owned()].into_iter().chain(others).collect();
    format!("{} of {line} {are} visible {}", counted(*first, "digit"), list(from, "and"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::step::{Cell, HouseType};

    #[test]
    fn sentence_says_the_line_and_from_where_it_is_seen() {
        let house = |number, cells: &[Cell], sum| House {
            house_type: HouseType::Sightline,
            number,
            cells: cells.to_vec(),
            sum: Some(sum),
            operator: None,
        };
        let (above, below) = (house(0, &[1, 5, 9, 13], 1), house(6, &[13, 9, 5, 1], 3));
        let (left, right) = (house(9, &[8, 9, 10, 11], 2), house(3, &[11, 10, 9, 8], 4));
        let step = |houses: &[&House]| Step {
            columns: 4,
            houses: houses.iter().copied().cloned().collect(),
            removed: vec![(9, 2)],
            ..Step::default()
        };
        let ways = ", and some candidates are in no way to fill it that fulfills this, so 2 can be removed from r3c2.";
        for (houses, seen) in [
            (&[&above, &below][..], "1 digit of column 2 is visible from above and 3 from below"),
            (&[&right, &left], "2 digits of row 3 are visible from the left and 4 from the right"),
        ] {
            assert_eq!(ways_sentence(&step(houses)), format!("{seen}{ways}"));
        }
        let order = ", and some candidates are in no order of the missing digits that fulfills this, so 2 can be removed from r3c2.";
        assert_eq!(sentence(&step(&[&right])), format!("4 digits of row 3 are visible from the right{order}"));
        let placed = Step { placed: vec![(13, 4)], ..step(&[&below]) };
        let only = "3 digits of column 2 are visible from below, which leaves r4c2 only 4, so r4c2 is 4.";
        assert_eq!(direct_sentence(&placed), only);
        assert_eq!(
            [&above, &right, &below, &left].map(|house| house.name(4)),
            [
                "the 1 above column 2",
                "the 4 to the right of row 3",
                "the 3 below column 2",
                "the 2 to the left of row 3"
            ]
        );
    }
}
