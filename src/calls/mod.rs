//! What surrounds a call, in the order in which a call meets it: `open` gives it an ID and a span, `authorize` identifies its caller, `edge`
//! limits it in number and time, `guard` checks its fields and hides what its caller may not see by the rules in `rights`. Then a method of
//! [`Service`] answers it, in the folder of its service. At last, `end` counts it, and `log` logs it.

pub(crate) mod around;
pub(crate) mod peer;
pub(crate) mod traffic;

pub(crate) mod open;

pub(crate) mod authorize;
pub(crate) mod denials;

pub(crate) mod edge;

pub(crate) mod guard;
pub(crate) mod revocable;
mod rights;

mod service;

pub(crate) mod limits;

pub(crate) mod errors;

pub(crate) mod end;
pub(crate) mod log;

pub use service::Parts;
pub(crate) use service::{Reply, Service};
