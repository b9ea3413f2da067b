//! Parses the criteria of a request into the spec of puzzles to make, or into a filter of the shelves in stock. Checks
//! kind, variant, symmetry, level, rating range, technique, and numbers of givens.

use super::Parser;
use crate::{
    proto::v1 as pb,
    rules::{
        stock::{
            criterion::{GivensFilter, VariantFilter},
            filter::ShelfFilter,
        },
        targets::shortage,
    },
    service::{errors::ServiceError, render},
};
use puzzled_engine::{
    registry,
    shared::{
        kind::PuzzleKind,
        level::{Level, Tenths},
        names::quoted,
        resolve::OpenSpec,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        variant::{TechniqueInfo, VariantInfo},
    },
};

/// The maximum number of bytes of a variant's name. A layout of 30x30 cells, written cell by cell, has 936.
const VARIANT_LEN_MAX: usize = 1_024;

/// The variant by which a request for one puzzle asks for any variant.
const ANY_VARIANT: &str = "any";

/// How far a rating may be from a whole number of tenths. The 32-bit float of 13.4 is nearer.
const TENTHS_SLACK: f64 = 1e-4;

/// The criteria of a request, as sent.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::service) struct Criteria<'a> {
    pub(in crate::service) kind: i32,
    pub(in crate::service) variant: &'a str,
    pub(in crate::service) symmetry: i32,
    pub(in crate::service) level: i32,
    pub(in crate::service) min_rating: Option<f64>,
    pub(in crate::service) max_rating: Option<f64>,
    pub(in crate::service) technique: &'a str,
    pub(in crate::service) min_givens: Option<u32>,
    pub(in crate::service) max_givens: Option<u32>,
}

macro_rules! criteria_of {
    ($($request:ident)+) => {$(
        impl<'a> From<&'a pb::$request> for Criteria<'a> {
            fn from(request: &'a pb::$request) -> Self {
                let &pb::$request {
                    kind,
                    ref variant,
                    symmetry,
                    level,
                    min_rating,
                    max_rating,
                    ref technique,
                    min_givens,
                    max_givens,
                    ..
                } = request;
                Self { kind, variant, symmetry, level, min_rating, max_rating, technique, min_givens, max_givens }
            }
        }
    )+};
}

criteria_of! { GenerateRequest GetPuzzleRequest ListPuzzlesRequest ExportPuzzlesRequest CreateStockTargetRequest
WithdrawPuzzlesRequest }

/// The part of the stock that a request is about.
pub(in crate::service) fn part(wanted: Criteria<'_>) -> Result<ShelfFilter, ServiceError> {
    let mut parser = Parser::default();
    let part = parser.shelves(wanted);
    parser.done()?;
    Ok(part)
}

/// The spec of puzzles that a filter accepts, if its kind makes them.
pub(in crate::service) fn checked(kind: &dyn PuzzleKind, shelves: &ShelfFilter) -> Result<Spec, ServiceError> {
    let mut parser = Parser::default();
    let spec = shortage::made_spec(kind, shelves).map_err(|error| parser.refuse_spec(error)).ok();
    parser.done_with(spec)
}

impl Parser {
    /// The shelves for a request for one puzzle. If the request names no variant, those of the kind's default variant. If it
    /// states no number of givens, only puzzles within the style of their level fit.
    pub(super) fn fitting(&mut self, wanted: Criteria<'_>) -> ShelfFilter {
        let variant = match wanted.variant {
            ANY_VARIANT => "",
            "" => known_kind(wanted.kind).map_or("", |kind| kind.default_variant()),
            name => name,
        };
        let found = self.shelves(Criteria { variant, ..wanted });
        match found.givens {
            GivensFilter::Any => ShelfFilter { givens: GivensFilter::STYLED, ..found },
            GivensFilter::Within { .. } => found,
        }
    }

    /// The shelves for a request. If it names no variant, those of all variants. A level, a range, a technique, or a number
    /// of givens needs a kind.
    pub(super) fn shelves(&mut self, wanted: Criteria<'_>) -> ShelfFilter {
        let kind = self.kind(wanted.kind);
        let variant = self.stored_variant(kind, wanted.variant);
        let info = kind.and_then(|kind| kind.variant(variant.name().unwrap_or(kind.default_variant())));
        if wanted.kind == i32::from(pb::Kind::Unspecified) {
            self.refuse_without_kind(&wanted);
        }
        let symmetry = self.symmetry(wanted.symmetry);
        let named = kind.zip(info);
        let technique = named.and_then(|(kind, info)| self.technique(kind, info, wanted.technique));
        let difficulty = self.difficulty(&wanted, info, technique);
        let givens = named.map_or(GivensFilter::Any, |(kind, info)| self.givens(kind, info, &wanted));
        let technique = technique.map(|known| known.name.to_owned());
        ShelfFilter { kind: kind.map(|kind| kind.name().to_owned()), variant, symmetry, difficulty, technique, givens }
    }

    fn refuse_without_kind(&mut self, wanted: &Criteria<'_>) {
        let is_rated = wanted.min_rating.is_some() || wanted.max_rating.is_some();
        for (criterion, is_set) in [
            ("a level or a rating", is_rated || wanted.level != i32::from(pb::Level::Unspecified)),
            ("a technique", !wanted.technique.is_empty()),
            ("a number of givens", wanted.min_givens.is_some() || wanted.max_givens.is_some()),
        ] {
            if is_set {
                self.refuse("kind", format!("required together with {criterion}; set a kind"));
            }
        }
    }

    /// The spec of puzzles to make, with the style of its level where the request is open; `None` if they cannot be made.
    pub(super) fn spec(&mut self, wanted: Criteria<'_>) -> Option<Spec> {
        let kind = self.required_kind(wanted.kind);
        let name = kind.and_then(|kind| self.variant_or(kind.default_variant(), wanted.variant));
        let variant = kind.zip(name.as_deref()).map(|(kind, name)| kind.variant_name(name));
        let symmetry = self.symmetry(wanted.symmetry);
        let Some((kind, variant)) = kind.zip(variant) else {
            self.difficulty(&wanted, None, None);
            return None;
        };
        let Some(info) = kind.variant(&variant) else {
            let fault = kind.check_variant(&variant).err();
            self.refuse("variant", fault.unwrap_or_else(|| "not known".to_owned()));
            return None;
        };
        let technique = self.technique(kind, info, wanted.technique).filter(|known| self.is_made(kind, info, known));
        let difficulty = self.difficulty(&wanted, Some(info), technique);
        let [min_givens, max_givens] = self.ends_of_givens(kind, info, &wanted);
        let open = OpenSpec { symmetry, difficulty, min_givens, max_givens, technique };
        let spec = info.resolve(kind.name(), &variant, &open).map_err(|error| self.refuse_spec(error)).ok()?;
        self.checked(kind, spec)
    }

    fn checked(&mut self, kind: &dyn PuzzleKind, spec: Spec) -> Option<Spec> {
        kind.check_spec(&spec).map_err(|error| self.refuse_spec(error)).ok().map(|()| spec)
    }

    /// The kind; `None` if it is not set or not supported.
    pub(super) fn kind(&mut self, value: i32) -> Option<&'static dyn PuzzleKind> {
        match pb::Kind::try_from(value) {
            Ok(pb::Kind::Unspecified) => None,
            Ok(kind) => {
                let found = known_kind(value);
                if found.is_none() {
                    self.unsupported(ServiceError::KindUnsupported(kind.as_str_name()));
                }
                found
            }
            Err(_) => {
                self.refuse("kind", format!("{value} is not a kind; GetServerInfo lists the kinds (`puzzled info`)"));
                None
            }
        }
    }

    pub(super) fn required_kind(&mut self, value: i32) -> Option<&'static dyn PuzzleKind> {
        if value == i32::from(pb::Kind::Unspecified) {
            self.refuse("kind", "required; GetServerInfo lists the kinds (`puzzled info`)".to_owned());
        }
        self.kind(value)
    }

    /// The named variant, or the default one; `None` if the name is too long.
    pub(super) fn variant_or(&mut self, default: &str, name: &str) -> Option<String> {
        if name.len() > VARIANT_LEN_MAX {
            self.refuse("variant", format!("{} bytes; at most {VARIANT_LEN_MAX} are allowed", name.len()));
            return None;
        }
        Some(if name.is_empty() { default } else { name }.to_owned())
    }

    /// The variants that a request for stored puzzles names. If the name is empty, all variants. A name that no kind
    /// makes is refused.
    fn stored_variant(&mut self, kind: Option<&'static dyn PuzzleKind>, name: &str) -> VariantFilter {
        let Some(name) = self.variant_or("", name).filter(|name| !name.is_empty()) else { return VariantFilter::Any };
        let known = kind.map_or_else(|| registry::kinds().to_vec(), |kind| vec![kind]);
        if let Some(kind) = known.into_iter().find(|kind| kind.check_variant(&name).is_ok()) {
            return VariantFilter::named(Some(kind), &name);
        }
        let of_kind = kind.and_then(|kind| kind.check_variant(&name).err());
        let of_none =
            || format!("no kind has the variant {}; set kind, and the error lists its variants", quoted(&name));
        self.refuse("variant", of_kind.unwrap_or_else(of_none));
        VariantFilter::Any
    }

    /// The symmetry; `None` if not set.
    fn symmetry(&mut self, value: i32) -> Option<Symmetry> {
        let symmetry = Symmetry::ALL.into_iter().find(|&one| i32::from(render::symmetry(one)) == value);
        if symmetry.is_none() && value != i32::from(pb::Symmetry::Unspecified) {
            self.refuse("symmetry", format!("{value} is not a symmetry; use 1 (SYMMETRY_NONE) to 8 (SYMMETRY_FULL)"));
        }
        symmetry
    }

    /// The ratings that a request asks for: the intersection of its level, its range, and the ratings of its technique.
    fn difficulty(
        &mut self,
        wanted: &Criteria<'_>,
        info: Option<&VariantInfo>,
        technique: Option<&TechniqueInfo>,
    ) -> Difficulty {
        let level = level(wanted.level);
        if level.is_none() && wanted.level != i32::from(pb::Level::Unspecified) {
            self.refuse("level", format!("{} is not a level; use 1 (LEVEL_EASY) to 5 (LEVEL_EVIL)", wanted.level));
        }
        // Without a variant there is no scale. The request is refused for the missing kind or the unknown variant.
        let Some(info) = info else { return Difficulty::Any };
        let [min, max] = [("min_rating", wanted.min_rating), ("max_rating", wanted.max_rating)]
            .map(|(field, rating)| tenths(rating?, info.rating_max).map_err(|fault| self.refuse(field, fault)).ok());
        if let Some((min, max)) = min.zip(max).filter(|(min, max)| min > max) {
            self.refuse("min_rating", format!("{min} is above max_rating {max}"));
            return Difficulty::Any;
        }
        let wanted = info.difficulty(level, min, max).and_then(|wanted| info.narrowed(wanted, technique));
        wanted.map_err(|error| self.refuse_spec(error)).unwrap_or(Difficulty::Any)
    }
}

/// The level of an enum value, if there is one.
pub(super) fn level(value: i32) -> Option<Level> {
    Level::ALL.into_iter().find(|&one| i32::from(render::level(one)) == value)
}

/// A rating in tenths on a scale with this maximum, or its fault.
pub(super) fn tenths(value: f64, end: Tenths) -> Result<Tenths, String> {
    let tenths = (value * 10.0).round();
    if !(0.0..=f64::from(end.0)).contains(&tenths) {
        return Err(format!("{value} is outside {} to {end}", Tenths(0)));
    }
    if (value * 10.0 - tenths).abs() > TENTHS_SLACK {
        return Err(format!("{value} has more than 1 decimal"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and within 0 to 255")]
    Ok(Tenths(tenths as u8))
}

/// The kind of an enum value, if this server has it.
fn known_kind(value: i32) -> Option<&'static dyn PuzzleKind> {
    registry::kinds().iter().copied().find(|known| i32::from(render::kind(known.name())) == value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rating_has_one_decimal_and_ends_with_its_scale() {
        for (value, wanted) in [
            (2.6, Ok(26)),
            (f64::from(2.6_f32), Ok(26)),
            (f64::from(13.1_f32), Ok(131)),
            (0.0, Ok(0)),
            (-0.0, Ok(0)),
            (13.4, Ok(134)),
            (2.65, Err("2.65 has more than 1 decimal")),
            (13.5, Err("13.5 is outside 0.0 to 13.4")),
            (-0.1, Err("-0.1 is outside 0.0 to 13.4")),
            (-0.01, Err("-0.01 has more than 1 decimal")),
            (f64::NAN, Err("NaN is outside 0.0 to 13.4")),
            (f64::INFINITY, Err("inf is outside 0.0 to 13.4")),
            (f64::NEG_INFINITY, Err("-inf is outside 0.0 to 13.4")),
        ] {
            assert_eq!(tenths(value, Tenths(134)), wanted.map(Tenths).map_err(str::to_owned), "{value}");
        }
    }

    #[test]
    fn every_rating_survives_the_wire() {
        for rating in (0..=u8::MAX).map(Tenths) {
            assert_eq!(tenths(render::rating(rating), Tenths::MAX), Ok(rating));
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
