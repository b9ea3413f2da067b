//! Checks of what a request wants of a puzzle: a range of ratings, and the shelves of the stock that fit.

use super::{Checks, technique_named, variant_fault};
use crate::{
    proto::v1 as pb,
    service::{errors::ServiceError, render},
    store::puzzle::ShelfFilter,
};
use puzzled_engine::{
    kind::PuzzleKind,
    level::{Level, Tenths},
    registry,
    spec::{Spec, SpecError, Target},
    symmetry::Symmetry,
};

/// A kind's shelves as a request asks for them.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) struct Criteria<'a> {
    pub(in crate::service) kind: i32,
    pub(in crate::service) variant: &'a str,
    pub(in crate::service) symmetry: i32,
    pub(in crate::service) level: i32,
    pub(in crate::service) min_rating: Option<f64>,
    pub(in crate::service) max_rating: Option<f64>,
}

impl Checks {
    /// The range of ratings, open ends as the easiest and hardest of any kind; none if none is said, or none that is.
    pub(in crate::service) fn range(
        &mut self,
        level: Option<Level>,
        min: Option<f64>,
        max: Option<f64>,
    ) -> Option<(Tenths, Tenths)> {
        if min.is_none() && max.is_none() {
            return None;
        }
        let field = if min.is_some() { "min_rating" } else { "max_rating" };
        if let Some(level) = level {
            let level = render::level(level).as_str_name();
            self.refuse("level", format!("{level} together with {field}: give one or the other"));
        }
        let min = min.map_or(Some(Tenths(0)), |min| self.rating("min_rating", min));
        let max = max.map_or(Some(Tenths(u8::MAX)), |max| self.rating("max_rating", max));
        let (min, max) = (min?, max?);
        if min > max {
            self.refuse("min_rating", format!("{min} is above max_rating {max}"));
            return None;
        }
        Some((min, max))
    }

    fn rating(&mut self, field: &'static str, value: f64) -> Option<Tenths> {
        let rating = render::tenths_of(value);
        if let Err(fault) = &rating {
            self.refuse(field, fault.clone());
        }
        rating.ok()
    }

    /// The shelves that a request asks for. A level or a range means something only together with a kind.
    pub(in crate::service) fn shelves(&mut self, wanted: Criteria<'_>) -> ShelfFilter {
        let kind = self.kind(wanted.kind);
        let level = self.level(wanted.level);
        let range = self.range(level, wanted.min_rating, wanted.max_rating);
        let symmetry = self.symmetry(wanted.symmetry);
        if wanted.kind == i32::from(pb::Kind::Unspecified) && (level.is_some() || range.is_some()) {
            self.refuse("kind", "KIND_UNSPECIFIED together with a level or a rating, which differ by kind".to_owned());
        }
        let variant = self.known_variant(kind, wanted.variant);
        let of_level = kind.zip(level).map(|(kind, level)| level.range(kind.levels()));
        let (rating_min, rating_max) = of_level.or(range).unwrap_or((Tenths(0), Tenths(u8::MAX)));
        ShelfFilter { kind: kind.map(|kind| kind.name().to_owned()), variant, symmetry, rating_min, rating_max }
    }

    /// The spec of puzzles that are to be made; none if the kind or the variant is not to be had.
    pub(in crate::service) fn spec(
        &mut self,
        wanted: Criteria<'_>,
        clues: Option<u16>,
        technique: &str,
    ) -> Option<Spec> {
        let kind = self.required_kind(wanted.kind);
        let level = self.level(wanted.level);
        let range = self.range(level, wanted.min_rating, wanted.max_rating);
        let symmetry = self.symmetry(wanted.symmetry).unwrap_or(Symmetry::None);
        let kind = kind?;
        let target = match (level, range) {
            (Some(level), _) => Target::Level(level),
            (None, Some((min, max))) => Target::within(kind.levels(), Some(min), Some(max)),
            (None, None) => Target::Any,
        };
        let variant = self.variant(kind, wanted.variant)?;
        let technique = (!technique.is_empty()).then(|| technique_named(kind, technique));
        let spec = Spec { kind: kind.name().to_owned(), variant, symmetry, target, clues, technique };
        match kind.check_spec(&spec) {
            Ok(()) => {}
            Err(SpecError::Invalid { field, reason }) => self.refuse(field, reason),
            Err(SpecError::RatingUnsupported { wanted_min, supported_max }) => {
                self.unsupported(ServiceError::RatingUnsupported { wanted_min, supported_max });
            }
        }
        Some(spec)
    }

    /// The variant as it is stored; none if none is said, or none that is known.
    fn known_variant(&mut self, kind: Option<&'static dyn PuzzleKind>, name: &str) -> Option<String> {
        if name.is_empty() {
            return None;
        }
        // Without a kind, some kind has to know it.
        let kinds = kind.map_or_else(|| registry::kinds().to_vec(), |kind| vec![kind]);
        let mut faults = Vec::new();
        for kind in kinds {
            match variant_fault(kind, name) {
                None => return Some(kind.variant_name(name)),
                Some(fault) => faults.push(fault),
            }
        }
        faults.dedup();
        self.refuse("variant", faults.join("; "));
        None
    }
}
