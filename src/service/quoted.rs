//! Quotes wrong values in errors. A status travels in headers, which must stay small, so long values are cut.

/// The maximum number of characters of a wrong value in a message.
const QUOTED_MAX: usize = 40;

/// The value in quotes. A long value is cut.
pub(super) fn quoted(value: &str) -> String {
    let head = cut(value);
    let more = if head.len() < value.len() { format!("… ({} bytes)", value.len()) } else { String::new() };
    format!("{head:?}{more}")
}

/// The start of a value, at most [`QUOTED_MAX`] characters.
pub(super) fn cut(value: &str) -> &str {
    value.char_indices().nth(QUOTED_MAX).map_or(value, |(end, _)| &value[..end])
}
