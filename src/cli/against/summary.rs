//! The summary of a comparison of ratings, in words: how often each column agrees, in total and by rating band, and the
//! rows that differ.

use std::collections::BTreeMap;

use super::{
    super::tables::{self, Cells},
    table::Row,
};
use puzzled_engine::{metrics::Metrics, record::RatingRecord, sudoku::hodoku::HodokuLevel};

/// The most rows that differ to list. All are counted.
const LISTED_MAX: usize = 100;

/// The columns that agree within 5 %. Any other column must be equal to the decimals that the table gives.
const LOOSE: [&str; 2] = ["hodoku_score", "predicted_seconds"];

/// The upper ends of the rating bands, each inclusive. A last band is above them.
const BANDS: [f64; 6] = [2.5, 4.4, 6.5, 7.1, 8.4, 9.0];

/// The number of rows in which a column agrees.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Agreement {
    equal: u64,
    of: u64,
}

impl Agreement {
    fn count(&mut self, is_equal: bool) {
        self.of += 1;
        self.equal += u64::from(is_equal);
    }

    fn row(self, name: String) -> Vec<String> {
        #[expect(clippy::cast_precision_loss, reason = "a share that people read")]
        let share = self.equal as f64 * 100.0 / self.of.max(1) as f64;
        vec![name, self.equal.to_string(), self.of.to_string(), format!("{share:.2} %")]
    }
}

/// The counts of a comparison and the first rows that differ.
#[derive(Debug, Default)]
pub(super) struct Summary {
    columns: BTreeMap<usize, Agreement>,
    /// By band and column.
    bands: BTreeMap<(usize, usize), Agreement>,
    /// The number of rows that differ or have no rating.
    pub(super) differing: u64,
    listed: Vec<String>,
}

impl Summary {
    pub(super) fn add(&mut self, header: &[String], row: &Row, puzzle: &str, outcome: Result<&RatingRecord, &str>) {
        let band = band_of(header, row);
        let mut differences = Vec::new();
        for (at, (name, theirs)) in header.iter().zip(&row.fields).enumerate() {
            if theirs.is_empty() || name == "puzzle" {
                continue;
            }
            let compared = match outcome {
                Ok(record) => compare(name, theirs, record),
                // Without a rating, only a column that was compared in an earlier row is known to be comparable.
                Err(fault) => self.columns.contains_key(&at).then(|| Err(fault.to_owned())),
            };
            let Some(compared) = compared else { continue };
            self.columns.entry(at).or_default().count(compared.is_ok());
            if let Some(band) = band {
                self.bands.entry((band, at)).or_default().count(compared.is_ok());
            }
            differences.extend(compared.err().map(|ours| format!("{name} {ours}, there {theirs}")));
        }
        if let Err(fault) = outcome
            && differences.is_empty()
        {
            differences.push(fault.to_owned());
        }
        if !differences.is_empty() {
            self.differing += 1;
            if self.listed.len() < LISTED_MAX {
                self.listed.push(format!("line {}: {puzzle}: {}", row.number, differences.join("; ")));
            }
        }
    }

    pub(super) fn in_words(&self, header: &[String]) -> String {
        let names =
            [("column", Cells::Text), ("equal", Cells::Numbers), ("of", Cells::Numbers), ("share", Cells::Numbers)];
        let all = self.columns.iter().map(|(&at, agreement)| agreement.row(header[at].clone()));
        let bands = self.bands.iter();
        let bands = bands.map(|(&(band, at), agreement)| agreement.row(format!("{} {}", band_name(band), header[at])));
        let table = tables::table(&names, all.chain(bands));
        let listed = if self.differing > self.listed.len() as u64 {
            format!(", the first {}", self.listed.len())
        } else {
            String::new()
        };
        let listed: Vec<_> = std::iter::once(format!("{} puzzles differ{listed}", self.differing))
            .chain(self.listed.iter().cloned())
            .collect();
        table + &listed.join("\n")
    }
}

/// Compares a field with this version's number of the same name. Returns that number if they differ, and none if the record
/// has no such number.
fn compare(name: &str, theirs: &str, record: &RatingRecord) -> Option<Result<(), String>> {
    let number = number(&record.metrics, name)?;
    let theirs = level_number(theirs).map_or_else(|| theirs.to_owned(), |level| level.to_string());
    let decimals = theirs.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let ours = format!("{number:.decimals$}");
    let is_near = |theirs: f64| LOOSE.contains(&name) && (number - theirs).abs() <= theirs.abs() / 20.0;
    let agrees = ours == theirs || theirs.parse().is_ok_and(is_near);
    Some(if agrees { Ok(()) } else { Err(ours) })
}

/// The metric of this name. HoDoKu's level counts as its number.
fn number(metrics: &Metrics, name: &str) -> Option<f64> {
    let object: serde_json::Value = metrics.read()?;
    let number = object.get(name)?;
    number.as_str().and_then(level_number).map(f64::from).or_else(|| number.as_f64())
}

/// The number of HoDoKu's level, from 1; none if the word is no such level.
fn level_number(word: &str) -> Option<u8> {
    (1..).zip(HodokuLevel::ALL).find(|(_, level)| level.name().eq_ignore_ascii_case(word)).map(|(number, _)| number)
}

/// The band of the row's `er`, or of its `rating`; none if it has neither.
fn band_of(header: &[String], row: &Row) -> Option<usize> {
    let at = header.iter().position(|name| name == "er").or_else(|| header.iter().position(|name| name == "rating"))?;
    let rating: f64 = row.fields.get(at)?.parse().ok()?;
    Some(BANDS.iter().position(|&max| rating <= max).unwrap_or(BANDS.len()))
}

fn band_name(band: usize) -> String {
    match (band.checked_sub(1).map(|before| BANDS[before]), BANDS.get(band)) {
        (None, Some(max)) => format!("to {max:.1}"),
        (Some(before), Some(max)) => format!("{:.1}-{max:.1}", before + 0.1),
        (Some(before), None) => format!("above {before:.1}"),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::{level::Tenths, sudoku::metrics::SudokuMetrics};

    fn record() -> RatingRecord {
        let (er, hodoku_score, hodoku_level) = (Tenths(71), 1_049, HodokuLevel::Unfair);
        RatingRecord {
            rater: "toy",
            rater_version: 1,
            rating: Tenths(71),
            techniques: Vec::new(),
            metrics: Metrics::of(
                "sudoku",
                &SudokuMetrics { er, hodoku_score, hodoku_level, ..SudokuMetrics::default() },
            ),
            explanation: String::new(),
        }
    }

    #[test]
    fn numbers_agree_at_given_decimals_and_scores_within_a_twentieth() {
        let ours = record();
        let cases = [
            ("er", "7.1", Some(Ok(()))),
            ("er", "7.2", Some(Err("7.1"))),
            ("er", "7", Some(Ok(()))),
            ("er", "hard", Some(Err("7"))),
            ("hodoku_score", "1000", Some(Ok(()))),
            ("hodoku_score", "999", Some(Err("1049"))),
            ("hodoku_level", "Unfair", Some(Ok(()))),
            ("hodoku_level", "5", Some(Err("4"))),
            ("se_steps", "7.1", None),
        ];
        for (name, theirs, wanted) in cases {
            assert_eq!(compare(name, theirs, &ours), wanted.map(|ok| ok.map_err(str::to_owned)), "{name} {theirs}");
        }
    }

    #[test]
    fn bands_are_told_by_the_rating_of_the_table() {
        let header = ["puzzle", "er"].map(str::to_owned);
        let band = |er: &str| {
            let row = Row { number: 2, fields: vec![String::new(), er.to_owned()] };
            band_of(&header, &row).map(band_name)
        };
        let cases =
            [("1.2", "to 2.5"), ("2.6", "2.6-4.4"), ("7.1", "6.6-7.1"), ("9.0", "8.5-9.0"), ("11.9", "above 9.0")];
        for (er, wanted) in cases {
            assert_eq!(band(er).as_deref(), Some(wanted), "{er}");
        }
        assert_eq!(band("hard"), None);
    }

    #[test]
    fn differences_are_all_counted_and_the_first_are_listed() {
        let header = ["puzzle", "er"].map(str::to_owned);
        let mut summary = Summary::default();
        let ours = record();
        for number in 0..150 {
            let fields = vec!["x".to_owned(), if number == 0 { "7.1" } else { "7.2" }.to_owned()];
            summary.add(&header, &Row { number, fields }, "x", Ok(&ours));
        }
        summary.add(
            &header,
            &Row { number: 150, fields: vec!["y".to_owned(), "1.0".to_owned()] },
            "y",
            Err("no solution"),
        );
        let words = summary.in_words(&header);
        let lines: Vec<_> = words.lines().collect();
        assert_eq!(lines[..2], [" column      equal   of     share", " er              1  151    0.66 %"]);
        assert_eq!((lines[5], lines.len()), ("150 puzzles differ, the first 100", 106));
        assert_eq!(lines[6], "line 1: x: er 7.1, there 7.2");
    }
}
