//! The goal of a try: the ratings and the numbers of givens at which it aims. Also checks a spec before any work on it.

use std::ops::RangeInclusive;

use super::Draft;
use crate::{
    grid::{kind::GridKind, orbits::reachable_within, variant::GridVariant},
    shared::{
        givens::Givens,
        level::Tenths,
        names::kind_in_words,
        rng::Rng,
        spec::{Spec, SpecError},
        symmetry::Symmetry,
        variant::VariantInfo,
    },
};

/// What a try is steered to.
#[derive(Debug, Clone)]
pub(crate) struct Goal {
    pub(crate) variant: &'static GridVariant,
    pub(crate) info: &'static VariantInfo,
    pub(crate) symmetry: Symmetry,
    /// The ratings of the spec.
    pub(crate) wanted: RangeInclusive<Tenths>,
    /// The ratings at which the try aims: those of one level, as far as they are wanted. If the wanted ratings cover several
    /// levels, the level is random.
    pub(crate) ratings: RangeInclusive<Tenths>,
    /// The numbers of givens at which the try aims. `None` if the kind has no givens.
    pub(crate) givens: Option<Givens>,
}

impl Goal {
    /// The goal of a try for a checked spec. If the spec covers several levels, draws one of them with equal chances. `None` if the kind
    /// lacks the variant.
    pub(crate) fn of(kind: &'static GridKind, spec: &Spec, rng: &mut Rng) -> Option<Self> {
        let (variant, info) = kind.variant(&spec.variant).zip(kind.info(&spec.variant))?;
        let wanted = info.ratings(spec.difficulty)?;
        let touched: Vec<_> = info.touched(spec.difficulty).collect();
        let level = *touched.get(rng.index(touched.len().max(1)))?;
        let (min, max) = level.range(info.levels)?;
        let ratings = min.max(*wanted.start())..=max.min(*wanted.end());
        let givens = spec.givens.or_else(|| info.style(level).and_then(|style| style.made));
        Some(Self { variant, info, symmetry: spec.symmetry, wanted, ratings, givens })
    }

    /// How far a puzzle is from the goal: in givens, and then in tenths of its rating. (0, 0) if it reaches the goal.
    pub(super) fn distance(&self, draft: &Draft) -> (u16, u8) {
        let givens = self.givens.map_or(0, |range| range.distance(draft.puzzle.givens()));
        let (min, max) = (self.ratings.start().0, self.ratings.end().0);
        let tenths = |rating: Tenths| min.saturating_sub(rating.0).max(rating.0.saturating_sub(max));
        (givens, draft.rating.map_or(u8::MAX, tenths))
    }
}

/// Refuses a spec that no puzzle of the kind can fulfill or that is not offered.
pub(crate) fn check_spec(kind: &'static GridKind, spec: &Spec) -> Result<(), SpecError> {
    let invalid = |field, reason| Err(SpecError::Invalid { field, reason });
    let Some((variant, info)) = kind.variant(&spec.variant).zip(kind.info(&spec.variant)) else {
        return invalid("variant", kind.unknown(&spec.variant));
    };
    if info.symmetry_since(spec.symmetry).is_none() {
        let offered: Vec<_> = info.symmetries.iter().map(|offered| offered.symmetry.name()).collect();
        let (symmetry, offered) = (spec.symmetry.name(), offered.join(", "));
        let kind = kind_in_words(kind.name);
        return invalid("symmetry", format!("{kind} {} has no symmetry {symmetry}; use {offered}", info.name));
    }
    if let Some(givens) = spec.givens {
        let reachable_within = |range| reachable_within(range, variant.size, spec.symmetry);
        info.check_givens(kind.name, givens, spec.symmetry, reachable_within)?;
    }
    if spec.technique.is_some() {
        return Err(SpecError::lacks_technique(kind.name, info.name));
    }
    info.check_difficulty(kind.name, spec.difficulty)
}
