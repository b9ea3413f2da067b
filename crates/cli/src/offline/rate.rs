//! `puzzled rate`: rates puzzles from files without a server, and prints the results in the order of the input, as
//! text, CSV, or JSON.

use std::{path::PathBuf, sync::atomic::AtomicBool};

use clap::{Args, ValueEnum, value_parser};

use super::{generate::check_steps, ordered::ordered};
use crate::{
    CliError, Ended,
    input::{
        lines::puzzle_lines,
        spec::{self, Kind},
        stated::PuzzleLine,
    },
    output::{Output, csv_row, json, tables},
};
use puzzled_base::cores;
use puzzled_engine::shared::{
    budget::Budget,
    kind::Column,
    level::level_of,
    record::RatingRecord,
    step::{Cell, Step},
    text::{TextForm, Unrated, Verdict},
    variant::VariantInfo,
};

/// The maximum number of nodes for the verdict on one puzzle: seconds of work. Published puzzles take some hundreds.
pub(crate) const NODES_PER_VERDICT_MAX: u64 = 10_000_000;

/// Rate puzzles, one per line, without a server or a database
///
/// The command skips empty lines, comments (`#` and `%`), and a header line. It reads a puzzle from each remaining line, also of CSV and
/// JSON lines. An empty line or a comment separates puzzles of several lines, such as drawings and Kakuro. If a text is not
/// a puzzle with exactly one solution, or if the rater cannot finish it, the command reports the text on standard error and
/// prints an empty rating. Exit code: 0 all rated, 1 failed, 2 some not rated.
#[derive(Debug, Args)]
pub struct RateArgs {
    /// Files to read; - is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Kind of puzzle [default: sudoku]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant, such as 9x9 [default: the one that each text shows]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    variant: Option<String>,

    /// Threads, 1 to 1024 [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_024))]
    threads: Option<u32>,

    /// Budget of one rating, in nodes, 1 or more; a puzzle that needs more gets no rating, and standard error names a
    /// lower bound [default: the budget of the kind, half a minute of work]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    max_rating_nodes: Option<u64>,

    /// text: puzzle, rating, level, and hardest technique; before a puzzle of several lines, a line `# rating: …`; csv:
    /// a table with a header, whose columns depend on the kind alone; json: one object per line
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Add the steps of the solution, with their sentences, to json
    #[arg(long)]
    steps: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Csv,
    Json,
}

pub(crate) fn run(args: RateArgs) -> Result<Ended, CliError> {
    let kind = spec::or_first(args.kind)?;
    check_steps(args.steps, args.format == Format::Json, tables::word(args.format))?;
    let variant = args.variant.unwrap_or_else(|| kind.text_variant().to_owned());
    if !variant.is_empty() {
        spec::variant_info(kind, &variant)?;
    }
    let threads = args.threads.unwrap_or_else(cores);
    let nodes_max = args.max_rating_nodes.unwrap_or(u64::MAX);
    let mut results = ordered(threads, puzzle_lines(args.files, kind), move |line| {
        line.map(|line| {
            let outcome = line.checked(kind, &variant).and_then(|text| rate(kind, &variant, text, nodes_max));
            (line, outcome)
        })
    });
    let mut output = Output::new(None);
    if args.format == Format::Csv {
        output.line(&header(kind)?)?;
    }
    let mut ended = Ended::Done;
    while let Some(result) = results.next() {
        let (line, outcome) = result.map_err(|error| CliError::Input(error.name, error.source))?;
        if let Err(fault) = &outcome {
            output.remark(&format!("{}: {fault}", line.place));
            ended = Ended::Partly;
        }
        let shown = shown(args.format, kind, &line, outcome.as_ref().map_err(String::as_str), args.steps)?;
        match args.format {
            Format::Text => output.text(&shown, kind.text_form())?,
            Format::Csv | Format::Json => output.line(&shown)?,
        }
        output.advance();
        if !results.is_ready() {
            output.flush()?;
        }
    }
    output.end()?;
    Ok(ended)
}

/// The rating of a text, and the properties of its variant.
#[derive(Debug)]
pub(crate) struct Rated {
    pub(crate) info: &'static VariantInfo,
    pub(crate) variant: String,
    /// The text in its stored form.
    pub(crate) text: String,
    pub(crate) record: RatingRecord,
    pub(crate) steps: Vec<Step>,
}

/// The rating of a text within `nodes_max` nodes and the kind's own limit, or the reason why there is none. If `named` is empty, the text
/// decides the variant.
fn rate(kind: Kind, named: &str, text: &str, nodes_max: u64) -> Result<Rated, String> {
    let never = AtomicBool::new(false);
    let text = kind.normalize(named, text).map_err(|error| error.to_string())?;
    let variant = kind.variant_of(named, &text).map_err(|error| error.to_string())?;
    let info = kind.variant(&variant).ok_or_else(|| format!("{variant} has no rater"))?;
    solution(kind, &variant, &text)?;
    let reasoned =
        kind.reason(&variant, &text, &mut Budget::new(nodes_max, &never)).map_err(|error| error.to_string())?;
    let record = reasoned.record.map_err(|unrated| match unrated {
        Unrated::Stuck => format!("beyond the rater, which reaches {}", info.rating_max),
        Unrated::OutOfBudget { at_least, .. } => format!("out of the rater's budget: rated {at_least} or harder"),
    })?;
    if record.is_of_complete_grid() {
        return Err("the grid is complete, so there is nothing to rate".to_owned());
    }
    Ok(Rated { info, variant, text, record, steps: reasoned.steps })
}

/// The only solution of a text in its stored form, or why there is none.
pub(crate) fn solution(kind: Kind, variant: &str, text: &str) -> Result<String, String> {
    let never = AtomicBool::new(false);
    let verdict = kind.validate(variant, text, &mut Budget::new(NODES_PER_VERDICT_MAX, &never));
    let verdict = verdict.map_err(|error| error.to_string())?;
    let rule = kind.under_rule(variant, text, &verdict);
    Err(match verdict {
        Verdict::Unique { solution } => return Ok(solution),
        Verdict::NoSolution => format!("no solution{rule}"),
        Verdict::Several { solutions, differ, .. } => {
            format!("several solutions{rule}{}", several(kind, variant, text, &solutions, &differ)?)
        }
        Verdict::Contradiction { reason, .. } => reason,
        Verdict::SolversDisagree(disagreement) => disagreement.to_string(),
        Verdict::Unknown(_) => format!("no verdict on its solutions within {NODES_PER_VERDICT_MAX} nodes"),
    })
}

/// Names two solutions if they fit on a line, or else the cells in which they differ.
fn several(kind: Kind, variant: &str, text: &str, solutions: &[String; 2], differ: &[Cell]) -> Result<String, String> {
    let [one, other] = solutions;
    if kind.text_form() == TextForm::Line {
        return Ok(format!(", such as {one} and {other}"));
    }
    let width = kind.size(variant, text).map_err(|error| error.to_string())?.columns;
    let names: Vec<_> = differ.iter().map(|cell| format!("r{}c{}", cell / width + 1, cell % width + 1)).collect();
    Ok(format!("; two of them differ in {}", names.join(", ")))
}

fn shown(
    format: Format,
    kind: Kind,
    line: &PuzzleLine,
    outcome: Result<&Rated, &str>,
    steps: bool,
) -> Result<String, CliError> {
    let puzzle = line.text.as_deref().unwrap_or_default();
    Ok(match format {
        Format::Json => json::rated(kind, line, outcome, steps)?,
        Format::Csv => csv_row(std::iter::once(puzzle.to_owned()).chain(fields(kind, outcome.ok())))?,
        Format::Text => match outcome {
            Ok(Rated { info, record, .. }) => {
                let level = level_of(info.levels, record.rating).name();
                let rated = format!("{}  {level}  {}", record.rating, hardest(record));
                match kind.text_form() {
                    TextForm::Line => format!("{puzzle}  {rated}"),
                    TextForm::Paragraph => format!("# rating: {rated}\n{puzzle}"),
                }
            }
            Err(_) => puzzle.to_owned(),
        },
    })
}

/// The names of the columns, which depend on the kind alone.
fn header(kind: Kind) -> Result<String, CliError> {
    csv_row(std::iter::once("puzzle").chain(kind.table().iter().map(|column| column.header())))
}

/// The fields of a puzzle after the first, empty without a rating.
fn fields(kind: Kind, rated: Option<&Rated>) -> impl Iterator<Item = String> {
    let field =
        move |column: &Column| rated.map(|Rated { info, record, .. }| field(*column, info, record)).unwrap_or_default();
    kind.table().iter().map(field)
}

fn field(column: Column, info: &VariantInfo, record: &RatingRecord) -> String {
    match column {
        Column::Rating => record.rating.to_string(),
        Column::Technique => hardest(record).to_owned(),
        Column::Level => level_of(info.levels, record.rating).name().to_owned(),
        Column::Metric(_, text) => text(&record.metrics).unwrap_or_default(),
    }
}

fn hardest(record: &RatingRecord) -> &'static str {
    record.techniques.last().map_or("", |used| used.technique)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::toy::Toy;

    fn check(format: Format, text: &str, expected: &str) {
        let toy: Kind = Box::leak(Box::new(Toy::default()));
        let line = PuzzleLine { place: "line 3".to_owned(), number: 3, text: Ok(text.to_owned()), answer: None };
        let outcome = rate(toy, "1x1", text, u64::MAX);
        assert_eq!(shown(format, toy, &line, outcome.as_ref().map_err(String::as_str), false).unwrap(), expected);
    }

    #[test]
    fn a_rated_line_has_its_rating_and_another_line_has_an_empty_one() {
        let rated = concat!(
            r#"{"line":"3","text":"024","level":"LEVEL_HARD","rating":3.4,"record":{"rater":"toy","raterVersion":1,"#,
            r#""explanation":"it says so","techniques":[{"technique":"Reading","rating":3.4,"count":1}]}}"#
        );
        let cases = [
            (Format::Text, "024", "024  3.4  hard  Reading"),
            (Format::Text, "25", "25"),
            (Format::Csv, "024", "024,3.4,Reading,hard"),
            (Format::Csv, "25", "25,,,"),
            (Format::Csv, "say \"2\"", "\"say \"\"2\"\"\",,,"),
            (Format::Json, "024", rated),
            (Format::Json, "25", r#"{"line":"3","text":"25","error":"no solution"}"#),
            (Format::Json, "x", r#"{"line":"3","text":"x","error":"\"x\" is not a number"}"#),
        ];
        for (format, text, expected) in cases {
            check(format, text, expected);
        }
    }

    #[test]
    fn header_names_the_columns_of_all_variants() {
        let kind = |name: &str| spec::kind(name).unwrap();
        assert_eq!(
            header(kind("sudoku")).unwrap(),
            "puzzle,er,ep,ed,technique,level,hodoku_score,hodoku_level,predicted_seconds,rating,rounds"
        );
        assert_eq!(header(kind("kakuro")).unwrap(), "puzzle,rating,effort,relative_time,technique,level");
    }
}
