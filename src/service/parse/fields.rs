//! Writes the criteria of a request in one normal form: equal criteria give equal fields. The fields are used to
//! compare repeats, to name daily puzzles, and to describe an empty stock.

use super::criteria::{Criteria, tenths};
use crate::{proto::v1 as pb, rules::jobs::repeat::Fields};
use puzzled_engine::shared::{kind::PuzzleKind, level::Tenths};

impl Criteria<'_> {
    /// The criteria of a request that was parsed without a fault. The default variant is included; all other fields
    /// that are not set are omitted.
    pub(in crate::service) fn fields(&self, kind: &dyn PuzzleKind) -> Fields {
        let variant = if self.variant.is_empty() { kind.default_variant() } else { self.variant };
        let rating = |rating: Option<f64>| {
            rating.map(|rating| tenths(rating, Tenths::MAX).map_or(String::new(), |it| it.to_string()))
        };
        let symmetry = pb::Symmetry::try_from(self.symmetry).ok().filter(|it| *it != pb::Symmetry::Unspecified);
        let level = pb::Level::try_from(self.level).ok().filter(|it| *it != pb::Level::Unspecified);
        let known = kind.variants().iter().find_map(|info| info.technique(self.technique));
        let technique = known.map(|known| known.name.to_owned());
        let set = [
            ("kind", pb::Kind::try_from(self.kind).ok().map(|kind| kind.as_str_name().to_owned())),
            ("variant", Some(kind.variant_name(variant))),
            ("symmetry", symmetry.map(|symmetry| symmetry.as_str_name().to_owned())),
            ("level", level.map(|level| level.as_str_name().to_owned())),
            ("min_rating", rating(self.min_rating)),
            ("max_rating", rating(self.max_rating)),
            ("technique", technique),
            ("min_givens", self.min_givens.map(|givens| givens.to_string())),
            ("max_givens", self.max_givens.map(|givens| givens.to_string())),
        ];
        set.into_iter().filter_map(|(field, value)| Some((field.to_owned(), value?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::registry;

    fn text(kind: &str, wanted: Criteria<'_>) -> String {
        let fields = wanted.fields(registry::kind(kind).unwrap());
        fields.iter().map(|(field, value)| format!("{field}={value}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn equal_requests_have_equal_fields() {
        let sudoku = Criteria { kind: pb::Kind::Sudoku.into(), ..Criteria::default() };
        let kakuro = Criteria { kind: pb::Kind::Kakuro.into(), ..Criteria::default() };
        let ranged = |min| Criteria { min_rating: Some(min), ..sudoku };
        let set = Criteria { level: pb::Level::Easy.into(), symmetry: pb::Symmetry::Full.into(), ..sudoku };
        for (kind, wanted, fields) in [
            ("sudoku", sudoku, "kind=KIND_SUDOKU variant=9x9"),
            ("sudoku", Criteria { variant: "9x9", ..sudoku }, "kind=KIND_SUDOKU variant=9x9"),
            ("kakuro", kakuro, "kind=KIND_KAKURO variant=8x10"),
            ("kakuro", Criteria { variant: "8x10-runs7", ..kakuro }, "kind=KIND_KAKURO variant=8x10"),
            ("sudoku", ranged(2.6), "kind=KIND_SUDOKU min_rating=2.6 variant=9x9"),
            ("sudoku", ranged(f64::from(2.6_f32)), "kind=KIND_SUDOKU min_rating=2.6 variant=9x9"),
            ("sudoku", set, "kind=KIND_SUDOKU level=LEVEL_EASY symmetry=SYMMETRY_FULL variant=9x9"),
        ] {
            assert_eq!(text(kind, wanted), fields);
        }
    }
}
