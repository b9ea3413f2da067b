//! The schema of an imaginary later binary that this binary cannot use, and the error with which this binary refuses
//! it.

/// A migration that declares that older binaries cannot use the database.
pub(crate) const INCOMPATIBLE: &str = "
    alter table jobs add column note text;
    update schema set oldest_compatible = 2;
";

/// The error if the schema is [`INCOMPATIBLE`], after the name of the database.
pub(crate) const REFUSED: &str = " has schema 2, which needs a puzzled that knows schema 2 or later; this one knows 1; use \
                                  the newer binary or restore a backup";
