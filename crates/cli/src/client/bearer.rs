//! Reads secrets from files, because a password or a token must not be on a command line, and sends the access token of a
//! command with each call. Errors never show a secret.

use std::path::Path;

use http::HeaderValue;
use tonic::{Request, Status, service::Interceptor};

use crate::CliError;
use puzzled_base::message::read_text;

/// The setting that names the file of the token.
const SETTING: &str = "--token-file";

/// Adds the token to each call, if the command has one.
#[derive(Debug, Clone)]
pub struct Bearer(Option<HeaderValue>);

impl Bearer {
    /// Reads the token from a file.
    ///
    /// # Errors
    /// [`CliError::Secret`] if the file cannot be read, or does not contain exactly one token.
    pub(crate) fn read(file: Option<&Path>) -> Result<Self, CliError> {
        let Some(file) = file else { return Ok(Self(None)) };
        let token = secret(SETTING, file)?;
        let is_token = token.bytes().all(|byte| byte.is_ascii_graphic());
        let value = HeaderValue::from_str(&format!("Bearer {token}")).ok().filter(|_| is_token);
        let mut value = value.ok_or_else(|| CliError::Secret {
            setting: SETTING,
            file: file.to_owned(),
            reason: "not a token; write the token alone into the file, as `puzzled token new` prints it".to_owned(),
        })?;
        // `Debug` does not show a sensitive value, and the compression of headers does not store it.
        value.set_sensitive(true);
        Ok(Self(Some(value)))
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            request.metadata_mut().as_mut().insert(http::header::AUTHORIZATION, token.clone());
        }
        Ok(request)
    }
}

/// Reads a secret: one line of text, without the line break at its end. `setting` names the file in errors.
///
/// # Errors
/// [`CliError::Secret`] if the file cannot be read, is empty, or has more than one line.
pub fn secret(setting: &'static str, file: &Path) -> Result<String, CliError> {
    let fault = |reason: &str| CliError::Secret { setting, file: file.to_owned(), reason: reason.to_owned() };
    let text = read_text(file).map_err(|error| fault(&error))?;
    let secret = text.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(fault("the file is empty; write one line into it"));
    }
    if secret.contains(['\r', '\n']) {
        return Err(fault("the file has more than one line; write one line into it"));
    }
    Ok(secret.to_owned())
}
