//! Callers: who may do what, and the audit trail.

pub mod actor;
pub mod audit;
pub mod audit_entry;
pub mod compute_quota;
pub mod principal;
