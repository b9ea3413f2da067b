//! Callers: who may do what, and what the audit trail records.

pub mod actor;
pub mod audit_entry;
pub mod compute_quota;
pub mod principal;
