//! Criteria in messages. [`pb::JobSpec`] is the form that messages share: each message with criteria gives it, and is filled from it.

use super::{
    v1 as pb,
    words::{kind, level, symmetry},
};
use puzzled_engine::shared::{criteria::Criteria, level::Tenths};

/// A message that states criteria.
pub trait StatesCriteria: Sized {
    /// What the message states, as sent.
    fn stated(&self) -> pb::JobSpec;

    /// The message with these criteria.
    #[must_use]
    fn stating(self, criteria: &Criteria) -> Self;
}

macro_rules! states_criteria {
    ($($message:ident)+) => {$(
        impl StatesCriteria for pb::$message {
            fn stated(&self) -> pb::JobSpec {
                let &Self { kind, symmetry, level, min_rating, max_rating, min_givens, max_givens, .. } = self;
                let (variant, technique) = (self.variant.clone(), self.technique.clone());
                pb::JobSpec { kind, variant, symmetry, level, min_rating, max_rating, technique, min_givens, max_givens }
            }

            fn stating(self, criteria: &Criteria) -> Self {
                let pb::JobSpec {
                    kind,
                    variant,
                    symmetry,
                    level,
                    min_rating,
                    max_rating,
                    technique,
                    min_givens,
                    max_givens,
                } = criteria.into();
                let rest = self;
                Self { kind, variant, symmetry, level, min_rating, max_rating, technique, min_givens, max_givens, ..rest }
            }
        }
    )+};
}

states_criteria! { GenerateRequest GetPuzzleRequest ListPuzzlesRequest ExportPuzzlesRequest CreateStockTargetRequest
WithdrawPuzzlesRequest StockTarget }

/// The criteria of a day have no kind and no variant; a day has those of its series.
impl StatesCriteria for pb::DayCriteria {
    fn stated(&self) -> pb::JobSpec {
        let &Self { level, min_rating, max_rating, symmetry, ref technique, min_givens, max_givens } = self;
        let (technique, open) = (technique.clone(), pb::JobSpec::default());
        pb::JobSpec { symmetry, level, min_rating, max_rating, technique, min_givens, max_givens, ..open }
    }

    fn stating(self, criteria: &Criteria) -> Self {
        let pb::JobSpec {
            kind: _,
            variant: _,
            symmetry,
            level,
            min_rating,
            max_rating,
            technique,
            min_givens,
            max_givens,
        } = criteria.into();
        Self { level, min_rating, max_rating, symmetry, technique, min_givens, max_givens }
    }
}

impl From<&Criteria> for pb::JobSpec {
    fn from(criteria: &Criteria) -> Self {
        let Criteria {
            kind: name,
            variant,
            symmetry: made,
            level: of,
            min_rating,
            max_rating,
            technique,
            min_givens,
            max_givens,
        } = criteria;
        Self {
            kind: name.as_deref().map_or(pb::Kind::Unspecified, kind).into(),
            variant: variant.clone().unwrap_or_default(),
            symmetry: made.map_or(pb::Symmetry::Unspecified, symmetry).into(),
            level: of.map_or(pb::Level::Unspecified, level).into(),
            min_rating: min_rating.map(Tenths::decimal),
            max_rating: max_rating.map(Tenths::decimal),
            technique: technique.clone().unwrap_or_default(),
            min_givens: min_givens.map(u32::from),
            max_givens: max_givens.map(u32::from),
        }
    }
}
