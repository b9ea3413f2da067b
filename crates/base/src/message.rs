//! Messages for people: cuts the errors of calls and commands at 400 characters, and describes file errors in words.

use std::{
    fs,
    io::{self, ErrorKind},
    path::Path,
};

use puzzled_engine::shared::names::head;

/// The maximum number of characters of a message.
const CHARS_MAX: usize = 400;

/// The byte order mark of UTF-8.
pub const MARK: &str = "\u{feff}";

/// Cuts a message to at most 400 characters. A message that was cut ends in `…`.
#[must_use]
pub fn bounded(message: String) -> String {
    if head(&message, CHARS_MAX).len() == message.len() {
        message
    } else {
        format!("{}…", head(&message, CHARS_MAX - 1))
    }
}

/// Describes an error of the operating system about a file, with a remedy if there is one.
#[must_use]
pub fn of_file(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "the file does not exist; check its name".to_owned(),
        ErrorKind::PermissionDenied => "permission denied; check the owner and the mode of the file".to_owned(),
        ErrorKind::IsADirectory => "a folder, not a file; name a file".to_owned(),
        ErrorKind::StorageFull => "the disk is full; free space on it".to_owned(),
        _ => format!("the file cannot be read or written: {error}"),
    }
}

/// The text of a file without a byte order mark, which some editors put at the start of a file.
///
/// # Errors
/// What is wrong with the bytes, and what is allowed, if they are not UTF-8.
pub fn text_of(bytes: Vec<u8>) -> Result<String, &'static str> {
    let is_utf16 = [[0xfe, 0xff], [0xff, 0xfe]].iter().any(|mark| bytes.starts_with(mark));
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with(MARK) {
                text.drain(..MARK.len());
            }
            Ok(text)
        }
        Err(_) if is_utf16 => Err("the text is UTF-16; save it as UTF-8"),
        Err(_) => Err("the text is not UTF-8; save it as UTF-8"),
    }
}

/// Reads a file of text; see [`text_of`].
///
/// # Errors
/// Why the file cannot be read, as [`of_file`] says it, or what is wrong with its text.
pub fn read_text(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|error| of_file(&error))?;
    text_of(bytes).map_err(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mark_of_utf8_is_skipped_and_utf16_is_named() {
        assert_eq!(text_of("\u{feff}a\u{feff}b".into()), Ok("a\u{feff}b".to_owned()));
        assert_eq!(text_of(vec![0xff, 0xfe, b'a', 0]), Err("the text is UTF-16; save it as UTF-8"));
        assert_eq!(text_of(vec![b'a', 0xff]), Err("the text is not UTF-8; save it as UTF-8"));
    }

    #[test]
    fn message_longer_than_the_bound_is_cut() {
        for (sign, len) in [("x", 400), ("é", 400), ("x", 401), ("é", 10_000)] {
            let text = sign.repeat(len);
            let cut = bounded(text.clone());
            assert_eq!(cut.chars().count(), 400);
            assert!(if len > 400 { cut.ends_with('…') } else { cut == text });
        }
    }
}
