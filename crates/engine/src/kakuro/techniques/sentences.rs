//! Turns what a technique of Kakuro found into a step, with one English sentence that gives the argument.

use super::{
    chains::runs_of_chain,
    find::{
        COMBINATIONS, FITTING_COMBINATIONS, FITTING_DIGIT, Find, HIDDEN_SINGLE, LAST_CELL, Outcome, PARTNERS, Pattern,
        REQUIRED_DIGIT, UNIQUE_COMBINATION, UNIQUE_REST,
    },
    position::Position,
};
use crate::{
    kakuro::{
        board::{Digit, cells_of},
        digits::Digits,
    },
    shared::{
        phrases::{capitalized, list},
        step::Step,
    },
};

/// The step for a find in the position `before`.
pub(crate) fn write(before: &Position<'_>, find: &Find) -> Step {
    let layout = before.puzzle().layout();
    let (mut placed, mut removed) = (Vec::new(), Vec::new());
    match &find.outcome {
        Outcome::Place { white, digit } => placed.push((layout.cells()[*white], *digit)),
        Outcome::Remove(list) => {
            for &(white, digits) in list {
                removed.extend(digits.iter().map(|digit| (layout.cells()[white], digit)));
            }
        }
    }
    // The chain is computed only here, because most finds are never written as steps.
    let chain = match find.pattern {
        Pattern::Contradiction { white, digit, .. } => runs_of_chain(before, (white, digit)),
        _ => Vec::new(),
    };
    Step {
        technique: find.technique.name,
        rating: find.technique.rating(),
        cells: cells_of(layout, pattern_cells(before, find, &chain)),
        placed,
        removed,
        chains: Vec::new(),
        sentence: sentence(before, find, &chain),
    }
}

fn pattern_cells(before: &Position<'_>, find: &Find, chain: &[usize]) -> Vec<usize> {
    let of_run = |run: usize| before.puzzle().layout().runs()[run].whites().iter().map(|&white| usize::from(white));
    match &find.pattern {
        Pattern::Run { run } => of_run(*run).collect(),
        Pattern::Contradiction { .. } => {
            let mut cells: Vec<_> = chain.iter().flat_map(|&run| of_run(run)).collect();
            cells.sort_unstable();
            cells.dedup();
            cells
        }
        Pattern::Set { whites, .. } => whites.clone(),
        Pattern::Cut { terms, .. } => terms.iter().map(|(white, _)| *white).collect(),
        Pattern::Cell { white, .. } | Pattern::Trial { white, .. } => vec![*white],
    }
}

fn sentence(before: &Position<'_>, find: &Find, chain: &[usize]) -> String {
    let puzzle = before.puzzle();
    let name = |white: usize| puzzle.layout().name(white);
    match &find.pattern {
        Pattern::Cell { white, digit } => format!("{} has no candidate left but {digit}.", name(*white)),
        Pattern::Run { run } => of_run(before, find, *run),
        Pattern::Set { run, whites, digits } => {
            let cells: Vec<_> = whites.iter().map(|&white| name(white)).collect();
            let run = puzzle.run_name(*run);
            format!(
                "{} take {} between them, so no other cell of {run} does.",
                list(cells, "and"),
                list(digits.iter().map(|digit| digit.to_string()), "and")
            )
        }
        Pattern::Cut { terms, total } => cut(before, find, terms, *total),
        Pattern::Contradiction { white, digit, .. } => {
            let runs: Vec<_> = chain.iter().map(|&run| puzzle.run_name(run)).collect();
            let cell = name(*white);
            let (last, before) = runs.split_last().map_or(("", &[][..]), |(last, before)| (last.as_str(), before));
            let with = match before {
                [] => String::new(),
                _ => format!(" then with {}", list(before.iter().cloned(), "and")),
            };
            format!("If {cell} were {digit},{with} there would be no filling of {last}, so {cell} is not {digit}.")
        }
        Pattern::Trial { white, digit, nodes } => {
            let tried = if *nodes == 1 { "1 guess".to_owned() } else { format!("{nodes} guesses") };
            let cell = name(*white);
            format!("If {cell} were {digit}, every continuation would fail ({tried}), so {cell} is not {digit}.")
        }
    }
}

fn of_run(before: &Position<'_>, find: &Find, run: usize) -> String {
    let puzzle = before.puzzle();
    let rest = before.rest(run);
    let run = puzzle.run_name(run);
    let lacks = if rest.placed.is_empty() {
        capitalized(&run)
    } else {
        format!("{}, which still lacks {} in {} cells,", capitalized(&run), rest.sum, rest.whites().len())
    };
    match &find.outcome {
        Outcome::Place { white, digit } => {
            let cell = puzzle.layout().name(*white);
            if find.technique == LAST_CELL {
                return format!("{cell} is the last open cell of {run}, which still lacks {digit}.");
            }
            let combinations = match find.technique {
                HIDDEN_SINGLE => "has one combination, with a",
                REQUIRED_DIGIT => "has no combination without a",
                FITTING_DIGIT => "has no combination that fits the candidates without a",
                _ => "needs a",
            };
            format!("{lacks} {combinations} {digit}, and only {cell} can take it.")
        }
        Outcome::Remove(removed) => {
            let gone = removals(before, removed);
            match find.technique {
                UNIQUE_COMBINATION | UNIQUE_REST => {
                    let set = rest.cells().len();
                    let digits = crate::kakuro::digits::combinations(set, rest.sum);
                    let only = digits.iter().find(|set| set.and(rest.placed).is_empty()).copied().unwrap_or_default();
                    let only = list(only.iter().map(|digit| digit.to_string()), "and");
                    format!("{lacks} can only be made of {only}, so {gone} can go.")
                }
                COMBINATIONS => format!("{lacks} has no combination with other digits, so {gone} can go."),
                PARTNERS => {
                    let cells: Vec<_> = rest.whites().iter().map(|&white| puzzle.layout().name(white)).collect();
                    let add_up = format!("{} add up to {} in {run}", list(cells, "and"), rest.sum);
                    format!("{add_up}, so {gone} can go, because no candidate of the other cell completes the sum.")
                }
                FITTING_COMBINATIONS => {
                    format!("{lacks} has no combination that fits the candidates otherwise, so {gone} can go.")
                }
                _ => format!("{lacks} has no filling with different digits that uses {gone}, so they can go."),
            }
        }
    }
}

fn cut(before: &Position<'_>, find: &Find, terms: &[(usize, bool)], total: i32) -> String {
    let name = |white: usize| before.puzzle().layout().name(white);
    // The side is the one that contains the first term's run across, so the first term is added.
    let mut formula = String::new();
    for (at, &(white, added)) in terms.iter().enumerate() {
        let sign = if added { " + " } else { " − " };
        if at > 0 || !added {
            formula.push_str(sign);
        }
        formula.push_str(&name(white));
    }
    let gone = match &find.outcome {
        Outcome::Remove(list) => removals(before, list),
        Outcome::Place { white, digit } => format!("all but {digit} in {}", name(*white)),
    };
    let total = if total < 0 { format!("−{}", total.unsigned_abs()) } else { total.to_string() };
    format!("By the sums of the runs on one side, {formula} = {total}, so {gone} can go.")
}

/// Candidates in words, with cells that lose the same digits named together: `1–5 and 7 of r2c3 and r2c4, and 3 of r2c5`.
fn removals(before: &Position<'_>, removed: &[(usize, Digits)]) -> String {
    let mut groups: Vec<(Digits, Vec<String>)> = Vec::new();
    for &(white, digits) in removed {
        let cell = before.puzzle().layout().name(white);
        match groups.iter_mut().find(|(of, _)| *of == digits) {
            Some((_, cells)) => cells.push(cell),
            None => groups.push((digits, vec![cell])),
        }
    }
    let parts = groups.into_iter().map(|(digits, cells)| format!("{} of {}", ranges(digits), list(cells, "and")));
    parts.collect::<Vec<_>>().join(", and ")
}

/// Digits in words, with a range for three or more consecutive ones: `1–5 and 7`.
fn ranges(digits: Digits) -> String {
    let mut spans: Vec<(Digit, Digit)> = Vec::new();
    for digit in digits.iter() {
        match spans.last_mut() {
            Some((_, end)) if *end + 1 == digit => *end = digit,
            _ => spans.push((digit, digit)),
        }
    }
    let words = |(start, end): (Digit, Digit)| match end - start {
        0 => vec![start.to_string()],
        1 => vec![start.to_string(), end.to_string()],
        _ => vec![format!("{start}–{end}")],
    };
    list(spans.into_iter().flat_map(words), "and")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_in_a_row_are_named_as_a_range() {
        for (mask, words) in
            [(0b1, "1"), (0b11, "1 and 2"), (0b101_1111, "1–5 and 7"), (0b1_1100_1011, "1, 2, 4 and 7–9")]
        {
            assert_eq!(ranges(Digits::from_mask(mask)), words);
        }
    }
}
