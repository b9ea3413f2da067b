//! What surrounds a call, in the order in which a call meets it: `open` gives it an ID and counts it, `authorize` identifies its caller, `edge`
//! limits it in number and time, `guard`, by the rules in `rights`, checks its fields and hides what its caller may not see. Then a method of
//! `Service` answers it, in the folder of its service. At the end, `open` notes its end, and `log` logs it.

mod around;
mod context;
mod traffic;

mod open;

mod authorize;
mod denials;

mod edge;

mod guard;
mod revocable;
mod rights;

mod service;

mod errors;
mod limits;

mod log;

pub(crate) use around::{Answer, Around, AroundLayer, Handlers};
pub(crate) use authorize::Authorize;
pub(crate) use context::{CallContext, Peer, actor_of, call_of, caller_of};
pub(crate) use edge::{Deadline, Edge};
pub(crate) use errors::{
    ServiceError,
    access_error::AccessError,
    exhausted::{Exhausted, Tries},
    fields::Invalid,
};
pub(crate) use guard::Guard;
pub(crate) use limits::{
    compute::{Cancel, Class, Seat},
    meter::Meter,
    places::{Full, Place, ShareKey, SharedPlaces},
    streams::{Messages, POLL_EVERY, Stream, start_stream},
};
pub(crate) use log::CallLog;
pub(crate) use open::{CallRecord, Calls};
pub(crate) use revocable::Ends;
pub use service::Parts;
pub(crate) use service::{Asked, Reply, Service};
pub(crate) use traffic::{Keeping, Traffic};
