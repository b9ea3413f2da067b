//! What each request carries on its way through the layers: its client, its [`CallContext`], and its caller. Methods read from it who acts.

use std::{
    net::SocketAddr,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use http::{Extensions, HeaderMap};

use super::{errors::ServiceError, traffic::Traffic};
use crate::{access::Caller, telemetry::traces::TraceSpan};
use puzzled_base::chance::Chance;
use puzzled_store::access::{actor::Actor, principal::Principal};

/// The header that carries the ID of a call, in both directions.
pub(super) const HEADER: &str = "x-request-id";

/// The maximum number of characters in a caller's own ID.
const ID_LEN_MAX: usize = 64;

/// The client at the other end of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    /// The client's address. An IPv4 address that the socket maps into IPv6 is converted back.
    pub(crate) address: SocketAddr,
    /// The number of the connection, unique in this process.
    pub(crate) connection: u64,
    /// The name in the client's certificate: its first URI, else its first DNS name. `None` without TLS, and for a client
    /// without a certificate or without such a name.
    pub(crate) certificate: Option<Arc<str>>,
    /// The traffic of the connection.
    pub(crate) traffic: Arc<Traffic>,
}

impl Peer {
    /// A peer with a new connection.
    pub(crate) fn new(address: SocketAddr, connection: u64) -> Self {
        // A client must not get a second share by connecting to `::ffff:192.0.2.1` instead of `192.0.2.1`.
        let address = SocketAddr::new(address.ip().to_canonical(), address.port());
        Self { address, connection, certificate: None, traffic: Arc::default() }
    }
}

/// A call on its way through the layers. Each request carries it as an `Arc` among its extensions.
#[derive(Debug)]
pub(crate) struct CallContext {
    /// The caller's `x-request-id` if it has 1 to 64 characters of `[A-Za-z0-9._-]`; otherwise random.
    pub(crate) id: Arc<str>,
    /// The address of the caller; `None` for a call from within this process.
    pub(crate) peer: Option<SocketAddr>,
    /// Its span, in the format of the header `traceparent`; `None` if it is not traced.
    pub(crate) traceparent: Option<Arc<str>>,
    /// Set once the caller is known.
    pub(crate) principal: OnceLock<Arc<Principal>>,
    /// Time that the call has used on compute threads, in nanoseconds.
    compute_ns: AtomicU64,
}

impl CallContext {
    pub(super) fn of(headers: &HeaderMap, peer: Option<&Peer>, span: Option<&TraceSpan>, chance: &Chance) -> Self {
        let own = headers.get(HEADER).and_then(|value| value.to_str().ok()).filter(|id| is_id(id));
        let id = own.map_or_else(|| format!("{:016x}", chance.next_u64()).into(), Arc::from);
        let peer = peer.map(|peer| peer.address);
        let traceparent = span.map(|span| span.traceparent().into());
        Self { id, peer, traceparent, principal: OnceLock::new(), compute_ns: AtomicU64::new(0) }
    }

    /// Adds time that the call has used on a compute thread.
    pub(crate) fn add_compute(&self, used: Duration) {
        let nanos = u64::try_from(used.as_nanos()).unwrap_or(u64::MAX);
        self.compute_ns.fetch_add(nanos, Ordering::Relaxed);
    }

    /// The actor of what this call of a method changes, or would have changed.
    pub(crate) fn actor(&self, principal: &Principal, method: &str) -> Actor {
        let address = self.peer.map(|peer| peer.to_string()).unwrap_or_default();
        Actor::of_call(principal, address, method, Arc::clone(&self.id)).within(self.traceparent.clone())
    }

    /// The time that the call has used on compute threads.
    pub(crate) fn compute(&self) -> Duration {
        Duration::from_nanos(self.compute_ns.load(Ordering::Relaxed))
    }
}

fn is_id(id: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=ID_LEN_MAX).contains(&id.len()) && id.bytes().all(allowed)
}

/// The actor of a request to a method.
///
/// # Errors
/// Those of [`caller_of`] and [`call_of`].
pub(crate) fn actor_of<T>(request: &tonic::Request<T>, method: &'static str) -> Result<Actor, ServiceError> {
    let extensions = request.extensions();
    Ok(call_of(extensions)?.actor(&caller_of(extensions)?.principal, method))
}

/// The caller that `authorize` put on a request.
///
/// # Errors
/// [`ServiceError::Internal`] if there is none: no call is answered, and no change is made, in the name of an unknown caller.
pub(crate) fn caller_of(extensions: &Extensions) -> Result<Arc<Caller>, ServiceError> {
    extensions.get().cloned().ok_or_else(|| internal("a call whose caller is unknown"))
}

/// The context that `open` put on a request.
///
/// # Errors
/// [`ServiceError::Internal`] if there is none.
pub(crate) fn call_of(extensions: &Extensions) -> Result<Arc<CallContext>, ServiceError> {
    extensions.get().cloned().ok_or_else(|| internal("a call without an ID"))
}

fn internal(what: &str) -> ServiceError {
    ServiceError::Internal(what.to_owned())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn mapped_address_is_the_ipv4_address() {
        for (address, expected) in [
            ("192.0.2.1:7", "192.0.2.1:7"),
            ("[::ffff:192.0.2.1]:7", "192.0.2.1:7"),
            ("[2001:db8::1]:7", "[2001:db8::1]:7"),
        ] {
            let peer = Peer::new(address.parse().unwrap(), 1);
            assert_eq!(peer.address, expected.parse().unwrap());
        }
    }

    #[test]
    fn id_of_the_caller_is_kept_if_it_is_short_and_plain() {
        let chance = Chance::from_seed(1);
        let id = |sent: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HEADER, HeaderValue::from_str(sent).unwrap());
            CallContext::of(&headers, None, None, &chance).id
        };
        for kept in ["a", "night-7_b.2", &"x".repeat(64)] {
            assert_eq!(&*id(kept), kept);
        }
        for replaced in ["", "a b", "a/b", "a\tb", &"x".repeat(65)] {
            let drawn = id(replaced);
            assert!(drawn.len() == 16 && &*drawn != replaced, "{drawn}");
        }
    }

    #[test]
    fn request_without_a_caller_has_no_actor() {
        let made = actor_of(&tonic::Request::new(()), "CancelJob");
        assert!(matches!(made, Err(ServiceError::Internal(_))), "{made:?}");
        assert!(matches!(caller_of(&Extensions::new()), Err(ServiceError::Internal(_))));
    }
}
