//! Messages for people: cuts the errors of calls and commands at 400 characters, and describes file errors in words.

use std::io::{self, ErrorKind};

use puzzled_engine::shared::names::head;

/// The maximum number of characters of a message.
const CHARS_MAX: usize = 400;

/// Cuts a message to at most 400 characters. A message that was cut ends in `…`.
pub(crate) fn bounded(message: String) -> String {
    if head(&message, CHARS_MAX).len() == message.len() {
        message
    } else {
        format!("{}…", head(&message, CHARS_MAX - 1))
    }
}

/// Describes an error of the operating system about a file, with a remedy if there is one.
pub(crate) fn of_file(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "the file does not exist; check its name".to_owned(),
        ErrorKind::PermissionDenied => "permission denied; check the owner and the mode of the file".to_owned(),
        ErrorKind::IsADirectory => "a folder, not a file; name a file".to_owned(),
        ErrorKind::StorageFull => "the disk is full; free space on it".to_owned(),
        _ => format!("the file cannot be read or written: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
