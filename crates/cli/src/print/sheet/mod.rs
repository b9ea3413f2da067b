//! `puzzled sheet`: prints puzzles to PDF, from the stock of a server for an audience, or made without a server.

mod delivered;
mod made;

use clap::{Args, ValueEnum, value_parser};

use super::OutputArgs;
use crate::{
    CliError, Ended,
    input::{
        criteria_flags::SpecArgs,
        curve::CurveArgs,
        spec::{self, Kind},
    },
    output::{
        puzzle_file::{Sort, order_of},
        tables,
    },
};
use delivered::SourceArgs;
use puzzled_api::v1 as pb;
use puzzled_engine::picture::Shown;
use puzzled_render::{
    PictureFormat,
    sheet::{self, Paper, PerPage, Sheet, SheetError, SheetPuzzle},
};

/// The maximum number of characters of a title.
const TITLE_LEN_MAX: usize = 100;

/// Print a sheet of puzzles to a PDF file
///
/// With --address, a server delivers the puzzles to an audience, which gets none of them again. A repeat with the same title,
/// audience, and criteria prints the same puzzles. For another sheet, choose another title. Without --address, the command makes
/// the puzzles as `puzzled generate` does. Exit code: 0 printed, 1 refused or failed.
#[derive(Debug, Args)]
pub struct SheetArgs {
    #[command(flatten)]
    source: SourceArgs,

    #[command(flatten)]
    spec: SpecArgs,

    #[command(flatten)]
    curve: CurveArgs,

    /// Number of puzzles, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = value_parser!(u32).range(1..=1_000))]
    count: u32,

    /// Puzzles on a page [default: as many as fit with digits of 6 points or more, at most 4]
    #[arg(long, value_name = "N", value_enum)]
    per_page: Option<PerPage>,

    /// Size of the paper
    #[arg(long, value_name = "PAPER", value_enum, default_value_t = Paper::A4)]
    paper: Paper,

    /// Print all digits with at least 16 points
    #[arg(long)]
    large_print: bool,

    /// Where to print the solutions: on pages at the end, or not at all
    #[arg(long, value_name = "PLACE", value_enum, default_value_t = Solutions::End)]
    solutions: Solutions,

    /// Title, at most 100 characters of Western European languages [default: kind and variant]
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,

    /// Audience that the server delivers the puzzles to; needs --address and --title
    #[arg(long, value_name = "NAME", requires_all = ["address", "title"])]
    audience: Option<String>,

    /// Only puzzles that the audience holds, which nobody else can get; needs --audience
    #[arg(long, requires = "audience")]
    exclusive: bool,

    /// Order of the puzzles of a level: effort, from easier to harder, or made, as the server or the generator returns them
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = Sort::Effort)]
    sort: Sort,

    /// Seed of the puzzles that are made; not with --audience [default: random; printed on standard error]
    #[arg(long, value_name = "SEED", conflicts_with = "audience")]
    seed: Option<u64>,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Solutions {
    End,
    None,
}

/// A puzzle for a sheet, as it is stored or made.
#[derive(Debug)]
struct Found {
    variant: String,
    text: String,
    /// Empty if the sheet has no solutions.
    solution: String,
    level: pb::Level,
    rating: f64,
    predicted_seconds: Option<u32>,
    effort: Option<f64>,
    /// The ID, or the seed with the index.
    origin: String,
}

pub(crate) fn run(args: &SheetArgs) -> Result<Ended, CliError> {
    args.output.check(PictureFormat::Pdf)?;
    let kind = spec::or_first(args.spec.kind)?;
    args.check_title()?;
    let mut found = match &args.source.0 {
        Some(server) => delivered::puzzles(server, args)?,
        None => made::puzzles(args, kind)?,
    };
    if args.sort == Sort::Effort {
        let effort = |found: &Found| order_of(found.effort, found.predicted_seconds);
        found.sort_by(|one, other| one.level.cmp(&other.level).then(effort(one).total_cmp(&effort(other))));
    }
    let pdf = args.sheet(kind, &found)?.pdf().map_err(refused)?;
    args.output.write(&pdf)
}

impl SheetArgs {
    /// Checks the title before puzzles are made or delivered.
    fn check_title(&self) -> Result<(), CliError> {
        let Some(title) = &self.title else { return Ok(()) };
        let len = title.chars().count();
        if title.trim().is_empty() || len > TITLE_LEN_MAX {
            let fault =
                format!("--title: {len} characters; use 1 to {TITLE_LEN_MAX} characters that are not all blank");
            return Err(CliError::Spec(fault));
        }
        sheet::check_title(title).map_err(refused)
    }

    fn sheet(&self, kind: Kind, found: &[Found]) -> Result<Sheet, CliError> {
        let puzzles = found.iter().map(|found| self.puzzle(kind, found)).collect::<Result<Vec<_>, _>>()?;
        let title = puzzles.first().map(|puzzle| puzzle.picture.title.clone());
        let rules = found.first().and_then(|found| kind.variant(&found.variant)).map_or("", |info| info.rules);
        Ok(Sheet {
            title: self.title.clone().or(title).unwrap_or_default(),
            rules: rules.to_owned(),
            paper: self.paper,
            per_page: self.per_page,
            large_print: self.large_print,
            puzzles,
        })
    }

    fn puzzle(&self, kind: Kind, found: &Found) -> Result<SheetPuzzle, CliError> {
        let draw = |solution| {
            let picture = kind.picture(&found.variant, Shown { text: &found.text, solution, ..Shown::default() });
            picture.map_err(|error| CliError::Spec(format!("{}: {error}", found.origin)))
        };
        let solution = (self.solutions == Solutions::End).then(|| draw(Some(&found.solution))).transpose()?;
        Ok(SheetPuzzle { picture: draw(None)?, solution, label: found.label(), origin: found.origin.clone() })
    }
}

impl Found {
    /// `Easy 1.2 · 7 min`; without the time if it is not predicted.
    fn label(&self) -> String {
        let level = tables::word(self.level);
        let (first, rest) = level.split_at_checked(1).unwrap_or_default();
        let minutes = self.predicted_seconds.map(|seconds| format!(" · {} min", (seconds + 30).max(60) / 60));
        format!("{}{rest} {:.1}{}", first.to_ascii_uppercase(), self.rating, minutes.unwrap_or_default())
    }
}

/// The fields of errors are the names of flags.
fn refused(error: SheetError) -> CliError {
    CliError::Spec(format!("--{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_has_level_rating_and_predicted_minutes() {
        for (level, rating, predicted_seconds, expected) in [
            (pb::Level::Easy, 1.2, Some(420), "Easy 1.2 · 7 min"),
            (pb::Level::Easy, 1.0, Some(20), "Easy 1.0 · 1 min"),
            (pb::Level::Medium, 2.0, Some(449), "Medium 2.0 · 7 min"),
            (pb::Level::Medium, 2.0, Some(450), "Medium 2.0 · 8 min"),
            (pb::Level::Evil, 7.1, None, "Evil 7.1"),
        ] {
            let found = Found {
                variant: String::new(),
                text: String::new(),
                solution: String::new(),
                level,
                rating,
                predicted_seconds,
                effort: None,
                origin: String::new(),
            };
            assert_eq!(found.label(), expected);
        }
    }
}
