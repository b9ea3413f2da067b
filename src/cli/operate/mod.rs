//! The commands that run a server, or open its database or its files.

pub(super) mod backup;
pub(super) mod check;
pub(super) mod copy;
pub(super) mod doctor;
pub(super) mod export;
pub(super) mod migrate;
pub(super) mod reload;
pub(super) mod rerate;
pub(super) mod rerate_words;
pub(super) mod restore;
pub(super) mod serve;
pub(super) mod signals;
pub(super) mod token;
pub(super) mod work;
