//! What is the same on the other database, see [`crate::store::same`].

crate::store::same::functions!();
