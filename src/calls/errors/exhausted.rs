//! The error for an exhausted stock: a text with the criteria in the caller's words, the nearest puzzles, and what to do
//! next, and metadata for programs.

use std::{fmt, time::Duration};

use prost_types::Timestamp;

use puzzled_api::words;
use puzzled_base::ids::JobId;
use puzzled_engine::shared::{
    kind::PuzzleKind,
    names::{SHOWN_MAX, head},
    spec::SpecError,
};
use puzzled_store::{
    deliveries::choose::Nearest,
    jobs::{growth::Full, repeat::Fields},
    stock::draws::Lack,
    targets::shortage::Retry,
};

/// The tries of a spec so far, by all its jobs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tries {
    pub(crate) tries: u64,
    pub(crate) hits: u64,
}

/// No puzzle in stock fits the request.
#[derive(Debug)]
pub(crate) struct Exhausted {
    /// The criteria of the request.
    pub(crate) wanted: Fields,
    /// Empty if the request has none.
    pub(crate) audience: String,
    /// Whether the request asks only for puzzles that the audience holds.
    pub(crate) exclusive: bool,
    pub(crate) lack: Lack,
    /// The job that was queued for the request, or the open job that it found.
    pub(crate) job: Option<JobId>,
    /// The tries of the spec that the request asks for.
    pub(crate) tries: Tries,
    /// The time since which the queue is paused; `None` if it runs.
    pub(crate) paused_since: Option<Timestamp>,
    /// Set while the stock is full.
    pub(crate) full: Option<Full>,
    /// Whether a retry helps, if the queue runs and the stock has room.
    pub(crate) retry: Retry,
    /// Set if such puzzles cannot be made.
    pub(crate) unmade: Option<SpecError>,
}

impl Exhausted {
    /// The criteria in words: `Sudoku 9x9 of level easy`.
    pub(super) fn wanted_in_words(&self) -> String {
        let get = |field: &str| self.wanted.get(field).map(String::as_str);
        let mut words = vec![self.kind_in_words()];
        words.extend(get("variant").map(|variant| match variant {
            "any" => "of any variant".to_owned(),
            variant => head(variant, SHOWN_MAX).to_owned(),
        }));
        words.extend(get("level").map(|level| format!("of level {}", in_words(level, "LEVEL_"))));
        words.extend(match (get("min_rating"), get("max_rating")) {
            (Some(min), Some(max)) => Some(format!("rated {min}–{max}")),
            (Some(min), None) => Some(format!("rated {min} or more")),
            (None, Some(max)) => Some(format!("rated {max} or less")),
            (None, None) => None,
        });
        let givens = match (get("min_givens"), get("max_givens")) {
            (Some(min), Some(max)) if min == max => Some(format!("{min} givens")),
            (Some(min), Some(max)) => Some(format!("{min}–{max} givens")),
            (Some(min), None) => Some(format!("{min} givens or more")),
            (None, Some(max)) => Some(format!("at most {max} givens")),
            (None, None) => None,
        };
        let technique = get("technique").map(|technique| format!("hardest technique {}", head(technique, SHOWN_MAX)));
        let symmetry = get("symmetry").map(|symmetry| format!("symmetry {}", in_words(symmetry, "SYMMETRY_")));
        let with: Vec<_> = [givens, technique, symmetry].into_iter().flatten().collect();
        words.extend((!with.is_empty()).then(|| format!("with {}", with.join(" and "))));
        words.join(" ")
    }

    /// `Sudoku` for `KIND_SUDOKU`.
    fn kind_in_words(&self) -> String {
        let named = || self.wanted.get("kind").map_or("puzzle", String::as_str).to_owned();
        self.kind().map_or_else(named, PuzzleKind::name_in_words)
    }

    fn kind(&self) -> Option<&'static dyn PuzzleKind> {
        words::kind_of(words::named_kind(self.wanted.get("kind")?)?.into())
    }

    /// The variant that a job makes if any variant fits, in words; empty if the request names the variant.
    fn made_variant(&self) -> String {
        let is_any = self.wanted.get("variant").is_some_and(|variant| variant == "any");
        let made = self.kind().filter(|_| is_any).map(|kind| format!(" of the variant {}", kind.default_variant()));
        made.unwrap_or_default()
    }

    /// Time until a retry may help.
    pub(crate) fn retry(&self) -> Option<Duration> {
        match self.retry {
            Retry::After(delay) if self.paused_since.is_none() && self.full.is_none() && self.unmade.is_none() => {
                Some(delay)
            }
            Retry::After(_) | Retry::NoJob | Retry::Hopeless { .. } => None,
        }
    }

    /// Metadata for programs.
    pub(crate) fn metadata(&self) -> Vec<(String, String)> {
        let nearest = (1..).zip(&self.lack.nearest).map(|(at, near)| (format!("nearest_{at}"), named(near)));
        nearest.chain(self.job.map(|job| ("job".to_owned(), job.to_string()))).collect()
    }

    fn lack_in_words(&self) -> String {
        let wanted = self.wanted_in_words();
        let had = self.lack.had;
        if self.exclusive {
            let holds = format!("{:?} holds no {wanted} that it has not had", self.audience);
            return if had > 0 { format!("{holds}; it has had {}", puzzles(had)) } else { holds };
        }
        match (&self.lack.nearest[..], self.audience.as_str()) {
            (_, audience) if had > 0 => format!("{audience:?} has had every {wanted} in stock ({})", puzzles(had)),
            ([], _) => format!("no {wanted} in stock, nor any other {}", self.kind_in_words()),
            ([nearest, ..], _) => {
                format!("no {wanted} in stock; nearest: {}", nearest_in_words(nearest))
            }
        }
    }

    fn remedy(&self) -> String {
        if let Some(refusal) = &self.unmade {
            return format!("none{} can be made: {refusal}", self.made_variant());
        }
        match (&self.paused_since, self.full, self.job) {
            (Some(since), ..) => {
                format!("the queue has been paused since {since}; resume it with ResumeQueue (`puzzled queue resume`)")
            }
            (None, Some(full), _) => full.to_string(),
            (None, None, job) => self.retry_in_words(job),
        }
    }

    fn retry_in_words(&self, job: Option<JobId>) -> String {
        let job = job.map_or_else(|| "an open job".to_owned(), |job| job.to_string());
        let Tries { tries, hits } = self.tries;
        match self.retry {
            Retry::After(delay) if tries == 0 => format!("{job}: no tries yet; ask again in {}", seconds(delay)),
            Retry::After(delay) => format!("{job}: {hits} of {tries} tries so far; ask again in {}", seconds(delay)),
            Retry::Hopeless { tries } => format!("{job}: 0 of {tries} tries; do not retry, set fewer criteria"),
            Retry::NoJob => {
                let audience = if self.exclusive { " for this audience" } else { "" };
                format!(
                    "queue some{audience} with Generate (`puzzled enqueue`), or set enqueue_if_short (`puzzled get --make`)"
                )
            }
        }
    }
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.lack_in_words(), self.remedy())
    }
}

/// A value of an enum of the API in words: `easy` for `LEVEL_EASY`.
fn in_words(value: &str, prefix: &str) -> String {
    value.trim_start_matches(prefix).to_ascii_lowercase().replace('_', "-")
}

/// A delay, rounded up to seconds.
fn seconds(delay: Duration) -> String {
    format!("{} s", delay.as_millis().div_ceil(1_000))
}

fn puzzles(count: u64) -> String {
    format!("{count} puzzle{}", if count == 1 { "" } else { "s" })
}

/// The nearest puzzles in words: `25 givens, rated 2.8 (14 puzzles)`. Names what may keep them from fitting.
fn nearest_in_words(nearest: &Nearest) -> String {
    format!("{} ({})", properties(nearest).join(", "), puzzles(nearest.count))
}

/// The nearest puzzles for programs: `sudoku 9x9, 25 givens, rated 2.8: 14`.
fn named(nearest: &Nearest) -> String {
    let Nearest { kind, variant, count, .. } = nearest;
    format!("{kind} {}, {}: {count}", head(variant, SHOWN_MAX), properties(nearest).join(", "))
}

fn properties(nearest: &Nearest) -> Vec<String> {
    let givens = nearest.givens.map(|givens| format!("{givens} givens"));
    let symmetry = nearest.symmetry.map(|symmetry| format!("symmetry {}", symmetry.name()));
    let rating = Some(format!("rated {}", nearest.rating));
    [givens, rating, nearest.technique.clone(), symmetry].into_iter().flatten().collect()
}
