//! [`CurveArgs`], the flag `--curve`: a range of levels for one run.

use std::str::FromStr;

use clap::Args;

use super::{criteria_flags::refused, spec::Kind};
use crate::CliError;
use puzzled_engine::shared::{
    criteria::Criteria,
    level::Level,
    names::{kind_in_words, quoted},
    spec::Spec,
};

/// The flag for several levels in one run.
#[derive(Debug, Args)]
pub(crate) struct CurveArgs {
    /// Range of levels, such as easy..evil: the puzzles are divided evenly among them, easiest first; not with --level or ratings
    #[arg(long, value_name = "LEVEL..LEVEL", conflicts_with_all = ["level", "min_rating", "max_rating"])]
    curve: Option<Curve>,
}

/// A number of puzzles of one spec.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) spec: Spec,
    pub(crate) count: u32,
}

/// A range of levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Curve {
    easiest: Level,
    hardest: Level,
}

impl FromStr for Curve {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || format!("{} is not a range of levels; write two levels, such as easy..evil", quoted(text));
        let (easiest, hardest) = text.split_once("..").ok_or_else(fault)?;
        let curve = Self { easiest: easiest.parse()?, hardest: hardest.parse()? };
        if curve.levels().next().is_none() {
            return Err(format!("{easiest} is harder than {hardest}; write the easier level first"));
        }
        Ok(curve)
    }
}

impl CurveArgs {
    /// Whether several levels are wanted.
    pub(crate) fn is_set(&self) -> bool {
        self.curve.is_some()
    }

    /// The levels of this many puzzles, easiest first, with a number of puzzles for each. Without the flag, all have the level of the criteria.
    ///
    /// # Errors
    /// [`CliError::Spec`] if there are more levels than puzzles.
    pub(crate) fn levels(&self, level: Option<Level>, count: u32) -> Result<Vec<(Option<Level>, u32)>, CliError> {
        match self.curve {
            Some(curve) => Ok(curve.parts(count)?.into_iter().map(|(level, count)| (Some(level), count)).collect()),
            None => Ok(vec![(level, count)]),
        }
    }

    /// The error for a variant that lacks a level of the range.
    fn lacks(&self, kind: Kind, criteria: &Criteria) -> Option<CliError> {
        let info = kind.variant(&kind.variant_name(criteria.variant.as_deref().unwrap_or(kind.default_variant())))?;
        let levels: Vec<_> = info.levels.iter().map(|border| border.level).collect();
        let lacking = self.curve?.levels().find(|level| !levels.contains(level))?.name();
        let [easiest, hardest] = [levels.first()?.name(), levels.last()?.name()];
        let fault = if easiest == hardest {
            format!("has only the level {easiest}; use --level {easiest} instead")
        } else {
            format!("has no level {lacking}; use {easiest}..{hardest}")
        };
        Some(CliError::Spec(format!("--curve: {} {} {fault}", kind_in_words(kind.name()), info.name)))
    }

    /// The specs of this many puzzles, which the kind has checked, easiest first.
    ///
    /// # Errors
    /// [`CliError::Spec`] if the kind refuses a spec, or if there are more levels than puzzles.
    pub(crate) fn parts(&self, kind: Kind, criteria: &Criteria, count: u32) -> Result<Vec<Part>, CliError> {
        let part = |(level, count)| {
            let spec = Criteria { level, ..criteria.clone() }.resolve(kind).map_err(|faults| match self.curve {
                Some(_) => self.lacks(kind, criteria).unwrap_or_else(|| refused(&faults)),
                None => refused(&faults),
            })?;
            Ok(Part { spec, count })
        };
        self.levels(criteria.level, count)?.into_iter().map(part).collect()
    }
}

impl Curve {
    fn levels(self) -> impl Iterator<Item = Level> {
        Level::ALL.into_iter().filter(move |level| (self.easiest..=self.hardest).contains(level))
    }

    /// Divides this many puzzles among the levels, easiest first. Their numbers differ by at most one.
    ///
    /// # Errors
    /// [`CliError::Spec`] if there are more levels than puzzles.
    fn parts(self, count: u32) -> Result<Vec<(Level, u32)>, CliError> {
        let levels: Vec<_> = self.levels().collect();
        let levels_count = u32::try_from(levels.len()).unwrap_or(u32::MAX);
        if count < levels_count {
            let fault = format!("--count: {count} is below {levels_count}, one for each level of --curve; set more");
            return Err(CliError::Spec(fault));
        }
        let before = |at: u32| count * at / levels_count;
        let part = |(at, level)| (level, before(at + 1) - before(at));
        Ok((0..).zip(levels).map(part).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curve_is_two_levels_and_the_easier_one_comes_first() {
        let curve = |easiest, hardest| Ok(Curve { easiest, hardest });
        for (text, expected) in [
            ("easy..evil", curve(Level::Easy, Level::Evil)),
            ("medium..medium", curve(Level::Medium, Level::Medium)),
            ("evil..easy", Err("evil is harder than easy; write the easier level first".to_owned())),
            ("easy", Err("\"easy\" is not a range of levels; write two levels, such as easy..evil".to_owned())),
            ("easy..heavy", "heavy".parse::<Level>().and_then(|level| curve(Level::Easy, level))),
        ] {
            assert_eq!(text.parse::<Curve>(), expected, "{text}");
        }
    }

    #[test]
    fn puzzles_are_divided_evenly_and_the_easiest_come_first() {
        let counts = |text: &str, count| {
            let parts = text.parse::<Curve>().unwrap().parts(count).unwrap();
            assert!(parts.is_sorted_by_key(|(level, _)| *level));
            parts.iter().map(|(_, count)| *count).collect::<Vec<_>>()
        };
        assert_eq!(counts("easy..evil", 24), [4, 5, 5, 5, 5]);
        assert_eq!(counts("easy..evil", 5), [1; 5]);
        assert_eq!(counts("hard..hard", 7), [7]);
        let few = "easy..evil".parse::<Curve>().unwrap().parts(4).unwrap_err();
        assert_eq!(few.to_string(), "--count: 4 is below 5, one for each level of --curve; set more");
    }
}
