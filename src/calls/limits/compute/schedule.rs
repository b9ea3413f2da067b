//! Decides which call gets a compute thread and which one waits. Plain data, without threads or tasks.
//!
//! Long work uses at most all threads but one, so short work soon gets a thread. A free thread goes to the class that
//! waits. If both classes wait and long work may use the thread, the classes take turns, so neither starves. Within a
//! class, callers take turns; see [`WaitingLine`].

use std::collections::HashMap;

use super::waiting_line::{CallId, WaitingLine};
use crate::calls::limits::places::{Full, Place, ShareKey, SharedPlaces, half};

/// The usual duration of work, which depends on the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Usually milliseconds: hints, verdicts, solutions, scrambled views.
    Short,
    /// Up to half a minute: ratings, solutions with steps, and many texts at once.
    Long,
}

/// The calls that run, wait for a thread, or hold a seat for later.
#[derive(Debug)]
pub(super) struct Schedule {
    threads: u32,
    calls: HashMap<CallId, Call>,
    last_id: CallId,
    short: Work,
    long: Work,
    /// The class that gets the next thread if both wait.
    turn: Class,
}

/// The running and waiting calls of a class.
#[derive(Debug)]
struct Work {
    running: u32,
    running_max: u32,
    seats: SharedPlaces<ShareKey>,
    /// The limit on seats from the newest call. It applies to calls that wait for a seat.
    seats_max: u32,
    for_thread: WaitingLine,
    for_seat: WaitingLine,
}

#[derive(Debug)]
struct Call {
    class: Class,
    key: ShareKey,
    state: State,
}

/// The state of a call. A call moves from one state to the next, and may leave in any state.
#[derive(Debug)]
enum State {
    WaitsForSeat,
    HasSeat(Place<ShareKey>),
    /// The call frees its seat when it runs.
    WaitsForThread {
        _seat: Place<ShareKey>,
    },
    Runs,
}

impl Schedule {
    pub(super) fn new(threads: u32) -> Self {
        let threads = threads.max(1);
        let work = |running_max| Work {
            running: 0,
            running_max,
            seats: SharedPlaces::new(),
            seats_max: 0,
            for_thread: WaitingLine::default(),
            for_seat: WaitingLine::default(),
        };
        let (short, long) = (work(threads), work((threads - 1).max(1)));
        Self { threads, calls: HashMap::new(), last_id: 0, short, long, turn: Class::Short }
    }

    /// Adds a call that is ready to work. It runs if a thread is free, otherwise it takes a seat and waits. One caller
    /// holds at most half of the `seats_max` seats of a class.
    ///
    /// # Errors
    /// [`Full`] if the call would have to wait and there is no seat.
    pub(super) fn enter(&mut self, class: Class, key: &ShareKey, seats_max: u32) -> Result<CallId, Full> {
        if self.has_thread_for(class) {
            self.of(class).running += 1;
            return Ok(self.add(class, key, State::Runs));
        }
        let seat = self.of(class).seat(key, seats_max)?;
        let call = self.add(class, key, State::WaitsForThread { _seat: seat });
        self.of(class).for_thread.push(key, call);
        Ok(call)
    }

    /// Adds a call that will work later and must not be refused then. It takes a seat at once.
    ///
    /// # Errors
    /// [`Full`] if there is no seat.
    pub(super) fn reserve(&mut self, class: Class, key: &ShareKey, seats_max: u32) -> Result<CallId, Full> {
        let seat = self.of(class).seat(key, seats_max)?;
        Ok(self.add(class, key, State::HasSeat(seat)))
    }

    /// Like [`Self::reserve`], but the call waits for a seat.
    pub(super) fn reserve_in_turn(&mut self, class: Class, key: &ShareKey, seats_max: u32) -> CallId {
        // No call overtakes another, because no seat is free while a caller waits for one that it may take.
        match self.of(class).seat(key, seats_max) {
            Ok(seat) => self.add(class, key, State::HasSeat(seat)),
            Err(Full::All | Full::Yours) => {
                let call = self.add(class, key, State::WaitsForSeat);
                self.of(class).for_seat.push(key, call);
                call
            }
        }
    }

    /// A call with a seat starts to work, or to wait for a thread. Returns the calls that no longer wait.
    pub(super) fn begin(&mut self, call: CallId) -> Vec<CallId> {
        let Some(found) = self.calls.get_mut(&call) else { return Vec::new() };
        found.state = match std::mem::replace(&mut found.state, State::Runs) {
            State::HasSeat(seat) => State::WaitsForThread { _seat: seat },
            begun => {
                found.state = begun;
                return Vec::new();
            }
        };
        let (class, key) = (found.class, found.key.clone());
        self.of(class).for_thread.push(&key, call);
        self.settle()
    }

    /// A call ends, or leaves while it waits. Other calls get its thread and seat. Returns the calls that no longer
    /// wait.
    pub(super) fn leave(&mut self, call: CallId) -> Vec<CallId> {
        let Some(Call { class, key, state }) = self.calls.remove(&call) else { return Vec::new() };
        let work = self.of(class);
        match &state {
            State::WaitsForSeat => work.for_seat.remove(&key, call),
            State::HasSeat(_) => {}
            State::WaitsForThread { .. } => work.for_thread.remove(&key, call),
            State::Runs => work.running = work.running.saturating_sub(1),
        }
        // The seat is freed before free seats are assigned to other calls.
        drop(state);
        self.settle()
    }

    /// The number of calls of a class that hold a seat, because they wait for a thread.
    pub(super) fn waiting(&self, class: Class) -> u32 {
        self.ref_of(class).seats.taken()
    }

    /// Whether a call waits for a thread or a seat.
    pub(super) fn waits(&self, call: CallId) -> bool {
        let state = self.calls.get(&call).map(|call| &call.state);
        matches!(state, Some(State::WaitsForSeat | State::WaitsForThread { .. }))
    }

    /// Assigns free threads, which frees seats, and then free seats. Returns the calls that no longer wait.
    fn settle(&mut self) -> Vec<CallId> {
        let mut woken = Vec::new();
        while let Some(class) = self.next_class() {
            let Some((call, ())) = self.of(class).for_thread.take(|_| Some(())) else { break };
            self.of(class).running += 1;
            self.change(call, State::Runs);
            woken.push(call);
        }
        for class in [Class::Short, Class::Long] {
            while let Some((call, seat)) = self.of(class).next_seat() {
                self.change(call, State::HasSeat(seat));
                woken.push(call);
            }
        }
        woken
    }

    /// The class that gets the next thread. `None` if no thread is free, or no waiting call may use it.
    fn next_class(&mut self) -> Option<Class> {
        let waits = |class| self.has_thread_for(class) && !self.ref_of(class).for_thread.is_empty();
        match (waits(Class::Short), waits(Class::Long)) {
            (true, true) => {
                let next = self.turn;
                self.turn = if next == Class::Short { Class::Long } else { Class::Short };
                Some(next)
            }
            (true, false) => Some(Class::Short),
            (false, true) => Some(Class::Long),
            (false, false) => None,
        }
    }

    fn has_thread_for(&self, class: Class) -> bool {
        let work = self.ref_of(class);
        self.short.running + self.long.running < self.threads && work.running < work.running_max
    }

    fn add(&mut self, class: Class, key: &ShareKey, state: State) -> CallId {
        self.last_id += 1;
        self.calls.insert(self.last_id, Call { class, key: key.clone(), state });
        self.last_id
    }

    fn change(&mut self, call: CallId, state: State) {
        if let Some(call) = self.calls.get_mut(&call) {
            call.state = state;
        }
    }

    fn ref_of(&self, class: Class) -> &Work {
        match class {
            Class::Short => &self.short,
            Class::Long => &self.long,
        }
    }

    fn of(&mut self, class: Class) -> &mut Work {
        match class {
            Class::Short => &mut self.short,
            Class::Long => &mut self.long,
        }
    }
}

impl Work {
    fn seat(&mut self, key: &ShareKey, seats_max: u32) -> Result<Place<ShareKey>, Full> {
        self.seats_max = seats_max;
        self.seats.take(key, seats_max, half(seats_max))
    }

    /// The next call that waits for a seat and may have one.
    fn next_seat(&mut self) -> Option<(CallId, Place<ShareKey>)> {
        let (seats, max) = (&self.seats, self.seats_max);
        self.for_seat.take(|key| seats.take(key, max, half(max)).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::limits::compute::schedule::Class::{Long, Short};

    const A: ShareKey = ShareKey::Connection(1);
    const B: ShareKey = ShareKey::Connection(2);
    const C: ShareKey = ShareKey::Connection(3);

    /// Enough seats for each class.
    const MAX: u32 = 64;

    struct Test(Schedule);

    impl Test {
        fn new() -> Self {
            Self(Schedule::new(3))
        }

        /// Calls that enter one after the other.
        fn enter<const N: usize>(&mut self, class: Class, key: &ShareKey) -> [CallId; N] {
            [(); N].map(|()| self.0.enter(class, key, MAX).unwrap())
        }

        fn waiting(&self, calls: &[CallId]) -> Vec<bool> {
            calls.iter().map(|call| self.0.waits(*call)).collect()
        }
    }

    #[test]
    fn one_caller_uses_every_thread_if_no_other_caller_waits() {
        let mut test = Test::new();
        let calls = test.enter::<4>(Short, &A);
        assert_eq!(test.waiting(&calls), [false, false, false, true]);
    }

    #[test]
    fn long_work_uses_all_threads_but_one() {
        let mut test = Test::new();
        let long = test.enter::<3>(Long, &A);
        assert_eq!(test.waiting(&long), [false, false, true]);
        let short = test.enter::<2>(Short, &B);
        assert_eq!(test.waiting(&short), [false, true]);
        assert_eq!(test.0.leave(short[0]), [short[1]], "long work waited longer, but holds all threads that it may");
        assert_eq!(test.0.leave(long[0]), [long[2]]);
    }

    #[test]
    fn callers_take_turns_one_call_each() {
        let mut test = Test::new();
        let [first, ours @ ..] = test.enter::<5>(Long, &A);
        let [of_b, later_of_b] = test.enter(Long, &B);
        let [of_c] = test.enter(Long, &C);
        // The second call of A runs during the whole first call.
        let mut order = vec![first];
        for at in 0..6 {
            order.extend(test.0.leave(order[at]));
        }
        assert_eq!(order[1..], [ours[1], of_b, of_c, ours[2], later_of_b, ours[3]]);
    }

    #[test]
    fn classes_take_turns_for_a_thread_that_both_may_have() {
        let mut test = Test::new();
        let [first, _, third] = test.enter(Short, &A);
        let [short, other_short] = test.enter(Short, &A);
        let [long, other_long] = test.enter(Long, &B);
        assert_eq!(test.0.leave(first), [short], "short work first");
        assert_eq!(test.0.leave(short), [long]);
        assert_eq!(test.0.leave(third), [other_short]);
        assert_eq!(test.0.leave(other_short), [other_long]);
    }

    #[test]
    fn one_caller_holds_half_of_the_places_of_a_class_at_most() {
        for (max, halves) in [(4, 2), (3, 2), (1, 1)] {
            let mut schedule = Schedule::new(3);
            for _ in 0..2 + halves {
                schedule.enter(Long, &A, max).unwrap();
            }
            let refused = schedule.enter(Long, &A, max).unwrap_err();
            assert_eq!(refused, if halves == max { Full::All } else { Full::Yours }, "{max}");
            for _ in 0..max - halves {
                schedule.enter(Long, &B, max).unwrap();
            }
            assert_eq!(schedule.enter(Long, &C, max).unwrap_err(), Full::All, "{max}");
            schedule.enter(Short, &A, max).unwrap();
            schedule.enter(Short, &A, max).unwrap();
        }
    }

    #[test]
    fn call_that_leaves_frees_its_place_and_gets_no_thread() {
        let mut schedule = Schedule::new(2);
        let runs = schedule.enter(Long, &A, 2).unwrap();
        let gone = schedule.enter(Long, &A, 2).unwrap();
        assert_eq!(schedule.enter(Long, &A, 2).unwrap_err(), Full::Yours);
        assert!(schedule.leave(gone).is_empty());
        let waits = schedule.enter(Long, &A, 2).unwrap();
        assert_eq!(schedule.leave(runs), [waits]);
        assert!(schedule.leave(waits).is_empty());
        assert!(schedule.calls.is_empty() && schedule.long.seats.taken() == 0 && schedule.long.running == 0);
    }

    #[test]
    fn reserved_call_is_not_refused_when_it_begins() {
        let mut schedule = Schedule::new(1);
        let reserved = schedule.reserve(Short, &A, 2).unwrap();
        let runs = schedule.enter(Short, &B, 2).unwrap();
        schedule.enter(Short, &B, 2).unwrap();
        assert_eq!(schedule.enter(Short, &C, 2).unwrap_err(), Full::All);
        assert!(schedule.begin(reserved).is_empty());
        assert!(schedule.waits(reserved));
        // B's other call came first.
        let woken = schedule.leave(runs);
        assert_eq!(schedule.leave(woken[0]), [reserved]);
    }

    #[test]
    fn reserved_call_runs_at_once_if_a_thread_is_free_and_frees_its_seat() {
        let mut schedule = Schedule::new(2);
        let reserved = schedule.reserve(Short, &A, 2).unwrap();
        let next = schedule.reserve_in_turn(Short, &A, 2);
        assert!(schedule.waits(next));
        assert_eq!(schedule.begin(reserved), [reserved, next]);
        assert!(!schedule.waits(next));
        assert!(schedule.begin(reserved).is_empty(), "it has begun");
    }

    #[test]
    fn places_are_given_to_callers_in_turn_as_far_as_each_may() {
        let mut schedule = Schedule::new(1);
        let [first, second] = [(); 2].map(|()| schedule.reserve(Short, &A, 4).unwrap());
        let ours = [(); 2].map(|()| schedule.reserve_in_turn(Short, &A, 4));
        let theirs = [(); 3].map(|()| schedule.reserve_in_turn(Short, &B, 4));
        assert_eq!(theirs.map(|call| schedule.waits(call)), [false, false, true], "two seats were free");
        assert_eq!(schedule.leave(theirs[0]), [theirs[2]], "A holds its half");
        assert!(schedule.leave(ours[0]).is_empty());
        assert_eq!(schedule.leave(first), [ours[1]]);
        schedule.leave(second);
        // A call with a higher limit also raises the limit for waiting calls.
        let third = schedule.reserve_in_turn(Short, &A, 4);
        let waits = schedule.reserve_in_turn(Short, &A, 4);
        assert_eq!((schedule.waits(third), schedule.waits(waits)), (false, true));
        schedule.reserve(Short, &B, 8).unwrap();
        assert_eq!(schedule.leave(third), [waits]);
    }
}
