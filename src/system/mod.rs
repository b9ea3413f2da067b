//! What the operating system gives: clocks, random numbers, files, and the service manager.

pub mod chance;
pub mod clock;
pub(crate) mod open_files;
pub(crate) mod service_manager;
pub mod watched_files;
