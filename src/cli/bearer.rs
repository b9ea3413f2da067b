//! Reads the access token of a command from a file, and sends it with each call.

use std::path::Path;

use http::HeaderValue;
use tonic::{Request, Status, service::Interceptor};

use super::{CliError, secret};

/// The setting that names the file of the token.
const SETTING: &str = "--token-file";

/// Adds the token to each call, if the command has one.
#[derive(Debug, Clone)]
pub(super) struct Bearer(Option<HeaderValue>);

impl Bearer {
    /// Reads the token from a file.
    ///
    /// # Errors
    /// [`CliError::Secret`] if the file cannot be read, or does not contain exactly one token.
    pub(super) fn read(file: Option<&Path>) -> Result<Self, CliError> {
        let Some(file) = file else { return Ok(Self(None)) };
        let token = secret::read(SETTING, file)?;
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
