//! The parts of an address of a program on the web.

use super::{TextError, malformed};
use crate::shared::names::quoted;

/// The hosts of SudokuPad.
pub(crate) const SUDOKUPAD: [&str; 4] =
    ["sudokupad.app", "beta.sudokupad.app", "app.crackingthecryptic.com", "sudokupad.svencodes.com"];

/// The parts of an address.
pub(crate) struct Address<'a> {
    /// In lower case, without `www.`.
    pub(crate) host: String,
    /// From the first `/`; empty if the address has none.
    pub(crate) path: &'a str,
    /// After `?`.
    pub(crate) query: &'a str,
}

impl<'a> Address<'a> {
    pub(crate) fn of(address: &'a str) -> Self {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
        let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) = before.split_at(before.find('/').unwrap_or(before.len()));
        let host = host.to_ascii_lowercase();
        Self { host: host.strip_prefix("www.").unwrap_or(&host).to_owned(), path, query }
    }

    /// The identifier of a puzzle in an address of SudokuPad, with its escapes. `None` if the address is of another site.
    pub(crate) fn of_sudokupad(&self) -> Option<&'a str> {
        SUDOKUPAD.contains(&self.host.as_str()).then_some(())?;
        let path = self.path.trim_matches('/');
        let (folder, below) = path.split_once('/').unwrap_or((path, ""));
        let path = if ["sudoku", "puzzle"].contains(&folder) { below } else { path };
        Some(if path.is_empty() { self.parameter("puzzleid").unwrap_or_default() } else { path })
    }

    /// The value of a parameter, with its escapes.
    pub(crate) fn parameter(&self, name: &str) -> Option<&'a str> {
        let mut pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find_map(|(known, value)| (known == name).then_some(value))
    }
}

/// Replaces the escapes of an address, such as `%2B`.
pub(crate) fn unescaped(text: &str) -> Result<String, TextError> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let Some(byte) = byte else {
            let part = quoted(&format!("%{part}"));
            return Err(malformed(format!("the escape {part} in the address is broken; copy the whole address")));
        };
        bytes.push(byte);
        bytes.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes)
        .map_err(|_| malformed("the escapes in the address are not UTF-8; copy the whole address".to_owned()))
}
