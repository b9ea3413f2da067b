//! The schema of an imaginary later binary that this binary cannot use, and the error with which this binary refuses
//! it.

/// It changes what older binaries rely on, and says so.
pub(crate) const INCOMPATIBLE: &str = "
    alter table jobs add column note text;
    update schema set oldest_compatible = 2;
";

/// What follows the error's beginning, the name of the database, if its schema is [`INCOMPATIBLE`].
pub(crate) const REFUSED: &str = " has schema 2, which needs a puzzled that knows schema 2 or later; this one knows 1; use \
                                  the newer binary or restore a backup";
