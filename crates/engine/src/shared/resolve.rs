//! Resolves what a request states into a spec: adds the style of the level to what it leaves open, and narrows the ratings to
//! those of the technique.

use super::{
    givens::{Givens, Style},
    level::{Level, Tenths, level_of},
    phrases::range,
    spec::{Difficulty, Spec, SpecError},
    symmetry::Symmetry,
    variant::{TechniqueGoal, TechniqueInfo, VariantInfo},
};

/// The parts of a spec that a request states. [`VariantInfo::resolve`] adds the others.
#[derive(Debug, Clone, Copy)]
pub struct OpenSpec<'a> {
    /// The symmetry; `None` leaves it open. [`Symmetry::None`] asks for no symmetry.
    pub symmetry: Option<Symmetry>,
    /// How hard the puzzle must be.
    pub difficulty: Difficulty,
    /// The smallest number of givens; `None` leaves it open.
    pub min_givens: Option<u16>,
    /// The largest number of givens; `None` leaves it open.
    pub max_givens: Option<u16>,
    /// The hardest technique that the puzzle must have; `None` allows any.
    pub technique: Option<&'a TechniqueInfo>,
}

impl VariantInfo {
    /// The style of a level; `None` if the variant lacks the level or has no styles.
    #[must_use]
    pub fn style(&self, level: Level) -> Option<&'static Style> {
        self.styles.iter().find(|style| style.level == level)
    }

    /// The delivered numbers of givens of the level that has this rating; `None` if the variant has no styles with givens.
    #[must_use]
    pub fn delivered(&self, rating: Tenths) -> Option<Givens> {
        self.style(level_of(self.levels, rating)).and_then(|style| style.delivered)
    }

    /// The difficulty of a request that states a level, a range of ratings, both, or neither. Both mean their intersection, as a
    /// range. An end of the range that is missing or lies beyond the scale becomes the end of the scale.
    ///
    /// # Errors
    /// [`SpecError`] if the level has none of the ratings.
    pub fn difficulty(
        &self,
        level: Option<Level>,
        min: Option<Tenths>,
        max: Option<Tenths>,
    ) -> Result<Difficulty, SpecError> {
        let is_range = min.is_some() || max.is_some();
        let range = Difficulty::within(self.levels, min, max);
        let (level, range) = match level {
            None if is_range => return Ok(range),
            None => return Ok(Difficulty::Any),
            Some(level) if is_range => (level, range),
            Some(level) => return Ok(Difficulty::Level(level)),
        };
        // A level that the variant lacks, and a range whose ends are exchanged, have an error of their own.
        let (Some((easiest, hardest)), Difficulty::Range { min, max }) = (level.range(self.levels), range) else {
            return Ok(Difficulty::Level(level));
        };
        if min > max {
            return Ok(range);
        }
        intersection((easiest, hardest), (min, max)).ok_or_else(|| SpecError::Invalid {
            field: "level",
            reason: format!(
                "{} is rated {}; the wanted ratings are {}; change one of them",
                level.name(),
                words((easiest, hardest)),
                words((min, max))
            ),
        })
    }

    /// The part of a difficulty in which a technique can be the hardest: its ratings if any rating is accepted, otherwise the
    /// intersection. Without a technique, the difficulty itself.
    ///
    /// # Errors
    /// [`SpecError`] if no wanted rating is one of the technique.
    pub fn narrowed(&self, difficulty: Difficulty, technique: Option<&TechniqueInfo>) -> Result<Difficulty, SpecError> {
        let Some(TechniqueInfo { name, min_rating, max_rating, .. }) = technique else { return Ok(difficulty) };
        let own = (*min_rating, *max_rating);
        if difficulty == Difficulty::Any {
            return Ok(Difficulty::Range { min: own.0, max: own.1 });
        }
        let Some(wanted) = self.bounds(difficulty) else { return Ok(difficulty) };
        if wanted.0 > wanted.1 {
            return Ok(difficulty);
        }
        intersection(own, wanted).ok_or_else(|| SpecError::Invalid {
            field: "technique",
            reason: format!(
                "{name} is rated {}; the wanted ratings are {}; change one of them",
                words(own),
                words(wanted)
            ),
        })
    }

    /// The spec of a request. What the request leaves open gets the style of its level. For a range of ratings or a technique, the
    /// symmetry is that of the level in which it begins, and the givens are those that each level in it delivers. Ranges that begin at
    /// [`Self::unstyled_from`] or above, and rare techniques, get no style. `variant` is the full name of the variant.
    ///
    /// The spec is not checked, see [`PuzzleKind::check_spec`](super::kind::PuzzleKind::check_spec).
    ///
    /// # Errors
    /// [`SpecError`] if the variant lacks a criterion that is stated, or if two criteria exclude each other.
    pub fn resolve(&self, kind: &str, variant: &str, open: &OpenSpec<'_>) -> Result<Spec, SpecError> {
        self.check_criteria(kind, variant, open)?;
        let difficulty = self.narrowed(open.difficulty, open.technique)?;
        let is_rare = open.technique.is_some_and(|technique| technique.goal == TechniqueGoal::Rare);
        let begins = self.bounds(difficulty).map_or(Tenths(0), |(min, _)| min);
        let is_styled = !is_rare && (difficulty == Difficulty::Any || begins < self.unstyled_from);
        let style = self.style(level_of(self.levels, begins)).filter(|_| is_styled);
        let symmetry = open.symmetry.or(style.map(|style| style.symmetry)).unwrap_or(Symmetry::None);
        let usual = match difficulty {
            Difficulty::Level(level) => self.style(level).and_then(|style| style.made),
            _ => self.delivered_by_all(difficulty),
        };
        Ok(Spec {
            kind: kind.to_owned(),
            variant: variant.to_owned(),
            symmetry,
            difficulty,
            givens: self.givens_of(open, usual)?.or(usual.filter(|_| is_styled)),
            technique: open.technique.map(|technique| technique.name.to_owned()),
        })
    }

    /// Refuses criteria that the variant lacks.
    fn check_criteria(&self, kind: &str, variant: &str, open: &OpenSpec<'_>) -> Result<(), SpecError> {
        let lacks = |field| Err(SpecError::lacks_givens(field, kind, variant));
        match open {
            OpenSpec { min_givens: Some(_), .. } if self.givens.is_none() => lacks("min_givens"),
            OpenSpec { max_givens: Some(_), .. } if self.givens.is_none() => lacks("max_givens"),
            OpenSpec { technique: Some(_), .. } if !self.has_technique => {
                Err(SpecError::lacks_technique(kind, variant))
            }
            _ => Ok(()),
        }
    }

    /// The stated range of givens; `None` if neither end is stated. If one end is stated, the other is that of the usual range,
    /// extended to include the stated number.
    fn givens_of(&self, open: &OpenSpec<'_>, usual: Option<Givens>) -> Result<Option<Givens>, SpecError> {
        let Some(usual) = usual.or(self.givens.map(|limits| limits.made)) else { return Ok(None) };
        Ok(match (open.min_givens, open.max_givens) {
            (None, None) => None,
            (Some(min), None) => Some(Givens::new(min, usual.max.max(min))),
            (None, Some(max)) => Some(Givens::new(usual.min.min(max), max)),
            (Some(min), Some(max)) if min > max => {
                let reason = format!("{min} is above max_givens, {max}");
                return Err(SpecError::Invalid { field: "min_givens", reason });
            }
            (Some(min), Some(max)) => Some(Givens::new(min, max)),
        })
    }

    /// The numbers of givens that every level within a difficulty delivers. `None` without styles of givens.
    fn delivered_by_all(&self, difficulty: Difficulty) -> Option<Givens> {
        let mut delivered = self.touched(difficulty).filter_map(|level| self.style(level)?.delivered);
        let first = delivered.next()?;
        delivered.try_fold(first, Givens::within)
    }

    /// The levels that have a wanted rating, easiest first.
    pub(crate) fn touched(&self, difficulty: Difficulty) -> impl Iterator<Item = Level> + use<> {
        let wanted = self.bounds(difficulty);
        let is_touched = move |min, max| wanted.is_some_and(|wanted| intersection((min, max), wanted).is_some());
        self.levels.iter().filter(move |border| is_touched(border.min, border.max)).map(|border| border.level)
    }
}

/// The ratings that two ranges have in common; `None` if there are none.
fn intersection(one: (Tenths, Tenths), other: (Tenths, Tenths)) -> Option<Difficulty> {
    let (min, max) = (one.0.max(other.0), one.1.min(other.1));
    (min <= max).then_some(Difficulty::Range { min, max })
}

fn words((min, max): (Tenths, Tenths)) -> String {
    range(min, max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn style_without_givens_adds_its_symmetry_and_criteria_stay_refused() {
        let kakuro = registry::kind("kakuro").unwrap().variant("8x10").unwrap();
        let difficulty = Difficulty::Level(Level::Hard);
        let open = OpenSpec { symmetry: None, difficulty, min_givens: None, max_givens: None, technique: None };
        let words = |open: &OpenSpec<'_>| {
            let spec = kakuro.resolve("kakuro", "8x10-runs9", open);
            spec.map(|spec| spec.words()).map_err(|error| error.to_string())
        };
        assert_eq!(words(&open), Ok("kakuro|8x10-runs9|rotation180|hard|any".to_owned()));
        let full = OpenSpec { symmetry: Some(Symmetry::Full), difficulty: Difficulty::Any, ..open };
        assert_eq!(words(&full), Ok("kakuro|8x10-runs9|full|any|any".to_owned()));
        let givens = "numbers of givens are no criterion of kakuro 8x10-runs9; leave it out";
        for (refused, field) in [
            (OpenSpec { min_givens: Some(40), ..open }, "min_givens"),
            (OpenSpec { max_givens: Some(40), ..open }, "max_givens"),
        ] {
            assert_eq!(words(&refused), Err(format!("{field}: {givens}")));
        }
        let sum_cut = OpenSpec { technique: kakuro.technique("Sum Cut"), ..open };
        let techniques = "technique: techniques are no criterion of kakuro 8x10-runs9; leave it out";
        assert_eq!(words(&sum_cut), Err(techniques.to_owned()));
    }
}
