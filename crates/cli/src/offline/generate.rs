//! `puzzled generate`: makes the puzzles of a job without a server or a database, and prints them in the order of their indices or of their
//! effort.

use std::{
    fmt::Display,
    io::{IsTerminal as _, stdout},
};

use clap::{Args, value_parser};

use super::batch::{Batch, Numbered, drawn};
use crate::{
    CliError, Ended,
    input::{criteria_flags::SpecArgs, curve::CurveArgs, spec},
    output::{
        Output, json,
        puzzle_file::{FileArgs, FileFormat, Sort, order_of},
    },
};
use puzzled_api::{COUNT, TRIES, TRIES_DEFAULT};
use puzzled_base::cores;
use puzzled_engine::{registry, shared::spec::Difficulty};

/// The maximum number of puzzles that are kept in memory until all are made.
const SORTED_MAX: u32 = 20_000;

/// Generate puzzles without a server or a database
///
/// The same spec and seed yield the same puzzles with any number of threads. On a server without puzzles, a job with the same
/// spec and seed also yields them. On a terminal, the command draws the puzzles. Their IDs in csv are empty. Exit code: 0 all
/// made, 1 refused or failed, 2 fewer than wanted.
#[derive(Debug, Args)]
pub struct GenerateArgs {
    #[command(flatten)]
    spec: SpecArgs,

    #[command(flatten)]
    curve: CurveArgs,

    /// Number of puzzles, 1 to 10000000
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(COUNT))]
    count: u32,

    /// Seed [default: random; printed on standard error]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// Maximum number of tries per puzzle, 1 to 1000000
    #[arg(
        long, value_name = "N", default_value_t = TRIES_DEFAULT,
        value_parser = value_parser!(u32).range(TRIES)
    )]
    max_tries: u32,

    /// Threads, 1 to 1024 [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_024))]
    threads: Option<u32>,

    /// Order of the puzzles of a level: made, by index, or effort, from easier to harder, with --count up to 20000
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = Sort::Made)]
    sort: Sort,

    /// Add the steps of the solution, with their sentences, to json
    #[arg(long)]
    steps: bool,

    #[command(flatten)]
    file: FileArgs,
}

pub(crate) fn run(args: &GenerateArgs) -> Result<Ended, CliError> {
    let kind = spec::or_first(args.spec.kind)?;
    let parts = args.curve.parts(kind, &args.spec.criteria()?, args.count)?;
    for part in &parts {
        args.file.check(Some(kind), &part.spec.variant)?;
    }
    args.check_sort()?;
    check_steps(args.steps, args.file.format == FileFormat::Json, args.file.format)?;
    let mut output = Output::new(Some(u64::from(args.count)));
    let seed = args.seed.map_or_else(|| drawn(&output), Ok)?;
    args.file.begin(&mut output)?;
    for part in parts {
        let (count, tries_max, with_steps) = (part.count, args.max_tries, args.steps);
        let batch = Batch { kind, spec: part.spec, seed, count, tries_max, with_steps };
        if args.write(&batch, &mut output)? == Ended::Partly {
            output.end()?;
            return Ok(Ended::Partly);
        }
    }
    output.end()?;
    Ok(Ended::Done)
}

impl GenerateArgs {
    fn check_sort(&self) -> Result<(), CliError> {
        if self.sort == Sort::Made || self.count <= SORTED_MAX {
            return Ok(());
        }
        Err(CliError::Spec(format!("--count: {}; with --sort effort, use 1 to {SORTED_MAX}", self.count)))
    }

    /// Makes the puzzles of a batch, and writes them in the wanted order.
    fn write(&self, batch: &Batch, output: &mut Output) -> Result<Ended, CliError> {
        let mut puzzles = batch.clone().puzzles(self.threads.unwrap_or_else(cores));
        let (mut kept, mut fault) = (Vec::new(), None);
        while let Some(made) = puzzles.next() {
            match made {
                Ok(made) if self.sort == Sort::Effort => kept.push((place(&made), made)),
                Ok(made) => self.write_one(batch, made, output)?,
                Err(out_of_tries) => {
                    fault = Some(out_of_tries);
                    break;
                }
            }
            if !puzzles.is_ready() {
                output.flush()?;
            }
        }
        kept.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        for (_, made) in kept {
            self.write_one(batch, made, output)?;
        }
        let Some(fault) = fault else { return Ok(Ended::Done) };
        let of_level = match batch.spec.difficulty {
            Difficulty::Level(level) if self.curve.is_set() => format!(" of level {}", level.name()),
            _ => String::new(),
        };
        output.remark(&format!("made {} of {}{of_level}: {}", fault.index, batch.count, fault.sentence()));
        Ok(Ended::Partly)
    }

    fn write_one(&self, batch: &Batch, made: Numbered, output: &mut Output) -> Result<(), CliError> {
        if self.file.format == FileFormat::Text && stdout().is_terminal() {
            let (variant, text) = (&batch.spec.variant, &made.made.text);
            // A kind that cannot draw a puzzle shows its text.
            output.drawing(&batch.kind.draw(variant, text).unwrap_or_else(|_| format!("{text}\n")))?;
            output.advance();
            return Ok(());
        }
        if self.steps {
            output.line(&json::made_with_steps(batch, made, self.file.include())?)?;
            output.advance();
            return Ok(());
        }
        self.file.write(json::made(batch, made, self.file.include())?, output)
    }
}

/// Checks that a format has a place for steps.
///
/// # Errors
/// [`CliError::Spec`] with what is allowed.
pub(crate) fn check_steps(steps: bool, is_json: bool, format: impl Display) -> Result<(), CliError> {
    if !steps || is_json {
        return Ok(());
    }
    Err(CliError::Spec(format!("--steps: {format} has no steps; use --format json")))
}

/// The place of a puzzle among those of its level.
fn place(at: &Numbered) -> f64 {
    order_of(registry::effort(&at.made.record.clone().into()), at.made.record.predicted_seconds)
}
