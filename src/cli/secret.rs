//! Reads a secret from a file: a password or a token, which must not be on a command line. Errors never show the
//! secret.

use std::{fs, path::Path};

use super::CliError;
use crate::message::of_file;

/// Reads a secret: one line of text, without the line break at its end. `setting` names the file in errors.
///
/// # Errors
/// [`CliError::Secret`] if the file cannot be read, is empty, or has more than one line.
pub(super) fn read(setting: &'static str, file: &Path) -> Result<String, CliError> {
    let fault = |reason: &str| CliError::Secret { setting, file: file.to_owned(), reason: reason.to_owned() };
    let text = fs::read_to_string(file).map_err(|error| fault(&of_file(&error)))?;
    let secret = text.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(fault("the file is empty; write one line into it"));
    }
    if secret.contains(['\r', '\n']) {
        return Err(fault("the file has more than one line; write one line into it"));
    }
    Ok(secret.to_owned())
}
