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

            fn stating(mut self, criteria: &Criteria) -> Self {
                pb::JobSpec {
                    kind: self.kind,
                    variant: self.variant,
                    symmetry: self.symmetry,
                    level: self.level,
                    min_rating: self.min_rating,
                    max_rating: self.max_rating,
                    technique: self.technique,
                    min_givens: self.min_givens,
                    max_givens: self.max_givens,
                } = criteria.into();
                self
            }
        }
    )+};
}

states_criteria! { GenerateRequest GetPuzzleRequest ListPuzzlesRequest ExportPuzzlesRequest CreateStockTargetRequest
WithdrawPuzzlesRequest StockTarget DayCriteria }

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
