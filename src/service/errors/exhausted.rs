//! The error for an exhausted stock: a text with the criteria in the caller's words, the nearest puzzles, and what to do
//! next, and metadata for programs.

use std::{fmt, time::Duration};

use crate::{
    rules::{
        jobs::{growth::Full, job::JobId, queue::Pause, repeat::Fields},
        stock::choose::Nearest,
        targets::shortage::Retry,
    },
    service::render,
    stock::Lack,
};
use puzzled_engine::shared::names::{SHOWN_MAX, head};

/// The tries of a spec so far, by all its jobs.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::service) struct Tries {
    pub(in crate::service) tries: u64,
    pub(in crate::service) hits: u64,
}

/// No puzzle in stock fits the request.
#[derive(Debug)]
pub(in crate::service) struct Exhausted {
    /// The criteria of the request.
    pub(in crate::service) wanted: Fields,
    /// Empty if the request has none.
    pub(in crate::service) audience: String,
    /// Whether only the puzzles that the audience holds were asked for.
    pub(in crate::service) exclusive: bool,
    pub(in crate::service) lack: Lack,
    /// The job that was queued for the request, or the open job that it found.
    pub(in crate::service) job: Option<JobId>,
    /// The tries of the spec that the request asks for.
    pub(in crate::service) tries: Tries,
    /// Set while the queue is paused.
    pub(in crate::service) pause: Option<Pause>,
    /// Set while the stock is full.
    pub(in crate::service) full: Option<Full>,
    /// Whether a retry helps, if the queue runs and the stock has room.
    pub(in crate::service) retry: Retry,
}

impl Exhausted {
    /// The criteria in words: `Sudoku 9x9 of LEVEL_EASY`.
    pub(super) fn wanted_in_words(&self) -> String {
        let get = |field: &str| self.wanted.get(field).map(String::as_str);
        let mut words = vec![self.kind_in_words()];
        words.extend(get("variant").map(|variant| match variant {
            "any" => "of any variant".to_owned(),
            variant => head(variant, SHOWN_MAX).to_owned(),
        }));
        words.extend(get("level").map(|level| format!("of {level}")));
        words.extend(match (get("min_givens"), get("max_givens")) {
            (Some(min), Some(max)) if min == max => Some(format!("with {min} givens")),
            (Some(min), Some(max)) => Some(format!("with {min}–{max} givens")),
            (Some(min), None) => Some(format!("with {min} givens or more")),
            (None, Some(max)) => Some(format!("with at most {max} givens")),
            (None, None) => None,
        });
        words.extend(match (get("min_rating"), get("max_rating")) {
            (Some(min), Some(max)) => Some(format!("rated {min}–{max}")),
            (Some(min), None) => Some(format!("rated {min} or more")),
            (None, Some(max)) => Some(format!("rated {max} or less")),
            (None, None) => None,
        });
        words.extend(get("technique").map(|technique| format!("with {} as hardest step", head(technique, SHOWN_MAX))));
        words.extend(get("symmetry").map(|symmetry| format!("with {symmetry}")));
        words.join(" ")
    }

    /// `Sudoku` for `KIND_SUDOKU`.
    fn kind_in_words(&self) -> String {
        let kind = self.wanted.get("kind").map_or("puzzle", |kind| kind.trim_start_matches(render::KIND_PREFIX));
        let (head, tail) = kind.split_at_checked(1).unwrap_or((kind, ""));
        head.to_owned() + &tail.to_ascii_lowercase()
    }

    /// Time until a retry may help.
    pub(in crate::service) fn retry(&self) -> Option<Duration> {
        match self.retry {
            Retry::After(delay) if self.pause.is_none() && self.full.is_none() => Some(delay),
            Retry::After(_) | Retry::NoJob | Retry::Hopeless { .. } => None,
        }
    }

    /// Metadata for programs.
    pub(in crate::service) fn metadata(&self) -> Vec<(String, String)> {
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
        match (&self.pause, self.full, self.job) {
            (Some(pause), ..) => {
                format!("the queue has been paused since {}; resume it with ResumeQueue", render::timestamp(pause.at))
            }
            (None, Some(full), _) => full.to_string(),
            (None, None, job) => self.retry_in_words(job),
        }
    }

    fn retry_in_words(&self, job: Option<JobId>) -> String {
        let job = job.map_or_else(|| "an open job".to_owned(), |job| job.to_string());
        let Tries { tries, hits } = self.tries;
        match self.retry {
            Retry::After(_) if tries == 0 => format!("{job}: no tries yet; ask again after the delay in RetryInfo"),
            Retry::After(_) => format!("{job}: {hits} of {tries} tries so far; ask again after the delay in RetryInfo"),
            Retry::Hopeless { tries } => format!("{job}: 0 of {tries} tries; do not retry, set fewer criteria"),
            Retry::NoJob if self.exclusive => {
                "queue some with Generate for this audience, or set enqueue_if_short".to_owned()
            }
            Retry::NoJob => "queue some with Generate or set enqueue_if_short".to_owned(),
        }
    }
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.lack_in_words(), self.remedy())
    }
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
