//! The sender of a request as the audit trail names it.

use std::{net::SocketAddr, sync::Arc};

use tonic::Request;

use super::{call::CallContext, peer::Peer};
use crate::{rules::principal::Principal, store::actor::Actor};

/// The sender of a request, and the method that it calls. Cheap to make: few calls change anything.
#[derive(Debug, Clone)]
pub(super) struct Sender {
    call: Option<Arc<CallContext>>,
    address: Option<SocketAddr>,
    method: &'static str,
}

impl Sender {
    /// The sender of a request to a method, such as `CancelJob`.
    pub(super) fn of<T>(request: &Request<T>, method: &'static str) -> Self {
        let extensions = request.extensions();
        let address = extensions.get::<Peer>().map(|peer| peer.address);
        Self { call: extensions.get().cloned(), address, method }
    }

    /// The actor of what the request changes.
    pub(super) fn actor(&self) -> Actor {
        let address = self.address.map(|address| address.to_string()).unwrap_or_default();
        let call_id = self.call.as_ref().map_or_else(|| "".into(), |call| Arc::clone(&call.id));
        match self.call.as_ref().and_then(|call| call.principal.get()) {
            Some(principal) => Actor::of_call(principal, address, self.method, call_id),
            None => Actor::of_call(&Principal::anonymous(), address, self.method, call_id),
        }
    }
}

/// The actor of a request to a method.
pub(super) fn of<T>(request: &Request<T>, method: &'static str) -> Actor {
    Sender::of(request, method).actor()
}
