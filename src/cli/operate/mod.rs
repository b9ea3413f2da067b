//! The commands that run a server, or open its database or its files.

pub(super) mod backup;
pub(super) mod check;
pub(super) mod copy;
pub(super) mod doctor;
pub(super) mod export;
pub(super) mod migrate;
pub(super) mod reload;
pub(super) mod rerate;
pub(super) mod serve;
