//! The numbers by which the API names jobs, puzzles, and targets.

use std::{fmt, str::FromStr};

macro_rules! ids {
    ($($(#[$doc:meta])* $Id:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Id(pub i64);

        impl fmt::Display for $Id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl FromStr for $Id {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                number_after($prefix, text).map(Self).ok_or(())
            }
        }
    )*};
}

ids! {
    /// Number of a job, from 1; `job-17` in the API.
    JobId "job-";
    /// Number of a puzzle, from 1; `puzzle-42` in the API.
    PuzzleId "puzzle-";
    /// Number of a target, from 1; `target-3` in the API.
    TargetId "target-";
}

/// Parses the number of an id such as `job-17`; `None` for any other spelling, including `job-017`.
fn number_after(prefix: &str, text: &str) -> Option<i64> {
    let number = text.strip_prefix(prefix)?.parse().ok().filter(|&number: &i64| number > 0)?;
    (format!("{prefix}{number}") == text).then_some(number)
}
