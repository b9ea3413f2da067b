//! The layers around the handlers: they identify the caller, check and limit each call, and count and log it.

pub(super) mod around;
pub(super) mod authorize;
pub(super) mod call;
pub(super) mod call_end;
pub(super) mod call_log;
pub(super) mod denials;
pub(super) mod edge;
pub(super) mod field_rules;
pub(super) mod guard;
pub(super) mod message_size;
pub(super) mod redact;
pub(super) mod revocable;
