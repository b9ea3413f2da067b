//! Parses the criteria of a request into the spec of puzzles to make, or into a filter of the shelves in stock. Checks
//! kind, variant, symmetry, level, rating range, technique, and number of givens.

use super::Parser;
use crate::{
    proto::v1 as pb,
    rules::{
        stock::filter::{ShelfFilter, VariantFilter},
        targets::shortage,
    },
    service::{errors::ServiceError, render},
};
use puzzled_engine::{
    registry,
    shared::{
        kind::PuzzleKind,
        level::{Level, Tenths},
        names::{SHOWN_MAX, head},
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        variant::{TechniqueGoal, VariantInfo},
    },
};

/// The maximum number of bytes of a variant's name. A layout of 30x30 cells, written cell by cell, has 936.
const VARIANT_LEN_MAX: usize = 1_024;

/// The variant by which a request for one puzzle asks for any variant.
const ANY_VARIANT: &str = "any";

/// The maximum number of bytes of a technique's name. The longest known one has 68.
const TECHNIQUE_LEN_MAX: usize = 100;

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
    pub(in crate::service) clues: Option<u32>,
}

macro_rules! criteria_of {
    ($($request:ident)+) => {$(
        impl<'a> From<&'a pb::$request> for Criteria<'a> {
            fn from(request: &'a pb::$request) -> Self {
                let &pb::$request {
                    kind, ref variant, symmetry, level, min_rating, max_rating, ref technique, clues, ..
                } = request;
                Self { kind, variant, symmetry, level, min_rating, max_rating, technique, clues }
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

/// A spec derived from shelves, if its kind accepts it.
pub(in crate::service) fn checked(kind: &dyn PuzzleKind, spec: Spec) -> Result<Spec, ServiceError> {
    let mut parser = Parser::default();
    let checked = parser.checked(kind, spec);
    parser.done_with(checked)
}

impl Parser {
    /// The shelves for a request for one puzzle. If the request names no variant, those of the kind's default variant.
    pub(super) fn fitting(&mut self, wanted: Criteria<'_>) -> ShelfFilter {
        let variant = match wanted.variant {
            ANY_VARIANT => "",
            "" => known_kind(wanted.kind).map_or("", |kind| kind.default_variant()),
            name => name,
        };
        self.shelves(Criteria { variant, ..wanted })
    }

    /// The shelves for a request. If it names no variant, those of all variants. A level, a range, or a technique needs
    /// a kind.
    pub(super) fn shelves(&mut self, wanted: Criteria<'_>) -> ShelfFilter {
        let kind = self.kind(wanted.kind);
        let variant = self.stored_variant(kind, wanted.variant);
        let difficulty = self.difficulty(&wanted, kind.and_then(|kind| rating_max(kind, variant.name())));
        let symmetry = self.symmetry(wanted.symmetry);
        if wanted.kind == i32::from(pb::Kind::Unspecified) {
            self.refuse_without_kind(difficulty, wanted.technique);
        }
        let clues = self.clues(wanted.clues);
        let info = kind.and_then(|kind| kind.variant(variant.name().unwrap_or(kind.default_variant())));
        let technique = self.technique(info, wanted.technique);
        let name = kind.map(|kind| kind.name().to_owned());
        let part = ShelfFilter { kind: name, variant, symmetry, difficulty, technique, clues };
        // A spec that no job can have is on no shelf, so its fault is reported.
        if let Some(kind) = kind.filter(|_| self.invalid.is_empty() && (part.technique.is_some() || clues.is_some())) {
            self.checked(kind, Spec { difficulty: Difficulty::Any, ..shortage::spec(kind, &part) });
        }
        part
    }

    fn refuse_without_kind(&mut self, difficulty: Difficulty, technique: &str) {
        if difficulty != Difficulty::Any {
            self.refuse("kind", "required together with a level or a rating; set a kind".to_owned());
        }
        if !technique.is_empty() {
            self.refuse("kind", "required together with a technique; set a kind".to_owned());
        }
    }

    /// The spec of puzzles to make; `None` if they cannot be made.
    pub(super) fn spec(&mut self, wanted: Criteria<'_>) -> Option<Spec> {
        let clues = self.clues(wanted.clues);
        let kind = self.required_kind(wanted.kind);
        let name = kind.and_then(|kind| self.variant_or(kind.default_variant(), wanted.variant));
        let variant = kind.zip(name.as_deref()).map(|(kind, name)| kind.variant_name(name));
        let difficulty = self.difficulty(&wanted, kind.and_then(|kind| rating_max(kind, variant.as_deref())));
        let symmetry = self.symmetry(wanted.symmetry).unwrap_or(Symmetry::None);
        let (kind, variant) = (kind?, variant?);
        let info = kind.variant(&variant);
        let difficulty = match (difficulty, info) {
            (Difficulty::Range { min, max }, Some(info)) => Difficulty::within(info.levels, Some(min), Some(max)),
            (difficulty, _) => difficulty,
        };
        let technique = self.technique(info, wanted.technique);
        self.checked(kind, Spec { kind: kind.name().to_owned(), variant, symmetry, difficulty, clues, technique })
    }

    fn checked(&mut self, kind: &dyn PuzzleKind, spec: Spec) -> Option<Spec> {
        kind.check_spec(&spec).map_err(|error| self.refuse_spec(error)).ok()?;
        Some(spec)
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
                self.refuse("kind", format!("{value} is not a kind; GetServerInfo lists the kinds"));
                None
            }
        }
    }

    pub(super) fn required_kind(&mut self, value: i32) -> Option<&'static dyn PuzzleKind> {
        if value == i32::from(pb::Kind::Unspecified) {
            self.refuse("kind", "required; GetServerInfo lists the kinds".to_owned());
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
        let mut faults = Vec::new();
        for kind in kind.map_or_else(|| registry::kinds().to_vec(), |kind| vec![kind]) {
            match kind.check_variant(&name) {
                Ok(()) => return VariantFilter::named(Some(kind), &name),
                Err(fault) => faults.push(fault),
            }
        }
        self.refuse("variant", faults.join("; "));
        VariantFilter::Any
    }

    /// The number of givens; `None` if not set.
    fn clues(&mut self, clues: Option<u32>) -> Option<u16> {
        let number = u16::try_from(clues?);
        number.map_err(|_| self.refuse("clues", format!("{} is above {}", clues.unwrap_or_default(), u16::MAX))).ok()
    }

    /// The technique in its kind's spelling; `None` if not set. A wrong name is refused here, so that the message names
    /// the call that lists all techniques. If a kind generates puzzles for no technique, its own check refuses the
    /// name.
    fn technique(&mut self, info: Option<&VariantInfo>, name: &str) -> Option<String> {
        let (info, name) = info.filter(|_| !name.is_empty()).map(|info| (info, short(name)))?;
        let is_goal = |goal| goal != TechniqueGoal::Refused;
        match info.technique(name).filter(|known| is_goal(known.goal)) {
            Some(known) => Some(known.name.to_owned()),
            None if !info.techniques.iter().any(|known| is_goal(known.goal)) => Some(name.to_owned()),
            None => {
                let fault = info.unknown_technique(name);
                let end = if fault.ends_with('?') { "" } else { ";" };
                self.refuse("technique", format!("{fault}{end} GetServerInfo lists all"));
                None
            }
        }
    }

    /// The symmetry; `None` if not set.
    fn symmetry(&mut self, value: i32) -> Option<Symmetry> {
        let symmetry = Symmetry::ALL.into_iter().find(|&one| i32::from(render::symmetry(one)) == value);
        if symmetry.is_none() && value != i32::from(pb::Symmetry::Unspecified) {
            self.refuse("symmetry", format!("{value} is not a symmetry; use 1 (SYMMETRY_NONE) to 8 (SYMMETRY_FULL)"));
        }
        symmetry
    }

    /// A level or a range of ratings; any if neither is set. An open range ends at the rater's maximum.
    fn difficulty(&mut self, wanted: &Criteria<'_>, rating_max: Option<Tenths>) -> Difficulty {
        let level = level(wanted.level);
        if level.is_none() && wanted.level != i32::from(pb::Level::Unspecified) {
            self.refuse("level", format!("{} is not a level; use 1 (LEVEL_EASY) to 5 (LEVEL_EVIL)", wanted.level));
        }
        let range = self.range(level, wanted, rating_max);
        level.map(Difficulty::Level).or(range).unwrap_or(Difficulty::Any)
    }

    fn range(&mut self, level: Option<Level>, wanted: &Criteria<'_>, rating_max: Option<Tenths>) -> Option<Difficulty> {
        let (min, max) = (wanted.min_rating, wanted.max_rating);
        if min.is_none() && max.is_none() {
            return None;
        }
        let field = if min.is_some() { "min_rating" } else { "max_rating" };
        if let Some(level) = level {
            let level = render::level(level).as_str_name();
            self.refuse("level", format!("{level} together with {field}; set one of them"));
        }
        // Without a kind there is no scale. The request is refused for the missing kind.
        let Some(end) = rating_max else { return Some(Difficulty::Range { min: Tenths(0), max: Tenths(0) }) };
        let min = min.map_or(Some(Tenths(0)), |min| self.rating("min_rating", min, end));
        let max = max.map_or(Some(end), |max| self.rating("max_rating", max, end));
        let (min, max) = (min?, max?);
        if min > max {
            self.refuse("min_rating", format!("{min} is above max_rating {max}"));
            return None;
        }
        Some(Difficulty::Range { min, max })
    }

    fn rating(&mut self, field: &'static str, value: f64, end: Tenths) -> Option<Tenths> {
        tenths(value, end).map_err(|fault| self.refuse(field, fault)).ok()
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

/// The hardest rating of a variant. If the variant is not set or unknown, the hardest rating of all variants of the
/// kind.
fn rating_max(kind: &dyn PuzzleKind, variant: Option<&str>) -> Option<Tenths> {
    let named = variant.and_then(|name| kind.variant(name)).map(|info| info.rating_max);
    named.or_else(|| kind.variants().iter().map(|info| info.rating_max).max())
}

/// A name, cut if it is too long for any technique.
fn short(name: &str) -> &str {
    if name.len() > TECHNIQUE_LEN_MAX { head(name, SHOWN_MAX) } else { name }
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
