//! The columns of a spec in `jobs` and `targets`.

use crate::{
    StoreError,
    sql::database::{Columns, Reading},
};
use puzzled_engine::shared::{
    givens::Givens,
    level::{Level, Tenths},
    spec::{Difficulty, Spec},
    symmetry::Symmetry,
};

/// Reads the spec of a row.
pub(super) fn read(row: &Reading<'_, impl Columns>) -> Result<Spec, StoreError> {
    let level: Option<&str> = row.get("level")?;
    let range = (row.optional_number("rating_min")?, row.optional_number("rating_max")?);
    let difficulty = match (level, range) {
        (None, (None, None)) => Difficulty::Any,
        (Some(level), (None, None)) => Difficulty::Level(level.parse::<Level>().map_err(|_| row.corrupt("level"))?),
        (None, (Some(min), Some(max))) => Difficulty::Range { min: Tenths(min), max: Tenths(max) },
        _ => return Err(row.corrupt("rating_min")),
    };
    let givens = row.optional_number("givens_min")?.zip(row.optional_number("givens_max")?);
    Ok(Spec {
        kind: row.get("kind")?,
        variant: row.get("variant")?,
        symmetry: row.word::<Symmetry>("symmetry")?,
        difficulty,
        givens: givens.map(|(min, max)| Givens::new(min, max)),
        technique: row.get("technique")?,
    })
}

/// Returns the columns of a difficulty: the word of its level, or both ends of its range.
pub(crate) fn difficulty(difficulty: Difficulty) -> (Option<&'static str>, Option<(i16, i16)>) {
    match difficulty {
        Difficulty::Any => (None, None),
        Difficulty::Level(level) => (Some(level.name()), None),
        Difficulty::Range { min, max } => (None, Some((i16::from(min.0), i16::from(max.0)))),
    }
}
