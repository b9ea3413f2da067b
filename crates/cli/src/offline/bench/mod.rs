//! `puzzled bench`: measures how many puzzles one core makes in an hour, by kind, variant, and level.

pub(crate) mod measure;

use std::time::Duration;

use clap::{Args, value_parser};

use crate::{
    CliError, Ended,
    input::{
        criteria_flags::refused,
        spec::{self, Kind},
    },
    output::{
        self, Output, json, numbers,
        tables::{self, Cells},
    },
};
use measure::{Clocks, Measured, PerHour, measure};
use puzzled_base::clock::{SystemClock, thread_cpu};
use puzzled_engine::{
    registry,
    shared::{criteria::Criteria, level::Level, spec::Spec},
};

/// Measure how many puzzles one core makes in an hour
///
/// The command measures each level of the default variant of each kind, or those that the flags name. It uses one thread, and
/// divides the time evenly. After 10000 puzzles, a level ends early, and the later levels share the rest of its time. Rates
/// count the CPU time of the thread, so other programs hardly change them. Each run makes the same tries in the same order. If a
/// level has no puzzle, the command prints an upper bound with 99 % confidence. Exit code: 0 measured, 1 refused.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Kind of puzzle [default: all kinds]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant of the kind, such as 9x9; needs --kind [default: the kind's default variant]
    #[arg(long, visible_alias = "size", value_name = "VARIANT", requires = "kind")]
    variant: Option<String>,

    /// Level: easy, medium, hard, expert, or evil [default: all levels]
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,

    /// Time of the whole measurement, in seconds, 1 to 3600; at least one for each level
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = value_parser!(u32).range(1..=3_600))]
    seconds: u32,

    /// Print one JSON object per level instead of a table
    #[arg(long)]
    json: bool,
}

/// A level of a variant.
#[derive(Debug)]
struct Row {
    kind: Kind,
    variant: String,
    level: Level,
    /// The spec, or the reason why its puzzles are not made.
    spec: Result<Spec, String>,
}

pub(crate) fn run(args: &BenchArgs) -> Result<Ended, CliError> {
    let kinds = args.kind.map_or_else(|| registry::kinds().to_vec(), |kind| vec![kind]);
    let rows = rows(&kinds, args.variant.as_deref(), args.level)?;
    check_seconds(args.seconds, &rows)?;
    let mut output = Output::timed(args.seconds.into());
    if cfg!(debug_assertions) {
        output.remark("this build is not optimized; a release build makes more puzzles");
    }
    let wall = SystemClock::shared();
    let clocks = Clocks { wall: &*wall, cpu: thread_cpu };
    let mut left = rows.iter().filter(|row| row.spec.is_ok()).count();
    let mut results = Vec::new();
    for row in &rows {
        let result = row.spec.as_ref().map_err(String::as_str).map(|spec| {
            let until = end_of_row(clocks.wall.elapsed(), Duration::from_secs(args.seconds.into()), left);
            left -= 1;
            output.begin(row.in_words());
            measure((row.kind, spec), until, clocks, |now| output.reach(now.as_secs()))
        });
        if args.json {
            output.line(&row.as_json(result)?)?;
            output.flush()?;
        }
        results.push(result);
    }
    output.end()?;
    if args.json { Ok(Ended::Done) } else { output::print_result(&table(&rows, &results)) }
}

/// A row for each level of each of these kinds.
///
/// # Errors
/// [`CliError::Spec`] if a variant is unknown, or if no row can be made.
fn rows(kinds: &[Kind], variant: Option<&str>, level: Option<Level>) -> Result<Vec<Row>, CliError> {
    let mut rows = Vec::new();
    for &kind in kinds {
        let variant = kind.variant_name(variant.unwrap_or(kind.default_variant()));
        let all = spec::variant_info(kind, &variant)?.levels.iter().map(|border| border.level);
        for level in level.map_or_else(|| all.collect(), |level| vec![level]) {
            let variant = variant.clone();
            let criteria = Criteria { variant: Some(variant.clone()), level: Some(level), ..Criteria::default() };
            let spec = criteria.resolve(kind).map_err(|faults| refused(&faults).to_string());
            rows.push(Row { kind, variant, level, spec });
        }
    }
    match rows.first() {
        Some(Row { spec: Err(reason), .. }) if rows.iter().all(|row| row.spec.is_err()) => {
            Err(CliError::Spec(reason.clone()))
        }
        _ => Ok(rows),
    }
}

/// Checks that each row has at least a second.
fn check_seconds(seconds: u32, rows: &[Row]) -> Result<(), CliError> {
    let levels = rows.iter().filter(|row| row.spec.is_ok()).count();
    if u64::from(seconds) < levels as u64 {
        return Err(CliError::Spec(format!(
            "--seconds: {seconds} is below {levels}, one for each level; set more, or fewer levels with --kind or --level"
        )));
    }
    Ok(())
}

/// The time at which a row ends, if `rows` rows, including this one, share the rest of the whole time evenly.
fn end_of_row(now: Duration, whole: Duration, rows: usize) -> Duration {
    now + whole.saturating_sub(now) / u32::try_from(rows).unwrap_or(u32::MAX).max(1)
}

impl Row {
    /// The row in a few words: `sudoku 9x9 hard`.
    fn in_words(&self) -> String {
        format!("{} {} {}", self.kind.name(), self.variant, self.level.name())
    }

    fn as_json(&self, result: Result<Measured, &str>) -> Result<String, CliError> {
        json::benched((self.kind, &self.variant, self.level), result)
    }

    fn cells(&self, result: Result<Measured, &str>) -> Vec<String> {
        let numbers = result.map_or_else(
            |_| [const { String::new() }; 3],
            |measured| {
                let per_hour = match measured.per_hour() {
                    PerHour::About(rate) => numbers::short(rate),
                    PerHour::FewerThan(bound) => format!("< {}", numbers::short(bound)),
                };
                [numbers::count(measured.tries), numbers::count(measured.hits), per_hour]
            },
        );
        let names = [self.kind.name().to_owned(), self.variant.clone(), self.level.name().to_owned()];
        names.into_iter().chain(numbers).collect()
    }

    /// What a row without a puzzle means.
    fn remark(&self, result: Result<Measured, &str>) -> Option<String> {
        let text = match result.map(|measured| (measured, measured.per_hour())) {
            Ok((_, PerHour::About(_))) => return None,
            Ok((Measured { tries, cpu_seconds, .. }, PerHour::FewerThan(bound))) => {
                let (tries, time, bound) = (numbers::count(tries), numbers::step(cpu_seconds), numbers::short(bound));
                format!(
                    "{tries} tries in {time} made none; with 99 % confidence, one core makes fewer than {bound} an hour"
                )
            }
            Err(reason) => format!("not made: {reason}"),
        };
        Some(tables::remark(&self.in_words(), &text, true))
    }
}

/// The table of rates, followed by a line for each row without a puzzle.
fn table(rows: &[Row], results: &[Result<Measured, &str>]) -> String {
    let columns = [
        ("KIND", Cells::Text),
        ("VARIANT", Cells::Text),
        ("LEVEL", Cells::Text),
        ("TRIES", Cells::Numbers),
        ("MADE", Cells::Numbers),
        ("PER HOUR", Cells::Numbers),
    ];
    let each = || rows.iter().zip(results.iter().copied());
    let remarks: String = each().filter_map(|(row, result)| row.remark(result)).collect();
    let cells = each().map(|(row, result)| row.cells(result));
    format!("{}PER HOUR is for one core, by its CPU time.\n{remarks}", tables::table(&columns, cells))
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::toy::Toy;

    fn toy() -> Kind {
        Box::leak(Box::new(Toy::default()))
    }

    #[test]
    fn table_explains_each_row_without_a_puzzle() {
        let rows = rows(&[toy()], None, None).unwrap();
        let made = Measured { tries: 1_200, hits: 300, cpu_seconds: 12.0 };
        let none = Measured { hits: 0, ..made };
        let results: Vec<_> = rows
            .iter()
            .enumerate()
            .map(|(at, row)| row.spec.as_ref().map_err(String::as_str).map(|_| if at == 3 { none } else { made }))
            .collect();
        let table = table(&rows, &results);
        let lines: Vec<Vec<_>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["toy", "1x1", "easy", "1,200", "300", "90,000"]);
        assert_eq!(lines[4], ["toy", "1x1", "expert", "1,200", "0", "<", "1,382"]);
        assert_eq!(lines[5], ["toy", "1x1", "evil"]);
        let rest: Vec<_> = table.lines().skip(6).collect();
        assert_eq!(
            rest,
            [
                "PER HOUR is for one core, by its CPU time.",
                "toy 1x1 expert: 1,200 tries in 12.0 s made none; with 99 % confidence, one core makes fewer than 1,382 an hour",
                "toy 1x1 evil: not made: --min-rating: 7.0 is above 4.4, the hardest rating that is generated",
            ]
        );
    }

    #[test]
    fn json_has_either_a_rate_or_a_bound_or_a_refusal() {
        let rows = rows(&[toy()], None, None).unwrap();
        let made = Measured { tries: 12, hits: 3, cpu_seconds: 36.0 };
        let head = r#""variant":"1x1","level":"LEVEL_EASY""#;
        for (result, expected) in [
            (Ok(made), r#""tries":12,"hits":3,"cpuSeconds":36.0,"hitsPerHour":300.0}"#),
            (
                Ok(Measured { hits: 0, cpu_seconds: 3_600.0, ..made }),
                r#""tries":12,"hits":0,"cpuSeconds":3600.0,"maxHitsPerHour":4.605170185988091}"#,
            ),
            (Err("no puzzles"), r#""refusal":"no puzzles"}"#),
        ] {
            let line = rows[0].as_json(result).unwrap();
            assert!(line.ends_with(&format!("{head},{expected}")), "{line}");
        }
    }

    #[test]
    fn levels_that_are_all_refused_are_an_error() {
        let fault = rows(&[toy()], None, Some(Level::Evil)).unwrap_err().to_string();
        assert_eq!(fault, "--min-rating: 7.0 is above 4.4, the hardest rating that is generated");
    }

    #[test]
    fn rows_share_what_is_left_of_the_time_evenly() {
        let ends = |now, rows| end_of_row(Duration::from_secs(now), Duration::from_mins(1), rows).as_secs();
        assert_eq!([ends(0, 10), ends(3, 9), ends(54, 1), ends(63, 1)], [6, 9, 60, 63]);
    }
}
