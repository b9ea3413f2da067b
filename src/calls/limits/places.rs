//! Gives out limited places, such as those of connections, open streams, or waiting calls: up to one limit in total, and up to
//! another for each key. The key of a call is its [`ShareKey`], that of a connection its address.

use std::{
    collections::HashMap,
    hash::Hash,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use http::Extensions;

use crate::{
    access::Caller,
    calls::{context::Peer, errors::ServiceError},
};

/// The key by which calls share limits. Limits and turns treat all calls with the same key as those of one caller.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ShareKey {
    /// All connections of a principal of the access file.
    Principal(Arc<str>),
    /// All connections of anonymous callers from an address. A client gets no larger share by opening more connections.
    Address(IpAddr),
    /// One connection, because many callers share the address of a proxy.
    Connection(u64),
    /// Calls from within this process.
    Internal,
}

impl ShareKey {
    /// The key of a request with these extensions. If `connections_per_address_max` is 0, clients come through a proxy,
    /// and each connection has its own key.
    pub(crate) fn of(extensions: &Extensions, connections_per_address_max: u32) -> Self {
        if let Some(Caller { principal, usage: Some(_), .. }) = extensions.get::<Arc<Caller>>().map(AsRef::as_ref) {
            return Self::Principal(Arc::clone(&principal.name));
        }
        match extensions.get::<Peer>() {
            None => Self::Internal,
            Some(peer) if connections_per_address_max == 0 => Self::Connection(peer.connection),
            Some(peer) => Self::Address(peer.address.ip()),
        }
    }
}

/// The number of places taken, in total and by key. Each call passes the limits, so that they may change.
#[derive(Debug)]
pub(crate) struct SharedPlaces<K: Eq + Hash> {
    taken: Arc<Mutex<Taken<K>>>,
}

/// Why there is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    /// All places are taken.
    All,
    /// The key has reached its own limit.
    Yours,
}

/// A place, which becomes free when it is dropped.
#[derive(Debug)]
pub(crate) struct Place<K: Eq + Hash> {
    key: K,
    taken: Arc<Mutex<Taken<K>>>,
}

#[derive(Debug)]
struct Taken<K> {
    total: u32,
    /// Only keys that hold a place, so that former callers use no memory.
    by_key: HashMap<K, u32>,
}

impl<K: Eq + Hash + Clone> SharedPlaces<K> {
    pub(crate) fn new() -> Self {
        Self { taken: Arc::new(Mutex::new(Taken { total: 0, by_key: HashMap::new() })) }
    }

    /// Takes a place for `key`, of at most `total_max` for all keys and `each_max` for this one. After a limit was
    /// lowered, there is no place until enough have become free.
    ///
    /// # Errors
    /// [`Full`] with the limit that is reached; `All` if both are.
    pub(crate) fn take(&self, key: &K, total_max: u32, each_max: u32) -> Result<Place<K>, Full> {
        let mut taken = lock(&self.taken);
        if taken.total >= total_max {
            return Err(Full::All);
        }
        if taken.by_key.get(key).copied().unwrap_or(0) >= each_max {
            return Err(Full::Yours);
        }
        taken.total += 1;
        *taken.by_key.entry(key.clone()).or_insert(0) += 1;
        Ok(Place { key: key.clone(), taken: Arc::clone(&self.taken) })
    }

    /// The number of places taken by all keys.
    pub(crate) fn taken(&self) -> u32 {
        lock(&self.taken).total
    }

    /// The number of places taken by `key`.
    pub(crate) fn taken_by(&self, key: &K) -> u32 {
        lock(&self.taken).by_key.get(key).copied().unwrap_or(0)
    }
}

impl<K: Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        taken.total = taken.total.saturating_sub(1);
        let Some(own) = taken.by_key.get_mut(&self.key) else { return };
        *own = own.saturating_sub(1);
        if *own == 0 {
            taken.by_key.remove(&self.key);
        }
    }
}

impl Full {
    /// The error for a caller, which may take at most half of `places_max`.
    pub(crate) fn busy(self, subject: &'static str, places_max: u32) -> ServiceError {
        match self {
            Self::All => ServiceError::Busy { subject, max: places_max },
            Self::Yours => ServiceError::CallerBusy { subject, max: half(places_max) },
        }
    }
}

/// The number of places that one caller may take: half, rounded up, and at least 1.
pub(crate) fn half(places_max: u32) -> u32 {
    places_max.div_ceil(2).max(1)
}

/// No code that holds the lock can panic between two changes, so a poisoned lock still guards consistent counts.
fn lock<K>(taken: &Mutex<Taken<K>>) -> MutexGuard<'_, Taken<K>> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_takes_no_more_than_its_own_and_all_no_more_than_there_are() {
        let places = SharedPlaces::new();
        let ours = [(); 2].map(|()| places.take(&"a", 3, 2).unwrap());
        assert_eq!(places.take(&"a", 3, 2).unwrap_err(), Full::Yours);
        let other = places.take(&"b", 3, 2).unwrap();
        assert_eq!(places.take(&"b", 3, 2).unwrap_err(), Full::All);
        assert_eq!((places.taken(), places.taken_by(&"a"), places.taken_by(&"c")), (3, 2, 0));
        drop((ours, other));
        assert_eq!(places.taken(), 0);
    }

    #[test]
    fn places_come_back_when_they_are_dropped_and_idle_keys_are_forgotten() {
        let places = SharedPlaces::new();
        let place = places.take(&1, 1, 1).unwrap();
        assert_eq!(places.take(&2, 1, 1).unwrap_err(), Full::All);
        drop(place);
        assert!(lock(&places.taken).by_key.is_empty());
        places.take(&2, 1, 1).unwrap();
    }

    #[test]
    fn half_is_rounded_up_and_at_least_one() {
        assert_eq!([0, 1, 2, 3, 256, u32::MAX].map(half), [1, 1, 1, 2, 128, 1 << 31]);
    }

    #[test]
    fn lowered_limit_holds_for_the_next_place() {
        let places = SharedPlaces::new();
        let mut held: Vec<_> = (0..4).map(|_| places.take(&'a', 4, 4).unwrap()).collect();
        assert_eq!(places.take(&'b', 2, 1).unwrap_err(), Full::All);
        held.truncate(1);
        assert_eq!(places.take(&'a', 2, 1).unwrap_err(), Full::Yours);
        places.take(&'b', 2, 1).unwrap();
    }

    #[test]
    fn key_is_the_address_or_behind_a_proxy_the_connection() {
        let from = |address: &str, connection| {
            let mut extensions = Extensions::new();
            extensions.insert(Peer::new(address.parse().unwrap(), connection));
            extensions
        };
        let (first, second) = (from("192.0.2.1:7", 1), from("[::ffff:192.0.2.1]:8", 2));
        assert_eq!(ShareKey::of(&first, 512), ShareKey::of(&second, 512));
        assert_ne!(ShareKey::of(&first, 512), ShareKey::of(&from("192.0.2.2:7", 3), 512));
        assert_ne!(ShareKey::of(&first, 0), ShareKey::of(&second, 0));
        assert_eq!(ShareKey::of(&Extensions::new(), 512), ShareKey::Internal);
    }
}
