//! [`Criteria`], what a caller states about the puzzles that it wants, and how it becomes a spec.

use serde::{Deserialize, Serialize};

use super::{
    kind::PuzzleKind,
    level::{Level, Tenths},
    names::quoted,
    spec::{Difficulty, Spec, SpecError},
    symmetry::Symmetry,
    variant::{TechniqueGoal, TechniqueInfo, VariantInfo},
};

/// What a request, a command, or a table states about the puzzles that it wants. `None` leaves a criterion open.
/// Messages, flags, tables, and filters of the stock each have one file that converts them, field by field; this file converts specs. The
/// stored form is a JSON object with what is stated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "Stored", try_from = "Stored")]
pub struct Criteria {
    /// Name of the kind in the registry, such as `sudoku`.
    pub kind: Option<String>,
    /// Name of a variant of the kind, such as `9x9`.
    pub variant: Option<String>,
    /// Symmetry of the pattern of givens or of the layout. [`Symmetry::None`] asks for no symmetry.
    pub symmetry: Option<Symmetry>,
    /// The level. With ratings, their intersection is wanted.
    pub level: Option<Level>,
    /// The lowest rating.
    pub min_rating: Option<Tenths>,
    /// The highest rating.
    pub max_rating: Option<Tenths>,
    /// The hardest technique of the puzzle.
    pub technique: Option<String>,
    /// The smallest number of givens.
    pub min_givens: Option<u16>,
    /// The largest number of givens.
    pub max_givens: Option<u16>,
}

/// The criteria that depend on the variant, after their check.
#[derive(Debug, Clone, Copy)]
pub struct Checked {
    /// The hardest technique; `None` allows any.
    pub technique: Option<&'static TechniqueInfo>,
    /// The intersection of the level, the ratings, and the ratings of the technique.
    pub difficulty: Difficulty,
}

impl Criteria {
    /// Builds the spec for a kind, and lets the kind check it. Open criteria get the style of the level.
    ///
    /// # Errors
    /// The faults of all fields.
    pub fn resolve(&self, kind: &dyn PuzzleKind) -> Result<Spec, Vec<SpecError>> {
        let spec = self.spec(kind)?;
        let refused = kind.variant(&spec.variant).zip(spec.technique.as_deref()).and_then(|(info, name)| {
            let known = info.technique(name).filter(|known| known.goal == TechniqueGoal::Refused)?;
            Some(unknown_technique(kind, info, known.name))
        });
        refused.map_or_else(|| kind.check_spec(&spec), Err).map(|()| spec).map_err(|fault| vec![fault])
    }

    /// Like [`Self::resolve`], but without the check whether the kind makes such puzzles.
    ///
    /// # Errors
    /// The faults of all fields.
    pub fn spec(&self, kind: &dyn PuzzleKind) -> Result<Spec, Vec<SpecError>> {
        let name = self.variant.as_deref().unwrap_or(kind.default_variant());
        let variant = kind.variant_name(name);
        let info = kind.variant(&variant).ok_or_else(|| {
            let fault = kind.check_variant(&variant).err();
            vec![SpecError::invalid("variant", fault.unwrap_or_else(|| format!("unknown variant {variant}")))]
        })?;
        let mut faults = Vec::new();
        let Checked { technique, difficulty } = self.checked(kind, info, &mut faults);
        let spec = info.styled(kind.name(), variant, self, (technique, difficulty)).map_err(|fault| faults.push(fault));
        if faults.is_empty() { spec.map_err(|()| faults) } else { Err(faults) }
    }

    /// Checks the criteria that depend on the variant, and adds their faults. A criterion with a fault counts as open.
    pub fn checked(&self, kind: &dyn PuzzleKind, info: &'static VariantInfo, faults: &mut Vec<SpecError>) -> Checked {
        let mut kept = |checked: Result<_, SpecError>| checked.map_err(|fault| faults.push(fault)).ok();
        let technique = self.technique.as_deref().and_then(|name| kept(technique(kind, info, name)));
        let difficulty = self.difficulty(kind, info, technique, faults);
        for (field, number) in [("min_givens", self.min_givens), ("max_givens", self.max_givens)] {
            if let Some(number) = number.filter(|_| info.givens.is_none()) {
                let reason = format!("{number}: {}", no_criterion(kind, info, "numbers of givens"));
                faults.push(SpecError::Invalid { field, reason });
            }
        }
        Checked { technique, difficulty }
    }

    fn difficulty(
        &self,
        kind: &dyn PuzzleKind,
        info: &VariantInfo,
        technique: Option<&TechniqueInfo>,
        faults: &mut Vec<SpecError>,
    ) -> Difficulty {
        let end = info.rating_max;
        let [min, max] = [("min_rating", self.min_rating), ("max_rating", self.max_rating)].map(|(field, rating)| {
            let is_beyond = rating.is_some_and(|rating| rating > end);
            if let Some(rating) = rating.filter(|_| is_beyond) {
                let reason = format!("{rating} is outside 0.0 to {end}, the ratings of {}", kind.name());
                faults.push(SpecError::Invalid { field, reason });
            }
            rating.filter(|_| !is_beyond)
        });
        if let Some((min, max)) = min.zip(max).filter(|(min, max)| min > max) {
            faults.push(SpecError::RatingsCrossed { min, max });
            return Difficulty::Any;
        }
        let wanted = info.difficulty(self.level, min, max).and_then(|wanted| info.narrowed(wanted, technique));
        wanted.map_err(|fault| faults.push(fault)).unwrap_or(Difficulty::Any)
    }

    /// Whether a level or a rating is stated.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        self.level.is_some() || self.min_rating.is_some() || self.max_rating.is_some()
    }
}

impl From<&Spec> for Criteria {
    fn from(spec: &Spec) -> Self {
        let Spec { kind, variant, symmetry, difficulty, givens, technique } = spec;
        Self {
            kind: Some(kind.clone()),
            variant: Some(variant.clone()),
            symmetry: Some(*symmetry),
            technique: technique.clone(),
            min_givens: givens.map(|givens| givens.min),
            max_givens: givens.map(|givens| givens.max),
            ..Self::from(*difficulty)
        }
    }
}

impl From<Difficulty> for Criteria {
    fn from(difficulty: Difficulty) -> Self {
        match difficulty {
            Difficulty::Any => Self::default(),
            Difficulty::Level(level) => Self { level: Some(level), ..Self::default() },
            Difficulty::Range { min, max } => Self { min_rating: Some(min), max_rating: Some(max), ..Self::default() },
        }
    }
}

fn technique(
    kind: &dyn PuzzleKind,
    info: &'static VariantInfo,
    name: &str,
) -> Result<&'static TechniqueInfo, SpecError> {
    if !info.has_technique {
        let reason = format!("{}: {}", quoted(name), no_criterion(kind, info, "techniques"));
        return Err(SpecError::Invalid { field: "technique", reason });
    }
    info.technique(name).ok_or_else(|| unknown_technique(kind, info, name))
}

fn unknown_technique(kind: &dyn PuzzleKind, info: &VariantInfo, name: &str) -> SpecError {
    SpecError::UnknownTechnique { kind: kind.name().to_owned(), reason: info.unknown_technique(name) }
}

/// Why a kind, or one of its variants, refuses a criterion that it lacks.
fn no_criterion(kind: &dyn PuzzleKind, info: &VariantInfo, criteria: &str) -> String {
    format!("{criteria} are no criterion of {}; leave it out", info.in_words(kind.name(), kind.variants()))
}

/// The stored form of criteria, without those that are open. A version refuses a field that it does not know, so a new criterion makes rows
/// that older versions cannot read.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Stored {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetry: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<String>,
    /// Both ends of the ratings, in tenths.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratings: Option<(Option<u8>, Option<u8>)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    technique: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_givens: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_givens: Option<u16>,
}

impl From<Criteria> for Stored {
    fn from(criteria: Criteria) -> Self {
        let Criteria { kind, variant, symmetry, level, min_rating, max_rating, technique, min_givens, max_givens } =
            criteria;
        let ratings = (min_rating.map(|min| min.0), max_rating.map(|max| max.0));
        Self {
            kind,
            variant,
            symmetry: symmetry.map(|symmetry| symmetry.name().to_owned()),
            level: level.map(|level| level.name().to_owned()),
            ratings: (ratings != (None, None)).then_some(ratings),
            technique,
            min_givens,
            max_givens,
        }
    }
}

impl TryFrom<Stored> for Criteria {
    type Error = String;

    fn try_from(stored: Stored) -> Result<Self, String> {
        let Stored { kind, variant, symmetry, level, ratings, technique, min_givens, max_givens } = stored;
        let (min, max) = ratings.unwrap_or_default();
        Ok(Self {
            kind,
            variant,
            symmetry: symmetry.map(|name| name.parse()).transpose()?,
            level: level.map(|name| name.parse()).transpose()?,
            min_rating: min.map(Tenths),
            max_rating: max.map(Tenths),
            technique,
            min_givens,
            max_givens,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    /// Names are compared without spaces. A name of more than 100 bytes was once taken for the technique that its beginning names.
    #[test]
    fn long_name_is_no_technique_because_its_beginning_is_one() {
        let technique = Some(format!("X-Wing{}{}", " ".repeat(40), "x".repeat(70)));
        let refused =
            Criteria { technique, ..Criteria::default() }.spec(registry::kind("sudoku").unwrap()).unwrap_err();
        assert!(matches!(refused[..], [SpecError::UnknownTechnique { .. }]), "{refused:?}");
    }
}
