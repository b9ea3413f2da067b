//! Makes the puzzles of a sheet without a server, as `puzzled generate` does.

use super::{Found, SheetArgs};
use crate::{
    CliError,
    input::spec::Kind,
    offline::batch::{Batch, Numbered, drawn},
    output::Output,
};
use puzzled_api::{TRIES_DEFAULT, words};
use puzzled_base::cores;
use puzzled_engine::{
    registry,
    shared::{level::level_of, variant::VariantInfo},
};

/// The puzzles of all levels, in order. Each level begins with index 0 of the seed, so that `puzzled generate` with the same seed
/// and level makes the same puzzles.
///
/// # Errors
/// [`CliError::Spec`] if the kind refuses the spec, or if an index is out of tries.
pub(super) fn puzzles(args: &SheetArgs, kind: Kind) -> Result<Vec<Found>, CliError> {
    let parts = args.curve.parts(kind, &args.spec.criteria()?, args.count)?;
    let output = Output::new(Some(u64::from(args.count)));
    let seed = args.seed.map_or_else(|| drawn(&output), Ok)?;
    let mut found = Vec::new();
    for part in parts {
        let batch =
            Batch { kind, spec: part.spec, seed, count: part.count, tries_max: TRIES_DEFAULT, with_steps: false };
        let info = batch.kind.variant(&batch.spec.variant);
        let info = info.ok_or_else(|| CliError::Spec(format!("--variant: {} has no levels", batch.spec.variant)))?;
        for made in batch.clone().puzzles(cores()) {
            let made = made.map_err(|fault| {
                CliError::Spec(format!("made {} of {}: {}", found.len(), args.count, fault.sentence()))
            })?;
            found.push(found_of(&batch, info, made));
            output.advance();
        }
    }
    output.end()?;
    Ok(found)
}

fn found_of(batch: &Batch, info: &VariantInfo, Numbered { index, made, .. }: Numbered) -> Found {
    Found {
        variant: batch.spec.variant.clone(),
        level: words::level(level_of(info.levels, made.record.rating)),
        rating: made.record.rating.decimal(),
        predicted_seconds: made.record.predicted_seconds,
        effort: registry::effort(&made.record.into()),
        origin: format!("seed {}, index {index}", batch.seed),
        text: made.text,
        solution: made.solution,
    }
}
