//! Checks of names that callers choose, and of what goes with them.

use super::{Checks, quoted};
use crate::service::render::date::{date, day_of};

/// Most characters of an audience's or a request's name.
const NAME_LEN_MAX: usize = 128;

/// Most characters of a reason.
const REASON_LEN_MAX: usize = 500;

impl Checks {
    /// The name of a request; empty for none.
    pub(in crate::service) fn request_id(&mut self, request_id: &str) {
        self.name("request_id", request_id);
    }

    /// The name of an audience; empty for none.
    pub(in crate::service) fn audience(&mut self, audience: &str) {
        self.name("audience", audience);
    }

    /// The name of an audience, which must be said.
    pub(in crate::service) fn required_audience(&mut self, audience: &str) {
        if audience.is_empty() {
            self.refuse("audience", "is empty where an audience is required".to_owned());
        }
        self.audience(audience);
    }

    fn name(&mut self, field: &'static str, name: &str) {
        if name.len() > NAME_LEN_MAX {
            self.refuse(field, format!("{} characters are above {NAME_LEN_MAX}", name.len()));
        }
        if !name.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            self.refuse(field, format!("{} has other than printable ASCII characters", quoted(name)));
        }
    }

    /// The UTC date of a daily puzzle, from 1970-01-01 to `ahead_days` from `today`; today if none is said.
    pub(in crate::service) fn date(&mut self, text: &str, today: i64, ahead_days: u32) -> Option<String> {
        if text.is_empty() {
            return Some(date(today));
        }
        let last = today.saturating_add(ahead_days.into());
        match day_of(text) {
            None => self.refuse("date", format!("{} is not a date such as {}", quoted(text), date(today))),
            Some(day) if day < 0 => self.refuse("date", format!("{text} is before {}", date(0))),
            Some(day) if day > last => {
                self.refuse("date", format!("{text} is after {}, {ahead_days} days from today (UTC)", date(last)));
            }
            Some(_) => return Some(text.to_owned()),
        }
        None
    }

    /// A reason for people to read, which must be said.
    pub(in crate::service) fn reason(&mut self, reason: &str) {
        let len = reason.chars().count();
        if !(1..=REASON_LEN_MAX).contains(&len) {
            self.refuse("reason", format!("{len} characters are outside 1 to {REASON_LEN_MAX}"));
        }
        self.readable(reason);
    }

    /// A reason for people to read; empty for none.
    pub(in crate::service) fn optional_reason(&mut self, reason: &str) {
        let len = reason.chars().count();
        if len > REASON_LEN_MAX {
            self.refuse("reason", format!("{len} characters are above {REASON_LEN_MAX}"));
        }
        self.readable(reason);
    }

    fn readable(&mut self, reason: &str) {
        // PostgreSQL has no text with it.
        if reason.contains('\0') {
            self.refuse("reason", "has a character U+0000, which not every database can store".to_owned());
        }
    }
}
