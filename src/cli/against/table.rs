//! Reads a table of ratings for `puzzled rate --against`: CSV with a header.

use std::io::BufRead;

use super::super::lines::next_line;

/// Other names of rating columns, as tables of several raters use them, and the names in this version. Other columns with the
/// same prefix are not ratings: `se_steps` is a log.
const RATINGS: [(&str, &str); 3] = [("se_er", "er"), ("se_ep", "ep"), ("se_ed", "ed")];

/// A row of the table, with one field for each column.
pub(super) struct Row {
    /// The number of its line, from 1.
    pub(super) number: u64,
    pub(super) fields: Vec<String>,
}

/// Reads the names of the columns and translates them to the names in this version.
pub(super) fn header(reader: &mut impl BufRead) -> std::io::Result<Vec<String>> {
    let line = next_line(reader)?.and_then(Result::ok).unwrap_or_default();
    let names = fields(line.trim_start_matches('\u{feff}').trim())?;
    let ours = |name: &str| RATINGS.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| (*ours).to_owned());
    Ok(names.into_iter().map(|name| ours(&name).unwrap_or(name)).collect())
}

/// Reads the rows after the header. Empty lines are ignored.
pub(super) fn rows(mut reader: impl BufRead + Send) -> impl Iterator<Item = std::io::Result<Row>> + Send {
    let mut number = 1;
    let mut failed = false;
    std::iter::from_fn(move || {
        while !failed {
            number += 1;
            match next_line(&mut reader) {
                Ok(None) => return None,
                // A line that is too long has no fields, and so no puzzle.
                Ok(Some(line)) => {
                    let line = line.unwrap_or_else(|fault| fault);
                    if !line.trim().is_empty() {
                        return Some(fields(line.trim()).map(|fields| Row { number, fields }));
                    }
                }
                Err(error) => {
                    failed = true;
                    return Some(Err(error));
                }
            }
        }
        None
    })
}

/// Splits a line of CSV into fields without quotes. The table is read line by line, so that each row has a line number and a
/// bounded length.
fn fields(line: &str) -> std::io::Result<Vec<String>> {
    let mut records = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes()).into_records();
    Ok(records.next().transpose()?.map_or_else(Vec::new, |record| record.iter().map(str::to_owned).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rating_columns_are_found_by_name_and_step_logs_are_not_ratings() {
        let header = header(&mut "puzzle,se_er,ep,se_ed,se_steps,steps\n".as_bytes()).unwrap();
        assert_eq!(header, ["puzzle", "er", "ep", "ed", "se_steps", "steps"]);
    }

    #[test]
    fn fields_are_parted_by_commas_that_no_quotes_enclose() {
        let cases: [(&str, &[&str]); 5] = [
            ("a,b", &["a", "b"]),
            ("", &[]),
            ("a,,", &["a", "", ""]),
            (r#""a,b",c"#, &["a,b", "c"]),
            (r#""say ""x""",c"#, &[r#"say "x""#, "c"]),
        ];
        for (line, wanted) in cases {
            assert_eq!(fields(line).unwrap(), wanted, "{line}");
        }
    }
}
