//! [`Curve`]: the levels of a sheet that begins easy and becomes harder.

use std::str::FromStr;

use super::Part;
use crate::CliError;
use puzzled_engine::shared::{level::Level, names::quoted};

/// A range of levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Curve {
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

impl Curve {
    fn levels(self) -> impl Iterator<Item = Level> {
        Level::ALL.into_iter().filter(move |level| (self.easiest..=self.hardest).contains(level))
    }

    /// Divides this many puzzles among the levels, easiest first. Their numbers differ by at most one.
    ///
    /// # Errors
    /// [`CliError::Spec`] if there are more levels than puzzles.
    pub(super) fn parts(self, count: u32) -> Result<Vec<Part>, CliError> {
        let levels: Vec<_> = self.levels().collect();
        let levels_count = u32::try_from(levels.len()).unwrap_or(u32::MAX);
        if count < levels_count {
            let fault = format!(
                "--count: {count} puzzles for the {levels_count} levels of --curve; use at least {levels_count}"
            );
            return Err(CliError::Spec(fault));
        }
        let before = |at: u32| count * at / levels_count;
        let part = |(at, level)| Part { level: Some(level), count: before(at + 1) - before(at) };
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
            assert!(parts.is_sorted_by_key(|part| part.level));
            parts.iter().map(|part| part.count).collect::<Vec<_>>()
        };
        assert_eq!(counts("easy..evil", 24), [4, 5, 5, 5, 5]);
        assert_eq!(counts("easy..evil", 5), [1; 5]);
        assert_eq!(counts("hard..hard", 7), [7]);
        let few = "easy..evil".parse::<Curve>().unwrap().parts(4).unwrap_err();
        assert_eq!(few.to_string(), "--count: 4 puzzles for the 5 levels of --curve; use at least 5");
    }
}
