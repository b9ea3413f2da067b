//! Rule: decides whether the stock is full: limits on its growth, and when work stops and resumes. Pure functions.
//!
//! Limits, use, and state are in the row of `queue`, not in each process. So all processes on a database agree,
//! including `work` processes, which have no such settings. Claims check the state within a statement that they need
//! anyway. The limits are those of the server that started or reloaded last. If each server applied its own limits, two
//! servers with different limits would reverse each other's state repeatedly.

use std::fmt;

use puzzled_base::clock::Millis;

/// The share of a limit, in percent, at which the stock is full. The rest is room for the slices in progress at that time.
const FULL_FROM: u64 = 95;

/// The share of a limit, in percent, below which a full stock has room again. If it were closer to [`FULL_FROM`], work
/// would stop and resume with every withdrawal.
const ROOM_BELOW: u64 = 90;

/// The age at which the size of the database is read again, in milliseconds. The read is not cheap: PostgreSQL reads
/// the size of each of its files.
const BYTES_READ_EVERY_MS: i64 = 60_000;

/// Limits on the growth of the stock; `None` means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Growth {
    /// The maximum number of puzzles in circulation, from 1.
    pub puzzles_max: Option<u64>,
    /// The maximum size of the database, in bytes, from 1.
    pub database_bytes_max: Option<u64>,
}

/// The quantity that is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Puzzles in circulation.
    Puzzles,
    /// Bytes that the database uses.
    DatabaseBytes,
}

impl Bound {
    /// The name of the setting of this limit.
    #[must_use]
    pub fn setting(self) -> &'static str {
        match self {
            Self::Puzzles => "max_puzzles",
            Self::DatabaseBytes => "max_database_bytes",
        }
    }
}

/// A limit, its use, and whether the stock is full because of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gauge {
    /// The use, in puzzles or bytes.
    pub used: u64,
    /// The limit, if there is one.
    pub max: Option<u64>,
    /// The time since which the stock is full because of this limit.
    pub full_at: Option<Millis>,
}

impl Gauge {
    /// Returns the gauge with another limit. If the limit rises, the stock is no longer full, so that work resumes at
    /// once unless the new limit is reached too.
    fn bounded(self, max: Option<u64>) -> Self {
        let is_raised = self.max.is_some_and(|before| max.is_none_or(|max| max > before));
        Self { max, full_at: self.full_at.filter(|_| !is_raised), ..self }
    }

    /// Returns the gauge with the state that follows from its previous state, the use, and the limit.
    fn judged(self, now: Millis) -> Self {
        let from = if self.full_at.is_some() { ROOM_BELOW } else { FULL_FROM };
        let is_full = self.max.is_some_and(|max| u128::from(self.used) * 100 >= u128::from(max) * u128::from(from));
        Self { full_at: is_full.then(|| self.full_at.unwrap_or(now)), ..self }
    }

    fn full(self, bound: Bound) -> Option<Full> {
        Some(Full { bound, used: self.used, max: self.max?, at: self.full_at? })
    }
}

/// The growth of the stock at one moment, over all processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GrowthState {
    /// Puzzles in circulation.
    pub puzzles: Gauge,
    /// The size of the database when it was last read, in bytes; 0 before the first read.
    pub bytes: Gauge,
    /// The time of the last read of the size.
    pub bytes_read_at: Option<Millis>,
}

impl GrowthState {
    /// Why the stock is full, if it is. The limit on puzzles comes first, because an operator can do more about it.
    #[must_use]
    pub fn full(&self) -> Option<Full> {
        self.puzzles.full(Bound::Puzzles).or_else(|| self.bytes.full(Bound::DatabaseBytes))
    }

    /// The number of puzzles that can be added before the stock is full; `None` without a limit on puzzles.
    pub(crate) fn room(&self) -> Option<u64> {
        let max = u128::from(self.puzzles.max?);
        let full_from = u64::try_from((max * u128::from(FULL_FROM)).div_ceil(100)).unwrap_or(u64::MAX);
        Some(if self.full().is_some() { 0 } else { full_from.saturating_sub(self.puzzles.used) })
    }

    /// Whether the size must be read again. A clock that was set back does not delay this.
    pub(crate) fn is_reading_due(&self, now: Millis) -> bool {
        !self.bytes_read_at.is_some_and(|at| (0..BYTES_READ_EVERY_MS).contains(&now.ms_since(at)))
    }

    /// Returns the next state, with new limits if given, and with a new size of the database if it was read.
    pub(crate) fn next(self, bounds: Option<Growth>, bytes: Option<u64>, now: Millis) -> Self {
        let Self { mut puzzles, bytes: mut of_bytes, mut bytes_read_at } = self;
        if let Some(Growth { puzzles_max, database_bytes_max }) = bounds {
            (puzzles, of_bytes) = (puzzles.bounded(puzzles_max), of_bytes.bounded(database_bytes_max));
        }
        if let Some(used) = bytes {
            of_bytes.used = used;
            bytes_read_at = Some(now);
        }
        Self { puzzles: puzzles.judged(now), bytes: of_bytes.judged(now), bytes_read_at }
    }

    /// Whether the stored row would differ. The row does not contain the number of puzzles.
    pub(crate) fn is_other_row(&self, other: &Self) -> bool {
        let without_puzzles = |state: &Self| Self { puzzles: Gauge { used: 0, ..state.puzzles }, ..*state };
        without_puzzles(self) != without_puzzles(other)
    }
}

/// Why the stock is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full {
    /// The limit that is reached.
    pub bound: Bound,
    /// The use, in puzzles or bytes.
    pub used: u64,
    /// The limit.
    pub max: u64,
    /// The time since which the stock is full.
    pub at: Millis,
}

impl Full {
    /// The use below which work resumes.
    fn room_below(&self) -> u64 {
        let room = (u128::from(self.max) * u128::from(ROOM_BELOW)).div_ceil(100);
        u64::try_from(room).expect("at most the bound")
    }
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bound, used, max, .. } = self;
        let (setting, below) = (bound.setting(), self.room_below());
        match bound {
            Bound::Puzzles => write!(
                f,
                "the stock is full: {used} puzzle{} in circulation, {setting} is {max}; withdraw puzzles until fewer than {below} \
                 are left, or raise {setting}",
                if *used == 1 { "" } else { "s" }
            ),
            Bound::DatabaseBytes => write!(
                f,
                "the stock is full: the database uses {used} bytes, {setting} is {max}; work resumes below {below} bytes; delete \
                 what is not needed, or raise {setting}"
            ),
        }
    }
}

/// The change of the state of growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrowthChange {
    /// The stock is full from now on, or by another limit than before.
    Filled(Full),
    /// The stock has room again.
    Room,
    /// Nothing changed: the stock is still full, or still has room.
    None(Option<Full>),
}

impl GrowthChange {
    /// The change from one state to the next.
    pub(crate) fn between(before: &GrowthState, after: &GrowthState) -> Self {
        match (before.full(), after.full()) {
            (Some(before), Some(after)) if before.bound == after.bound => Self::None(Some(after)),
            (_, Some(after)) => Self::Filled(after),
            (Some(_), None) => Self::Room,
            (None, None) => Self::None(None),
        }
    }

    /// Why the stock is full now, if it is.
    #[must_use]
    pub fn full(self) -> Option<Full> {
        match self {
            Self::Filled(full) => Some(full),
            Self::Room => None,
            Self::None(full) => full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = Millis(1_000_000);

    fn bounds(puzzles_max: Option<u64>, database_bytes_max: Option<u64>) -> Growth {
        Growth { puzzles_max, database_bytes_max }
    }

    /// The next state with this number of puzzles.
    fn with(state: GrowthState, used: u64) -> GrowthState {
        GrowthState { puzzles: Gauge { used, ..state.puzzles }, ..state }
    }

    #[test]
    fn stock_is_full_from_95_percent_until_it_falls_below_90() {
        let mut state = GrowthState::default().next(Some(bounds(Some(1_000), None)), None, NOW);
        for (used, is_full) in
            [(0, false), (949, false), (950, true), (1_200, true), (900, true), (899, false), (949, false), (950, true)]
        {
            state = with(state, used).next(None, None, NOW);
            assert_eq!(state.full().is_some(), is_full, "{used}");
        }
    }

    #[test]
    fn smallest_bounds_are_reached_and_left() {
        for (max, used, is_full) in [(1, 0, false), (1, 1, true), (2, 1, false), (10, 9, false), (10, 10, true)] {
            let state = with(GrowthState::default(), used).next(Some(bounds(Some(max), None)), None, NOW);
            assert_eq!(state.full().is_some(), is_full, "{used} of {max}");
            assert!(with(state, 0).next(None, None, NOW).full().is_none());
        }
        let most = Gauge { used: u64::MAX, max: Some(u64::MAX), full_at: None }.judged(NOW);
        assert!(most.full_at.is_some());
    }

    #[test]
    fn raised_bound_is_judged_anew_and_a_lowered_one_keeps_the_state() {
        let full = with(GrowthState::default(), 950).next(Some(bounds(Some(1_000), None)), None, NOW);
        // 93% of the limit.
        assert_eq!(full.next(Some(bounds(Some(1_021), None)), None, NOW).full(), None);
        assert!(full.next(Some(bounds(Some(1_000), None)), None, NOW).full().is_some());
        // 92% of the lowered limit.
        let lowered = with(full, 830).next(Some(bounds(Some(900), None)), None, NOW);
        assert!(lowered.full().is_some());
        assert_eq!(full.next(Some(bounds(None, None)), None, NOW).full(), None);
        let room = with(GrowthState::default(), 900).next(Some(bounds(Some(1_000), None)), None, NOW);
        assert!(
            room.next(Some(bounds(Some(940), None)), None, NOW).full().is_some(),
            "a lowered bound may be reached at once"
        );
    }

    #[test]
    fn either_bound_fills_the_stock_and_keeps_its_own_state() {
        let state = GrowthState::default().next(Some(bounds(Some(100), Some(1_000))), Some(940), NOW);
        let full = with(state, 95).next(None, None, NOW.plus_ms(5));
        let at = NOW.plus_ms(5);
        assert_eq!(full.full(), Some(Full { bound: Bound::Puzzles, used: 95, max: 100, at }));
        // The stock was never full by bytes, so 94% of them do not stop work.
        assert_eq!(with(full, 80).next(None, None, NOW).full(), None);
        let both = full.next(None, Some(950), NOW.plus_ms(9));
        assert_eq!(both.full().map(|full| (full.bound, full.at)), Some((Bound::Puzzles, at)), "it is full since then");
        let bytes = with(both, 80).next(None, None, NOW.plus_ms(10));
        assert_eq!(bytes.full().map(|full| (full.bound, full.at)), Some((Bound::DatabaseBytes, NOW.plus_ms(9))));
        assert_eq!(GrowthChange::between(&both, &bytes), GrowthChange::Filled(bytes.full().unwrap()));
        assert_eq!(GrowthChange::between(&bytes, &state), GrowthChange::Room);
        assert_eq!(GrowthChange::between(&bytes, &bytes), GrowthChange::None(bytes.full()));
    }

    #[test]
    fn room_ends_where_the_stock_is_full() {
        for (max, used) in [(1, 0), (2, 1), (10, 3), (1_000, 900), (1_000, 949)] {
            let state = with(GrowthState::default(), used).next(Some(bounds(Some(max), None)), None, NOW);
            let room = state.room().unwrap();
            assert!(room > 0, "{used} of {max}");
            for (more, is_full) in [(room - 1, false), (room, true)] {
                let filled = with(state, used + more).next(None, None, NOW);
                assert_eq!((filled.full().is_some(), filled.room() == Some(0)), (is_full, is_full), "{used} of {max}");
            }
        }
        assert_eq!(GrowthState::default().room(), None);
    }

    #[test]
    fn bytes_are_read_once_a_minute_and_after_the_clock_was_set_back() {
        let read = GrowthState::default().next(None, Some(7), NOW);
        assert_eq!((read.bytes.used, read.bytes_read_at), (7, Some(NOW)));
        assert!(GrowthState::default().is_reading_due(NOW));
        for (later, is_due) in [(0, false), (59_999, false), (60_000, true), (-1, true)] {
            assert_eq!(read.is_reading_due(NOW.plus_ms(later)), is_due, "{later}");
        }
    }

    #[test]
    fn number_of_puzzles_alone_changes_no_row() {
        let state = GrowthState::default().next(Some(bounds(Some(100), None)), Some(1), NOW);
        assert!(!with(state, 50).is_other_row(&state));
        assert!(with(state, 95).next(None, None, NOW).is_other_row(&state));
    }

    #[test]
    fn full_stock_names_use_limit_and_remedy() {
        let of = |bound, used, max| Full { bound, used, max, at: NOW }.to_string();
        assert_eq!(
            of(Bound::Puzzles, 960, 1_000),
            "the stock is full: 960 puzzles in circulation, max_puzzles is 1000; withdraw puzzles until fewer than 900 are left, \
             or raise max_puzzles"
        );
        assert_eq!(
            of(Bound::DatabaseBytes, 96, 99),
            "the stock is full: the database uses 96 bytes, max_database_bytes is 99; work resumes below 90 bytes; delete what \
             is not needed, or raise max_database_bytes"
        );
    }
}
