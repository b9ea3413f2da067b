//! The error for an exhausted stock: a text with the criteria in the caller's words, the nearest shelf, and what to do
//! next, and metadata for programs.

use std::{fmt, time::Duration};

use crate::{
    rules::{
        jobs::{growth::Full, job::JobId, queue::Pause, repeat::Fields},
        stock::{choose, puzzle::Shelf},
    },
    service::render,
    stock::Lack,
};
use puzzled_engine::shared::names::{SHOWN_MAX, head};

/// No puzzle in stock fits the request.
#[derive(Debug)]
pub(in crate::service) struct Exhausted {
    /// The criteria of the request.
    pub(in crate::service) wanted: Fields,
    /// Empty if the request has none.
    pub(in crate::service) audience: String,
    pub(in crate::service) lack: Lack,
    /// The job that was queued for the request, or the open job that it found.
    pub(in crate::service) job: Option<JobId>,
    /// Set while the queue is paused.
    pub(in crate::service) pause: Option<Pause>,
    /// Set while the stock is full.
    pub(in crate::service) full: Option<Full>,
    /// Time until a retry may help, if the queue runs and the stock has room.
    pub(in crate::service) retry: Option<Duration>,
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
        words.extend(match (get("min_rating"), get("max_rating")) {
            (Some(min), Some(max)) => Some(format!("rated {min} to {max}")),
            (Some(min), None) => Some(format!("rated {min} or more")),
            (None, Some(max)) => Some(format!("rated {max} or less")),
            (None, None) => None,
        });
        words.extend(get("symmetry").map(|symmetry| format!("with {symmetry}")));
        words.extend(get("technique").map(|technique| format!("made with {}", head(technique, SHOWN_MAX))));
        words.extend(get("clues").map(|clues| format!("with {clues} givens")));
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
        self.retry.filter(|_| self.pause.is_none() && self.full.is_none())
    }

    /// Metadata for programs.
    pub(in crate::service) fn metadata(&self) -> Vec<(String, String)> {
        let nearest = (1..).zip(&self.lack.nearest).map(|(at, shelf)| (format!("nearest_{at}"), shelf_name(shelf)));
        nearest.chain(self.job.map(|job| ("job".to_owned(), job.to_string()))).collect()
    }

    fn lack_in_words(&self) -> String {
        let wanted = self.wanted_in_words();
        let had = self.lack.had;
        match (&self.lack.nearest[..], self.audience.as_str()) {
            (_, "") if had > 0 => format!("every {wanted} in stock has been a daily puzzle ({})", puzzles(had)),
            (_, audience) if had > 0 => format!("{audience:?} has had every {wanted} in stock ({})", puzzles(had)),
            ([], _) => format!("no {wanted} in stock, nor any other {}", self.kind_in_words()),
            ([nearest, ..], _) => {
                let (variant, live) = (head(&nearest.key.variant, SHOWN_MAX), puzzles(choose::live(nearest)));
                format!("no {wanted} in stock; nearest: {variant} rated {} ({live})", nearest.key.rating)
            }
        }
    }

    fn remedy(&self) -> String {
        match (&self.pause, self.full, self.job) {
            (Some(pause), ..) => {
                format!("the queue has been paused since {}; resume it with ResumeQueue", render::timestamp(pause.at))
            }
            (None, Some(full), _) => full.to_string(),
            (None, None, Some(job)) => format!("{job} may make some; ask again after the delay in RetryInfo"),
            (None, None, None) if self.retry.is_some() => {
                "an open job may make some; ask again after the delay in RetryInfo".to_owned()
            }
            (None, None, None) => "queue some with Generate or set enqueue_if_short".to_owned(),
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

fn shelf_name(shelf: &Shelf) -> String {
    let key = &shelf.key;
    let (variant, symmetry, live) = (head(&key.variant, SHOWN_MAX), key.symmetry.name(), choose::live(shelf));
    let technique = key.technique.as_ref().map_or_else(String::new, |technique| format!(", made with {technique}"));
    let clues = key.clues.map_or_else(String::new, |clues| format!(", made with {clues} givens"));
    format!("{} {variant}, symmetry {symmetry}, rated {}{technique}{clues}: {live}", key.kind, key.rating)
}
