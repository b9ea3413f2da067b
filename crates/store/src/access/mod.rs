//! Callers: who may do what, and the audit trail.

pub mod actor;
pub mod audit_entry;
pub(crate) mod audit_store;
pub mod compute_quota;
pub mod principal;
