//! What a request wants of a puzzle: kind, variant, symmetry and difficulty, as the spec of puzzles that are to be made or as
//! the shelves of those in stock.

use super::Parser;
use crate::{
    proto::v1 as pb,
    service::{errors::ServiceError, quoted::cut, render},
    store::puzzle::ShelfFilter,
};
use puzzled_engine::{
    kind::PuzzleKind,
    level::{Level, Tenths},
    registry,
    spec::{Spec, Target},
    symmetry::Symmetry,
};

/// Most bytes of a variant's name: a layout of 30x30 cells, said sign by sign, has 936.
const VARIANT_LEN_MAX: usize = 1_024;

/// Most bytes of a technique's name; the longest that any kind knows has 68.
const TECHNIQUE_LEN_MAX: usize = 100;

/// How far from a whole number of tenths a rating may lie: what a 32-bit float makes of 25.5 is nearer.
const TENTHS_SLACK: f64 = 1e-4;

/// The fields that say what is wanted of a puzzle, as they are sent.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::service) struct Criteria<'a> {
    pub(in crate::service) kind: i32,
    pub(in crate::service) variant: &'a str,
    pub(in crate::service) symmetry: i32,
    pub(in crate::service) level: i32,
    pub(in crate::service) min_rating: Option<f64>,
    pub(in crate::service) max_rating: Option<f64>,
}

macro_rules! criteria_of {
    ($($request:ident)+) => {$(
        impl<'a> From<&'a pb::$request> for Criteria<'a> {
            fn from(request: &'a pb::$request) -> Self {
                let &pb::$request { kind, ref variant, symmetry, level, min_rating, max_rating, .. } = request;
                Self { kind, variant, symmetry, level, min_rating, max_rating }
            }
        }
    )+};
}

criteria_of! { GenerateRequest GetPuzzleRequest GetDailyPuzzleRequest ListPuzzlesRequest ExportPuzzlesRequest CreateStockTargetRequest }

/// The part of the stock that a request is about.
pub(in crate::service) fn part(wanted: Criteria<'_>) -> Result<ShelfFilter, ServiceError> {
    let mut parser = Parser::default();
    let part = parser.shelves(wanted);
    parser.done()?;
    Ok(part)
}

/// A spec that was made of shelves, if its kind can work on it.
pub(in crate::service) fn checked(kind: &dyn PuzzleKind, spec: Spec) -> Result<Spec, ServiceError> {
    let mut parser = Parser::default();
    let checked = parser.checked(kind, spec);
    parser.done_with(checked)
}

impl Parser {
    /// The shelves that a request asks for. A level or a range means something only together with a kind.
    pub(super) fn shelves(&mut self, wanted: Criteria<'_>) -> ShelfFilter {
        let kind = self.kind(wanted.kind);
        let target = self.target(&wanted);
        let symmetry = self.symmetry(wanted.symmetry);
        if wanted.kind == i32::from(pb::Kind::Unspecified) && target != Target::Any {
            self.refuse("kind", "KIND_UNSPECIFIED together with a level or a rating, which differ by kind".to_owned());
        }
        let variant = self.stored_variant(kind, wanted.variant);
        let (rating_min, rating_max) = match (target, kind) {
            (Target::Range { min, max }, _) => (min, max),
            (Target::Level(level), Some(kind)) => level.range(kind.levels()),
            _ => (ShelfFilter::ANY.rating_min, ShelfFilter::ANY.rating_max),
        };
        ShelfFilter { kind: kind.map(|kind| kind.name().to_owned()), variant, symmetry, rating_min, rating_max }
    }

    /// The spec of puzzles that are to be made; none if they cannot be.
    pub(super) fn spec(&mut self, wanted: Criteria<'_>, clues: Option<u32>, technique: &str) -> Option<Spec> {
        let clues = clues.map(|clues| u16::try_from(clues).map_err(|_| clues)).transpose();
        if let Err(clues) = clues {
            self.refuse("clues", format!("{clues} is above {}", u16::MAX));
        }
        let kind = self.required_kind(wanted.kind);
        let target = self.target(&wanted);
        let symmetry = self.symmetry(wanted.symmetry).unwrap_or(Symmetry::None);
        let kind = kind?;
        let target = match target {
            Target::Range { min, max } => Target::within(kind.levels(), Some(min), Some(max)),
            any_or_level => any_or_level,
        };
        let variant = kind.variant_name(&self.variant_or(kind.default_variant(), wanted.variant)?);
        let technique = (!technique.is_empty()).then(|| technique_named(kind, technique));
        self.checked(
            kind,
            Spec { kind: kind.name().to_owned(), variant, symmetry, target, clues: clues.ok()?, technique },
        )
    }

    fn checked(&mut self, kind: &dyn PuzzleKind, spec: Spec) -> Option<Spec> {
        kind.check_spec(&spec).map_err(|error| self.refuse_spec(error)).ok()?;
        Some(spec)
    }

    /// The kind; none if it is not said or not to be had.
    pub(super) fn kind(&mut self, value: i32) -> Option<&'static dyn PuzzleKind> {
        match pb::Kind::try_from(value) {
            Ok(pb::Kind::Unspecified) => None,
            Ok(kind) => {
                let found = registry::kinds().iter().copied().find(|known| render::kind(known.name()) == kind);
                if found.is_none() {
                    self.unsupported(ServiceError::KindUnsupported(kind.as_str_name()));
                }
                found
            }
            Err(_) => {
                self.refuse("kind", format!("{value} is not a kind: see GetServerInfo"));
                None
            }
        }
    }

    /// The kind, which must be said.
    pub(super) fn required_kind(&mut self, value: i32) -> Option<&'static dyn PuzzleKind> {
        if value == i32::from(pb::Kind::Unspecified) {
            self.refuse("kind", "KIND_UNSPECIFIED where a kind is required".to_owned());
        }
        self.kind(value)
    }

    /// The variant that is named, else the default one; none if the name is too long to be looked at.
    pub(super) fn variant_or(&mut self, default: &str, name: &str) -> Option<String> {
        if name.len() > VARIANT_LEN_MAX {
            self.refuse("variant", format!("{} bytes are above {VARIANT_LEN_MAX}", name.len()));
            return None;
        }
        Some(if name.is_empty() { default } else { name }.to_owned())
    }

    /// The variant of stored puzzles; none if none is named, or none that is made. Without a kind, some kind has to make it.
    fn stored_variant(&mut self, kind: Option<&'static dyn PuzzleKind>, name: &str) -> Option<String> {
        let name = self.variant_or("", name).filter(|name| !name.is_empty())?;
        let mut faults = Vec::new();
        for kind in kind.map_or_else(|| registry::kinds().to_vec(), |kind| vec![kind]) {
            match kind.check_variant(&name) {
                Ok(()) => return Some(kind.variant_name(&name)),
                Err(fault) => faults.push(fault),
            }
        }
        self.refuse("variant", faults.join("; "));
        None
    }

    /// The symmetry; none if it is not said.
    fn symmetry(&mut self, value: i32) -> Option<Symmetry> {
        let symmetry = Symmetry::ALL.into_iter().find(|&one| i32::from(render::symmetry(one)) == value);
        if symmetry.is_none() && value != i32::from(pb::Symmetry::Unspecified) {
            self.refuse("symmetry", format!("{value} is not a symmetry: 1 (SYMMETRY_NONE) to 8 (SYMMETRY_FULL)"));
        }
        symmetry
    }

    /// A level or a range of ratings, with open ends as the easiest and hardest of any kind; any if neither is said.
    fn target(&mut self, wanted: &Criteria<'_>) -> Target {
        let level = level(wanted.level);
        if level.is_none() && wanted.level != i32::from(pb::Level::Unspecified) {
            self.refuse("level", format!("{} is not a level: 1 (LEVEL_EASY) to 5 (LEVEL_EVIL)", wanted.level));
        }
        let range = self.range(level, wanted.min_rating, wanted.max_rating);
        level.map(Target::Level).or(range).unwrap_or(Target::Any)
    }

    fn range(&mut self, level: Option<Level>, min: Option<f64>, max: Option<f64>) -> Option<Target> {
        if min.is_none() && max.is_none() {
            return None;
        }
        let field = if min.is_some() { "min_rating" } else { "max_rating" };
        if let Some(level) = level {
            let level = render::level(level).as_str_name();
            self.refuse("level", format!("{level} together with {field}: give one or the other"));
        }
        let min = min.map_or(Some(Tenths(0)), |min| self.rating("min_rating", min));
        let max = max.map_or(Some(Tenths::MAX), |max| self.rating("max_rating", max));
        let (min, max) = (min?, max?);
        if min > max {
            self.refuse("min_rating", format!("{min} is above max_rating {max}"));
            return None;
        }
        Some(Target::Range { min, max })
    }

    fn rating(&mut self, field: &'static str, value: f64) -> Option<Tenths> {
        tenths(value).map_err(|fault| self.refuse(field, fault)).ok()
    }
}

/// The level of a value on the wire; none if there is no such level.
pub(super) fn level(value: i32) -> Option<Level> {
    Level::ALL.into_iter().find(|&one| i32::from(render::level(one)) == value)
}

/// A rating as sent, or what is wrong with it.
pub(super) fn tenths(value: f64) -> Result<Tenths, String> {
    let tenths = (value * 10.0).round();
    if !(0.0..=f64::from(Tenths::MAX.0)).contains(&tenths) {
        return Err(format!("{value} is outside {} to {}", Tenths(0), Tenths::MAX));
    }
    if (value * 10.0 - tenths).abs() > TENTHS_SLACK {
        return Err(format!("{value} has more than 1 decimal"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and within 0 to 255")]
    Ok(Tenths(tenths as u8))
}

/// The name of a technique as the kind writes it; what is too long for any is cut, for the kind to refuse.
fn technique_named(kind: &dyn PuzzleKind, name: &str) -> String {
    if name.len() > TECHNIQUE_LEN_MAX { cut(name).to_owned() } else { Spec::technique_named(&kind.techniques(), name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_have_one_decimal_between_0_and_25_5() {
        for (value, wanted) in [
            (2.6, Ok(26)),
            (f64::from(2.6_f32), Ok(26)),
            (f64::from(25.1_f32), Ok(251)),
            (0.0, Ok(0)),
            (-0.0, Ok(0)),
            (25.5, Ok(255)),
            (2.65, Err("2.65 has more than 1 decimal")),
            (25.6, Err("25.6 is outside 0.0 to 25.5")),
            (-0.1, Err("-0.1 is outside 0.0 to 25.5")),
            (-0.01, Err("-0.01 has more than 1 decimal")),
            (f64::NAN, Err("NaN is outside 0.0 to 25.5")),
            (f64::INFINITY, Err("inf is outside 0.0 to 25.5")),
            (f64::NEG_INFINITY, Err("-inf is outside 0.0 to 25.5")),
        ] {
            assert_eq!(tenths(value), wanted.map(Tenths).map_err(str::to_owned), "{value}");
        }
    }

    #[test]
    fn every_rating_survives_the_wire() {
        for rating in (0..=u8::MAX).map(Tenths) {
            assert_eq!(tenths(render::rating(rating)), Ok(rating));
        }
    }

    #[test]
    fn kinds_levels_and_symmetries_survive_the_wire() {
        let mut parser = Parser::default();
        for known in registry::kinds() {
            let kind = parser.kind(render::kind(known.name()).into());
            assert_eq!(kind.map(PuzzleKind::name), Some(known.name()));
        }
        for one in Level::ALL {
            assert_eq!(level(render::level(one).into()), Some(one));
        }
        for one in Symmetry::ALL {
            assert_eq!(parser.symmetry(render::symmetry(one).into()), Some(one));
        }
        parser.done().unwrap();
    }
}
