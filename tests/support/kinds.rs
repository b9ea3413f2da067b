//! The cases of each kind of the registry, from the TOML files of `tests/data/kinds`. `README.md` there describes each file.

use std::{
    fs,
    path::{Path, PathBuf},
};

use puzzled_engine::{registry, shared::kind::PuzzleKind};
use serde::de::DeserializeOwned;

/// The cases of a file that the folder of each kind has. A key that `T` does not have is a fault of the file.
pub(crate) fn cases<T: DeserializeOwned>(name: &str) -> Vec<(&'static dyn PuzzleKind, T)> {
    let of_kind = |kind: &&'static dyn PuzzleKind| {
        let file = folder().join(kind.name()).join(name);
        let text = fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("{}: {error}; add it as README.md says there", file.display()));
        (*kind, toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
    };
    registry::kinds().iter().map(of_kind).collect()
}

/// The folder `tests/data/kinds`, for the tests of any crate.
pub(crate) fn folder() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("tests/data/kinds"));
    above.into_iter().find(|folder| folder.is_dir()).expect("no folder tests/data/kinds")
}
