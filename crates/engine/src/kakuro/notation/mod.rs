//! Reads and writes Kakuro: texts, addresses, and drawings.

pub mod draw;
pub mod text;
pub mod url;
