//! What the process gets from the operating system: files that are read again, the limit of open files, and the service manager.

pub(crate) mod this_process;
pub mod watched_files;
