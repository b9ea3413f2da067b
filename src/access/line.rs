//! The error of an access file that cannot be used: what is wrong, and in which line.

/// What is wrong with an access file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct AccessFault {
    /// The line, from 1.
    pub line: usize,
    /// The field, what is wrong with its value, and what is allowed.
    pub reason: String,
}

impl AccessFault {
    /// A fault at a byte of the text.
    pub(super) fn at(text: &str, byte: usize, reason: String) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        Self { line: before.matches('\n').count() + 1, reason }
    }

    /// The fault of a text that is not TOML, or has a key or a type that is not allowed.
    pub(super) fn of_toml(text: &str, error: &toml::de::Error) -> Self {
        let byte = error.span().map_or(0, |span| span.start);
        let Self { line, .. } = Self::at(text, byte, String::new());
        let key = text.lines().nth(line - 1).and_then(|line| line.split_once('=')).map_or("", |(key, _)| key.trim());
        let said = error.message().lines().next().unwrap_or_default();
        // The message about an unknown field names it already.
        let reason = if key.is_empty() || said.starts_with("unknown field") {
            said.to_owned()
        } else {
            format!("{key}: {said}")
        };
        Self { line, reason }
    }
}
