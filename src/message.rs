//! The bound on the length of messages for people: errors of calls, and what a command says when it fails.

/// Most characters of a message.
const CHARS_MAX: usize = 400;

/// The message, cut at 400 characters. The last character of a message that was cut is `…`.
pub(crate) fn bounded(message: String) -> String {
    match message.char_indices().nth(CHARS_MAX) {
        None => message,
        Some(_) => message.chars().take(CHARS_MAX - 1).chain(['…']).collect(),
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
