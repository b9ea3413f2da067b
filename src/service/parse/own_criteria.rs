//! Parses the criteria that not every kind has: the numbers of givens, and the hardest technique.

use super::{Parser, criteria::Criteria};
use crate::rules::stock::criterion::GivensFilter;
use puzzled_engine::shared::{
    kind::PuzzleKind,
    names::{SHOWN_MAX, head, quoted},
    variant::{TechniqueGoal, TechniqueInfo, VariantInfo},
};

/// The maximum number of bytes of a technique's name. The longest known one has 68.
const TECHNIQUE_LEN_MAX: usize = 100;

impl Parser {
    /// The smallest and the largest number of givens; `None` if not set.
    pub(super) fn ends_of_givens(
        &mut self,
        kind: &dyn PuzzleKind,
        info: &VariantInfo,
        wanted: &Criteria<'_>,
    ) -> [Option<u16>; 2] {
        [("min_givens", wanted.min_givens), ("max_givens", wanted.max_givens)].map(|(field, sent)| {
            let sent = sent?;
            if info.givens.is_none() {
                self.refuse(field, format!("{sent}: {}", no_criterion(kind, info, "numbers of givens")));
                return None;
            }
            let number = u16::try_from(sent);
            number.map_err(|_| self.refuse(field, format!("{sent} is above {}", u16::MAX))).ok()
        })
    }

    /// The numbers of givens in a search.
    pub(super) fn givens(&mut self, kind: &dyn PuzzleKind, info: &VariantInfo, wanted: &Criteria<'_>) -> GivensFilter {
        let [min, max] = self.ends_of_givens(kind, info, wanted);
        for (field, number) in [("min_givens", min), ("max_givens", max)] {
            if let Some((number, limits)) = number.zip(info.givens)
                && !limits.searched.contains(number)
            {
                let (min, max) = (limits.searched.min, limits.searched.max);
                self.refuse(field, format!("{number} is outside {min} to {max}"));
            }
        }
        match (min, max) {
            (None, None) => GivensFilter::Any,
            (Some(low), Some(high)) if low > high => {
                self.refuse("min_givens", format!("{low} is above max_givens, {high}"));
                GivensFilter::Any
            }
            _ => GivensFilter::Within { min, max },
        }
    }

    /// The technique of a name; `None` if not set. The refusal of a wrong name says which call lists all techniques.
    pub(super) fn technique(
        &mut self,
        kind: &dyn PuzzleKind,
        info: &'static VariantInfo,
        name: &str,
    ) -> Option<&'static TechniqueInfo> {
        if name.is_empty() {
            return None;
        }
        let name = short(name);
        if !info.has_technique {
            self.refuse("technique", format!("{}: {}", quoted(name), no_criterion(kind, info, "techniques")));
            return None;
        }
        let known = info.technique(name);
        if known.is_none() {
            self.refuse_technique(kind, info, name);
        }
        known
    }

    /// Whether puzzles with this hardest technique are made. Refuses the technique if not.
    pub(super) fn is_made(&mut self, kind: &dyn PuzzleKind, info: &VariantInfo, technique: &TechniqueInfo) -> bool {
        let is_made = technique.goal != TechniqueGoal::Refused;
        if !is_made {
            self.refuse_technique(kind, info, technique.name);
        }
        is_made
    }

    fn refuse_technique(&mut self, kind: &dyn PuzzleKind, info: &VariantInfo, name: &str) {
        let fault = info.unknown_technique(name);
        let end = if fault.ends_with('?') { "" } else { ";" };
        self.refuse(
            "technique",
            format!("{fault}{end} GetServerInfo lists all (`puzzled info --kind {}`)", kind.name()),
        );
    }
}

/// Why a kind, or one of its variants, refuses a criterion that it lacks.
fn no_criterion(kind: &dyn PuzzleKind, info: &VariantInfo, criteria: &str) -> String {
    format!("{criteria} are no criterion of {}; leave it out", info.in_words(kind.name(), kind.variants()))
}

/// A name, cut if it is too long for any technique.
fn short(name: &str) -> &str {
    if name.len() > TECHNIQUE_LEN_MAX { head(name, SHOWN_MAX) } else { name }
}
