//! A waiting line in which callers take turns; the share key tells callers apart. Each turn is one call, and the calls
//! of one caller keep their order.

use std::collections::{HashMap, VecDeque};

use crate::calls::limits::places::ShareKey;

/// The number of a call in the schedule.
pub(super) type CallId = u64;

/// The waiting calls. A new caller gets the last turn, so at most one call of each other caller comes before its first.
#[derive(Debug, Default)]
pub(super) struct WaitingLine {
    /// The share key of each caller with a waiting call, once. The first one is next.
    turns: VecDeque<ShareKey>,
    /// The waiting calls of each caller, the oldest first.
    calls: HashMap<ShareKey, VecDeque<CallId>>,
}

impl WaitingLine {
    pub(super) fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Adds a call after the other calls of its caller.
    pub(super) fn push(&mut self, key: &ShareKey, call: CallId) {
        let calls = self.calls.entry(key.clone()).or_default();
        if calls.is_empty() {
            self.turns.push_back(key.clone());
        }
        calls.push_back(call);
    }

    /// Removes and returns the first call of the first caller for which `offer` returns a value. That caller moves to
    /// the last turn; skipped callers keep their turns. Calls `offer` at most once for each caller.
    pub(super) fn take<T>(&mut self, mut offer: impl FnMut(&ShareKey) -> Option<T>) -> Option<(CallId, T)> {
        let (at, given) = self.turns.iter().enumerate().find_map(|(at, key)| Some((at, offer(key)?)))?;
        let key = self.turns.remove(at)?;
        let calls = self.calls.get_mut(&key)?;
        let call = calls.pop_front()?;
        if calls.is_empty() {
            self.calls.remove(&key);
        } else {
            self.turns.push_back(key);
        }
        Some((call, given))
    }

    /// Removes a call from any position.
    pub(super) fn remove(&mut self, key: &ShareKey, call: CallId) {
        let Some(calls) = self.calls.get_mut(key) else { return };
        calls.retain(|one| *one != call);
        if calls.is_empty() {
            self.calls.remove(key);
            self.turns.retain(|one| one != key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ShareKey = ShareKey::Connection(1);
    const B: ShareKey = ShareKey::Connection(2);
    const C: ShareKey = ShareKey::Connection(3);

    fn line(calls: &[(&ShareKey, CallId)]) -> WaitingLine {
        let mut line = WaitingLine::default();
        for (key, call) in calls {
            line.push(key, *call);
        }
        line
    }

    fn drained(line: &mut WaitingLine) -> Vec<CallId> {
        std::iter::from_fn(|| line.take(|_| Some(())).map(|(call, ())| call)).collect()
    }

    #[test]
    fn callers_take_turns_and_calls_of_one_keep_their_order() {
        let mut line = line(&[(&A, 1), (&A, 2), (&A, 3), (&B, 4), (&C, 5), (&B, 6)]);
        assert_eq!(drained(&mut line), [1, 4, 5, 2, 6, 3]);
        assert!(line.is_empty() && line.calls.is_empty());
    }

    #[test]
    fn each_other_caller_gets_at_most_one_call_before_a_new_one() {
        let mut line = line(&[(&A, 1), (&A, 2), (&A, 3), (&B, 4), (&B, 5)]);
        assert_eq!(line.take(|_| Some(())), Some((1, ())));
        line.push(&C, 6);
        assert_eq!(drained(&mut line), [4, 2, 6, 5, 3]);
    }

    #[test]
    fn skipped_caller_keeps_its_turn() {
        let mut line = line(&[(&A, 1), (&B, 2), (&B, 3)]);
        assert_eq!(line.take(|key| (*key == B).then_some('b')), Some((2, 'b')));
        assert_eq!(line.take(|_| None::<()>), None);
        assert_eq!(drained(&mut line), [1, 3]);
    }

    #[test]
    fn leaving_call_removes_its_callers_turn_only_if_it_was_the_last() {
        let mut line = line(&[(&A, 1), (&A, 2), (&B, 3)]);
        line.remove(&A, 1);
        line.remove(&B, 3);
        line.remove(&C, 9);
        assert_eq!(drained(&mut line), [2]);
        assert!(line.turns.is_empty() && line.calls.is_empty());
    }
}
