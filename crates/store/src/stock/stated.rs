//! Rule: the shelves that criteria mean, and the criteria that a filter of shelves comes from. Both directions take [`Criteria`] apart field by
//! field. Pure functions.

use crate::stock::{
    criterion::{GivensFilter, VariantFilter},
    filter::ShelfFilter,
};
use puzzled_engine::{
    registry,
    shared::{
        criteria::Criteria,
        kind::PuzzleKind,
        level::Tenths,
        names::quoted,
        spec::{Difficulty, SpecError},
        variant::VariantInfo,
    },
};

/// The name by which a request for one puzzle, or a series, accepts any variant of its kind.
pub const ANY_VARIANT: &str = "any";

impl ShelfFilter {
    /// The shelves that criteria mean. Criteria without a variant mean all variants. A level, a rating, a technique, or a number of givens
    /// needs a kind. A stated kind must be one of the registry.
    ///
    /// # Errors
    /// The faults of all fields.
    pub fn stated(criteria: &Criteria) -> Result<Self, Vec<SpecError>> {
        let kind = criteria.kind.as_deref().and_then(registry::kind);
        let mut faults = Vec::new();
        let variant = criteria.variant.as_deref().map_or(Ok(VariantFilter::Any), |name| variants(kind, name));
        let variant = variant.map_err(|fault| faults.push(fault)).unwrap_or(VariantFilter::Any);
        let info = kind.and_then(|kind| kind.variant(variant.name().unwrap_or(kind.default_variant())));
        let Some((kind, info)) = kind.zip(info) else {
            faults.extend(needing_kind(criteria));
            let kind = kind.map(|kind| kind.name().to_owned());
            let found = Self { kind, variant, symmetry: criteria.symmetry, ..Self::ANY };
            return if faults.is_empty() { Ok(found) } else { Err(faults) };
        };
        let checked = criteria.checked(kind, info, &mut faults);
        let givens = givens(criteria, info, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self {
            kind: Some(kind.name().to_owned()),
            variant,
            symmetry: criteria.symmetry,
            difficulty: checked.difficulty,
            technique: checked.technique.map(|known| known.name.to_owned()),
            givens,
        })
    }

    /// The shelves for one puzzle to deliver. Criteria without a variant mean the default variant of their kind, [`ANY_VARIANT`] means all.
    /// Without numbers of givens, only puzzles within the style of their level fit.
    ///
    /// # Errors
    /// The faults of all fields.
    pub fn fitting(criteria: &Criteria) -> Result<Self, Vec<SpecError>> {
        let kind = criteria.kind.as_deref().and_then(registry::kind);
        let variant = match criteria.variant.as_deref() {
            Some(ANY_VARIANT) => None,
            None => kind.map(|kind| kind.default_variant().to_owned()),
            Some(name) => Some(name.to_owned()),
        };
        let found = Self::stated(&Criteria { variant, ..criteria.clone() })?;
        let givens = if found.givens == GivensFilter::Any { GivensFilter::STYLED } else { found.givens };
        Ok(Self { givens, ..found })
    }

    /// The shelves that stored criteria mean. Accepts all criteria that [`Self::criteria`] returned when they were stored, even if this version
    /// would refuse them in a request. Without numbers of givens, only puzzles within the style of their level fit.
    #[must_use]
    pub fn of_stored(criteria: &Criteria) -> Self {
        let Criteria { kind, variant, symmetry, level, min_rating, max_rating, technique, min_givens, max_givens } =
            criteria;
        let difficulty = match (level, min_rating, max_rating) {
            (Some(level), ..) => Difficulty::Level(*level),
            (None, None, None) => Difficulty::Any,
            (None, min, max) => Difficulty::Range { min: min.unwrap_or_default(), max: max.unwrap_or(Tenths::MAX) },
        };
        let variant = match variant.as_deref() {
            None | Some(ANY_VARIANT) => VariantFilter::Any,
            Some(name) => VariantFilter::named(kind.as_deref().and_then(registry::kind), name),
        };
        Self {
            kind: kind.clone(),
            variant,
            symmetry: *symmetry,
            difficulty,
            technique: technique.clone(),
            givens: GivensFilter::Within { min: *min_givens, max: *max_givens },
        }
    }

    /// The criteria of this filter, with both ends of its ratings.
    #[must_use]
    pub fn criteria(&self) -> Criteria {
        let Self { kind, variant, symmetry, difficulty, technique, givens } = self;
        Criteria {
            kind: kind.clone(),
            variant: variant.name().map(str::to_owned),
            symmetry: *symmetry,
            technique: technique.clone(),
            min_givens: givens.min(),
            max_givens: givens.max(),
            ..Criteria::from(*difficulty)
        }
    }
}

/// The variants that a name means. A name that no kind makes is refused.
fn variants(kind: Option<&'static dyn PuzzleKind>, name: &str) -> Result<VariantFilter, SpecError> {
    let known = kind.map_or_else(|| registry::kinds().to_vec(), |kind| vec![kind]);
    if let Some(kind) = known.into_iter().find(|kind| kind.check_variant(name).is_ok()) {
        return Ok(VariantFilter::named(Some(kind), name));
    }
    let of_kind = kind.and_then(|kind| kind.check_variant(name).err());
    let of_none = || format!("no kind has the variant {}; with a kind, the error lists its variants", quoted(name));
    Err(SpecError::invalid("variant", of_kind.unwrap_or_else(of_none)))
}

/// The faults of criteria that need a kind, if no kind is stated.
fn needing_kind(criteria: &Criteria) -> impl Iterator<Item = SpecError> {
    let needing = [
        ("a level or a rating", criteria.is_rated()),
        ("a technique", criteria.technique.is_some()),
        ("a number of givens", criteria.min_givens.is_some() || criteria.max_givens.is_some()),
    ];
    let needing = needing.into_iter().filter(|(_, is_stated)| *is_stated && criteria.kind.is_none());
    needing.map(|(what, _)| SpecError::invalid("kind", format!("required together with {what}; set a kind")))
}

/// The numbers of givens that are searched. Checks them against the numbers that the variant can have.
fn givens(criteria: &Criteria, info: &VariantInfo, faults: &mut Vec<SpecError>) -> GivensFilter {
    let Some(searched) = info.givens.map(|limits| limits.searched) else { return GivensFilter::Any };
    let (min, max) = (criteria.min_givens, criteria.max_givens);
    for (field, number) in [("min_givens", min), ("max_givens", max)] {
        if let Some(number) = number.filter(|number| !searched.contains(*number)) {
            let reason = format!("{number} is outside {} to {}", searched.min, searched.max);
            faults.push(SpecError::invalid(field, reason));
        }
    }
    match (min, max) {
        (None, None) => GivensFilter::Any,
        (Some(low), Some(high)) if low > high => {
            faults.push(SpecError::invalid("min_givens", format!("{low} is above max_givens, {high}")));
            GivensFilter::Any
        }
        _ => GivensFilter::Within { min, max },
    }
}
