//! What the operating system gives: clocks, random numbers, files, and the service manager.

pub mod chance;
pub mod clock;
pub(crate) mod this_process;
pub mod watched_files;
