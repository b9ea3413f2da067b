//! Writes the argument of a Kakuro step in one English sentence, from the step's data alone.

use crate::{
    kakuro::{board::Digit, digits::Digits, layout::name_at},
    shared::{
        phrases::{capitalized, list},
        step::{Cell, House, Step},
    },
};

/// The argument of a step in one English sentence.
#[must_use]
pub fn sentence(step: &Step) -> String {
    let (cells, digits) = (cell_list(step, &step.cells), digit_list(step));
    match step.technique {
        "Naked Single" => format!("{cells} has no candidate left but {digits}."),
        "Naked Pair" | "Naked Triplet" => {
            format!("{cells} take {digits} between them, so no other cell of {} does.", run_list(step, &step.houses))
        }
        "Sum Cut" => cut(step),
        "Contradiction" | "Long Contradiction" => contradiction(step),
        "Trial and Error" => {
            let guesses = step.number.unwrap_or_default();
            let tried = if guesses == 1 { "1 guess".to_owned() } else { format!("{guesses} guesses") };
            format!("If {cells} were {digits}, every continuation would fail ({tried}), so {cells} is not {digits}.")
        }
        _ if step.placed.is_empty() => removal_in_run(step),
        _ => placement_in_run(step),
    }
}

fn placement_in_run(step: &Step) -> String {
    let (cells, digits) = (step.placed.iter().map(|&(cell, _)| cell).collect::<Vec<_>>(), digit_list(step));
    let cell = cell_list(step, &cells);
    let combinations = match step.technique {
        "Last Cell" => {
            if step.cells == cells {
                return format!("{cell} is the only cell of its run, so it takes the clue {digits}.");
            }
            let run = run_list(step, &step.houses);
            return format!("{cell} is the last open cell of {run}, which still lacks {digits}.");
        }
        "Hidden Single" => "has one combination, with a",
        "Required Digit" => "has no combination without a",
        _ => "has no combination that fits the candidates without a",
    };
    format!("{} {combinations} {digits}, and only {cell} can take it.", run_with_rest(step))
}

fn removal_in_run(step: &Step) -> String {
    let (run, gone) = (run_with_rest(step), removals(step));
    match step.technique {
        "Unique Combination" | "Unique Rest" => {
            format!("{run} can only be made of {}, so {gone} can be removed.", digit_list(step))
        }
        "Combinations" => format!("{run} has no combination with other digits, so {gone} can be removed."),
        "Partners" => {
            let (cells, run) = (cell_list(step, &step.secondary_cells), run_list(step, &step.houses));
            let add_up = format!("{cells} add up to {} in {run}", step.number.unwrap_or_default());
            format!("{add_up}, so {gone} can be removed, because no candidate of the other cell completes the sum.")
        }
        "Fitting Combinations" => {
            format!("{run} has no combination that fits the candidates otherwise, so {gone} can be removed.")
        }
        _ => format!("{run} has no filling with different digits that uses {gone}, so they can be removed."),
    }
}

/// The run as the subject of a sentence, with the sum of its open cells if others are filled.
fn run_with_rest(step: &Step) -> String {
    let run = capitalized(&run_list(step, &step.houses));
    let open = step.secondary_cells.len();
    if open == step.cells.len() {
        return run;
    }
    format!("{run}, which still lacks {} in {open} cells,", step.number.unwrap_or_default())
}

fn contradiction(step: &Step) -> String {
    let claim = cell_list(step, &step.removed.iter().map(|&(cell, _)| cell).collect::<Vec<_>>());
    let (digit, [before @ .., last]) = (digit_list(step), &step.houses[..]) else { return String::new() };
    let with = match before {
        [] => String::new(),
        _ => format!(" then with {}", run_list(step, before)),
    };
    let last = run_name(step, last);
    format!("If {claim} were {digit},{with} there would be no filling of {last}, so {claim} is not {digit}.")
}

/// The first cell is never subtracted.
fn cut(step: &Step) -> String {
    let mut formula = String::new();
    for &cell in &step.cells {
        if !formula.is_empty() {
            formula.push_str(if step.secondary_cells.contains(&cell) { " − " } else { " + " });
        }
        formula.push_str(&cell_name(step, cell));
    }
    let total = step.number.unwrap_or_default();
    let total = if total < 0 { format!("−{}", total.unsigned_abs()) } else { total.to_string() };
    format!("By the sums of the runs on one side, {formula} = {total}, so {} can be removed.", removals(step))
}

/// Candidates in words, with cells that lose the same digits named together: `1–5 and 7 of r2c3 and r2c4, and 3 of r2c5`.
fn removals(step: &Step) -> String {
    let mut groups: Vec<(Digits, Vec<Cell>)> = Vec::new();
    for of_cell in step.removed.chunk_by(|(cell, _), (next, _)| cell == next) {
        let (cell, digits) = (of_cell[0].0, of_cell.iter().map(|&(_, digit)| digit).collect());
        match groups.iter_mut().find(|(of, _)| *of == digits) {
            Some((_, cells)) => cells.push(cell),
            None => groups.push((digits, vec![cell])),
        }
    }
    let parts = groups.into_iter().map(|(digits, cells)| format!("{} of {}", ranges(digits), cell_list(step, &cells)));
    parts.collect::<Vec<_>>().join(", and ")
}

fn run_list(step: &Step, runs: &[House]) -> String {
    list(runs.iter().map(|run| run_name(step, run)), "and")
}

/// The name of a run: `the 24 across from r2c1`, with the cell of its clue; `the 5 of r2c2 alone` if it has one cell.
fn run_name(step: &Step, run: &House) -> String {
    if let &[only] = &run.cells[..] {
        return format!("the {} of {} alone", run.sum.unwrap_or_default(), cell_name(step, only));
    }
    let &[first, second, ..] = &run.cells[..] else { return String::new() };
    let direction = if second == first + 1 { "across" } else { "down" };
    let clue_at = first.saturating_sub(second - first);
    format!("the {} {direction} from {}", run.sum.unwrap_or_default(), cell_name(step, clue_at))
}

fn cell_list(step: &Step, cells: &[Cell]) -> String {
    list(cells.iter().map(|&cell| cell_name(step, cell)), "and")
}

fn cell_name(step: &Step, cell: Cell) -> String {
    let columns = step.columns.max(1);
    name_at((usize::from(cell / columns) + 1, usize::from(cell % columns) + 1))
}

fn digit_list(step: &Step) -> String {
    list(step.digits.iter().map(Digit::to_string), "and")
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
