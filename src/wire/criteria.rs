//! Parses the criteria of a request into the spec of puzzles to make, or into a filter of the shelves in stock. Checks kind, variant, symmetry,
//! level, rating range, technique, and numbers of givens.

use super::Parser;
use crate::calls::ServiceError;
use puzzled_api::{set_fields, v1 as pb, words};
use puzzled_engine::{
    registry,
    shared::{
        criteria::Criteria,
        kind::PuzzleKind,
        level::{self, Tenths},
        spec::{Spec, SpecError, Words},
        symmetry::Symmetry,
    },
};
use puzzled_store::{
    jobs::repeat::Fields,
    stock::{filter::ShelfFilter, puzzle::ShelfKey, stated::ANY_VARIANT},
};

/// The maximum number of bytes of a variant's name. A layout of 30x30 cells, written cell by cell, has 936.
const VARIANT_LEN_MAX: usize = 1_024;

/// The fields of criteria. An error lists their faults in this order.
const ORDER: [&str; 9] =
    ["kind", "variant", "symmetry", "technique", "level", "min_rating", "max_rating", "min_givens", "max_givens"];

/// How far a rating may be from a whole number of tenths. So ratings that a client has as 32-bit floats, such as 13.4, are accepted.
const TENTHS_SLACK: f64 = 1e-4;

impl Parser {
    /// The shelves for a request; `None` if it has a fault. If it names no variant, those of all variants.
    pub(crate) fn shelves(&mut self, stated: &pb::JobSpec) -> Option<ShelfFilter> {
        let criteria = self.criteria(stated);
        ShelfFilter::stated(&criteria).map_err(|faults| self.refuse_criteria(faults)).ok()
    }

    /// The shelves for a request for one puzzle; see [`ShelfFilter::fitting`]. `None` if it has a fault.
    pub(crate) fn fitting(&mut self, criteria: &Criteria) -> Option<ShelfFilter> {
        ShelfFilter::fitting(criteria).map_err(|faults| self.refuse_criteria(faults)).ok()
    }

    /// The spec of puzzles to make, with the style of its level where the request is open; `None` if they cannot be made.
    pub(crate) fn spec(&mut self, stated: &pb::JobSpec) -> Option<(Criteria, Spec)> {
        self.require_kind(stated.kind);
        let criteria = self.criteria(stated);
        let kind = criteria.kind.as_deref().and_then(registry::kind)?;
        let spec = criteria.resolve(kind).map_err(|faults| self.refuse_criteria(faults)).ok()?;
        Some((criteria, spec))
    }

    /// The criteria that a request states. Refuses values that no kind, or no variant of its kind, has.
    pub(crate) fn criteria(&mut self, stated: &pb::JobSpec) -> Criteria {
        let pb::JobSpec {
            kind: sent,
            variant,
            symmetry,
            level: wanted,
            min_rating,
            max_rating,
            technique,
            min_givens,
            max_givens,
        } = stated;
        let kind = self.kind(*sent);
        let variant = self.variant_name(variant);
        let symmetry = self.symmetry(*symmetry);
        // `kind` has refused an unknown kind. Its number stays, so that no second fault says that the kind is missing.
        let unknown = (*sent != i32::from(pb::Kind::Unspecified)).then(|| sent.to_string());
        let name = variant.as_deref().filter(|name| *name != ANY_VARIANT);
        let scale = kind.and_then(|kind| kind.variant(name.unwrap_or(kind.default_variant())));
        let level = words::level_of(*wanted);
        if level.is_none() && *wanted != i32::from(pb::Level::Unspecified) {
            self.refuse("level", format!("{wanted} is not a level; use 1 (LEVEL_EASY) to 5 (LEVEL_EVIL)"));
        }
        let [min_rating, max_rating] =
            [("min_rating", min_rating), ("max_rating", max_rating)].map(|(field, rating)| {
                let rating = (*rating)?;
                // Without a known variant there is no scale. Any rating stands in, because the request is refused anyway.
                let Some(info) = scale else { return Some(Tenths::MAX) };
                tenths(rating, info.rating_max).map_err(|fault| self.refuse(field, fault)).ok()
            });
        let [min_givens, max_givens] = [("min_givens", min_givens), ("max_givens", max_givens)].map(|(field, sent)| {
            let sent = (*sent)?;
            u16::try_from(sent).map_err(|_| self.refuse(field, format!("{sent} is above {}", u16::MAX))).ok()
        });
        Criteria {
            kind: kind.map(|kind| kind.name().to_owned()).or(unknown),
            variant,
            symmetry,
            level,
            min_rating,
            max_rating,
            technique: Some(technique.clone()).filter(|name| !name.is_empty()),
            min_givens,
            max_givens,
        }
    }

    /// Adds the faults of criteria.
    pub(crate) fn refuse_criteria(&mut self, faults: Vec<SpecError>) {
        for fault in faults {
            match fault {
                SpecError::RatingUnsupported { wanted_min, supported_max } => {
                    self.unsupported(ServiceError::RatingUnsupported { wanted_min, supported_max });
                }
                fault => self.refuse(fault.field(), fault.reason(Words::Api)),
            }
        }
        self.invalid.sort_by_key(|(field, _)| ORDER.iter().position(|known| known == field));
    }

    /// The kind; `None` if it is not set or not supported.
    pub(crate) fn kind(&mut self, value: i32) -> Option<&'static dyn PuzzleKind> {
        match pb::Kind::try_from(value) {
            Ok(pb::Kind::Unspecified) => None,
            Ok(kind) => {
                let found = words::kind_of(value);
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

    pub(crate) fn required_kind(&mut self, value: i32) -> Option<&'static dyn PuzzleKind> {
        self.require_kind(value);
        self.kind(value)
    }

    pub(crate) fn require_kind(&mut self, value: i32) {
        if value == i32::from(pb::Kind::Unspecified) {
            self.refuse("kind", "required; GetServerInfo lists the kinds (`puzzled info`)".to_owned());
        }
    }

    /// The named variant; `None` if the name is empty or too long.
    pub(crate) fn variant_name(&mut self, name: &str) -> Option<String> {
        if name.len() > VARIANT_LEN_MAX {
            self.refuse("variant", format!("{} bytes; at most {VARIANT_LEN_MAX} are allowed", name.len()));
            return None;
        }
        Some(name.to_owned()).filter(|name| !name.is_empty())
    }

    /// The symmetry; `None` if not set.
    fn symmetry(&mut self, value: i32) -> Option<Symmetry> {
        let symmetry = words::symmetry_of(value);
        if symmetry.is_none() && value != i32::from(pb::Symmetry::Unspecified) {
            self.refuse("symmetry", format!("{value} is not a symmetry; use 1 (SYMMETRY_NONE) to 8 (SYMMETRY_FULL)"));
        }
        symmetry
    }
}

/// A rating in tenths on a scale with this maximum, or its fault.
fn tenths(value: f64, end: Tenths) -> Result<Tenths, String> {
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

/// The criteria of a request that was parsed without a fault, in the form in which repeats are compared: equal criteria give equal fields.
/// The default variant is included.
pub(crate) fn compared(criteria: &Criteria) -> Fields {
    let Some(kind) = criteria.kind.as_deref().and_then(registry::kind) else { return Fields::new() };
    let known = |name: &String| kind.variants().iter().find_map(|info| info.technique(name));
    let normal = Criteria {
        variant: Some(kind.variant_name(criteria.variant.as_deref().unwrap_or(kind.default_variant()))),
        technique: criteria.technique.as_ref().and_then(known).map(|known| known.name.to_owned()),
        ..criteria.clone()
    };
    set_fields(&pb::JobSpec::from(&normal))
}

/// The API's level of a rating on the scale of a shelf's variant. A variant of a newer version gives
/// `LEVEL_UNSPECIFIED`.
pub(crate) fn level_at(shelf: &ShelfKey, rating: Tenths) -> pb::Level {
    shelf.variant_info().map_or(pb::Level::Unspecified, |variant| words::level(level::level_of(variant.levels, rating)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::shared::level::Level;

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
            assert_eq!(tenths(words::rating(rating), Tenths::MAX), Ok(rating));
        }
    }

    #[test]
    fn kinds_levels_and_symmetries_survive_the_wire() {
        let mut parser = Parser::default();
        for known in registry::kinds() {
            let kind = parser.kind(words::kind(known.name()).into());
            assert_eq!(kind.map(PuzzleKind::name), Some(known.name()));
        }
        for one in Level::ALL {
            assert_eq!(words::level_of(words::level(one).into()), Some(one));
        }
        for one in Symmetry::ALL {
            assert_eq!(parser.symmetry(words::symmetry(one).into()), Some(one));
        }
        parser.done().unwrap();
    }

    #[test]
    fn equal_requests_have_equal_fields() {
        let of = |kind: &str| Criteria { kind: Some(kind.to_owned()), ..Criteria::default() };
        let variant = |kind: &str, name: &str| Criteria { variant: Some(name.to_owned()), ..of(kind) };
        let ranged = |min: f64| {
            let stated = pb::JobSpec { kind: pb::Kind::Sudoku.into(), min_rating: Some(min), ..pb::JobSpec::default() };
            Parser::default().criteria(&stated)
        };
        let set = Criteria { level: Some(Level::Easy), symmetry: Some(Symmetry::Full), ..of("sudoku") };
        for (criteria, fields) in [
            (of("sudoku"), "kind=KIND_SUDOKU variant=9x9"),
            (variant("sudoku", "9x9"), "kind=KIND_SUDOKU variant=9x9"),
            (of("kakuro"), "kind=KIND_KAKURO variant=8x10"),
            (variant("kakuro", "8x10-runs7"), "kind=KIND_KAKURO variant=8x10"),
            (ranged(2.6), "kind=KIND_SUDOKU min_rating=2.6 variant=9x9"),
            (ranged(f64::from(2.6_f32)), "kind=KIND_SUDOKU min_rating=2.6 variant=9x9"),
            (set, "kind=KIND_SUDOKU level=LEVEL_EASY symmetry=SYMMETRY_FULL variant=9x9"),
        ] {
            let compared = compared(&criteria);
            let text = compared.iter().map(|(field, value)| format!("{field}={value}")).collect::<Vec<_>>().join(" ");
            assert_eq!(text, fields);
        }
    }
}
