//! Compares two tables of ratings: one from `puzzled rate --format csv`, and one from another program. Both have a
//! header and a column `puzzle`. Columns with equal names are compared; the other program may prefix a name with `se_`.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
};

use puzzled_engine::sudoku::hodoku::HodokuLevel;

/// The maximum number of differing rows that are listed. All are counted.
const LISTED_MAX: usize = 100;

/// The columns that agree within 5 %. Any other column must be equal to the decimals that the other table gives.
const LOOSE: [&str; 2] = ["hodoku_score", "predicted_seconds"];

/// The upper ends of the rating bands, each inclusive. A last band is above them.
const BANDS: [f64; 6] = [2.5, 4.4, 6.5, 7.1, 8.4, 9.0];

/// The fields of a row by column name.
type Row = HashMap<String, String>;

/// The number of rows in which a column agrees, and the number of rows that both tables have.
type Agreement = (u64, u64);

/// Prints how often each column agrees, in total and by rating band, and the first rows that differ.
///
/// # Errors
/// If a table cannot be read, or the tables differ.
pub(crate) fn compare(ours: &str, theirs: &str) -> Result<(), String> {
    let (words, differing) = compared(rows(ours)?, &rows(theirs)?);
    print!("{words}");
    if differing == 0 { Ok(()) } else { Err(format!("{differing} puzzles differ")) }
}

fn rows(path: &str) -> Result<Vec<Row>, String> {
    let read = || csv::Reader::from_path(path)?.deserialize().collect::<Result<Vec<Row>, csv::Error>>();
    let rows = read().map_err(|error| format!("{path}: {error}"))?;
    if rows.iter().all(|row| row.contains_key("puzzle")) {
        Ok(rows)
    } else {
        Err(format!("{path}: no column puzzle in the first line"))
    }
}

/// The comparison in words, and the number of puzzles that differ or that our table lacks.
fn compared(ours: Vec<Row>, theirs: &[Row]) -> (String, usize) {
    let ours: HashMap<_, _> = ours.into_iter().map(|row| (text(&row), row)).collect();
    // By band (`None`: all rows) and column.
    let mut agreements = BTreeMap::<(Option<usize>, &str), Agreement>::new();
    let mut differing = Vec::new();
    for row in theirs {
        let Some(our_row) = ours.get(&text(row)) else {
            differing.push(format!("{}: not in the first table", row["puzzle"]));
            continue;
        };
        let (band, mut differences) = (band_of(row), Vec::new());
        for (name, value) in row.iter().filter(|(name, value)| *name != "puzzle" && !value.is_empty()) {
            let name = name.strip_prefix("se_").unwrap_or(name);
            let Some(our_value) = our_row.get(name).filter(|_| name != "technique" && name != "level") else {
                continue;
            };
            let agrees = agrees(name, our_value, value);
            for band in std::iter::once(None).chain(band.map(Some)) {
                let (equal, of) = agreements.entry((band, name)).or_default();
                (*equal, *of) = (*equal + u64::from(agrees), *of + 1);
            }
            if !agrees {
                differences.push(format!("{name} {our_value:?}, there {value:?}"));
            }
        }
        if !differences.is_empty() {
            differences.sort();
            differing.push(format!("{}: {}", row["puzzle"], differences.join("; ")));
        }
    }
    let mut words = String::new();
    for ((band, name), (equal, of)) in agreements {
        let share = equal * 10_000 / of;
        let band = band.map(band_name).unwrap_or_default();
        _ = writeln!(words, "{band:<10} {name:<18} {equal:>8} of {of:>8}  {}.{:02} %", share / 100, share % 100);
    }
    for line in differing.iter().take(LISTED_MAX) {
        _ = writeln!(words, "{line}");
    }
    (words, differing.len())
}

/// The text of a row's puzzle, with one character for empty cells.
fn text(row: &Row) -> String {
    row["puzzle"].replace('0', ".")
}

/// Whether our value and another program's value of this column agree. A word of `HoDoKu` counts as the number of its level.
fn agrees(name: &str, ours: &str, theirs: &str) -> bool {
    let number = |value: &str| -> Option<f64> {
        let level = (1..).zip(HodokuLevel::ALL).find(|(_, level)| level.name().eq_ignore_ascii_case(value));
        level.map_or_else(|| value.parse().ok(), |(number, _): (u8, _)| Some(f64::from(number)))
    };
    let (Some(ours), Some(other)) = (number(ours), number(theirs)) else { return ours == theirs };
    let decimals = theirs.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let is_near = LOOSE.contains(&name) && (ours - other).abs() <= other.abs() / 20.0;
    is_near || format!("{ours:.decimals$}") == format!("{other:.decimals$}")
}

/// The band of the other program's rating; none if it has none.
fn band_of(row: &Row) -> Option<usize> {
    let rating: f64 = ["er", "se_er", "rating"].into_iter().find_map(|name| row.get(name))?.parse().ok()?;
    Some(BANDS.iter().position(|&max| rating <= max).unwrap_or(BANDS.len()))
}

fn band_name(band: usize) -> String {
    match (band.checked_sub(1).map(|before| BANDS[before]), BANDS.get(band)) {
        (None, _) => format!("to {:.1}", BANDS[0]),
        (Some(before), Some(max)) => format!("{:.1}-{max:.1}", before + 0.1),
        (Some(before), None) => format!("above {before:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_at_given_decimals_and_scores_within_a_twentieth() {
        for (name, ours, theirs, wanted) in [
            ("er", "7.1", "7.1", true),
            ("er", "7.1", "7.2", false),
            ("er", "7.1", "7", true),
            ("er", "7.1", "hard", false),
            ("er", "", "7.1", false),
            ("hodoku_score", "1049", "1000", true),
            ("hodoku_score", "1049", "999", false),
            ("hodoku_level", "Unfair", "unfair", true),
            ("hodoku_level", "Unfair", "5", false),
        ] {
            assert_eq!(agrees(name, ours, theirs), wanted, "{name} {ours} {theirs}");
        }
    }

    #[test]
    fn columns_are_compared_by_name_and_in_bands_and_differences_are_listed() {
        let row = |fields: &[(&str, &str)]| -> Row {
            fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let ours =
            vec![row(&[("puzzle", "10"), ("er", "1.2"), ("ep", "1.2")]), row(&[("puzzle", "20"), ("er", "9.1")])];
        let theirs = [
            row(&[("puzzle", "1."), ("se_er", "1.2"), ("ep", "1.5"), ("remark", "easy")]),
            row(&[("puzzle", "2."), ("se_er", "9.1")]),
            row(&[("puzzle", "3."), ("se_er", "2.3")]),
        ];
        let (words, differing) = compared(ours, &theirs);
        let lines: Vec<_> = words.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let wanted = [
            "ep 0 of 1 0.00 %",
            "er 2 of 2 100.00 %",
            "to 2.5 ep 0 of 1 0.00 %",
            "to 2.5 er 1 of 1 100.00 %",
            "above 9.0 er 1 of 1 100.00 %",
            "1.: ep \"1.2\", there \"1.5\"",
            "3.: not in the first table",
        ];
        assert_eq!((lines.iter().map(String::as_str).collect::<Vec<_>>(), differing), (wanted.to_vec(), 2));
    }
}
