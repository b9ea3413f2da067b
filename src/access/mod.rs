//! Access: parses the access file, identifies callers by access token or client certificate, and counts what they use
//! of their quotas.

mod directory;
mod entries;
mod gate;
mod quota_use;
pub mod token;

pub use directory::{AccessFault, Directory, Expiry};
pub use gate::{Caller, Gate, Unidentified};
pub use quota_use::{OverRate, Usage};
