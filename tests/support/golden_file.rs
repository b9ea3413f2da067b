//! Compares outputs with golden files.

use std::{env, fs, path::Path};

/// Asserts that an output equals its file in `tests/golden`.
pub(crate) fn check(name: &str, shown: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    #[expect(clippy::disallowed_methods, reason = "a person sets UPDATE_GOLDEN")]
    if env::var("UPDATE_GOLDEN").is_ok() {
        fs::write(&file, shown).unwrap();
    }
    let golden = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(shown, golden, "{}: UPDATE_GOLDEN=1 writes it anew", file.display());
}
