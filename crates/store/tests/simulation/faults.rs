//! Injects faults at the fault points of the store: a statement fails, or the caller drops its call.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use async_trait::async_trait;
use puzzled_engine::shared::rng::Rng;
use puzzled_store::{StoreError, fault_points::FaultPoints};
use tokio::sync::Notify;

/// One call in this many is to meet a fault. It escapes if it ends before its point. If every call met one, a commit of many statements would almost never succeed.
const DOOMED_ONE_IN: u64 = 2;

/// A faulty call fails at a random point, or with a probability of one in `RARE_ONE_IN` at a rare point before that. A
/// point is rare the first `RARE` times that calls meet it.
const RARE: u64 = 3;
const RARE_ONE_IN: u64 = 4;

/// The assumed number of points of a call, until a call with the same first point has met more. So a fault can hit the end of a rare call.
const USUAL_LENGTH: u64 = 5;

/// Decides at every point whether a fault occurs.
#[derive(Debug)]
pub(crate) struct Faults {
    plan: Mutex<Plan>,
    calm: AtomicBool,
    /// Whether a call may stop forever. Only a driver that then drops the call can allow that.
    abandons: bool,
    abandoned: Notify,
}

/// The fault to inject. If several calls are in flight, it may hit any of them.
#[derive(Debug)]
struct Plan {
    rng: Rng,
    met: Met,
    /// For each first point, the number of points that the longest call has met; at least [`USUAL_LENGTH`].
    longest: BTreeMap<&'static str, u64>,
    begin: &'static str,
    /// Points that the current call has met.
    length: u64,
    /// The point at which the current call meets its fault, if it meets one.
    doom: Option<u64>,
}

/// The points that calls have met, and those at which a fault occurred.
#[derive(Debug, Default, Clone)]
pub(crate) struct Met {
    /// How often calls have met each point.
    pub(crate) points: BTreeMap<&'static str, u64>,
    pub(crate) failed: BTreeSet<&'static str>,
    pub(crate) abandoned: BTreeSet<&'static str>,
    /// How often the stock was full and then had room again.
    pub(crate) times_full: u64,
}

/// How a call ended.
#[derive(Debug)]
pub(crate) enum Ended<T> {
    Replied(T),
    /// Without a reply: the store may have done it or not.
    Unknown,
}

/// Effect of a point on the call that meets it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    Pass,
    Fail,
    Abandon,
}

impl Plan {
    fn fate_at(&mut self, point: &'static str) -> Fate {
        if point.split_once('.').is_some_and(|(_, place)| place == "begin") {
            self.begin = point;
            self.length = 0;
            let longest = *self.longest.entry(point).or_insert(USUAL_LENGTH);
            let doom = self.rng.below(longest + 1);
            self.doom = (self.rng.below(DOOMED_ONE_IN) == 0).then_some(doom);
        }
        self.length += 1;
        let longest = self.longest.entry(self.begin).or_insert(USUAL_LENGTH);
        *longest = self.length.max(*longest);
        let times = self.met.points.entry(point).or_insert(0);
        *times += 1;
        let is_rare = *times <= RARE;
        match self.doom {
            Some(doom) if doom + 1 == self.length || is_rare && self.rng.below(RARE_ONE_IN) == 0 => {
                if self.rng.below(2) == 0 { Fate::Fail } else { Fate::Abandon }
            }
            _ => Fate::Pass,
        }
    }
}

impl Faults {
    pub(crate) fn new(seed: u64, abandons: bool) -> Self {
        let plan = Plan {
            rng: Rng::from_seed(seed ^ 0xfa17),
            met: Met::default(),
            longest: BTreeMap::new(),
            begin: "",
            length: 0,
            doom: None,
        };
        Self { plan: Mutex::new(plan), calm: AtomicBool::new(false), abandons, abandoned: Notify::new() }
    }

    /// Turns faults on.
    pub(crate) fn begin(&self) {
        self.calm.store(false, Ordering::SeqCst);
    }

    /// Turns faults off.
    pub(crate) fn end(&self) {
        self.calm.store(true, Ordering::SeqCst);
    }

    pub(crate) fn met(&self) -> Met {
        self.plan.lock().unwrap().met.clone()
    }

    /// Makes a call that a fault may fail or drop. Panics on any other error.
    pub(crate) async fn call<T>(&self, call: impl Future<Output = Result<T, StoreError>>) -> Ended<T> {
        tokio::select! {
            biased;
            replied = call => match replied {
                Ok(reply) => Ended::Replied(reply),
                Err(error) if is_injected(&error) => Ended::Unknown,
                Err(other) => panic!("{other:?}"),
            },
            () = self.abandoned.notified() => Ended::Unknown,
        }
    }
}

/// Whether the simulation injected this error, into the write of one caller or into a shared write.
pub(crate) fn is_injected(error: &StoreError) -> bool {
    match error {
        StoreError::Injected(_) => true,
        StoreError::Shared(error) => is_injected(error),
        _ => false,
    }
}

/// Whether the point lies in a write that one task does for several callers, so that an abandoned call does not end it.
pub(crate) fn is_shared(point: &str) -> bool {
    point.starts_with("enqueue.")
}

#[async_trait]
impl FaultPoints for Faults {
    async fn at(&self, point: &'static str) -> Result<(), StoreError> {
        if self.calm.load(Ordering::SeqCst) {
            return Ok(());
        }
        let fate = {
            let mut plan = self.plan.lock().unwrap();
            let fate = match plan.fate_at(point) {
                Fate::Abandon if !self.abandons || is_shared(point) => Fate::Fail,
                fate => fate,
            };
            match fate {
                Fate::Pass => {}
                Fate::Abandon => {
                    plan.met.abandoned.insert(point);
                }
                Fate::Fail => {
                    plan.met.failed.insert(point);
                }
            }
            fate
        };
        match fate {
            Fate::Pass => Ok(()),
            Fate::Abandon => {
                self.abandoned.notify_one();
                std::future::pending().await
            }
            Fate::Fail => Err(StoreError::Injected(point)),
        }
    }
}
