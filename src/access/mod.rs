//! Access: parses the access file, identifies callers by access token or client certificate, and counts what they use
//! of their quotas.

mod directory;
mod entries;
mod gate;
mod line;
mod quota_use;
pub mod token;

pub use directory::{Directory, Expiry};
pub use gate::{Gate, Identity, Unidentified};
pub use line::AccessFault;
pub use quota_use::{OverRate, Usage};
