//! `puzzled generate`: makes puzzles without a server or a database, and prints them.

use std::io::{IsTerminal as _, stdout};

use clap::{Args, value_parser};

use super::batch::Batch;
use crate::{
    cli::{
        CliError, Ended,
        input::spec::{Kind, SpecArgs},
        output::{Format, Output, json},
        settings::DEFAULT,
    },
    config::{self, cores},
    system::chance::Chance,
};

/// Random seeds are below this number, so that a 64-bit float represents them exactly.
const DRAWN_SEED_BOUND: u64 = 1 << 53;

/// Generate puzzles without a server or a database
///
/// The same spec and seed yield the same puzzles with any number of threads. If the stock is empty, a job with the same seed
/// also yields these puzzles. Exit code: 0 all made, 1 refused or failed, 2 fewer than wanted.
#[derive(Debug, Args)]
pub(in crate::cli) struct GenerateArgs {
    #[command(flatten)]
    spec: SpecArgs,

    /// Number of puzzles, 1 to 10000000
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(config::COUNT))]
    count: u32,

    /// Seed [default: random; printed on standard error]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// Maximum number of tries per puzzle, 1 to 1000000
    #[arg(
        long, value_name = "N", default_value_t = DEFAULT.policy.tries_max,
        value_parser = value_parser!(u32).range(config::TRIES)
    )]
    max_tries: u32,

    /// Threads, 1 to 1024 [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_024))]
    threads: Option<u32>,

    /// text: one puzzle per line, or a paragraph if the kind needs several lines, or a drawing on a terminal; json: one
    /// `Puzzle` per line, with solution and rating
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(in crate::cli) fn run(args: GenerateArgs) -> Result<Ended, CliError> {
    let (kind, spec) = args.spec.checked()?;
    let mut output = Output::new(Some(u64::from(args.count)));
    let seed = match args.seed {
        Some(seed) => seed,
        None => drawn(&output)?,
    };
    let batch = Batch { kind, spec, seed, count: args.count, tries_max: args.max_tries };
    let mut puzzles = batch.clone().puzzles(args.threads.unwrap_or_else(cores));
    let (is_terminal, mut ended) = (stdout().is_terminal(), Ended::Done);
    while let Some(made) = puzzles.next() {
        match made {
            Ok(made) => {
                match args.format {
                    Format::Text if is_terminal => {
                        output.drawing(&drawing(kind, &batch.spec.variant, &made.made.text))?;
                    }
                    Format::Text => output.text(&made.made.text, kind.text_form())?,
                    Format::Json => output.line(&json::made(&batch, made)?)?,
                }
                output.advance();
            }
            Err(fault) => {
                output.remark(&format!("made {} of {}: {}", fault.index, args.count, fault.sentence()));
                ended = Ended::Partly;
                break;
            }
        }
        if !puzzles.is_ready() {
            output.flush()?;
        }
    }
    output.end()?;
    Ok(ended)
}

/// Returns the drawing of a puzzle, or its text if the kind cannot draw it.
fn drawing(kind: Kind, variant: &str, text: &str) -> String {
    kind.draw(variant, text).unwrap_or_else(|_| format!("{text}\n"))
}

fn drawn(output: &Output) -> Result<u64, CliError> {
    let chance = Chance::from_system().map_err(CliError::Chance)?;
    let seed = chance.below(DRAWN_SEED_BOUND);
    output.remark(&format!("seed {seed}"));
    Ok(seed)
}
