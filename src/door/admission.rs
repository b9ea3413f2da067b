//! Limits the connections after their handshake, in total and for each address. Logs when a limit is reached and when
//! there is room again.

use std::{
    collections::HashSet,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{
    calls::{Full, Place, SharedPlaces},
    settings::{CurrentSettings, Settings},
};
use puzzled_base::lasting::Lasting;

/// The places of connections, and which limits are reached.
pub(super) struct Admission {
    places: SharedPlaces<IpAddr>,
    current: Arc<CurrentSettings>,
    reached: Mutex<Reached>,
}

/// The limits that refuse connections.
#[derive(Debug, Default)]
struct Reached {
    connections: Lasting,
    per_address: Lasting,
    /// The addresses at their limit. Each was refused a connection, and has not closed enough others since.
    addresses: HashSet<IpAddr>,
}

/// The place of an admitted connection. When it is dropped, the place becomes free.
pub(super) struct Admitted {
    place: Option<Place<IpAddr>>,
    address: IpAddr,
    admission: Arc<Admission>,
}

impl Admission {
    pub(super) fn new(current: Arc<CurrentSettings>) -> Arc<Self> {
        Arc::new(Self { places: SharedPlaces::new(), current, reached: Mutex::default() })
    }

    /// Gives a client at `address` a place. `None` if a limit is reached. A reached limit is logged once until there is room again: the
    /// limit per address once for each address.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Admitted> {
        let settings = self.current.get();
        match self.places.take(&address, settings.connections.max_connections, per_address(&settings)) {
            Ok(place) => Some(Admitted { place: Some(place), address, admission: Arc::clone(self) }),
            Err(full) => {
                self.refuse(full, address, &settings);
                None
            }
        }
    }

    fn refuse(&self, full: Full, address: IpAddr, settings: &Settings) {
        let mut reached = self.reached();
        match full {
            Full::All if reached.connections.met() => {
                let max_connections = settings.connections.max_connections;
                tracing::warn!(max_connections, %address, "connection limit reached; further connections are closed");
            }
            Full::All => {}
            Full::Yours => {
                reached.per_address.met();
                if reached.addresses.insert(address) {
                    let max_connections_per_address = per_address(settings);
                    tracing::warn!(
                        max_connections_per_address,
                        %address,
                        "connection limit per address reached; its further connections are closed"
                    );
                }
            }
        }
    }

    /// After a connection of `address` has ended, logs which limits have room again.
    fn left(&self, address: IpAddr) {
        let mut reached = self.reached();
        if !reached.connections.lasts() && !reached.per_address.lasts() {
            return;
        }
        let settings = self.current.get();
        if eased(self.places.taken(), settings.connections.max_connections)
            && let Some(refused) = reached.connections.end()
        {
            tracing::info!(refused, "connection limit no longer reached");
        }
        if eased(self.places.taken_by(&address), per_address(&settings)) {
            reached.addresses.remove(&address);
        }
        if reached.addresses.is_empty()
            && let Some(refused) = reached.per_address.end()
        {
            tracing::info!(refused, "connection limit per address no longer reached");
        }
    }

    fn reached(&self) -> MutexGuard<'_, Reached> {
        // A panic between two changes leaves at most a log line too many or too few.
        self.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.place.take();
        self.admission.left(self.address);
    }
}

/// The maximum number of connections from one address; 0 in the settings means no limit.
fn per_address(settings: &Settings) -> u32 {
    match settings.connections.max_per_address() {
        0 => u32::MAX,
        max => max,
    }
}

/// Whether a limit counts as no longer reached: fewer than nine of ten places are taken. If one free place were enough, a client that
/// takes it at once would cause two log lines each time.
pub(super) fn eased(taken: u32, max: u32) -> bool {
    u64::from(taken) * 10 < u64::from(max) * 9
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::logged;

    const OURS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const THEIRS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    /// An admission with limits, in total and per address.
    fn bounded(all: u32, each: u32) -> (Arc<Admission>, Arc<CurrentSettings>) {
        let current = Arc::new(CurrentSettings::new(bounds(all, each)));
        (Admission::new(Arc::clone(&current)), current)
    }

    fn bounds(all: u32, each: u32) -> Settings {
        let mut settings = Settings::default();
        settings.connections.max_connections = all;
        settings.connections.max_connections_per_address = Some(each);
        settings
    }

    #[test]
    fn address_beyond_its_bound_is_refused_and_others_are_not() {
        let (admission, _) = bounded(4, 2);
        let held = [(); 2].map(|()| admission.admit(OURS).unwrap());
        assert!(admission.admit(OURS).is_none());
        let theirs = admission.admit(THEIRS).unwrap();
        drop(held);
        let again = admission.admit(OURS).unwrap();
        drop((theirs, again));
    }

    #[test]
    fn zero_means_no_bound_per_address() {
        let (admission, _) = bounded(3, 0);
        let _held = [(); 3].map(|()| admission.admit(OURS).unwrap());
        assert!(admission.admit(OURS).is_none());
    }

    #[test]
    fn bounds_are_read_again_for_each_connection() {
        let (admission, current) = bounded(1, 0);
        let _first = admission.admit(OURS).unwrap();
        assert!(admission.admit(OURS).is_none());
        current.set(bounds(2, 0));
        let _second = admission.admit(OURS).unwrap();
        current.set(bounds(1, 0));
        assert!(admission.admit(OURS).is_none());
    }

    #[test]
    fn each_bound_is_one_line_when_it_is_reached_and_one_when_it_no_longer_is() {
        let log = logged(|| {
            let (admission, _) = bounded(4, 2);
            let mut ours = vec![admission.admit(OURS), admission.admit(OURS)];
            assert!(admission.admit(OURS).is_none());
            assert!(admission.admit(OURS).is_none());
            let mut theirs = vec![admission.admit(THEIRS), admission.admit(THEIRS)];
            assert!((0..3).all(|_| admission.admit(THEIRS).is_none()));
            // A limit that was not reached is not logged, and the end of one is logged once.
            ours.pop();
            ours.pop();
            theirs.pop();
        });
        assert_eq!(
            log,
            "WARN connection limit per address reached; its further connections are closed \
             max_connections_per_address=2 address=192.0.2.1\n\
             WARN connection limit reached; further connections are closed max_connections=4 address=192.0.2.2\n\
             INFO connection limit no longer reached refused=3\n\
             INFO connection limit per address no longer reached refused=2\n"
        );
    }

    #[test]
    fn limit_per_address_is_logged_for_each_address_that_reaches_it() {
        let log = logged(|| {
            let (admission, _) = bounded(8, 1);
            let held = [OURS, THEIRS].map(|address| {
                let held = admission.admit(address);
                assert!(admission.admit(address).is_none());
                assert!(admission.admit(address).is_none());
                held
            });
            drop(held);
        });
        let reached = "WARN connection limit per address reached; its further connections are closed max_connections_per_address=1";
        assert_eq!(
            log,
            format!(
                "{reached} address={OURS}\n{reached} address={THEIRS}\n\
                 INFO connection limit per address no longer reached refused=4\n"
            )
        );
    }

    #[test]
    fn bound_is_eased_below_nine_tenths_of_it() {
        for (max, last) in [(1, 0), (4, 3), (10, 8), (512, 460), (1_024, 921)] {
            assert!(eased(last, max) && !eased(last + 1, max), "{max}");
        }
    }
}
