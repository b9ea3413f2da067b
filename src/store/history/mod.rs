//! What audiences have had elsewhere, and which stored puzzle a printed text is.

pub(super) mod find_store;
pub(super) mod record;
