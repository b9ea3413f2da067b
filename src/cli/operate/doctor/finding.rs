//! The result of one check of `doctor`, as text and as JSON.

use serde::Serialize;

use crate::cli::CliError;

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Form {
    /// Lines for people.
    Text,
    /// One JSON object per line: `check`, `severity`, `message`.
    Json,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Severity {
    /// Nothing to do.
    Ok,
    /// A server starts, but something may fail later.
    Warning,
    /// A server would not start, or its calls would fail.
    Error,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    pub(super) check: &'static str,
    pub(super) severity: Severity,
    /// The state, and what to do if something is wrong. One line.
    pub(super) message: String,
}

impl Finding {
    pub(super) fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, severity: Severity::Ok, message: message.into() }
    }

    pub(super) fn warning(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, severity: Severity::Warning, message: message.into() }
    }

    pub(super) fn error(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, severity: Severity::Error, message: message.into() }
    }

    /// The finding as a line.
    pub(super) fn shown(&self, form: Form) -> Result<String, CliError> {
        let severity = match self.severity {
            Severity::Ok => "ok",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        Ok(match form {
            Form::Text => format!("{severity:<7}  {}: {}\n", self.check, self.message),
            Form::Json => serde_json::to_string(self).map_err(CliError::Json)? + "\n",
        })
    }
}
