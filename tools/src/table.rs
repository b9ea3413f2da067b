//! Prints the engine's table of starters anew: the command `table`. Rates each starter of the table and each line of
//! the given files, and lists it in the section of its hardest technique.
//!
//! A line is what the searches print: the rating, the 81 cells, and an optional weight. Lines that begin with `#` are skipped.
//! Of starters without weights, a section keeps at most [`KEPT`] for each rating, those of the table first.

use std::collections::{BTreeMap, BTreeSet};

use puzzled_engine::sudoku::{
    board::Grid,
    techniques::{TECHNIQUES, Technique},
    tools::{self, TABLE},
};

use crate::common::budget;

/// The maximum number of starters of a technique and a rating, if they have no weights.
const KEPT: usize = 40;

/// Prints the table with the lines of these files.
///
/// # Errors
/// A message if a file cannot be read, if a puzzle cannot be rated, or, without files, if the engine has another table.
pub(crate) fn print(paths: &[&str]) -> Result<(), String> {
    let read = |file: &&str| std::fs::read_to_string(file).map_err(|fault| format!("{file}: {fault}"));
    let files = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let (mut seen, mut sections) = (BTreeSet::new(), BTreeMap::<_, BTreeMap<_, Vec<_>>>::new());
    for line in TABLE.lines().chain(files.iter().flat_map(|file| file.lines())) {
        let mut columns = line.split_whitespace();
        let Some(text) = columns.nth(1).filter(|text| !line.starts_with('#') && seen.insert((*text).to_owned())) else {
            continue;
        };
        let weight = columns.next().filter(|weight| weight.parse::<u32>().is_ok());
        let Technique { name, rating } = hardest(text)?;
        let starters = sections.entry(name).or_default().entry(rating).or_default();
        if weight.is_some() || starters.len() < KEPT {
            starters.push([text].into_iter().chain(weight).collect::<Vec<_>>().join(" "));
        }
    }
    let mut lines = Vec::new();
    for name in TECHNIQUES.iter().map(|technique| technique.name) {
        let Some(of_ratings) = sections.get(name) else { continue };
        lines.push(format!("# {name}\n"));
        for (rating, starters) in of_ratings {
            lines.extend(starters.iter().map(|starter| format!("{rating} {starter}\n")));
        }
    }
    let table = lines.concat();
    print!("{table}");
    if paths.is_empty() && table != TABLE {
        return Err("the engine has another table; store the printed one as its starters/table.txt".to_owned());
    }
    Ok(())
}

/// The hardest technique of a puzzle.
fn hardest(text: &str) -> Result<Technique, String> {
    let puzzle = Grid::parse(text).map_err(|fault| format!("{text}: {fault:?}"))?;
    tools::hardest(&puzzle, &mut budget()).ok_or_else(|| format!("{text}: no rating"))
}
