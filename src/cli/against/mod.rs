//! `puzzled rate --against`: compares this version's ratings with a table of another rater, by column and by rating band.

mod summary;
mod table;

use std::{fs::File, io::BufReader, path::Path};

use super::{CliError, Ended, ordered::ordered, output::Output, rate::rate, spec::Kind};
use summary::Summary;
use table::Row;

/// Rates the puzzles of the CSV file `path` and prints how often each column agrees.
///
/// # Errors
/// [`CliError::Input`] if the file cannot be read or has no column `puzzle`; [`CliError::Output`].
pub(super) fn run(path: &Path, kind: Kind, variant: &str, threads: u32, nodes_max: u64) -> Result<Ended, CliError> {
    let failed = |source| CliError::Input { name: path.display().to_string(), source };
    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
    let header = table::header(&mut reader).map_err(failed)?;
    let puzzle_at = header.iter().position(|name| name == "puzzle");
    let puzzle_at = puzzle_at.ok_or_else(|| failed(std::io::Error::other("no column puzzle in the first line")))?;
    let variant = variant.to_owned();
    let rated = ordered(threads, table::rows(reader), move |row| {
        row.map(|row: Row| {
            let puzzle = row.fields.get(puzzle_at).cloned().unwrap_or_default();
            let outcome = rate(kind, &variant, &puzzle, nodes_max);
            (row, puzzle, outcome)
        })
    });
    let (mut output, mut summary) = (Output::new(None), Summary::default());
    for result in rated {
        let (row, puzzle, outcome) = result.map_err(failed)?;
        summary.add(&header, &row, &puzzle, outcome.as_ref().map_err(String::as_str));
        output.advance();
    }
    output.line(&summary.in_words(&header))?;
    output.end()?;
    Ok(if summary.differing == 0 { Ended::Done } else { Ended::Partly })
}
