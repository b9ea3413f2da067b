//! Rule: applies an update to a stock target, or refuses the update. Pure functions: the store first reads the target, in the
//! transaction that changes it.

use crate::targets::{
    draft::Draft,
    target::{StockTarget, UpdateRefusal, Wish},
};
use puzzled_base::clock::Millis;

/// The change to one field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Edit<T> {
    /// The field stays as it is.
    #[default]
    Keep,
    /// The field gets its default.
    Reset,
    /// The field gets a value.
    Set(T),
}

impl<T: Clone> Edit<T> {
    /// The field after the update; `None` means its default.
    fn of(&self, old: Option<T>) -> Option<T> {
        match self {
            Self::Keep => old,
            Self::Reset => None,
            Self::Set(new) => Some(new.clone()),
        }
    }
}

/// An update of a stock target. Its spec never changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// Puzzles that the stock should hold, from 1. There is no default: a reset gives 0, which is
    /// refused.
    pub count: Edit<u32>,
    /// The low-water mark.
    pub low_water: Edit<u32>,
    /// The priority of the target's jobs, from -100 to 100.
    pub priority: Edit<i32>,
    /// The times at which a window opens. A reset also resets the time zone and the length of the window,
    /// unless they are set.
    pub cron: Edit<String>,
    /// The time zone of the cron expression.
    pub time_zone: Edit<String>,
    /// The length of a window, in minutes.
    pub window_minutes: Edit<u32>,
}

impl Change {
    /// Returns the wish of the target after the update, or why the update is refused.
    pub(crate) fn applied(&self, target: &StockTarget, now: Millis) -> Result<Wish, UpdateRefusal> {
        if let Some(by) = &target.declared_by {
            return Err(UpdateRefusal::Declared(by.clone()));
        }
        self.draft(&target.wish).wish(target.wish.spec.clone(), now).map_err(UpdateRefusal::Invalid)
    }

    fn draft(&self, wish: &Wish) -> Draft {
        let old = Draft::from(wish);
        let cron = self.cron.of(old.cron);
        let (time_zone, window_minutes) =
            if cron.is_some() { (old.time_zone, old.window_minutes) } else { (None, None) };
        Draft {
            count: self.count.of(Some(old.count)).unwrap_or_default(),
            low_water: self.low_water.of(old.low_water),
            priority: self.priority.of(old.priority),
            cron,
            time_zone: self.time_zone.of(time_zone),
            window_minutes: self.window_minutes.of(window_minutes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::target::Schedule;
    use puzzled_base::ids::TargetId;
    use puzzled_engine::toy::toy_spec;

    const NOW: Millis = Millis(1_795_219_200_000);

    fn nightly() -> Wish {
        let schedule =
            Schedule { cron: "0 1 * * *".to_owned(), time_zone: "Europe/Berlin".to_owned(), window_minutes: 240 };
        Wish { spec: toy_spec(), low_water: Some(40), count: 50, priority: 5, schedule: Some(schedule) }
    }

    fn applied(wish: Wish, change: &Change) -> Result<Wish, UpdateRefusal> {
        let target =
            StockTarget { id: TargetId(1), wish, declared_by: None, created_at: Millis(0), updated_at: Millis(0) };
        change.applied(&target, NOW)
    }

    #[test]
    fn update_changes_only_the_fields_that_it_names() {
        assert_eq!(applied(nightly(), &Change::default()), Ok(nightly()));
        let more = Change { count: Edit::Set(60), ..Change::default() };
        assert_eq!(applied(nightly(), &more), Ok(Wish { count: 60, ..nightly() }));
        let reset = Change { priority: Edit::Reset, ..Change::default() };
        assert_eq!(applied(nightly(), &reset), Ok(Wish { priority: -50, ..nightly() }));
    }

    #[test]
    fn low_water_mark_follows_the_target_unless_it_is_set() {
        let follows = Wish { low_water: None, ..nightly() };
        let fewer = Change { count: Edit::Set(30), ..Change::default() };
        assert_eq!(applied(follows, &fewer).unwrap().low_water_mark(), 30);
        let Err(UpdateRefusal::Invalid(faults)) = applied(nightly(), &fewer) else { panic!("40 of 30") };
        assert_eq!(faults[0].reason, "40 is outside 1 to target, which is 30");
        let reset = Change { low_water: Edit::Reset, ..fewer };
        assert_eq!(applied(nightly(), &reset).unwrap().low_water_mark(), 30);
    }

    #[test]
    fn schedule_goes_with_its_cron_expression_and_gets_defaults_without_one() {
        let always = Change { cron: Edit::Reset, ..Change::default() };
        let wish = applied(nightly(), &always).unwrap();
        assert_eq!(wish.schedule, None);
        let nightly_again = Change { cron: Edit::Set("0 2 * * *".to_owned()), ..Change::default() };
        let schedule = applied(wish.clone(), &nightly_again).unwrap().schedule.unwrap();
        assert_eq!((schedule.time_zone.as_str(), schedule.window_minutes), ("UTC", 60));
        let length = Change { window_minutes: Edit::Set(5), ..Change::default() };
        let Err(UpdateRefusal::Invalid(faults)) = applied(wish, &length) else { panic!("a window without cron") };
        assert_eq!(faults[0].field, "window_minutes");
    }

    #[test]
    fn update_without_a_target_or_of_a_declared_one_is_refused() {
        let none = Change { count: Edit::Reset, ..Change::default() };
        let Err(UpdateRefusal::Invalid(faults)) = applied(nightly(), &none) else { panic!("a target of 0") };
        let fields: Vec<_> = faults.iter().map(|fault| fault.field).collect();
        assert_eq!(fields, ["target", "low_water"]);
        let declared_by = Some("default".to_owned());
        let (created_at, updated_at) = (Millis(0), Millis(0));
        let target = StockTarget { id: TargetId(1), wish: nightly(), declared_by, created_at, updated_at };
        let refused = Change::default().applied(&target, NOW);
        assert_eq!(refused, Err(UpdateRefusal::Declared("default".to_owned())));
    }
}
