//! How a variant completes [`Criteria`]: it computes the difficulty, and fills open criteria with the style of the level.
//! [`Criteria::resolve`] calls this.

use super::{
    criteria::Criteria,
    givens::{Givens, Style},
    level::{Level, Tenths, level_of},
    phrases::range,
    spec::{Difficulty, Spec, SpecError},
    symmetry::Symmetry,
    variant::{TechniqueGoal, TechniqueInfo, VariantInfo},
};

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
        // `check_difficulty` refuses a level that the variant lacks, and a range whose minimum is above its maximum.
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

    /// The spec of criteria whose technique and difficulty are known. Open criteria get the style of the level. For a range of
    /// ratings or a technique, the symmetry is that of its first level, and the givens are those that each of its levels
    /// delivers. A rare technique, or a difficulty that begins at [`Self::unstyled_from`] or above, gets no style. If one end of
    /// the givens is stated, the other is always filled in. `variant` is the full name of the variant.
    pub(super) fn styled(
        &self,
        kind: &str,
        variant: String,
        stated: &Criteria,
        (technique, difficulty): (Option<&TechniqueInfo>, Difficulty),
    ) -> Result<Spec, SpecError> {
        let is_rare = technique.is_some_and(|technique| technique.goal == TechniqueGoal::Rare);
        let begins = self.bounds(difficulty).map_or(Tenths(0), |(min, _)| min);
        let is_styled = !is_rare && (difficulty == Difficulty::Any || begins < self.unstyled_from);
        let style = self.style(level_of(self.levels, begins)).filter(|_| is_styled);
        let usual = match difficulty {
            Difficulty::Level(level) => self.style(level).and_then(|style| style.made),
            _ => self.delivered_by_all(difficulty),
        };
        Ok(Spec {
            kind: kind.to_owned(),
            variant,
            symmetry: stated.symmetry.or(style.map(|style| style.symmetry)).unwrap_or(Symmetry::None),
            difficulty,
            givens: self.givens_of(stated, usual)?.or(usual.filter(|_| is_styled)),
            technique: technique.map(|technique| technique.name.to_owned()),
        })
    }

    /// The stated range of givens; `None` if neither end is stated. If one end is stated, the other is that of the usual range,
    /// extended to include the stated number.
    fn givens_of(&self, stated: &Criteria, usual: Option<Givens>) -> Result<Option<Givens>, SpecError> {
        let Some(usual) = usual.or(self.givens.map(|limits| limits.made)) else { return Ok(None) };
        Ok(match (stated.min_givens, stated.max_givens) {
            (None, None) => None,
            (Some(min), None) => Some(Givens::new(min, usual.max.max(min))),
            (None, Some(max)) => Some(Givens::new(usual.min.min(max), max)),
            (Some(min), Some(max)) if min > max => {
                return Err(SpecError::invalid("min_givens", format!("{min} is above max_givens, {max}")));
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
        let kakuro = registry::kind("kakuro").unwrap();
        let words = |criteria: &Criteria| {
            let spec = Criteria { variant: Some("8x10-runs9".to_owned()), ..criteria.clone() }.spec(kakuro);
            spec.map(|spec| spec.words()).map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let hard = Criteria::from(Difficulty::Level(Level::Hard));
        assert_eq!(words(&hard), Ok("kakuro|8x10-runs9|rotation180|hard|any".to_owned()));
        let full = Criteria { symmetry: Some(Symmetry::Full), ..Criteria::default() };
        assert_eq!(words(&full), Ok("kakuro|8x10-runs9|full|any|any".to_owned()));
        let givens = "numbers of givens are no criterion of the kind kakuro; leave it out";
        for (refused, field) in [
            (Criteria { min_givens: Some(40), ..hard.clone() }, "min_givens"),
            (Criteria { max_givens: Some(40), ..hard.clone() }, "max_givens"),
        ] {
            assert_eq!(words(&refused), Err(vec![format!("{field}: 40: {givens}")]));
        }
        let sum_cut = Criteria { technique: Some("Sum Cut".to_owned()), ..hard };
        let techniques = "technique: \"Sum Cut\": techniques are no criterion of the kind kakuro; leave it out";
        assert_eq!(words(&sum_cut), Err(vec![techniques.to_owned()]));
    }
}
