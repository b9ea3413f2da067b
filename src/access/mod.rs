//! Access: the file of principals and tokens, and who a caller is by it.

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
