//! Makes the puzzles of a sheet without a server, as `puzzled generate` does.

use super::{Found, Part, SheetArgs};
use crate::{
    CliError,
    input::{criteria_flags::refused, spec},
    offline::generate::{self, Batch, Numbered},
    output::Output,
};
use puzzled_api::TRIES_DEFAULT;
use puzzled_base::cores;
use puzzled_engine::shared::{criteria::Criteria, level::level_of, variant::VariantInfo};

/// The puzzles of all parts, in order. Each part begins with index 0 of the seed, so that `puzzled generate` with the same seed
/// and level makes the same puzzles.
///
/// # Errors
/// [`CliError::Spec`] if the kind refuses the spec, or if an index is out of tries.
pub(super) fn puzzles(args: &SheetArgs, parts: &[Part]) -> Result<Vec<Found>, CliError> {
    let (kind, criteria) = (spec::or_first(args.spec.kind)?, args.spec.criteria()?);
    let batches: Vec<_> = parts
        .iter()
        .map(|part| {
            let criteria = Criteria { level: part.level, ..criteria.clone() };
            let spec = criteria.resolve(kind).map_err(|faults| refused(&faults))?;
            Ok(Batch { kind, spec, seed: 0, count: part.count, tries_max: TRIES_DEFAULT })
        })
        .collect::<Result<_, CliError>>()?;
    let output = Output::new(Some(u64::from(args.count)));
    let seed = args.seed.map_or_else(|| generate::drawn(&output), Ok)?;
    let mut found = Vec::new();
    for batch in batches {
        let batch = Batch { seed, ..batch };
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
        level: level_of(info.levels, made.record.rating).name().to_owned(),
        rating: made.record.rating.decimal(),
        predicted_seconds: made.record.predicted_seconds,
        origin: format!("seed {}, index {index}", batch.seed),
        text: made.text,
        solution: made.solution,
    }
}
