//! Rule: a stock target as a request or the configuration file gives it: fills in defaults and checks each field. Pure
//! functions.

use crate::targets::{
    target::{Fault, Schedule, Wish},
    window::{Window, usual_name},
};
use puzzled_base::clock::Millis;
use puzzled_engine::shared::spec::Spec;

/// The maximum number of puzzles of a target. A database of some tens of gigabytes holds that many.
pub(crate) const TARGET_MAX: u32 = 10_000_000;

/// The highest priority; its negative is the lowest.
pub const PRIORITY_MAX: i32 = 100;

/// The default priority of refills. It is below the default for jobs that callers queue.
const PRIORITY_DEFAULT: i32 = -50;

/// Default length of a window, in minutes.
const WINDOW_MINUTES_DEFAULT: u32 = 60;

/// The fields of a requested target.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Puzzles that the stock should hold, from 1 to `TARGET_MAX`.
    pub count: u32,
    /// The low-water mark. Default: `count`; if `count` changes later, the mark changes with it.
    pub low_water: Option<u32>,
    /// Priority of the target's jobs, from -100 to 100. Default: -50.
    pub priority: Option<i32>,
    /// Cron expression of the times at which a window opens. Default: the target may always be filled.
    pub cron: Option<String>,
    /// Time zone of the cron expression. Default: UTC.
    pub time_zone: Option<String>,
    /// Length of a window, in minutes. Default: 60.
    pub window_minutes: Option<u32>,
}

impl From<&Wish> for Draft {
    fn from(wish: &Wish) -> Self {
        let schedule = wish.schedule.clone();
        Self {
            count: wish.count,
            low_water: wish.low_water,
            priority: Some(wish.priority),
            cron: schedule.as_ref().map(|schedule| schedule.cron.clone()),
            window_minutes: schedule.as_ref().map(|schedule| schedule.window_minutes),
            time_zone: schedule.map(|schedule| schedule.time_zone),
        }
    }
}

impl Draft {
    /// Builds the wish for a spec.
    ///
    /// # Errors
    /// All faults; see [`Self::faults`].
    pub fn wish(&self, spec: Spec, now: Millis) -> Result<Wish, Vec<Fault>> {
        let faults = self.faults(now);
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Wish {
            spec,
            low_water: self.low_water,
            count: self.count,
            priority: self.priority.unwrap_or(PRIORITY_DEFAULT),
            schedule: self.schedule(),
        })
    }

    /// Returns all faults.
    #[must_use]
    pub fn faults(&self, now: Millis) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut refuse = |field, reason| faults.push(Fault { field, reason });
        let count = self.count;
        if !(1..=TARGET_MAX).contains(&count) {
            refuse("target", format!("{count} is outside 1 to {TARGET_MAX}"));
        }
        let low_water = self.low_water.unwrap_or(count);
        if low_water > count || low_water == 0 && count > 0 {
            refuse("low_water", format!("{low_water} is outside 1 to target, which is {count}"));
        }
        let priority = self.priority.unwrap_or(PRIORITY_DEFAULT);
        if !(-PRIORITY_MAX..=PRIORITY_MAX).contains(&priority) {
            refuse("priority", format!("{priority} is outside -{PRIORITY_MAX} to {PRIORITY_MAX}"));
        }
        match self.schedule() {
            Some(schedule) => faults.extend(Window::read(&schedule, now).err()),
            None => {
                for (field, is_set) in
                    [("time_zone", self.time_zone.is_some()), ("window_minutes", self.window_minutes.is_some())]
                {
                    if is_set {
                        faults.push(Fault {
                            field,
                            reason: "it has no effect without cron; set cron too, or leave it out".to_owned(),
                        });
                    }
                }
            }
        }
        faults
    }

    fn schedule(&self) -> Option<Schedule> {
        Some(Schedule {
            cron: self.cron.clone()?,
            time_zone: usual_name(self.time_zone.as_deref().unwrap_or("UTC")),
            window_minutes: self.window_minutes.unwrap_or(WINDOW_MINUTES_DEFAULT),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::toy::toy_spec;

    const PLAIN: Draft =
        Draft { count: 500, low_water: None, priority: None, cron: None, time_zone: None, window_minutes: None };

    #[test]
    fn zone_is_stored_in_its_usual_spelling() {
        let cron = Some("0 1 * * *".to_owned());
        for (zone, usual) in
            [("europe/berlin", "Europe/Berlin"), ("AMERICA/ST_JOHNS", "America/St_Johns"), ("utc", "UTC")]
        {
            let draft = Draft { cron: cron.clone(), time_zone: Some(zone.to_owned()), ..PLAIN };
            let schedule = draft.wish(toy_spec(), Millis(0)).unwrap().schedule.unwrap();
            assert_eq!(schedule.time_zone, usual);
        }
    }

    #[test]
    fn unset_fields_get_their_defaults() {
        let wanted = Wish { spec: toy_spec(), low_water: None, count: 500, priority: -50, schedule: None };
        assert_eq!(PLAIN.wish(toy_spec(), Millis(0)), Ok(wanted));
        let nightly = Draft { cron: Some("0 1 * * *".to_owned()), ..PLAIN };
        let schedule = Schedule { cron: "0 1 * * *".to_owned(), time_zone: "UTC".to_owned(), window_minutes: 60 };
        assert_eq!(nightly.wish(toy_spec(), Millis(0)).unwrap().schedule, Some(schedule));
    }

    #[test]
    fn every_fault_names_field_value_and_limit() {
        let cases: [(Draft, &[(&str, &str)]); 6] = [
            (Draft { count: 0, ..PLAIN }, &[("target", "0 is outside 1 to 10000000")]),
            (Draft { count: 10_000_001, ..PLAIN }, &[("target", "10000001 is outside 1 to 10000000")]),
            (Draft { low_water: Some(0), ..PLAIN }, &[("low_water", "0 is outside 1 to target, which is 500")]),
            (Draft { low_water: Some(501), ..PLAIN }, &[("low_water", "501 is outside 1 to target, which is 500")]),
            (
                Draft { priority: Some(101), time_zone: Some("UTC".to_owned()), window_minutes: Some(5), ..PLAIN },
                &[
                    ("priority", "101 is outside -100 to 100"),
                    ("time_zone", "it has no effect without cron; set cron too, or leave it out"),
                    ("window_minutes", "it has no effect without cron; set cron too, or leave it out"),
                ],
            ),
            (
                Draft { cron: Some("* * * * *".to_owned()), window_minutes: Some(0), ..PLAIN },
                &[("window_minutes", "0 is outside 1 to 10080")],
            ),
        ];
        for (draft, expected) in cases {
            let faults = draft.wish(toy_spec(), Millis(0)).unwrap_err();
            let told: Vec<_> = faults.iter().map(|fault| (fault.field, fault.reason.as_str())).collect();
            assert_eq!(told, expected);
        }
    }
}
